package httpapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"hotcell/internal/access"
	"hotcell/internal/panics"
)

// standing, unless it is nil, asks again, for as long as a request is answered, whether who sent it is
// still known by it, and may still ask. A token that was revoked or has expired, and a certificate that is valid no
// more, end their streams, waits and downloads by that.
type standing struct {
	call  *call
	route route
	asked *http.Request // as it came, whatever is done to it since
	end   context.CancelCauseFunc

	mu      sync.Mutex
	timer   *time.Timer
	stopped bool
	unasked time.Time // since when nobody could be asked, or zero
}

// fallenError is why a request ends before its answer.
type fallenError struct{ problem error }

// Error implements error.
func (e *fallenError) Error() string { return "who asks may not any more: " + e.problem.Error() }

// Unwrap gives the problem, which the caller is told where nothing was told before.
func (e *fallenError) Unwrap() error { return e.problem }

// stand begins it. Requests of a handler of this process end with the one that it has from the
// network.
func (c *call) stand(one route) {
	if access.Of(c.r.Context()).Name != "" {
		return
	}
	s := &standing{call: c, route: one, asked: c.r.WithContext(c.r.Context())}
	s.asked.Header = c.r.Header.Clone()
	ctx, cancel := context.WithCancelCause(c.r.Context())
	c.r, s.end, c.w.fallen = c.r.WithContext(ctx), cancel, c.fallen
	c.standing = s
	s.mu.Lock()
	defer s.mu.Unlock()
	s.timer = time.AfterFunc(c.door.Limits.KeepAlive, s.look)
}

// ask says why who sent the request may not any more, or why that cannot be said.
func (s *standing) ask() error {
	if s == nil {
		return nil
	}
	return panics.Catch("asking again who asks", func() error {
		by, err := s.call.identify(s.route, s.asked)
		if err == nil && by.Name != s.call.by.Name {
			err = unknownCaller(fmt.Errorf("%w: it is somebody else's by now", access.ErrUnknown))
		}
		return err
	})
}

// look asks, and asks again. Where nobody can be asked, nothing is known against who asks: only when
// that lasts does the request end.
func (s *standing) look() {
	err := s.ask()
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.stopped:
		return
	case err == nil:
		s.unasked = time.Time{}
	case !isFault(err):
		s.end(&fallenError{err})
		return
	case s.unasked.IsZero():
		s.unasked = time.Now()
	case time.Since(s.unasked) >= s.call.door.Limits.Unasked:
		s.end(&fallenError{err})
		return
	}
	s.timer.Reset(s.call.door.Limits.KeepAlive)
}

// isFault reports whether an error of ask's is ours, and no word on who asks.
func isFault(err error) bool {
	told, ok := errors.AsType[*problem](err)
	return !ok || told.word == wordUnchecked
}

func (s *standing) stop() {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stopped = true
	s.timer.Stop()
	s.end(nil)
}

// fallen is why a request is to be answered no more, or nil.
func (c *call) fallen() error {
	if fallen, ok := errors.AsType[*fallenError](context.Cause(c.r.Context())); ok {
		return fallen
	}
	return nil
}
