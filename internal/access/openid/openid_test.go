package openid_test

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/require"

	"hotcell/internal/access"
	"hotcell/internal/access/openid"
)

// issuer is a provider in this process.
type issuer struct {
	*httptest.Server
	keys       []jose.JSONWebKey
	answer     func(w http.ResponseWriter, r *http.Request) bool // or nil; true where it has answered
	discovered atomic.Int64
	asked      atomic.Int64 // for keys
}

func newIssuer(t *testing.T, keys ...jose.JSONWebKey) *issuer {
	t.Helper()
	made := &issuer{keys: keys}
	made.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if made.answer != nil && made.answer(w, r) {
			return
		}
		w.Header().Set("Content-Type", "application/json")
		switch r.URL.Path {
		case "/.well-known/openid-configuration":
			made.discovered.Add(1)
			_ = json.NewEncoder(w).Encode(map[string]any{"issuer": made.URL, "jwks_uri": made.URL + "/keys", "authorization_endpoint": made.URL, "token_endpoint": made.URL, "id_token_signing_alg_values_supported": []string{"RS256"}})
		case "/keys", "/others":
			made.asked.Add(1)
			_ = json.NewEncoder(w).Encode(jose.JSONWebKeySet{Keys: made.keys})
		}
	}))
	t.Cleanup(made.Close)
	return made
}

// clock is what both think that it is.
type clock struct{ now time.Time }

func newVerifier(at string, clock *clock) *openid.Verifier {
	return openid.New(openid.Provider{
		Issuer: at, Audience: "hotcell", AuthorizedParties: []string{"cli"}, Algorithms: []string{"RS256", "ES256"}, ClockSkew: 30 * time.Second,
		Claim: "realm_access.roles", Scopes: map[string][]access.Scope{"analysts": {access.ScopeRun, access.ScopeCheck}, "auditors": {access.ScopeRecords}},
		Now: func() time.Time { return clock.now },
	})
}

func request(token string) *http.Request {
	r := httptest.NewRequest(http.MethodGet, "/", http.NoBody)
	r.Header.Set("Authorization", "Bearer "+token)
	return r
}

var (
	start   = time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)
	rsaKey  = generate(2048)
	other   = generate(2048)
	ecKey   = mustEC()
	leading = public("first", rsaKey, jose.RS256)
)

func generate(bits int) *rsa.PrivateKey {
	key, err := rsa.GenerateKey(rand.Reader, bits)
	if err != nil {
		panic(err)
	}
	return key
}

func mustEC() *ecdsa.PrivateKey {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic(err)
	}
	return key
}

func public(kid string, key crypto.Signer, alg jose.SignatureAlgorithm) jose.JSONWebKey {
	return jose.JSONWebKey{Key: key.Public(), KeyID: kid, Algorithm: string(alg), Use: "sig"}
}

// said are claims of a good token, changed; nil takes one out.
func said(at string, changes map[string]any) map[string]any {
	all := map[string]any{
		"iss": at, "aud": "hotcell", "sub": "anna", "exp": start.Add(time.Hour).Unix(), "iat": start.Add(-time.Minute).Unix(), "nbf": start.Add(-time.Minute).Unix(),
		"realm_access": map[string]any{"roles": []string{"auditors", "analysts", "others"}},
	}
	maps.Copy(all, changes)
	maps.DeleteFunc(all, func(_ string, value any) bool { return value == nil })
	return all
}

// signed is a token of those claims. header has more of it.
func signed(t *testing.T, key any, alg jose.SignatureAlgorithm, claims any, header map[jose.HeaderKey]any) string {
	t.Helper()
	options := &jose.SignerOptions{ExtraHeaders: header}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: alg, Key: key}, options)
	require.NoError(t, err)
	payload, ok := claims.(string)
	if !ok {
		encoded, err := json.Marshal(claims)
		require.NoError(t, err)
		payload = string(encoded)
	}
	token, err := signer.Sign([]byte(payload))
	require.NoError(t, err)
	text, err := token.CompactSerialize()
	require.NoError(t, err)
	return text
}

