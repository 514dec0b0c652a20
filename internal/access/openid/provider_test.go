package openid_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/require"

	"hotcell/internal/access"
)

// A provider that is not there is no reason to tell somebody that their token is wrong.
func TestAProviderThatCannotBeAskedIsOurError(t *testing.T) {
	var sent atomic.Int64 // MiB, of keys that have no end
	for name, answer := range map[string]func(at *issuer) func(http.ResponseWriter, *http.Request) bool{
		"it fails": func(*issuer) func(http.ResponseWriter, *http.Request) bool {
			return func(w http.ResponseWriter, _ *http.Request) bool { w.WriteHeader(http.StatusBadGateway); return true }
		},
		"it fails with its keys": func(*issuer) func(http.ResponseWriter, *http.Request) bool {
			return func(w http.ResponseWriter, r *http.Request) bool {
				if r.URL.Path == "/keys" {
					w.WriteHeader(http.StatusBadGateway)
				}
				return r.URL.Path == "/keys"
			}
		},
		"it is another": func(*issuer) func(http.ResponseWriter, *http.Request) bool {
			return func(w http.ResponseWriter, _ *http.Request) bool {
				fmt.Fprint(w, `{"issuer":"https://evil.example.org","jwks_uri":"https://evil.example.org/keys"}`)
				return true
			}
		},
		"its keys are in the clear": func(at *issuer) func(http.ResponseWriter, *http.Request) bool {
			return func(w http.ResponseWriter, _ *http.Request) bool {
				fmt.Fprintf(w, `{"issuer":%q,"jwks_uri":"http://example.org/keys"}`, at.URL)
				return true
			}
		},
		"it leads elsewhere": func(at *issuer) func(http.ResponseWriter, *http.Request) bool {
			return func(w http.ResponseWriter, r *http.Request) bool {
				if r.URL.Path == "/keys" {
					http.Redirect(w, r, at.URL+"/others", http.StatusFound)
				}
				return r.URL.Path == "/keys"
			}
		},
		"its keys have no end": func(*issuer) func(http.ResponseWriter, *http.Request) bool {
			return func(w http.ResponseWriter, r *http.Request) bool {
				for chunk := []byte(strings.Repeat(" ", 1<<20)); r.URL.Path == "/keys"; sent.Add(1) {
					if _, err := w.Write(chunk); err != nil {
						return true
					}
				}
				return false
			}
		},
		"its keys are twice": func(*issuer) func(http.ResponseWriter, *http.Request) bool {
			return func(w http.ResponseWriter, r *http.Request) bool {
				if r.URL.Path == "/keys" {
					fmt.Fprint(w, `{"keys":[],"keys":[]}`)
				}
				return r.URL.Path == "/keys"
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			at := newIssuer(t, leading)
			at.answer = answer(at)
			now := &clock{start}
			by := newVerifier(at.URL, now)
			good := signed(t, rsaKey, jose.RS256, said(at.URL, nil), kid("first"))
			for range 2 {
				_, err := by.Authenticate(request(good))
				require.Error(t, err)
				require.NotErrorIs(t, err, access.ErrUnknown)
				require.ErrorContains(t, err, at.URL)
				require.Equal(t, name == "its keys are in the clear", strings.Contains(err.Error(), "in the clear"))
				require.Less(t, len(err.Error()), 500)
			}
			at.answer = nil
			now.now = start.Add(6 * time.Second)
			_, err := by.Authenticate(request(good))
			require.NoError(t, err, "it is back")
		})
	}
	require.Less(t, sent.Load(), int64(64))
	_, err := newVerifier("http://127.0.0.1:1", &clock{start}).Authenticate(request(signed(t, rsaKey, jose.RS256, said("http://127.0.0.1:1", nil), nil)))
	require.Error(t, err)
	require.NotErrorIs(t, err, access.ErrUnknown)
}

