package serveconfig

import (
	"crypto/x509"
	"fmt"
	"net"

	"hotcell/internal/access"
)

// verified are connections, below TLS, that can be verified again. It implements net.Listener.
type verified struct {
	net.Listener
	by *files
}

// Accept implements net.Listener.
func (v verified) Accept() (net.Conn, error) {
	conn, err := v.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return verifiable{conn, v.by}, nil
}

// verifiable is one of them. It implements access.Verifying.
type verifiable struct {
	net.Conn
	by *files
}

// NetConn is what it wraps.
func (v verifiable) NetConn() net.Conn { return v.Conn }

// Verify implements access.Verifying: by the authorities of now, as a new connection would be.
func (v verifiable) Verify(shown []*x509.Certificate) error { return v.by.verify(shown) }

func (f *files) verify(shown []*x509.Certificate) error {
	f.mu.Lock()
	err := f.readRoots()
	options := x509.VerifyOptions{Roots: f.pool, CurrentTime: f.clock(), Intermediates: x509.NewCertPool(), KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}}
	f.mu.Unlock()
	if err != nil {
		return err
	}
	if options.Roots == nil || len(shown) == 0 { // else those of the system
		return fmt.Errorf("%w: nobody's certificate is asked for here", access.ErrUnknown)
	}
	for _, one := range shown[1:] {
		options.Intermediates.AddCert(one)
	}
	if _, err := shown[0].Verify(options); err != nil {
		return fmt.Errorf("%w: the certificate is not valid at this time, or of no authority that is believed here now: have it renewed, and connect again", access.ErrUnknown)
	}
	return nil
}
