package access

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"math/big"
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
	renewed, expired, early, two, names := template, template, template, template, template
	renewed.NotAfter = now.Add(1000 * time.Hour)
	expired.NotAfter = now.Add(-time.Second)
	early.NotBefore = now.Add(time.Second)
	two.DNSNames = []string{"ci.example.org", "cd.example.org"}
	names.Subject = pkix.Name{ExtraNames: []pkix.AttributeTypeAndValue{{Type: commonName, Value: "cd"}, {Type: commonName, Value: "ci"}}}
	leaf := issued(t, template)
	root := &x509.Certificate{NotBefore: now.Add(-time.Hour), NotAfter: now.Add(time.Hour)}
	goneRoot := &x509.Certificate{NotBefore: now.Add(-time.Hour), NotAfter: now.Add(-time.Minute)}
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
		"expired while connected":    {FieldDNS, []string{"ci.example.org"}, issued(t, expired), root, ""},
		"not valid yet":              {FieldDNS, []string{"ci.example.org"}, issued(t, early), root, ""},
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
			by := Certificates{Field: test.field, Names: map[string][]Scope{}, Now: func() time.Time { return now }}
			for _, one := range test.names {
				by.Names[one] = scopes
			}
			r := httptest.NewRequest(http.MethodGet, "/", http.NoBody)
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