// What has expired ends with its time, also while its provider cannot be asked for keys.
func TestATokenExpiresWhileItsProviderIsAway(t *testing.T) {
	clock, at := &clock{start}, newIssuer(t, leading)
	verifier := newVerifier(at.URL, clock)
	token := signed(t, rsaKey, jose.RS256, said(at.URL, map[string]any{"exp": start.Add(90 * time.Minute).Unix()}), kid("first"))
	_, err := verifier.Authenticate(request(token))
	require.NoError(t, err)
	at.answer = func(w http.ResponseWriter, _ *http.Request) bool { w.WriteHeader(http.StatusBadGateway); return true }
	clock.now = start.Add(80 * time.Minute) // its keys are of an hour ago
	_, err = verifier.Authenticate(request(token))
	require.Error(t, err)
	require.NotErrorIs(t, err, access.ErrUnknown)
	clock.now = start.Add(91 * time.Minute)
	_, err = verifier.Authenticate(request(token))
	require.ErrorIs(t, err, access.ErrUnknown)
	require.ErrorContains(t, err, "expired")
}

func TestKeysOfAProviderChange(t *testing.T) {
	at := newIssuer(t, leading)
	now := &clock{start}
	by := newVerifier(at.URL, now)
	first := signed(t, rsaKey, jose.RS256, said(at.URL, map[string]any{"exp": start.Add(4 * time.Hour).Unix()}), kid("first"))
	second := signed(t, other, jose.RS256, said(at.URL, map[string]any{"exp": start.Add(4 * time.Hour).Unix()}), kid("second"))
	_, err := by.Authenticate(request(first))
	require.NoError(t, err)
	for range 50 {
		_, err = by.Authenticate(request(second))
		require.ErrorIs(t, err, access.ErrUnknown)
	}
	require.EqualValues(t, 1, at.asked.Load(), "it has just been asked: nobody makes us ask for each token")

	at.keys = []jose.JSONWebKey{leading, public("second", other, jose.RS256)}
	now.now = start.Add(31 * time.Second)
	_, err = by.Authenticate(request(second))
	require.NoError(t, err, "a key that is new")
	require.EqualValues(t, 2, at.asked.Load())

	at.keys = at.keys[1:]
	now.now = start.Add(time.Hour)
	_, err = by.Authenticate(request(first))
	require.NoError(t, err)
	now.now = start.Add(2 * time.Hour)
	_, err = by.Authenticate(request(first))
	require.ErrorIs(t, err, access.ErrUnknown, "a key that was taken out, after an hour")
}

// One who waits for a provider that does not answer holds up nobody whose key is known.
func TestASlowProviderHoldsUpNobodyElse(t *testing.T) {
	at := newIssuer(t, leading)
	now := &clock{start}
	by := newVerifier(at.URL, now)
	good := signed(t, rsaKey, jose.RS256, said(at.URL, nil), kid("first"))
	_, err := by.Authenticate(request(good))
	require.NoError(t, err)
	now.now = start.Add(time.Minute)
	asked, answered := make(chan struct{}), make(chan struct{})
	at.answer = func(http.ResponseWriter, *http.Request) bool { close(asked); <-answered; return false }
	done := make(chan struct{})
	third := request(signed(t, other, jose.RS256, said(at.URL, nil), kid("third")))
	go func() {
		defer close(done)
		_, _ = by.Authenticate(third)
	}()
	<-asked
	at.answer = nil
	_, err = by.Authenticate(request(good))
	require.NoError(t, err)
	close(answered)
	<-done
}

// gives has a provider's keys be a text.
func gives(text string) func(http.ResponseWriter, *http.Request) bool {
	return func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path == "/keys" {
			fmt.Fprint(w, text)
		}
		return r.URL.Path == "/keys"
	}
}

