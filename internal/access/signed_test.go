package access

import (
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWhoeverHasACertificateIsKnown by what its authority calls them, as long as the listener lets them in.
func TestWhoeverHasACertificateIsKnown(t *testing.T) {
	signed := Signed{Scopes: []Scope{ScopePull}}
	for want, template := range map[string]x509.Certificate{
		"cert:system:node:a": {Subject: pkix.Name{CommonName: "system:node:a"}}, "cert:01": {},
	} {
		leaf := issued(t, template)
		r := over(t, func([]*x509.Certificate) error { return nil })
		_, err := signed.Authenticate(r)
		require.ErrorIs(t, err, ErrUnknown, "without one")
		r.TLS = &tls.ConnectionState{PeerCertificates: []*x509.Certificate{leaf}}
		_, err = signed.Authenticate(r)
		require.ErrorIs(t, err, ErrUnknown, "one that nobody has verified")
		r.TLS.VerifiedChains = [][]*x509.Certificate{{leaf}}
		who, err := signed.Authenticate(r)
		require.NoError(t, err)
		require.Equal(t, Principal{Name: want, Scopes: []Scope{ScopePull}}, who)
		gone := over(t, func([]*x509.Certificate) error { return ErrUnknown })
		gone.TLS = r.TLS
		_, err = signed.Authenticate(gone)
		require.ErrorIs(t, err, ErrUnknown, "its authority was taken away")
	}
}
