package access

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// TooManyError is for who has failed to say who they are too often, and when to try again. It
// is no ErrUnknown: the answer is 429.
type TooManyError struct{ After time.Duration }

// Error implements error.
func (e *TooManyError) Error() string {
	return fmt.Sprintf("too many requests from there were of nobody that is known: try again in %s", e.After)
}

// How many failures of one address are answered, and logged: a burst, and then one in so long.
const (
	failureBurst = 20
	failureEvery = 3 * time.Second
	maxAddresses = 4096
)

// Limited bounds how often an address may fail, and logs failures that it answers, as many as Lines has
// room for of all addresses together: from where, and why, and nothing of what was sent. Who is known passes whatever others fail from
// the same address, which may be a proxy's: what is asked for has 256 bits or a signature, and is
// not found by trying.
func Limited(inner Authenticator, log *slog.Logger) Authenticator {
	return &limited{inner: inner, log: log, lines: NewLines(), now: time.Now, failures: map[string]*rate.Limiter{}}
}

type limited struct {
	inner Authenticator
	log   *slog.Logger
	lines *Lines
	now   func() time.Time

	mu       sync.Mutex
	failures map[string]*rate.Limiter // by address; those without a failure that counts are not kept
	looked   time.Time                // when the last were dropped
}

// Authenticate implements Authenticator.
func (l *limited) Authenticate(r *http.Request) (Principal, error) {
	who, err := l.inner.Authenticate(r)
	if err == nil || !errors.Is(err, ErrUnknown) {
		return who, err
	}
	from := origin(r)
	if wait := l.failed(from); wait > 0 {
		return Principal{}, &TooManyError{wait}
	}
	if more, ok := l.lines.Take(true); ok {
		l.log.WarnContext(r.Context(), "nobody that is known", append([]any{"from", from, "why", err.Error()}, more...)...)
	}
	return Principal{}, err
}

// failed counts one, and says how long to wait where there were too many.
func (l *limited) failed(from string) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	limiter, ok := l.failures[from]
	if !ok {
		if len(l.failures) >= maxAddresses {
			l.forget(now)
		}
		if len(l.failures) >= maxAddresses {
			return failureEvery // so many addresses fail that this one has to wait
		}
		limiter = rate.NewLimiter(rate.Every(failureEvery), failureBurst)
		l.failures[from] = limiter
	}
	if limiter.AllowN(now, 1) {
		return 0
	}
	return failureEvery
}

// forget drops what has not failed for so long that it counts as new. mu is held.
func (l *limited) forget(now time.Time) {
	if now.Sub(l.looked) < time.Second { // all of them are looked at
		return
	}
	l.looked = now
	for from, limiter := range l.failures {
		if limiter.TokensAt(now) >= failureBurst {
			delete(l.failures, from)
		}
	}
}

// origin is who is counted: the user at a socket's other end, an address, or the network that one
// client has of IPv6.
func origin(r *http.Request) string {
	if found, ok := peerOf(r.Context()); ok {
		return "user:" + found.name
	}
	return network(r.RemoteAddr)
}

// Origin is where a connection comes from, as its context and its address have it: the user at a
// socket's other end, by number, an address, or the network that one client has of IPv6.
func Origin(ctx context.Context, remote string) string {
	if found, ok := ctx.Value(peerKey{}).(connected); ok {
		return fmt.Sprintf("uid-%d", found.uid)
	}
	return network(remote)
}

func network(remote string) string {
	host, _, err := net.SplitHostPort(remote)
	if err != nil {
		return "nowhere"
	}
	address, err := netip.ParseAddr(host)
	if err != nil {
		return "nowhere"
	}
	const ofOneClient = 64
	if address = address.Unmap().WithZone(""); address.Is6() {
		if network, err := address.Prefix(ofOneClient); err == nil {
			return network.String()
		}
	}
	return address.String()
}
