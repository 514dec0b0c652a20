package access

import (
	"context"
	"crypto/x509"
	"encoding/asn1"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
)

// Field is the part of a client's certificate that has its name.
type Field string

// The fields. The common name is looked at where it is chosen, and never instead of another.
const (
	FieldURI Field = "uri" // of the subject's alternative names, such as spiffe://example.org/ci
	FieldDNS Field = "dns" // of the same
	FieldCN  Field = "cn"
)

// Certificates are the clients that are known by a certificate which the listener has verified,
// by the name in one of its fields. A principal is cert:NAME. A certificate that was renewed is
// the same principal.
type Certificates struct {
	Field Field
	Names map[string][]Scope // who is known, and what each may do
}

// Verifying is what a connection of TLS stands on (NetConn), whose listener says whether it would let
// in, at this moment, who has shown these certificates. An error that does not wrap ErrUnknown is our own.
type Verifying interface {
	Verify(shown []*x509.Certificate) error
}

type verifyingKey struct{}

// verifying is the context of a connection with what it stands on.
func verifying(ctx context.Context, conn net.Conn) context.Context {
	for {
		above, ok := conn.(interface{ NetConn() net.Conn })
		if !ok {
			return ctx
		}
		conn = above.NetConn()
		if found, ok := conn.(Verifying); ok {
			return context.WithValue(ctx, verifyingKey{}, found)
		}
	}
}

// stillLetIn asks again what a connection was let in by: it may be older than the authorities that
// the listener has now, or than what it was made with.
func stillLetIn(r *http.Request) error {
	if r.TLS == nil || len(r.TLS.PeerCertificates) == 0 {
		return nil
	}
	if by, ok := r.Context().Value(verifyingKey{}).(Verifying); ok && len(r.TLS.VerifiedChains) > 0 {
		return by.Verify(r.TLS.PeerCertificates)
	}
	return fmt.Errorf("%w: the certificate is not verified", ErrUnknown)
}

// LetIn has a handler, which asks for nobody, answer only who would be let in by the listener now. The
// server's ConnContext is this package's.
func LetIn(handler http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := stillLetIn(r); err != nil {
			w.Header().Set("Connection", "close")
			http.Error(w, "the certificate is not valid here any more", http.StatusForbidden)
			return
		}
		handler.ServeHTTP(w, r)
	})
}

// Carries implements Method.
func (c Certificates) Carries(r *http.Request) bool {
	return r.TLS != nil && len(r.TLS.PeerCertificates) > 0
}

// Authenticate implements Authenticator.
func (c Certificates) Authenticate(r *http.Request) (Principal, error) {
	if !c.Carries(r) {
		return Principal{}, fmt.Errorf("%w: there is no certificate", ErrUnknown)
	}
	if err := stillLetIn(r); err != nil {
		return Principal{}, err
	}
	var known []string
	for _, name := range c.names(r.TLS.PeerCertificates[0]) {
		if _, listed := c.Names[name]; listed && !slices.Contains(known, name) {
			known = append(known, name)
		}
	}
	if len(known) != 1 {
		return Principal{}, fmt.Errorf("%w: the certificate has %d names (%s) that are known here, and must have one", ErrUnknown, len(known), c.Field)
	}
	return Principal{"cert:" + known[0], slices.Clone(c.Names[known[0]])}, nil
}

func (c Certificates) names(leaf *x509.Certificate) (names []string) {
	switch c.Field {
	case FieldURI:
		names = uris(leaf)
	case FieldDNS:
		names = leaf.DNSNames
	case FieldCN:
		for _, one := range leaf.Subject.Names { // CommonName is but the last of them
			if text, ok := one.Value.(string); ok && one.Type.Equal(commonName) {
				names = append(names, text)
			}
		}
	}
	return names
}

// The object identifiers of what is looked at (RFC 5280), and the tag of a URI among names.
var (
	commonName       = asn1.ObjectIdentifier{2, 5, 4, 3}
	alternativeNames = asn1.ObjectIdentifier{2, 5, 29, 17}
)

const tagURI = 6

// uris are those of a certificate, letter by letter. What x509 has of them was parsed, and comes out
// of it otherwise: with a scheme in small letters, and without an empty fragment. One that does is
// no name here, as it would be that of another certificate.
func uris(leaf *x509.Certificate) (names []string) {
	for _, extension := range leaf.Extensions {
		if !extension.Id.Equal(alternativeNames) {
			continue
		}
		var all []asn1.RawValue
		if rest, err := asn1.Unmarshal(extension.Value, &all); err != nil || len(rest) > 0 {
			return nil
		}
		for _, one := range all {
			text := string(one.Bytes)
			parsed, err := url.Parse(text)
			if one.Class == asn1.ClassContextSpecific && one.Tag == tagURI && err == nil && parsed.String() == text {
				names = append(names, text)
			}
		}
	}
	return names
}
