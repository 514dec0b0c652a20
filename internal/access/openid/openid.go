// Package openid knows callers by JWTs of OpenID providers that a configuration names.
//
// A provider is asked for its keys with the first token, and again each hour or where a token
// names a key that is not known. One that cannot be reached is our error, and not the caller's.
package openid

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"

	"hotcell/internal/access"
	"hotcell/internal/strictjson"
)

// Provider is whose tokens are believed, and of what kind they must be.
type Provider struct {
	Issuer            string   // as its tokens have it
	Audience          string   // what aud must name
	AuthorizedParties []string // whom azp may name beside the audience
	Algorithms        []string // asymmetric ones
	ClockSkew         time.Duration
	Claim             string                    // that has groups or roles: a name, or names with dots between
	Scopes            map[string][]access.Scope // of the members of each

	Client *http.Client     // nil for one of its own
	Now    func() time.Time // nil for the clock
}

// Verifier is an access.Method. A principal is oidc:ISSUER#SUBJECT.
type Verifier struct{ providers map[string]*provider }

// New makes one of providers with different issuers. It asks nobody.
func New(providers ...Provider) *Verifier {
	v := &Verifier{map[string]*provider{}}
	for _, one := range providers {
		v.providers[one.Issuer] = newProvider(one)
	}
	return v
}

// Trusted reports whether a URL can be an issuer whose answers are believed: https, or http of this
// host, as a URL is written. What is behind a # of a principal is its subject, and nothing of an issuer.
func Trusted(text string) bool {
	parsed, err := url.Parse(text)
	if err != nil || !private(parsed) || parsed.String() != text || strings.ContainsAny(text, "?#") {
		return false
	}
	return !slices.ContainsFunc(strings.Split(parsed.Path, "/"), func(part string) bool { return part == "." || part == ".." })
}

// private reports whether nobody on the way reads or writes what a URL gives.
func private(at *url.URL) bool {
	address, err := netip.ParseAddr(at.Hostname())
	return at.Host != "" && at.User == nil && (at.Scheme == "https" || at.Scheme == "http" && err == nil && address.IsLoopback())
}

// Carries implements access.Method.
func (v *Verifier) Carries(r *http.Request) bool { return strings.Count(access.Bearer(r), ".") == 2 }

// Authenticate implements access.Authenticator.
func (v *Verifier) Authenticate(r *http.Request) (access.Principal, error) {
	text := access.Bearer(r)
	issuer, err := issuerOf(text)
	if err != nil {
		return access.Principal{}, err
	}
	provider, ok := v.providers[issuer]
	if !ok {
		return access.Principal{}, unknown("the token is of an issuer that is not believed here")
	}
	return provider.authenticate(r.Context(), text)
}

func unknown(format string, args ...any) error {
	return fmt.Errorf("%w: %s", access.ErrUnknown, fmt.Sprintf(format, args...))
}

// claims are a token's, or its header's, by their exact names.
type claims map[string]json.RawMessage

// read decodes a part of a token that nobody has verified.
func read(part string) (claims, error) {
	data, err := base64.RawURLEncoding.Strict().DecodeString(part)
	if err != nil {
		return nil, unknown("the token is no JWT")
	}
	return decode(data)
}

func decode(data []byte) (claims, error) {
	var all claims
	if err := strictjson.Decode(data, len(data), &all); err != nil || all == nil {
		return nil, unknown("the token is no JWT, or says something twice")
	}
	return all, nil
}

// text is a claim that is text, or "".
func (c claims) text(name string) string {
	var text string
	if strictjson.Decode(c[name], len(c[name]), &text) != nil {
		return ""
	}
	return text
}

// texts is a claim that is text, or a list of it.
func (c claims) texts(name string) []string {
	var list []string
	if strictjson.Decode(c[name], len(c[name]), &list) == nil {
		return list
	}
	if text := c.text(name); text != "" {
		return []string{text}
	}
	return nil
}

// when is a claim that is a time. One that is there and none is not well.
func (c claims) when(name string) (at time.Time, there, well bool) {
	value, there := c[name]
	if !there {
		return time.Time{}, false, true
	}
	var seconds float64
	const last = 1 << 40
	if strictjson.Decode(value, len(value), &seconds) != nil || seconds < 0 || seconds > last {
		return time.Time{}, true, false
	}
	return time.UnixMilli(int64(seconds * 1000)), true, true
}

// issuerOf says whose keys to try. Nothing of it is believed before they fit.
func issuerOf(text string) (string, error) {
	parts := strings.Split(text, ".")
	if len(parts) != 3 {
		return "", unknown("the token is no JWT")
	}
	said, err := read(parts[1])
	if err != nil {
		return "", err
	}
	return said.text("iss"), nil
}

// forms are the types of tokens that say who asks; a provider signs others, too, such as those
// that end a session.
var forms = []string{"jwt", "at+jwt", "application/at+jwt"}

