package access

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

type answers func(r *http.Request) (Principal, error)

func (a answers) Authenticate(r *http.Request) (Principal, error) { return a(r) }

// knows is a service that knows one token.
func knows(r *http.Request) (Principal, error) {
	switch Bearer(r) {
	case "right":
		return Principal{Name: "token:ci"}, nil
	case "broken":
		return Principal{}, errors.New("the disk is broken")
	}
	return Principal{}, fmt.Errorf("%w: there is no such token", ErrUnknown)
}

func from(address, token string) *http.Request {
	r := httptest.NewRequest(http.MethodGet, "/", http.NoBody)
	r.RemoteAddr = address
	r.Header.Set("Authorization", "Bearer "+token)
	return r
}

func newLimited(t *testing.T) (made *limited, log *bytes.Buffer, clock *time.Time) {
	t.Helper()
	log = &bytes.Buffer{}
	made, ok := Limited(answers(knows), slog.New(slog.NewJSONHandler(log, nil))).(*limited)
	require.True(t, ok)
	now := time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)
	clock = &now
	made.now = func() time.Time { return *clock }
	return made, log, clock
}

func TestWhoFailsTooOftenIsToldToWait(t *testing.T) {
	by, log, clock := newLimited(t)
	for range failureBurst {
		_, err := by.Authenticate(from("192.0.2.1:4000", "s3cret-wrong"))
		require.ErrorIs(t, err, ErrUnknown)
	}
	for range 100 {
		_, err := by.Authenticate(from("192.0.2.1:4001", "s3cret-wrong"))
		many, ok := errors.AsType[*TooManyError](err)
		require.True(t, ok)
		require.Equal(t, failureEvery, many.After)
		require.NotErrorIs(t, err, ErrUnknown)
	}
	require.Equal(t, failureBurst, strings.Count(log.String(), "\n"), "one line for each that was answered")
	require.Contains(t, log.String(), `"from":"192.0.2.1"`)
	require.NotContains(t, log.String(), "s3cret")

	_, err := by.Authenticate(from("192.0.2.2:4000", "wrong"))
	require.ErrorIs(t, err, ErrUnknown, "another address")
	who, err := by.Authenticate(from("192.0.2.1:4000", "right"))
	require.NoError(t, err, "who is known passes: the address may be a proxy's")
	require.Equal(t, "token:ci", who.Name)
	*clock = clock.Add(failureEvery)
	_, err = by.Authenticate(from("192.0.2.1:4000", "wrong"))
	require.ErrorIs(t, err, ErrUnknown, "later")
}

func TestOurOwnErrorsAreNoFailuresOfTheirs(t *testing.T) {
	by, log, _ := newLimited(t)
	for range 3 * failureBurst {
		_, err := by.Authenticate(from("192.0.2.1:4000", "broken"))
		require.EqualError(t, err, "the disk is broken")
	}
	require.Empty(t, log.String())
	require.Empty(t, by.failures)
}

func TestOneClientOfIPv6IsOneAddress(t *testing.T) {
	by, _, _ := newLimited(t)
	for host := range failureBurst {
		_, err := by.Authenticate(from(fmt.Sprintf("[2001:db8::%x]:4000", host+1), "wrong"))
		require.ErrorIs(t, err, ErrUnknown)
	}
	_, err := by.Authenticate(from("[2001:db8::ffff]:1", "wrong"))
	require.NotErrorIs(t, err, ErrUnknown)
	_, err = by.Authenticate(from("[2001:db8:0:1::1]:1", "wrong"))
	require.ErrorIs(t, err, ErrUnknown)
	require.Equal(t, "192.0.2.1", origin(from("[::ffff:192.0.2.1]:1", "")))
	require.Equal(t, "nowhere", origin(from("@", "")))
}

func TestAddressesThatFailAreBounded(t *testing.T) {
	by, _, clock := newLimited(t)
	for number := range 3 * maxAddresses {
		_, _ = by.Authenticate(from(fmt.Sprintf("10.%d.%d.%d:1", number>>16, number>>8&255, number&255), "wrong"))
	}
	require.Len(t, by.failures, maxAddresses)
	_, err := by.Authenticate(from("192.0.2.1:4000", "wrong"))
	require.NotErrorIs(t, err, ErrUnknown)
	*clock = clock.Add(failureBurst * failureEvery)
	_, err = by.Authenticate(from("192.0.2.1:4000", "wrong"))
	require.ErrorIs(t, err, ErrUnknown, "those that have stopped are forgotten")
	require.Len(t, by.failures, 1)
}

// Addresses are cheap: a network of one client's has 65,536 of those that are counted.
func TestFailuresOfManyAddressesAreFewLines(t *testing.T) {
	by, log, _ := newLimited(t)
	for number := range 3000 {
		_, err := by.Authenticate(from(fmt.Sprintf("[2001:db8:0:%x::1]:1", number), "wrong"))
		require.ErrorIs(t, err, ErrUnknown, "each is answered")
	}
	require.Less(t, strings.Count(log.String(), "\n"), 1000)
	require.GreaterOrEqual(t, strings.Count(log.String(), "\n"), lineBurst)
}
