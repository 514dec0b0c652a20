package mcpserver_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/job"
	"hotcell/internal/mcpserver"
)

func listen(t *testing.T, backend mcpserver.Backend, options mcpserver.Options) string {
	t.Helper()
	listening := httptest.NewServer(newServer(t, options).Handler(func(*http.Request) (mcpserver.Backend, string) { return backend, "" }))
	t.Cleanup(listening.Close)
	return listening.URL
}

func TestBodiesAreBoundedAndStrict(t *testing.T) {
	backend := newFake()
	url := listen(t, backend, mcpserver.Options{})
	call := func(arguments string) string {
		return `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"run_python","arguments":` + arguments + `}}`
	}
	for body, want := range map[string]int{
		call(`{"policy":"study","code":"1"}`):                                  200,
		call(`{"policy":"study","code":"1","code":"2"}`):                       400,
		strings.Replace(call(`{}`), `"id":3`, `"id":3,"id":4`, 1):              400,
		call(`{"policy":"study","code":"` + strings.Repeat("x", 5<<20) + `"}`): 413,
		strings.Repeat("[", 100_000):                                           400,
		``:                                                                     400,
		`[` + strings.Repeat(call(`{}`)+",", 50) + call(`{}`) + `]`:            400,
		call(`{"policy":"study","code":"1"}`) + call(`{"policy":"study","code":"1"}`): 400,
	} {
		response := post(t, url, body, httpHeader(body, "2025-06-18"))
		text, err := io.ReadAll(response.Body)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		require.Equal(t, want, response.StatusCode, "%.100s: %s", body, text)
	}
	require.Len(t, backend.created, 1)
}

// TestWhatIsWrongWithARequestIsAnErrorOfJSONRPC: clients of the protocol read those, and no text.
func TestWhatIsWrongWithARequestIsAnErrorOfJSONRPC(t *testing.T) {
	url := listen(t, newFake(), mcpserver.Options{})
	line := script("2025-06-18")[3]
	for name, wrong := range map[string]struct {
		method, header, value string
		want                  int
	}{
		"GET":                  {http.MethodGet, "", "", 405},
		"DELETE":               {http.MethodDelete, "", "", 405},
		"another media type":   {http.MethodPost, "Content-Type", "text/plain", 415},
		"an answer nobody has": {http.MethodPost, "Accept", "text/html", 400},
		"an unknown version":   {http.MethodPost, "MCP-Protocol-Version", "1999-01-01", 400},
		"a resumption":         {http.MethodPost, "Last-Event-ID", "7", 400},
	} {
		t.Run(name, func(t *testing.T) {
			request, err := http.NewRequestWithContext(t.Context(), wrong.method, url, strings.NewReader(line))
			require.NoError(t, err)
			request.Header = httpHeader(line, "2025-06-18")
			if wrong.header != "" {
				request.Header.Set(wrong.header, wrong.value)
			}
			response, err := http.DefaultClient.Do(request)
			require.NoError(t, err)
			text, err := io.ReadAll(response.Body)
			require.NoError(t, err)
			require.NoError(t, response.Body.Close())
			require.Equal(t, wrong.want, response.StatusCode, "%s", text)
			require.Equal(t, "application/json", response.Header.Get("Content-Type"))
			var told struct {
				Version string `json:"jsonrpc"`
				Error   struct{ Message string }
			}
			require.NoError(t, json.Unmarshal(text, &told), "%s", text)
			require.Equal(t, "2.0", told.Version)
			require.NotEmpty(t, told.Error.Message)
		})
	}
}

func TestEachRequestHasItsOwnBackend(t *testing.T) {
	backends := map[string]*fake{"anna": newFake(), "ben": newFake()}
	listening := httptest.NewServer(newServer(t, mcpserver.Options{}).Handler(func(r *http.Request) (mcpserver.Backend, string) {
		if b, ok := backends[r.Header.Get("Who")]; ok {
			return b, r.Header.Get("Who")
		}
		return nil, ""
	}))
	defer listening.Close()
	line := script("2025-06-18")[3]
	for _, who := range []string{"anna", "ben", "anna", "nobody"} {
		header := httpHeader(line, "2025-06-18")
		header.Set("Who", who)
		response := post(t, listening.URL, line, header)
		body, err := io.ReadAll(response.Body)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		require.Equal(t, who == "nobody", strings.Contains(string(body), `"isError":true`), "%s", body)
	}
	require.Len(t, backends["anna"].created, 2)
	require.Len(t, backends["ben"].created, 1)
}

func TestAClientThatGoesCancelsItsRunInEveryVersion(t *testing.T) {
	for _, version := range versions() {
		backend := newFake()
		backend.Slow = true
		url := listen(t, backend, mcpserver.Options{})
		lines := script(version)
		line := lines[len(lines)-1]
		ctx, cancel := context.WithCancel(t.Context())
		request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(line))
		require.NoError(t, err)
		request.Header = httpHeader(line, version)
		gone := make(chan struct{})
		go func() {
			defer close(gone)
			if response, err := http.DefaultClient.Do(request); err == nil {
				_, _ = io.Copy(io.Discard, response.Body)
				_ = response.Body.Close()
			}
		}()
		happens(t, func() bool { return len(backend.created) == 1 }, backend)
		cancel()
		<-gone
		happens(t, func() bool { return len(backend.cancelled) == 1 }, backend)
	}
}

func happens(t *testing.T, what func() bool, backend *fake) {
	t.Helper()
	require.Eventually(t, func() bool {
		backend.mu.Lock()
		defer backend.mu.Unlock()
		return what()
	}, 10*time.Second, 5*time.Millisecond)
}

// panicking fails as a fault of ours would.
type panicking struct{ *fake }

func (p panicking) Wait(context.Context, job.ID) error { panic("secret of the host") }

func TestAPanicEndsTheCallAndNothingElse(t *testing.T) {
	backend := newFake()
	backend.Slow = true
	url := listen(t, panicking{backend}, mcpserver.Options{})
	line := script("2025-06-18")[3]
	for range 2 {
		response := post(t, url, line, httpHeader(line, "2025-06-18"))
		body, err := io.ReadAll(response.Body)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		require.Contains(t, string(body), "the server has failed")
		require.NotContains(t, string(body), "secret")
	}
}