// A set in which there is no key says nothing against a token, and takes no key away: a stranger, by
// a key that nobody knows, chooses when it is asked for.
func TestASetWithoutAKeyIsTheProvidersFault(t *testing.T) {
	encryption, err := json.Marshal(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: rsaKey.Public(), KeyID: "first", Use: "enc"}}})
	require.NoError(t, err)
	for name, text := range map[string]string{
		"empty": `{"keys":[]}`, "null": `{"keys":null}`, "none": `{}`, "no set": `[]`, "nothing": ``, "unreadable": `{"keys":["x",1,{}]}`,
		"of secrets": `{"keys":[{"kty":"oct","kid":"first","k":"c2VjcmV0"}]}`, "of encryption": string(encryption),
	} {
		t.Run(name, func(t *testing.T) {
			at, now := newIssuer(t, leading), &clock{start}
			by := newVerifier(at.URL, now)
			good := signed(t, rsaKey, jose.RS256, said(at.URL, map[string]any{"exp": start.Add(4 * time.Hour).Unix()}), kid("first"))
			at.answer = gives(text)
			_, err := by.Authenticate(request(good))
			require.NotErrorIs(t, err, access.ErrUnknown)
			require.ErrorContains(t, err, "ask "+at.URL+" for its keys: ")
			at.answer, now.now = nil, start.Add(6*time.Second)
			_, err = by.Authenticate(request(good))
			require.NoError(t, err)

			at.answer, now.now = gives(text), start.Add(time.Minute)
			_, err = by.Authenticate(request(signed(t, other, jose.RS256, said(at.URL, nil), kid("third"))))
			require.Error(t, err)
			require.NotErrorIs(t, err, access.ErrUnknown)
			_, err = by.Authenticate(request(good))
			require.NoError(t, err, "the keys that it gave before stay")
			now.now = start.Add(2 * time.Hour)
			_, err = by.Authenticate(request(good))
			require.Error(t, err, "for an hour")
			require.NotErrorIs(t, err, access.ErrUnknown)
		})
	}
}

// What is newer than the keys in memory may be signed by a new one. While the provider is not to be asked
// again, that is our fault. A token that is older, of a key that was taken out, is nobody's.
func TestAKeyThatIsNewIsNotKnownYet(t *testing.T) {
	for name, id := range map[string]map[jose.HeaderKey]any{"by its id": kid("second"), "without an id": nil} {
		t.Run(name, func(t *testing.T) {
			at, now := newIssuer(t, leading), &clock{start}
			by := newVerifier(at.URL, now)
			_, err := by.Authenticate(request(signed(t, rsaKey, jose.RS256, said(at.URL, nil), kid("first"))))
			require.NoError(t, err)
			fresh := signed(t, other, jose.RS256, said(at.URL, map[string]any{"iat": start.Add(5 * time.Second).Unix()}), id)
			undated := signed(t, other, jose.RS256, said(at.URL, map[string]any{"iat": nil}), id)
			taken := signed(t, other, jose.RS256, said(at.URL, nil), id)
			at.keys = []jose.JSONWebKey{leading, public("second", other, jose.RS256)}
			now.now = start.Add(10 * time.Second)
			for _, token := range []string{fresh, undated} {
				_, err = by.Authenticate(request(token))
				early, ok := errors.AsType[*access.TooEarlyError](err)
				require.True(t, ok, err)
				require.Equal(t, 20*time.Second, early.After)
				require.NotErrorIs(t, err, access.ErrUnknown)
			}
			_, err = by.Authenticate(request(taken))
			require.ErrorIs(t, err, access.ErrUnknown)
			forged := signed(t, other, jose.RS256, said(at.URL, map[string]any{"iat": start.Add(5 * time.Second).Unix()}), kid("first"))
			_, err = by.Authenticate(request(forged))
			require.ErrorIs(t, err, access.ErrUnknown, "of a key that is known")
			ended := signed(t, other, jose.RS256, said(at.URL, map[string]any{"iat": start.Add(5 * time.Second).Unix(), "exp": start.Add(-time.Hour).Unix()}), id)
			_, err = by.Authenticate(request(ended))
			require.ErrorContains(t, err, "expired")
			require.EqualValues(t, 1, at.asked.Load())
			now.now = start.Add(31 * time.Second)
			_, err = by.Authenticate(request(fresh))
			require.NoError(t, err)
			at.keys, now.now = at.keys[:1], start.Add(62*time.Second)
			late := signed(t, ecKey, jose.ES256, said(at.URL, map[string]any{"iat": now.now.Unix()}), kid("third"))
			_, err = by.Authenticate(request(late))
			require.ErrorIs(t, err, access.ErrUnknown, "the provider has just said so")
			require.EqualValues(t, 3, at.asked.Load())
		})
	}
}

