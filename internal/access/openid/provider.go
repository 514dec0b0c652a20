package openid

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4"

	"hotcell/internal/access"
)

// How long a provider has to answer, how long its keys are believed, and how soon it is asked
// again: for a key that is not known, and after it has failed.
const (
	answerTime = 5 * time.Second
	keysLife   = time.Hour
	askAgain   = 30 * time.Second
	tryAgain   = 5 * time.Second
)

// maxAnswer is of a provider's answers, in bytes; maxKeys of its keys, and maxTried of those that are
// tried for one token.
const (
	maxAnswer = 1 << 20
	maxKeys   = 100
	maxTried  = 5
)

// keySet is what a provider has given when it was asked.
type keySet struct {
	keys []jose.JSONWebKey
	at   time.Time // before it was
}

// provider is one with its keys.
type provider struct {
	Provider

	asking sync.Mutex // held while it is asked: nobody asks twice

	mu     sync.Mutex
	given  keySet
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
		return errElsewhere
	}
	of.Client = &client
	return &provider{Provider: of}
}

// known are the keys that the provider has given. anew says that they were not enough: it is asked
// for others, unless it has just been. Where it gives none, those that it has given stay.
func (p *provider) known(ctx context.Context, anew bool) (keySet, error) {
	if set, err := p.kept(anew); set.keys != nil || err != nil {
		return set, err
	}
	p.asking.Lock() // who has a key that is known does not come here, however slow the answer is
	defer p.asking.Unlock()
	if set, err := p.kept(anew); set.keys != nil || err != nil {
		return set, err
	}
	// Whoever asks may go away meanwhile: the others wait for the same answer.
	ctx, end := context.WithTimeout(context.WithoutCancel(ctx), answerTime)
	defer end()
	at := p.Now()
	keys, err := p.fetch(ctx)
	p.mu.Lock()
	defer p.mu.Unlock()
	if err != nil {
		p.failed, p.why = p.Now(), fmt.Errorf("ask %s for its keys: %w", p.Issuer, err)
		return keySet{}, p.why
	}
	p.given, p.why = keySet{keys, at}, nil
	return p.given, nil
}

// kept are the keys where they need not be asked for, or why there are none just now.
func (p *provider) kept(anew bool) (keySet, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.Now()
	age := now.Sub(p.given.at)
	switch {
	case p.given.keys != nil && (age < askAgain || age < keysLife && !anew):
		return p.given, nil
	case p.why != nil && now.Sub(p.failed) < tryAgain:
		return keySet{}, p.why
	}
	return keySet{}, nil
}

// signature checks that of one token. It implements oidc.KeySet, whose errors the library makes
// text of: the reason is kept beside.
type signature struct {
	provider *provider
	why      error // or nil where the signature is none
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
	begun, tried := s.provider.Now(), keySet{}
	for _, anew := range []bool{false, true} {
		set, err := s.provider.known(ctx, anew)
		if err != nil {
			s.why = err
			return nil, err
		}
		if set.at.Equal(tried.at) {
			break // the same ones
		}
		payload, err := verify(token, set.keys)
		if err == nil || !errors.Is(err, errNoKey) {
			s.why = err
			return payload, err
		}
		tried = set
	}
	s.why = s.provider.tooEarly(token, tried, begun)
	return nil, errNoKey
}

// tooEarly is an error where a key that is not known may be a new one: the token may be younger than
// the keys, and the provider was not asked for its sake. When a token was issued is the sender's word:
// whoever lies gets another status.
func (p *provider) tooEarly(token *jose.JSONWebSignature, tried keySet, begun time.Time) error {
	id := token.Signatures[0].Header.KeyID
	known := slices.ContainsFunc(tried.keys, func(key jose.JSONWebKey) bool { return id != "" && key.KeyID == id })
	if known || !tried.at.Before(begun) {
		return nil
	}
	said, err := decode(token.UnsafePayloadWithoutVerification())
	if err != nil {
		return err
	}
	issued, there, well := said.when("iat")
	if there && well && !tried.at.Before(issued.Add(p.ClockSkew)) {
		return nil
	}
	after := max(askAgain-begun.Sub(tried.at), time.Second)
	return &access.TooEarlyError{After: after, Why: "the token's key may be a new one of its issuer, which is not to be asked again before that"}
}

// Why no key verifies a token.
var (
	errNoKey = errors.New("no key fits")
	errNames = unknown("the token has to name its key (kid): its issuer has more than %d that it may be signed by", maxTried)
)

// verify tries the key that the token names, or a few where it names none: each costs time, which
// nobody has to be known for. Whatever else its header says of keys (jwk, jku, x5u, x5c) is the sender's
// word.
func verify(token *jose.JSONWebSignature, keys []jose.JSONWebKey) ([]byte, error) {
	header := token.Signatures[0].Header
	var fit []jose.JSONWebKey
	for _, key := range keys {
		if (header.KeyID == "" || key.KeyID == header.KeyID) && (key.Algorithm == "" || key.Algorithm == header.Algorithm) {
			fit = append(fit, key)
		}
	}
	if len(fit) > maxTried {
		return nil, errNames
	}
	for _, key := range fit {
		if payload, err := token.Verify(key.Key); err == nil {
			return payload, nil
		}
	}
	return nil, errNoKey
}
