package access

import (
	"crypto/x509"
	"encoding/asn1"
	"fmt"
	"net/http"
	"net/url"
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