// Nobody has each key of a provider tried for them.
func TestATokenWithoutAKeysIDIsTriedByAFew(t *testing.T) {
	at := newIssuer(t, leading)
	for number := range 5 {
		at.keys = append(at.keys, public(strconv.Itoa(number), other, jose.RS256))
	}
	by := newVerifier(at.URL, &clock{start})
	_, err := by.Authenticate(request(signed(t, rsaKey, jose.RS256, said(at.URL, nil), nil)))
	require.ErrorIs(t, err, access.ErrUnknown)
	require.ErrorContains(t, err, "has to name its key (kid)")
	_, err = by.Authenticate(request(signed(t, rsaKey, jose.RS256, said(at.URL, nil), kid("first"))))
	require.NoError(t, err)
	at.keys = at.keys[:5]
	_, err = newVerifier(at.URL, &clock{start}).Authenticate(request(signed(t, rsaKey, jose.RS256, said(at.URL, nil), nil)))
	require.NoError(t, err)
}

// What a provider writes in an answer that is none is no text of ours.
func TestNoErrorHasWordsOfAProvidersAnswer(t *testing.T) {
	const words = "SECRET\x1b[31m\u202e"
	for _, path := range []string{"/.well-known/openid-configuration", "/keys"} {
		for name, answer := range map[string]func(w http.ResponseWriter, r *http.Request){
			"a body": func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(http.StatusInternalServerError)
				fmt.Fprint(w, words)
			},
			"no JSON": func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, words) },
			"a media type": func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "SECRET")
				fmt.Fprint(w, words)
			},
			"another name": func(w http.ResponseWriter, _ *http.Request) {
				fmt.Fprint(w, `{"issuer":"https://SECRET.example.org","jwks_uri":"https://SECRET"}`)
			},
			"a name twice": func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"SECRET":1,"SECRET":1}`) },
			"a place": func(w http.ResponseWriter, r *http.Request) {
				http.Redirect(w, r, "https://SECRET.example.org", http.StatusFound)
			},
			"a reason": func(w http.ResponseWriter, _ *http.Request) {
				raw(w, "HTTP/1.1 500 SECRET\r\nContent-Length: 0\r\n\r\n")
			},
			"another tongue": func(w http.ResponseWriter, _ *http.Request) { raw(w, "SECRET\r\n\r\n") },
			"a field":        func(w http.ResponseWriter, _ *http.Request) { raw(w, "HTTP/1.1 200 OK\r\nSECRET\r\n\r\n") },
		} {
			t.Run(name+" at "+path, func(t *testing.T) {
				at := newIssuer(t, leading)
				at.answer = func(w http.ResponseWriter, r *http.Request) bool {
					if r.URL.Path == path {
						answer(w, r)
					}
					return r.URL.Path == path
				}
				_, err := newVerifier(at.URL, &clock{start}).Authenticate(request(signed(t, rsaKey, jose.RS256, said(at.URL, nil), kid("first"))))
				require.ErrorContains(t, err, "ask "+at.URL+" for its keys: ")
				require.NotErrorIs(t, err, access.ErrUnknown)
				require.NotContains(t, err.Error(), "SECRET")
			})
		}
	}
}

// raw answers with what is no HTTP, or only just.
func raw(w http.ResponseWriter, text string) {
	hijacker, ok := w.(http.Hijacker)
	if !ok {
		return
	}
	if conn, _, err := hijacker.Hijack(); err == nil {
		_, _ = conn.Write([]byte(text))
		_ = conn.Close()
	}
}
