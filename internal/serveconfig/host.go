package serveconfig

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"hotcell/internal/unixsocket"
)

// Faults are what is wrong on a host. What Lasts meets each start; what Passes may be over by itself:
// another process listens, or an address is not there yet.
type Faults struct {
	Lasts, Passes error
}

// HostFaults is all that is wrong on this host with what the file names, for this process's user:
// users, groups, the file of tokens, sockets, addresses, certificates and their keys. Addresses are
// listened at, and let go; nothing is made, and nobody is asked. There is none where Authenticator and
// Open would find nothing wrong. What is wrong with the service's own directory, its service says.
func (c Config) HostFaults(ctx context.Context) Faults {
	_, err := c.Authenticator(slog.New(slog.DiscardHandler))
	found := Faults{Lasts: err}
	listeners := c.Listen
	if c.Metrics != nil {
		listeners = append(slices.Clip(listeners), c.Metrics.Listen)
	}
	for _, one := range listeners {
		found.add(c.listenFault(ctx, one))
	}
	found.add(tryAddresses(ctx, listeners))
	return found
}

func (f *Faults) add(other Faults) {
	f.Lasts, f.Passes = errors.Join(f.Lasts, other.Lasts), errors.Join(f.Passes, other.Passes)
}

func (c Config) listenFault(ctx context.Context, one Listen) Faults {
	if one.Unix != "" {
		options, err := socketOptions(one)
		fault := unixsocket.Check(ctx, options)
		if err == nil && errors.Is(fault, unixsocket.ErrAnother) {
			return Faults{Passes: fault}
		}
		return Faults{Lasts: errors.Join(err, fault)}
	}
	if one.TLS == nil {
		return Faults{}
	}
	files, err := newFiles(*one.TLS, c.clientAuth(), slog.New(slog.DiscardHandler))
	if err == nil {
		err = validAt(time.Now(), files.pair.Leaf, one.TLS.Certificate)
	}
	if err != nil {
		return Faults{Lasts: fmt.Errorf("listen at %s: %w", one, err)}
	}
	return Faults{}
}

// tryAddresses listens at all addresses at a time, as a service would, and lets them go.
func tryAddresses(ctx context.Context, all []Listen) (found Faults) {
	held := map[string]net.Listener{}
	release := func() {
		for _, one := range held {
			_ = one.Close() // nobody has been answered there
		}
		clear(held)
	}
	defer release()
	for _, one := range all {
		if one.TCP == "" {
			continue
		}
		listener, err := listenTCP(ctx, one)
		if errors.Is(err, unix.EADDRINUSE) && len(held) > 0 {
			release()
			if listener, err = listenTCP(ctx, one); err == nil {
				found.Lasts = errors.Join(found.Lasts, fmt.Errorf("listen at %s: another listener of this file has this port, and an address that holds this one: name another port", one))
			}
		}
		if err != nil {
			found.add(judged(one, err))
			continue
		}
		held[one.TCP] = listener
	}
	return found
}

// judged is why an address cannot be listened at, with the way out. One that the host has not may be
// on its way, as those of DHCP are while a host starts.
func judged(one Listen, err error) Faults {
	if of, ok := errors.AsType[*net.OpError](err); ok {
		err = of.Err // without the address once more
	}
	told := func(way string) error { return fmt.Errorf("listen at %s: %w%s", one, err, way) }
	switch {
	case errors.Is(err, unix.EADDRINUSE):
		return Faults{Passes: told(": another process listens there (`ss -ltnp` shows which): end it, or name another port")}
	case errors.Is(err, unix.EADDRNOTAVAIL):
		return Faults{Passes: told(": this host has no such address now (`ip address` shows those it has): name one of them, or 0.0.0.0 or [::] for all")}
	case errors.Is(err, unix.EACCES):
		return Faults{Lasts: told(": a port below 1024 is root's: name another, or give the service CAP_NET_BIND_SERVICE alone (systemd's AmbientCapabilities=)")}
	}
	return Faults{Lasts: told("")}
}

func listenTCP(ctx context.Context, one Listen) (net.Listener, error) {
	var config net.ListenConfig
	return config.Listen(ctx, "tcp", one.TCP)
}

// validAt refuses a certificate that no client would take.
func validAt(now time.Time, leaf *x509.Certificate, path string) error {
	switch {
	case now.After(leaf.NotAfter):
		return fmt.Errorf("certificate %s has expired at %s: have it renewed", path, leaf.NotAfter.UTC().Format(time.RFC3339))
	case now.Before(leaf.NotBefore):
		return fmt.Errorf("certificate %s is not valid before %s: wait, or set the clock", path, leaf.NotBefore.UTC().Format(time.RFC3339))
	}
	return nil
}
