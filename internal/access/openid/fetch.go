package openid

import (
	"context"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rsa"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/go-jose/go-jose/v4"

	"hotcell/internal/strictjson"
)

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

// fetch finds out where the provider has its keys, and gets them.
func (p *provider) fetch(ctx context.Context) ([]jose.JSONWebKey, error) {
	data, err := p.get(ctx, strings.TrimSuffix(p.Issuer, "/")+"/.well-known/openid-configuration")
	if err != nil {
		return nil, fmt.Errorf("openid-configuration: %w", err)
	}
	var about claims
	if err := strictjson.Decode(data, maxAnswer, &about); err != nil {
		return nil, fmt.Errorf("openid-configuration: %w", errNoJSON)
	}
	if about.text("issuer") != p.Issuer {
		return nil, errors.New("openid-configuration: it is of another issuer, or the issuer is written otherwise there")
	}
	keys := about.text("jwks_uri")
	if at, err := url.Parse(keys); err != nil || !private(at) {
		return nil, errors.New("its keys would come over the network in the clear: jwks_uri is not https")
	}
	if data, err = p.get(ctx, keys); err != nil {
		return nil, fmt.Errorf("jwks_uri: %w", err)
	}
	parsed, err := parseKeys(data)
	if err != nil {
		return nil, fmt.Errorf("jwks_uri: %w", err)
	}
	return parsed, nil
}

// get is an answer of the provider. No error repeats a word of it: it is for the log.
func (p *provider) get(ctx context.Context, from string) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, from, http.NoBody)
	if err != nil {
		return nil, errors.New("it is no URL")
	}
	answer, err := p.Client.Do(request)
	if err != nil {
		return nil, inOurWords(err)
	}
	data, err := io.ReadAll(answer.Body)
	if err = errors.Join(err, answer.Body.Close()); err != nil {
		return nil, inOurWords(err)
	}
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the answer has status %d", answer.StatusCode)
	}
	return data, nil
}

var (
	errElsewhere = errors.New("it leads elsewhere, which is not followed")
	errNoJSON    = errors.New("the answer is no JSON object, or says something twice")
)

// inOurWords is why there is no answer, without what the other end has written: the library repeats
// lines of what is no HTTP, places that are led to, and names in certificates.
func inOurWords(err error) error {
	var broken net.Error
	switch {
	case errors.Is(err, errElsewhere):
		return errElsewhere
	case errors.As(err, &broken) && broken.Timeout():
		return fmt.Errorf("it does not answer within %s", answerTime)
	}
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return fmt.Errorf("the answer has more than %d bytes", maxAnswer)
	}
	if _, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return errors.New("its certificate is of another name, not valid at this time, or of an authority that is not known here (SSL_CERT_FILE names others)")
	}
	if ours, ok := errors.AsType[*net.OpError](err); ok {
		return ours
	}
	return errors.New("the answer is no HTTP, or ends early")
}

// parseKeys takes those that can verify something, and passes over those that are for something
// else. A set of which nothing is left is none: every caller would be told of a fault of the provider's as
// of their own.
func parseKeys(data []byte) ([]jose.JSONWebKey, error) {
	var set map[string]json.RawMessage
	if err := strictjson.Decode(data, maxAnswer, &set); err != nil {
		return nil, errNoJSON
	}
	var each []json.RawMessage
	if err := strictjson.Decode(set["keys"], maxAnswer, &each); err != nil || len(each) > maxKeys {
		return nil, fmt.Errorf("they are no list of at most %d", maxKeys)
	}
	var keys []jose.JSONWebKey
	for _, one := range each {
		var key jose.JSONWebKey
		if err := key.UnmarshalJSON(one); err == nil && verifies(key) {
			keys = append(keys, key)
		}
	}
	if len(keys) == 0 {
		return nil, errors.New("there is none among them that a signature can be verified by")
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
