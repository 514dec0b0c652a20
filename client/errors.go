package client

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"time"

	"hotcell/api"
)

// TransportError says that a service was not reached, or that its answer did not come, or not
// in time: whether it has carried the request out is not known.
type TransportError struct {
	Service string // its address
	Err     error
}

// Error implements error.
func (e *TransportError) Error() string {
	return fmt.Sprintf("ask %s: %s%s", e.Service, e.Err, e.wayOut())
}

func (e *TransportError) wayOut() string {
	if _, unknown := errors.AsType[x509.UnknownAuthorityError](e.Err); unknown {
		return ": name the authority that has signed its certificate (a file of PEM: HOTCELL_TLS_CA of the command, Options.TLS of a program)"
	}
	if _, other := errors.AsType[x509.HostnameError](e.Err); other {
		return ": ask by a name that its certificate has"
	}
	if invalid, is := errors.AsType[x509.CertificateInvalidError](e.Err); is && invalid.Reason == x509.Expired {
		return ": its administrator has to renew it, unless the clock of this machine is wrong"
	}
	if _, plain := errors.AsType[tls.RecordHeaderError](e.Err); plain || errors.Is(e.Err, http.ErrSchemeMismatch) {
		return ": what listens there speaks no TLS: is it http:// and a loopback address?"
	}
	return ""
}

// Unwrap lets errors.Is and errors.As see the cause.
func (e *TransportError) Unwrap() error { return e.Err }

// ForbiddenError says that this host does not let its user to a service's socket: that does not pass.
type ForbiddenError struct{ Service string }

// Error implements error.
func (e *ForbiddenError) Error() string {
	return fmt.Sprintf("ask %s: permission denied: its socket is for another group: ask its administrator to add you (adduser NAME hotcell), and log in again", e.Service)
}

// Is has errors.Is find fs.ErrPermission.
func (e *ForbiddenError) Is(target error) bool { return target == fs.ErrPermission }

// StatusError is an error that was not told as a service tells it (RFC 9457): something else
// listens there, or stands before it.
type StatusError struct {
	Service    string
	Status     int
	RetryAfter time.Duration // or 0
	TLS        bool          // it was asked in plain text, and wants TLS
}

// Error implements error.
func (e *StatusError) Error() string {
	if e.Status >= 300 && e.Status < 400 {
		return fmt.Sprintf("ask %s: it answers %d and names another address, to which nothing is sent: give the address of the service itself", e.Service, e.Status)
	}
	if e.TLS {
		return fmt.Sprintf("ask %s: it was asked in plain text, and speaks TLS: write https://", e.Service)
	}
	return fmt.Sprintf("ask %s: it answers %d %s without saying why: is it the address of a service (runner serve)?", e.Service, e.Status, http.StatusText(e.Status))
}

// AnswerError says that an answer is none of a service's, or of something else than what was
// asked for.
type AnswerError struct {
	Service string
	Err     error
}

// Error implements error.
func (e *AnswerError) Error() string {
	return fmt.Sprintf("ask %s: its answer cannot be used: %s", e.Service, e.Err)
}

// Unwrap lets errors.Is and errors.As see the cause.
func (e *AnswerError) Unwrap() error { return e.Err }

var (
	// ErrMismatch is wrapped by the error for a file that is not what the list of files says.
	ErrMismatch = errors.New("the file is not what the run has released")
	// ErrCut is wrapped by the error for a list that has no end.
	ErrCut  = errors.New("the list does not end")
	errSlow = errors.New("it has not answered in time")
	errIdle = errors.New("nothing has come for too long")
)

func (c *Client) malformed(format string, values ...any) error {
	return &AnswerError{c.name, fmt.Errorf(format, values...)}
}

// busy is when to ask again whoever is too busy just now, or 0.
func busy(err error) time.Duration {
	if problem, ok := errors.AsType[*api.Problem](err); ok && isBusy(problem.Status) {
		return time.Duration(problem.RetryAfter) * time.Second
	}
	if other, ok := errors.AsType[*StatusError](err); ok && isBusy(other.Status) {
		return other.RetryAfter
	}
	return 0
}

func isBusy(status int) bool {
	return status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable
}

// isLost tells an answer that may have been on its way from one that was given.
func isLost(err error) bool {
	if _, lost := errors.AsType[*TransportError](err); lost {
		return true
	}
	other, ok := errors.AsType[*StatusError](err)
	return ok && (other.Status == http.StatusBadGateway || other.Status == http.StatusGatewayTimeout || other.Status == http.StatusServiceUnavailable)
}

// isInFlight tells that a request with the same key has no answer yet.
func isInFlight(err error) bool {
	problem, ok := errors.AsType[*api.Problem](err)
	return ok && problem.Status == http.StatusConflict
}
