package serveconfig

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"os/user"
	"strconv"

	"hotcell/internal/unixsocket"
)

// Kind is what a listener is.
type Kind string

// The kinds.
const (
	KindUnix     Kind = "unix"     // the kernel says who is at the other end
	KindLoopback Kind = "loopback" // TCP in the clear, for this host alone
	KindTLS      Kind = "tls"
)

// Listener is one that is open. Its server speaks HTTP/1.1: a connection has one request at a time,
// and to bound the ones is to bound the others.
type Listener struct {
	net.Listener
	Kind Kind
}

// Open opens all listeners of the service, or none. Whoever connects waits until they are served.
func (c Config) Open(ctx context.Context, log *slog.Logger) ([]Listener, error) {
	var opened []Listener
	for _, one := range c.Listen {
		listener, err := c.open(ctx, one, log)
		if err != nil {
			return nil, errors.Join(err, closeAll(opened))
		}
		opened = append(opened, listener)
	}
	return opened, nil
}

// OpenMetrics opens the listener of metrics, which c.Metrics has.
func (c Config) OpenMetrics(ctx context.Context, log *slog.Logger) (Listener, error) {
	if c.Metrics == nil {
		return Listener{}, errors.New("no metrics are to be shown: set metrics.listen")
	}
	return c.open(ctx, c.Metrics.Listen, log)
}

func closeAll(listeners []Listener) error {
	var faults []error
	for _, one := range listeners {
		faults = append(faults, one.Close())
	}
	return errors.Join(faults...)
}

func (c Config) open(ctx context.Context, one Listen, log *slog.Logger) (Listener, error) {
	if one.Unix != "" {
		return openUnix(one) //nolint:contextcheck // it listens as long as the process lives
	}
	kind, wrapped := KindLoopback, func(inner net.Listener) net.Listener { return inner }
	if one.TLS != nil {
		files, err := newFiles(*one.TLS, c.clientAuth(), log)
		if err != nil {
			return Listener{}, fmt.Errorf("listen at %s: %w", one, err)
		}
		kind, wrapped = KindTLS, func(inner net.Listener) net.Listener { return tls.NewListener(verified{inner, files}, files.config()) }
	}
	listener, err := listenTCP(ctx, one)
	if err != nil {
		found := judged(one, err)
		return Listener{}, cmp.Or(found.Lasts, found.Passes)
	}
	return Listener{wrapped(listener), kind}, nil
}

// clientAuth is for listeners with a client_ca. Where a certificate says who asks, and something
// else may as well, it can be left out; otherwise it is what lets a client in.
func (c Config) clientAuth() tls.ClientAuthType {
	by := c.Authentication
	if by.Certificates != nil && (by.Tokens != nil || by.OIDC != nil) {
		return tls.VerifyClientCertIfGiven
	}
	return tls.RequireAndVerifyClientCert
}

func openUnix(one Listen) (Listener, error) {
	options, err := socketOptions(one)
	if err != nil {
		return Listener{}, err
	}
	listener, err := unixsocket.Listen(options)
	if err != nil {
		return Listener{}, err
	}
	return Listener{listener, KindUnix}, nil
}

func socketOptions(one Listen) (unixsocket.Options, error) {
	options := unixsocket.Options{Path: one.Unix, User: -1, Group: -1}
	if one.Group != "" {
		found, err := user.LookupGroup(one.Group)
		if err != nil {
			return options, fmt.Errorf("listen at %s: %w: make it (groupadd --system %s), or name another", one, err, one.Group)
		}
		if options.Group, err = strconv.Atoi(found.Gid); err != nil {
			return options, fmt.Errorf("listen at %s: group %s: %w", one, one.Group, err)
		}
	}
	mode, err := strconv.ParseUint(one.Mode, 8, 9)
	if err != nil {
		return options, fmt.Errorf("listen at %s: mode %q: %w", one, one.Mode, err)
	}
	options.Mode = fs.FileMode(mode)
	return options, nil
}