func kid(name string) map[jose.HeaderKey]any { return map[jose.HeaderKey]any{"kid": name} }

func part(t *testing.T, value any) string {
	t.Helper()
	encoded, err := json.Marshal(value)
	require.NoError(t, err)
	return base64.RawURLEncoding.EncodeToString(encoded)
}

func TestATokenOfTheProviderIsKnown(t *testing.T) {
	at := newIssuer(t, leading, public("second", ecKey, jose.ES256))
	by, want := newVerifier(at.URL, &clock{start}), []access.Scope{access.ScopeRun, access.ScopeCheck, access.ScopeRecords}
	for name, token := range map[string]string{
		"as it should be":             signed(t, rsaKey, jose.RS256, said(at.URL, nil), kid("first")),
		"without a kid":               signed(t, rsaKey, jose.RS256, said(at.URL, nil), nil),
		"by another algorithm":        signed(t, ecKey, jose.ES256, said(at.URL, nil), kid("second")),
		"for several":                 signed(t, rsaKey, jose.RS256, said(at.URL, map[string]any{"aud": []string{"account", "hotcell"}, "azp": "cli"}), kid("first")),
		"of an access token":          signed(t, rsaKey, jose.RS256, said(at.URL, nil), map[jose.HeaderKey]any{"kid": "first", "typ": "at+jwt"}),
		"expired within the skew":     signed(t, rsaKey, jose.RS256, said(at.URL, map[string]any{"exp": start.Add(-29 * time.Second).Unix()}), kid("first")),
		"early within the skew":       signed(t, rsaKey, jose.RS256, said(at.URL, map[string]any{"nbf": start.Add(29 * time.Second).Unix()}), kid("first")),
		"from the beginning of time":  signed(t, rsaKey, jose.RS256, said(at.URL, map[string]any{"nbf": 0, "iat": 0}), kid("first")),
		"with a fraction of a second": signed(t, rsaKey, jose.RS256, said(at.URL, map[string]any{"iat": 1795780800.5}), kid("first")),
	} {
		t.Run(name, func(t *testing.T) {
			require.True(t, by.Carries(request(token)))
			who, err := by.Authenticate(request(token))
			require.NoError(t, err)
			require.Equal(t, access.Principal{Name: "oidc:" + at.URL + "#anna", Scopes: want}, who)
		})
	}
	require.EqualValues(t, 1, at.asked.Load(), "its keys are kept")
	who, err := by.Authenticate(request(signed(t, rsaKey, jose.RS256, said(at.URL, map[string]any{"realm_access": nil}), kid("first"))))
	require.NoError(t, err)
	require.Empty(t, who.Scopes, "in no group, and known")
}

