package access

import (
	"crypto/x509"
	"fmt"
	"net/http"
	"slices"
	"time"
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
	Now   func() time.Time   // or nil for the clock
}

// Carries implements Method.
func (c Certificates) Carries(r *http.Request) bool {
	return r.TLS != nil && len(r.TLS.PeerCertificates) > 0
}

// Authenticate implements Authenticator.
func (c Certificates) Authenticate(r *http.Request) (Principal, error) {
	if !c.Carries(r) || !slices.ContainsFunc(r.TLS.VerifiedChains, c.holds) {
		return Principal{}, fmt.Errorf("%w: the certificate is not verified, or is not valid at this time: have it renewed, and connect again", ErrUnknown)
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

// holds reports whether a chain is valid now: a connection may be older than what it was made with.
func (c Certificates) holds(chain []*x509.Certificate) bool {
	now := time.Now
	if c.Now != nil {
		now = c.Now
	}
	at := now()
	return len(chain) > 0 && !slices.ContainsFunc(chain, func(one *x509.Certificate) bool { return at.Before(one.NotBefore) || at.After(one.NotAfter) })
}

func (c Certificates) names(leaf *x509.Certificate) (names []string) {
	switch c.Field {
	case FieldURI:
		for _, one := range leaf.URIs {
			names = append(names, one.String())
		}
	case FieldDNS:
		names = leaf.DNSNames
	case FieldCN:
		names = []string{leaf.Subject.CommonName}
	}
	return names
}