func (p *provider) authenticate(ctx context.Context, text string) (access.Principal, error) {
	header, err := read(text[:strings.IndexByte(text, '.')])
	if err != nil {
		return access.Principal{}, err
	}
	_, typed := header["typ"]
	switch {
	case !slices.Contains(p.Algorithms, header.text("alg")):
		return access.Principal{}, unknown("the token is signed by an algorithm that is not accepted: known are %s", strings.Join(p.Algorithms, ", "))
	case typed && !slices.Contains(forms, strings.ToLower(header.text("typ"))):
		return access.Principal{}, unknown("the token is of a type that says nothing of who asks")
	}
	asked := &signature{provider: p}
	config := &oidc.Config{ClientID: p.Audience, SupportedSigningAlgs: p.Algorithms, SkipExpiryCheck: true} // see within: here the skew is ours
	verified, err := oidc.NewVerifier(p.Issuer, asked, config).Verify(ctx, text)
	if asked.why != nil {
		return access.Principal{}, p.unverified(text, asked.why)
	}
	if err != nil {
		return access.Principal{}, unknown("the token is not signed by its issuer, or is for another audience")
	}
	var payload json.RawMessage
	if err := verified.Claims(&payload); err != nil {
		return access.Principal{}, fmt.Errorf("read claims: %w", err)
	}
	said, err := decode(payload)
	if err != nil {
		return access.Principal{}, err
	}
	return p.principal(said)
}

// unverified is why a token is not believed whose signature cannot be looked at: our own fault, unless
// the token itself says that it is not valid now, whoever has signed it.
func (p *provider) unverified(text string, fault error) error {
	said, err := read(strings.Split(text, ".")[1])
	if err == nil {
		err = p.within(said)
	}
	return cmp.Or(err, fault)
}

// others are claims of tokens that are signed by the same keys, and let nobody in who only has them.
var others = map[string]string{
	"events": "the token tells of an event (events), such as a logout, and not of who asks",
	"cnf":    "the token is bound to a key or a certificate (cnf), which is not asked for here: get one that is not",
}

// principal judges claims that the provider has signed.
func (p *provider) principal(said claims) (access.Principal, error) {
	if err := p.within(said); err != nil {
		return access.Principal{}, err
	}
	if said.text("iss") != p.Issuer || !slices.Contains(said.texts("aud"), p.Audience) {
		return access.Principal{}, unknown("the token is of another issuer, or for another audience")
	}
	if _, there := said["azp"]; there {
		if party := said.text("azp"); party != p.Audience && !slices.Contains(p.AuthorizedParties, party) {
			return access.Principal{}, unknown("the token was issued to a client (azp) that is not one of authorized_parties")
		}
	}
	for claim, why := range others {
		if _, there := said[claim]; there {
			return access.Principal{}, unknown("%s", why)
		}
	}
	name := "oidc:" + p.Issuer + "#" + said.text("sub")
	const most = 256 // of a text of the audit chain
	if said.text("sub") == "" || len(name) > most || strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return access.Principal{}, unknown("the token's subject is missing, too long or not printable")
	}
	return access.Principal{Name: name, Scopes: p.scopes(said)}, nil
}

// within holds the token to the clock, give or take the skew.
func (p *provider) within(said claims) error {
	now := p.Now()
	end, there, well := said.when("exp")
	switch {
	case !there || !well:
		return unknown("the token does not say when it expires")
	case !now.Before(end.Add(p.ClockSkew)):
		return unknown("the token expired at %s: get another", end.UTC().Format(time.RFC3339))
	}
	for _, name := range []string{"nbf", "iat"} {
		begin, there, well := said.when(name)
		if !well {
			return unknown("the token's %s is no time", name)
		}
		if there && now.Add(p.ClockSkew).Before(begin) {
			return unknown("the token is not valid before %s, and it is %s here: are both clocks right?", begin.UTC().Format(time.RFC3339), now.UTC().Format(time.RFC3339))
		}
	}
	return nil
}

// scopes are those of all groups that the claim names, in the order of access.Scopes.
func (p *provider) scopes(said claims) (all []access.Scope) {
	given := map[access.Scope]bool{}
	for _, group := range said.at(p.Claim) {
		for _, scope := range p.Scopes[group] {
			given[scope] = true
		}
	}
	for _, scope := range access.Scopes() {
		if given[scope] {
			all = append(all, scope)
		}
	}
	return all
}

// at finds a claim by its name, which may have dots in it, or by names with dots between.
func (c claims) at(name string) []string {
	if _, there := c[name]; there {
		return c.texts(name)
	}
	outer, rest, nested := strings.Cut(name, ".")
	if !nested {
		return nil
	}
	var inner claims
	if strictjson.Decode(c[outer], len(c[outer]), &inner) != nil {
		return nil
	}
	return inner.at(rest)
}
