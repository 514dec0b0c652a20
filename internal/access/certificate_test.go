package access

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"errors"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// issued is a certificate as it comes over the network.
func issued(t *testing.T, template x509.Certificate) *x509.Certificate {
	t.Helper()
	public, private, err := ed25519.GenerateKey(nil)
	require.NoError(t, err)
	template.SerialNumber = big.NewInt(1)
	text, err := x509.CreateCertificate(rand.Reader, &template, &template, public, private)
	require.NoError(t, err)
	made, err := x509.ParseCertificate(text)
	require.NoError(t, err)
	return made
}

// withURI has a URI letter by letter, whatever Go would write.
func withURI(t *testing.T, template x509.Certificate, uri string) *x509.Certificate {
	t.Helper()
	value, err := asn1.Marshal([]asn1.RawValue{{Class: asn1.ClassContextSpecific, Tag: tagURI, Bytes: []byte(uri)}})
	require.NoError(t, err)
	template.DNSNames, template.URIs = nil, nil
	template.ExtraExtensions = []pkix.Extension{{Id: alternativeNames, Value: value}}
	made := issued(t, template)
	require.Len(t, made.URIs, 1, "x509 takes it")
	return made
}

func capitals(t *testing.T, template x509.Certificate) *x509.Certificate {
	t.Helper()
	template.DNSNames = []string{"CI.example.org"}
	return issued(t, template)
}

// verdict is a connection's listener on whoever has shown certificates.
type verdict func(shown []*x509.Certificate) error

func (v verdict) Verify(shown []*x509.Certificate) error { return v(shown) }

type above struct {
	net.Conn
	verdict
}

// wrapper is a connection that stands on another.
type wrapper struct {
	net.Conn
	inner net.Conn
}

func (w wrapper) NetConn() net.Conn { return w.inner }

// over is a request over a connection, which TLS and something else wrap.
func over(t *testing.T, by verdict) *http.Request {
	t.Helper()
	conn := wrapper{nil, wrapper{nil, above{nil, by}}}
	r := httptest.NewRequest(http.MethodGet, "/", http.NoBody)
	return r.WithContext(ConnContext(t.Context(), conn))
}

// What a connection was let in by is asked again with each request, whatever says who asks, and where
// nobody is asked for.
func TestWhoWouldNotBeLetInNowIsNotAnswered(t *testing.T) {
	broken := errors.New("the disk is broken")
	for name, test := range map[string]struct {
		fault error
		code  int
	}{"as before": {nil, http.StatusOK}, "taken away": {ErrUnknown, http.StatusForbidden}, "unreadable": {broken, http.StatusForbidden}} {
		t.Run(name, func(t *testing.T) {
			leaf := &x509.Certificate{}
			r := over(t, func(shown []*x509.Certificate) error {
				require.Equal(t, []*x509.Certificate{leaf}, shown)
				return test.fault
			})
			r.TLS = &tls.ConnectionState{PeerCertificates: []*x509.Certificate{leaf}, VerifiedChains: [][]*x509.Certificate{{leaf}}}
			_, err := First(anybody{}).Authenticate(r)
			require.ErrorIs(t, err, test.fault)
			answer := httptest.NewRecorder()
			LetIn(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})).ServeHTTP(answer, r)
			require.Equal(t, test.code, answer.Code)
			_, err = First(anybody{}).Authenticate(r.WithContext(t.Context()))
			require.ErrorIs(t, err, ErrUnknown, "nobody can say so")
			r.TLS = nil
			_, err = First(anybody{}).Authenticate(r)
			require.NoError(t, err, "no certificate was shown")
		})
	}
}

// anybody is known, by something that is no certificate.
type anybody struct{}

func (anybody) Carries(*http.Request) bool { return true }

func (anybody) Authenticate(*http.Request) (Principal, error) {
	return Principal{Name: "token:ci"}, nil
}

