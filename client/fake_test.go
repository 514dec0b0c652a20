package client

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/api"
	"hotcell/internal/job"
)

// testID and otherID are of two runs.
const (
	testID  = "1795219431042-9f86d081884c7d65"
	otherID = "1795219431042-0000000000000000"
)

func parseID(t *testing.T, text string) job.ID {
	t.Helper()
	id, err := ParseID(text)
	require.NoError(t, err)
	return id
}

// served is a service that answers what a test says, and notes what it was asked.
type served struct {
	*httptest.Server

	mu    sync.Mutex
	asked []*http.Request
}

// requests are all so far.
func (s *served) requests() []*http.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked
}

func serve(t *testing.T, answer func(w http.ResponseWriter, r *http.Request, time int)) *served {
	t.Helper()
	s := &served{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.asked = append(s.asked, r)
		time := len(s.asked)
		s.mu.Unlock()
		answer(w, r, time)
	}))
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	return s
}

func (s *served) client(t *testing.T) *Client {
	t.Helper()
	c, err := New(Options{URL: s.URL, Token: "hc_secret"})
	require.NoError(t, err)
	t.Cleanup(c.Close)
	return c
}

// say answers with JSON.
func say(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(value)
}

// refuse answers with a problem.
func refuse(w http.ResponseWriter, status, after int, detail string) {
	w.Header().Set("Content-Type", "application/problem+json")
	if after > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(after))
	}
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(api.Problem{Type: "urn:hotcell:problem:test", Title: "no", Status: status, Detail: detail})
}

// abort breaks the connection in the middle of what was said.
func abort(w http.ResponseWriter) {
	if w.Header().Get("Content-Type") != "" {
		_ = http.NewResponseController(w).Flush()
	}
	panic(http.ErrAbortHandler)
}

func queued() map[string]any {
	return map[string]any{"run_id": testID, "status": "queued", "policy": "study-analysis", "created_at": time.Unix(1, 0).UTC(), "queued_ms": 3, "attempt": 0}
}

// ended is a run with its result, which has these files.
func ended(status string, files ...api.FileInfo) map[string]any {
	run := queued()
	run["status"] = status
	listed := []api.FileInfo{}
	run["result"] = map[string]any{"run_id": testID, "status": status, "stdout": "42\n", "result": nil, "files": append(listed, files...)}
	return run
}

func file(path, content string) api.FileInfo {
	sum := sha256.Sum256([]byte(content))
	return api.FileInfo{Path: path, Bytes: int64(len(content)), SHA256: hex.EncodeToString(sum[:]), MediaType: "text/plain", Role: "file"}
}

// event writes one, and sends it.
func event(w http.ResponseWriter, id int, kind string, data any) {
	encoded, err := json.Marshal(data)
	if err != nil {
		panic(err)
	}
	var text strings.Builder
	if id > 0 {
		fmt.Fprintf(&text, "id: %d\n", id)
	}
	fmt.Fprintf(&text, "event: %s\ndata: %s\n\n", kind, encoded)
	stream(w)
	_, _ = w.Write([]byte(text.String()))
	_ = http.NewResponseController(w).Flush()
}

func stream(w http.ResponseWriter) { w.Header().Set("Content-Type", "text/event-stream") }

func text(of string) map[string]any { return map[string]any{"text": of} }
