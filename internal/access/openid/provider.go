package openid

import (
	"context"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/go-jose/go-jose/v4"

	"hotcell/internal/strictjson"
)

// How long a provider has to answer, how long its keys are believed, and how soon it is asked
// again: for a key that is not known, and after it has failed.
const (
	answerTime = 5 * time.Second
	keysLife   = time.Hour
	askAgain   = 30 * time.Second
	tryAgain   = 5 * time.Second
)

// maxAnswer is of a provider's answers, in bytes; maxKeys of its keys.
const (
	maxAnswer = 1 << 20
	maxKeys   = 100
)

// provider is one with its keys.
type provider struct {
	Provider

	asking sync.Mutex // held while it is asked: nobody asks twice

	mu     sync.Mutex
	keys   []jose.JSONWebKey
	asked  time.Time // when it gave them
	failed time.Time // when it gave none
	why    error     // and why
}

func newProvider(of Provider) *provider {
	if of.Now == nil {
		of.Now = time.Now
	}
	if of.Client == nil {
		of.Client = &http.Client{}
	}
	client := *of.Client
	client.Timeout = answerTime
	client.Transport = bounded{client.Transport}
	client.CheckRedirect = func(*http.Request, []*http.Request) error {
		return errors.New("it leads elsewhere, which is not followed")
	}
	of.Client = &client
	return &provider{Provider: of}
}

// bounded is a transport whose answers have an end.
type bounded struct{ inner http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	inner := b.inner
	if inner == nil {
		inner = http.DefaultTransport
	}
	answer, err := inner.RoundTrip(r)
	if err == nil {
		answer.Body = http.MaxBytesReader(nil, answer.Body, maxAnswer)
	}
	return answer, err
}

// known are the keys that the provider has given. anew says that they were not enough: it is asked
// for others, unless it has just been.
func (p *provider) known(ctx context.Context, anew bool) ([]jose.JSONWebKey, error) {
	if keys, err := p.kept(anew); keys != nil || err != nil {
		return keys, err
	}
	p.asking.Lock() // who has a key that is known does not come here, however slow the answer is
	defer p.asking.Unlock()
	if keys, err := p.kept(anew); keys != nil || err != nil {
		return keys, err
	}
	// Whoever asks may go away meanwhile: the others wait for the same answer.
	ctx, end := context.WithTimeout(context.WithoutCancel(ctx), answerTime)
	defer end()
	keys, err := p.fetch(oidc.ClientContext(ctx, p.Client))
	p.mu.Lock()
	defer p.mu.Unlock()
	if err != nil {
		p.failed, p.why = p.Now(), fmt.Errorf("ask %s for its keys: %w", p.Issuer, err)
		return nil, p.why
	}
	p.keys, p.asked, p.why = keys, p.Now(), nil
	return keys, nil
}

// kept are the keys where they need not be asked for, or why there are none just now.
func (p *provider) kept(anew bool) ([]jose.JSONWebKey, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.Now()
	age := now.Sub(p.asked)
	switch {
	case p.keys != nil && (age < askAgain || age < keysLife && !anew):
		return p.keys, nil
	case p.why != nil && now.Sub(p.failed) < tryAgain:
		return nil, p.why
	}
	return nil, nil
}

// fetch finds out where the provider has its keys, and gets them.
func (p *provider) fetch(ctx context.Context) ([]jose.JSONWebKey, error) {
	found, err := oidc.NewProvider(ctx, p.Issuer)
	if err != nil {
		return nil, errors.New(said(err))
	}
	var about struct {
		Keys string `json:"jwks_uri"`
	}
	if err := found.Claims(&about); err != nil {
		return nil, err
	}
	if !Trusted(about.Keys) {
		return nil, errors.New("its keys would come over the network in the clear: jwks_uri is not https")
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, about.Keys, http.NoBody)
	if err != nil {
		return nil, err
	}
	answer, err := p.Client.Do(request)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(answer.Body)
	if err = errors.Join(err, answer.Body.Close()); err != nil {
		return nil, err
	}
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the answer is %s", answer.Status)
	}
	return parseKeys(data)
}

// said is an error of the library without the body of an answer that it repeats.
func said(err error) string {
	const most = 200
	line, _, _ := strings.Cut(err.Error(), "\n")
	return fmt.Sprintf("%.*s", most, line)
}

// parseKeys takes those that can verify something, and passes over those that are for something
// else. Two answers for one question (a name twice) are an error.
func parseKeys(data []byte) ([]jose.JSONWebKey, error) {
	var set map[string]json.RawMessage
	if err := strictjson.Decode(data, maxAnswer, &set); err != nil {
		return nil, fmt.Errorf("read keys: %w", err)
	}
	var each []json.RawMessage
	if err := strictjson.Decode(set["keys"], maxAnswer, &each); err != nil || len(each) > maxKeys {
		return nil, errors.New("read keys: there are none, or too many")
	}
	keys := []jose.JSONWebKey{}
	for _, one := range each {
		var key jose.JSONWebKey
		if err := key.UnmarshalJSON(one); err == nil && verifies(key) {
			keys = append(keys, key)
		}
	}
	return keys, nil
}

// verifies leaves out keys of encryption, secrets that anybody could sign with, and short ones.
func verifies(key jose.JSONWebKey) bool {
	if key.Use != "" && key.Use != "sig" || !key.Valid() {
		return false
	}
	switch public := key.Key.(type) {
	case *rsa.PublicKey:
		const least = 2048
		return public.N.BitLen() >= least
	case *ecdsa.PublicKey, ed25519.PublicKey:
		return true
	}
	return false
}

// signature checks that of one token. It implements oidc.KeySet, whose errors the library makes
// text of: ours is kept beside.
type signature struct {
	provider *provider
	ours     error
}

// VerifySignature implements oidc.KeySet.
func (s *signature) VerifySignature(ctx context.Context, text string) ([]byte, error) {
	algorithms := make([]jose.SignatureAlgorithm, len(s.provider.Algorithms))
	for index, name := range s.provider.Algorithms {
		algorithms[index] = jose.SignatureAlgorithm(name)
	}
	token, err := jose.ParseSignedCompact(text, algorithms)
	if err != nil {
		return nil, err
	}
	for _, anew := range []bool{false, true} {
		keys, err := s.provider.known(ctx, anew)
		if err != nil {
			s.ours = err
			return nil, err
		}
		if payload, ok := verify(token, keys); ok {
			return payload, nil
		}
	}
	return nil, errors.New("no key fits")
}

// verify tries the key that the token names, or all where it names none. Whatever else its header
// says of keys (jwk, jku, x5u, x5c) is the sender's word.
func verify(token *jose.JSONWebSignature, keys []jose.JSONWebKey) ([]byte, bool) {
	header := token.Signatures[0].Header
	for _, key := range keys {
		if header.KeyID != "" && key.KeyID != header.KeyID || key.Algorithm != "" && key.Algorithm != header.Algorithm {
			continue
		}
		if payload, err := token.Verify(key.Key); err == nil {
			return payload, true
		}
	}
	return nil, false
}