func TestACertificateIsKnownByTheFieldThatIsChosen(t *testing.T) {
	now := time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)
	parse := func(text string) *url.URL {
		parsed, err := url.Parse(text)
		require.NoError(t, err)
		return parsed
	}
	template := x509.Certificate{
		NotBefore: now.Add(-time.Hour), NotAfter: now.Add(time.Hour),
		Subject: pkix.Name{CommonName: "ci"}, DNSNames: []string{"ci.example.org", "*.example.org"}, URIs: []*url.URL{parse("spiffe://example.org/ci")},
	}
	renewed, two, names := template, template, template
	renewed.NotAfter = now.Add(1000 * time.Hour)
	two.DNSNames = []string{"ci.example.org", "cd.example.org"}
	names.Subject = pkix.Name{ExtraNames: []pkix.AttributeTypeAndValue{{Type: commonName, Value: "cd"}, {Type: commonName, Value: "ci"}}}
	leaf := issued(t, template)
	root, goneRoot := &x509.Certificate{}, &x509.Certificate{}
	scopes := []Scope{ScopeRun}

	for name, test := range map[string]struct {
		field Field
		names []string
		leaf  *x509.Certificate
		root  *x509.Certificate
		want  string // "" for refused
	}{
		"by its URI":                 {FieldURI, []string{"spiffe://example.org/ci"}, leaf, root, "cert:spiffe://example.org/ci"},
		"by its DNS name":            {FieldDNS, []string{"ci.example.org"}, leaf, root, "cert:ci.example.org"},
		"by its common name":         {FieldCN, []string{"ci"}, leaf, root, "cert:ci"},
		"renewed":                    {FieldDNS, []string{"ci.example.org"}, issued(t, renewed), root, "cert:ci.example.org"},
		"of another name":            {FieldDNS, []string{"cd.example.org"}, leaf, root, ""},
		"no common name for a DNS":   {FieldDNS, []string{"ci"}, leaf, root, ""},
		"no common name for a URI":   {FieldURI, []string{"ci"}, leaf, root, ""},
		"no DNS name for a common":   {FieldCN, []string{"ci.example.org"}, leaf, root, ""},
		"a wildcard is for no other": {FieldDNS, []string{"cd.example.org"}, leaf, root, ""},
		"two known names":            {FieldDNS, []string{"ci.example.org", "cd.example.org"}, issued(t, two), root, ""},
		"of an authority that ended": {FieldDNS, []string{"ci.example.org"}, leaf, goneRoot, ""},
		"not verified":               {FieldDNS, []string{"ci.example.org"}, leaf, nil, ""},
		"two common names":           {FieldCN, []string{"ci", "cd"}, issued(t, names), root, ""},
		"a scheme in capitals":       {FieldURI, []string{"spiffe://example.org/ci"}, withURI(t, template, "SPIFFE://example.org/ci"), root, ""},
		"an empty fragment":          {FieldURI, []string{"spiffe://example.org/ci"}, withURI(t, template, "spiffe://example.org/ci#"), root, ""},
		"a letter that is escaped":   {FieldURI, []string{"spiffe://example.org/c%22i"}, withURI(t, template, `spiffe://example.org/c"i`), root, ""},
		"as it is written":           {FieldURI, []string{"spiffe://example.org/a%2fb"}, withURI(t, template, "spiffe://example.org/a%2fb"), root, "cert:spiffe://example.org/a%2fb"},
		"a DNS name in capitals":     {FieldDNS, []string{"ci.example.org"}, capitals(t, template), root, ""},
		"no name at all":             {FieldCN, nil, leaf, root, ""},
	} {
		t.Run(name, func(t *testing.T) {
			by := Certificates{Field: test.field, Names: map[string][]Scope{}}
			for _, one := range test.names {
				by.Names[one] = scopes
			}
			r := over(t, verdict(func([]*x509.Certificate) error {
				if test.root == goneRoot {
					return fmt.Errorf("%w: its authority is gone", ErrUnknown)
				}
				return nil
			}))
			r.TLS = &tls.ConnectionState{PeerCertificates: []*x509.Certificate{test.leaf}}
			if test.root != nil {
				r.TLS.VerifiedChains = [][]*x509.Certificate{{test.leaf, test.root}}
			}
			require.True(t, by.Carries(r))
			who, err := by.Authenticate(r)
			if test.want == "" {
				require.ErrorIs(t, err, ErrUnknown)
				require.Zero(t, who)
				return
			}
			require.NoError(t, err)
			require.Equal(t, Principal{test.want, scopes}, who)
		})
	}
	plain := httptest.NewRequest(http.MethodGet, "/", http.NoBody)
	require.False(t, Certificates{}.Carries(plain))
	plain.TLS = &tls.ConnectionState{}
	require.False(t, Certificates{}.Carries(plain))
}
