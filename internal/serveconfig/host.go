package serveconfig

import (
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"hotcell/internal/durable"
	"hotcell/internal/unixsocket"
)

// HostFaults is all that is wrong on this host with what the file names, for this process's user:
// users, groups, the file of tokens, directories, sockets, certificates and their keys. Nothing is
// made, and nobody is asked. It is nil where Authenticator and Open would find nothing wrong but
// what changes by itself, such as an address that is in use.
func (c Config) HostFaults() error {
	_, err := c.Authenticator(slog.New(slog.DiscardHandler))
	faults := []error{err}
	if err := durable.OwnDir(c.Data); err != nil {
		faults = append(faults, fmt.Errorf("data: %w", err))
	}
	listeners := c.Listen
	if c.Metrics != nil {
		listeners = append(slices.Clip(listeners), c.Metrics.Listen)
	}
	for _, one := range listeners {
		faults = append(faults, c.listenFault(one))
	}
	return errors.Join(faults...)
}

func (c Config) listenFault(one Listen) error {
	if one.Unix != "" {
		options, err := socketOptions(one)
		return errors.Join(err, unixsocket.Check(options))
	}
	if one.TLS == nil {
		return nil
	}
	files, err := newFiles(*one.TLS, c.clientAuth(), slog.New(slog.DiscardHandler))
	if err == nil {
		err = validAt(time.Now(), files.pair.Leaf, one.TLS.Certificate)
	}
	if err != nil {
		return fmt.Errorf("listen at %s: %w", one, err)
	}
	return nil
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