func TestWhichTokensOfAProviderAreRefused(t *testing.T) {
	small := generate(1024)
	at := newIssuer(t, leading, public("small", small, jose.RS256), jose.JSONWebKey{Key: other.Public(), KeyID: "enc", Use: "enc"})
	pemOf := func(key *rsa.PrivateKey) []byte {
		der, err := x509.MarshalPKIXPublicKey(key.Public())
		require.NoError(t, err)
		return pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
	}
	good := signed(t, rsaKey, jose.RS256, said(at.URL, nil), kid("first"))
	pieces := strings.Split(good, ".")
	with := func(changes map[string]any) string {
		return signed(t, rsaKey, jose.RS256, said(at.URL, changes), kid("first"))
	}
	text := func(from, to string) string {
		encoded, err := json.Marshal(said(at.URL, nil))
		require.NoError(t, err)
		require.Contains(t, string(encoded), from)
		return signed(t, rsaKey, jose.RS256, strings.Replace(string(encoded), from, to, 1), kid("first"))
	}
	for name, token := range map[string]string{
		"alg none":                        part(t, map[string]any{"alg": "none"}) + "." + pieces[1] + ".",
		"alg none with a signature":       part(t, map[string]any{"alg": "none", "kid": "first"}) + "." + pieces[1] + "." + pieces[2],
		"alg None":                        part(t, map[string]any{"alg": "None"}) + "." + pieces[1] + ".",
		"no alg":                          part(t, map[string]any{"kid": "first"}) + "." + pieces[1] + "." + pieces[2],
		"two algs":                        base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"RS256","alg":"none"}`)) + "." + pieces[1] + "." + pieces[2],
		"alg HS256 by the public key":     signed(t, pemOf(rsaKey), jose.HS256, said(at.URL, nil), kid("first")),
		"an alg that is not accepted":     signed(t, rsaKey, jose.PS256, said(at.URL, nil), kid("first")),
		"no signature":                    pieces[0] + "." + pieces[1] + ".",
		"another's signature":             signed(t, other, jose.RS256, said(at.URL, nil), kid("first")),
		"another payload":                 pieces[0] + "." + part(t, said(at.URL, map[string]any{"sub": "root"})) + "." + pieces[2],
		"another header":                  part(t, map[string]any{"alg": "RS256", "kid": "first", "x": 1}) + "." + pieces[1] + "." + pieces[2],
		"a kid that is not there":         signed(t, other, jose.RS256, said(at.URL, nil), kid("third")),
		"the right key by a wrong kid":    signed(t, rsaKey, jose.RS256, said(at.URL, nil), kid("second")),
		"a kid that is a path":            signed(t, other, jose.RS256, said(at.URL, nil), kid("../../../dev/null")),
		"a kid that is SQL":               signed(t, other, jose.RS256, said(at.URL, nil), kid("' OR 1=1 --")),
		"a key that it brings":            signed(t, other, jose.RS256, said(at.URL, nil), map[jose.HeaderKey]any{"jwk": jose.JSONWebKey{Key: other.Public()}}),
		"a URL of keys that it brings":    signed(t, other, jose.RS256, said(at.URL, nil), map[jose.HeaderKey]any{"jku": at.URL + "/keys"}),
		"a key of encryption":             signed(t, other, jose.RS256, said(at.URL, nil), kid("enc")),
		"something critical":              signed(t, rsaKey, jose.RS256, said(at.URL, nil), map[jose.HeaderKey]any{"kid": "first", "crit": []string{"x"}, "x": true}),
		"of another type":                 signed(t, rsaKey, jose.RS256, said(at.URL, nil), map[jose.HeaderKey]any{"kid": "first", "typ": "logout+jwt"}),
		"of a type that is no text":       signed(t, rsaKey, jose.RS256, said(at.URL, nil), map[jose.HeaderKey]any{"kid": "first", "typ": []string{"logout+jwt"}}),
		"of a type that is a number":      signed(t, rsaKey, jose.RS256, said(at.URL, nil), map[jose.HeaderKey]any{"kid": "first", "typ": 1}),
		"of a type that is null":          signed(t, rsaKey, jose.RS256, said(at.URL, nil), map[jose.HeaderKey]any{"kid": "first", "typ": nil}),
		"of a type without a name":        signed(t, rsaKey, jose.RS256, said(at.URL, nil), map[jose.HeaderKey]any{"kid": "first", "typ": ""}),
		"of an event":                     with(map[string]any{"events": map[string]any{"http://schemas.openid.net/event/backchannel-logout": map[string]any{}}}),
		"bound to a key":                  with(map[string]any{"cnf": map[string]any{"jkt": "x"}}),
		"bound to a certificate":          with(map[string]any{"cnf": map[string]any{"x5t#S256": "x"}}),
		"bound to something":              with(map[string]any{"cnf": "x"}),
		"expired at the beginning":        with(map[string]any{"exp": 0}),
		"valid from before time":          with(map[string]any{"nbf": -1}),
		"another issuer":                  with(map[string]any{"iss": "https://evil.example.org"}),
		"the issuer with a slash":         with(map[string]any{"iss": at.URL + "/"}),
		"no issuer":                       with(map[string]any{"iss": nil}),
		"an issuer that is a list":        with(map[string]any{"iss": []string{at.URL}}),
		"another audience":                with(map[string]any{"aud": "account"}),
		"no audience":                     with(map[string]any{"aud": nil}),
		"an audience in another case":     with(map[string]any{"aud": "Hotcell"}),
		"issued to another client":        with(map[string]any{"azp": "evil"}),
		"issued to no text":               with(map[string]any{"azp": 7}),
		"expired":                         with(map[string]any{"exp": start.Add(-30 * time.Second).Unix()}),
		"without an end":                  with(map[string]any{"exp": nil}),
		"without a real end":              with(map[string]any{"exp": "never"}),
		"with an end at the end of time":  with(map[string]any{"exp": 1e300}),
		"not valid yet":                   with(map[string]any{"nbf": start.Add(31 * time.Second).Unix()}),
		"issued in the future":            with(map[string]any{"iat": start.Add(31 * time.Second).Unix()}),
		"not valid from no time":          with(map[string]any{"nbf": "soon"}),
		"no subject":                      with(map[string]any{"sub": nil}),
		"a subject with a line break":     with(map[string]any{"sub": "anna\nadmin"}),
		"a long subject":                  with(map[string]any{"sub": strings.Repeat("a", 300)}),
		"two subjects":                    text(`"sub":"anna"`, `"sub":"root","sub":"anna"`),
		"an audience in another spelling": text(`"aud":`, `"Aud":`),
		"no object":                       signed(t, rsaKey, jose.RS256, `["x"]`, kid("first")),
		"no JSON":                         signed(t, rsaKey, jose.RS256, `iss`, kid("first")),
		"no base64":                       "a.b.c",
		"empty":                           "..",
		"deep":                            pieces[0] + "." + base64.RawURLEncoding.EncodeToString([]byte(`{"iss":`+strings.Repeat("[", 5000)+strings.Repeat("]", 5000)+"}")) + "." + pieces[2],
		"a short key":                     signed(t, small, jose.RS256, said(at.URL, nil), kid("small")),
	} {
		t.Run(name, func(t *testing.T) {
			by := newVerifier(at.URL, &clock{start})
			_, err := by.Authenticate(request(good))
			require.NoError(t, err)
			require.True(t, by.Carries(request(token)))
			who, err := by.Authenticate(request(token))
			require.ErrorIs(t, err, access.ErrUnknown)
			require.Zero(t, who)
			require.NotContains(t, err.Error(), "evil")
			require.NotContains(t, err.Error(), "0001-01-01")
			require.Equal(t, strings.Contains(name, "alg") && name != "two algs", strings.Contains(err.Error(), "known are RS256, ES256"), err)
		})
	}
	huge := signed(t, rsaKey, jose.RS256, said(at.URL, map[string]any{"x": strings.Repeat("a", 16<<10)}), kid("first"))
	_, err := access.First(newVerifier(at.URL, &clock{start})).Authenticate(request(huge))
	require.ErrorIs(t, err, access.ErrUnknown, "a huge one is not looked at")
}

func TestOnlyHTTPSIsTrustedFromElsewhere(t *testing.T) {
	for text, want := range map[string]bool{
		"https://login.example.org/realms/x": true, "http://127.0.0.1:8080": true, "http://[::1]:8080": true, "http://login.example.org": false,
		"http://localhost": false, "https://": false, "https://user@login.example.org": false, "https://x/?a": false, "https://x/#a": false, "ftp://x": false, "": false,
		"http://127.0.0.1.example.org": false, "https://h/a#": false, "https://h/a?": false, "https://h/a/../a": false, "https://h/./a": false, "https://h/a/..": false,
		"HTTPS://h/a": false, "https://h/a b": false, "https://h/a/.": false, "https://h/%2e%2e/a": false, "https://h/a/": true, "https://h/": true, "https://h": true,
		"https://h/a%2Fb": true, "https://@h/a": false, "https://H/a": true, "https://h:443/a": true,
	} {
		require.Equal(t, want, openid.Trusted(text), text)
	}
}
