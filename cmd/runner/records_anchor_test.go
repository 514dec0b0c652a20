package main

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestACheckpointIsPostedToTheServerItselfThatTakesIt(t *testing.T) {
	var got []byte
	mux := http.NewServeMux()
	mux.HandleFunc("POST /takes", func(_ http.ResponseWriter, r *http.Request) { got, _ = io.ReadAll(r.Body) })
	mux.HandleFunc("POST /refuses", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) })
	mux.Handle("POST /sends-on", http.RedirectHandler("/takes", http.StatusTemporaryRedirect))
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	require.NoError(t, post(t.Context(), server.URL+"/takes", []byte("checkpoint")))
	require.Equal(t, "checkpoint", string(got))
	got = nil
	require.ErrorContains(t, post(t.Context(), server.URL+"/refuses", []byte("checkpoint")), `it answers "403 Forbidden"`)
	require.ErrorContains(t, post(t.Context(), server.URL+"/sends-on", []byte("checkpoint")), "307")
	require.Nil(t, got)
}

// A token in the URL is in no error, whatever fails, and not in what the chain is told.
func TestWhatMayBeASecretOfAnAddressIsNotRepeated(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }))
	address := strings.TrimPrefix(server.URL, "http://")
	secret := func(host string) string {
		return "http://s3cret-user:s3cret-word@" + host + "/takes?token=s3cret#s3cret"
	}
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	t.Cleanup(server.Close)
	for name, target := range map[string]string{
		"refused": secret(address), "not there": secret(strings.TrimPrefix(closed.URL, "http://")), "no host": secret("no such host"),
		"no port": secret("127.0.0.1:99999999"),
	} {
		t.Run(name, func(t *testing.T) {
			err := post(t.Context(), target, []byte("checkpoint"))
			require.Error(t, err)
			require.NotContains(t, err.Error(), "s3cret")
		})
	}
	require.Equal(t, "http://"+address+"/takes", serverOf(secret(address)))
	var out bytes.Buffer
	command := (&app{state: t.TempDir(), stdout: &out, stderr: &out}).recordsAnchor()
	command.SetArgs([]string{"--url", "http://s3cret-user@%zz/?s3cret"})
	command.SetOut(&out)
	command.SetErr(&out)
	err := command.ExecuteContext(t.Context())
	require.Error(t, err)
	require.NotContains(t, err.Error()+out.String(), "s3cret")
}

func TestATimeIsADateATimeOrHowLongAgo(t *testing.T) {
	now := time.Date(2026, 11, 27, 10, 0, 0, 0, time.UTC)
	day := time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
	for text, want := range map[string]time.Time{
		"": {}, "2026-11-20": day, "2026-11-20T00:00:00Z": day, "36h": now.Add(-36 * time.Hour), "7d": now.AddDate(0, 0, -7),
	} {
		got, err := readTime(text, now, false)
		require.NoError(t, err)
		require.True(t, want.Equal(got), text)
	}
	end, err := readTime("2026-11-20", now, true)
	require.NoError(t, err)
	require.True(t, end.Equal(day.Add(24*time.Hour-1)))
	for _, text := range []string{"yesterday", "-3h", "0s", "2026-13-01", "d", "-1d", "99999999d"} {
		_, err := readTime(text, now, false)
		require.Error(t, err, text)
	}
}
