package mcpserver_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/api"
	"hotcell/internal/budget"
	"hotcell/internal/job"
	"hotcell/internal/mcpserver"
)

// batch sends so many equal messages as one, and gives what they are answered with.
func batch(t *testing.T, url string, times int, message string) string {
	t.Helper()
	var all []string
	for i := range times {
		all = append(all, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,%s}`, i+1, message))
	}
	body := "[" + strings.Join(all, ",") + "]"
	response := post(t, url, body, httpHeader(body, "2025-03-26"))
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	require.Equal(t, 200, response.StatusCode, "%.200s", text)
	return string(text)
}

func resource(uri string) string { return `"method":"resources/read","params":{"uri":"` + uri + `"}` }

func toolCall(name, arguments string) string {
	return `"method":"tools/call","params":{"name":"` + name + `","arguments":` + arguments + `}`
}

const itself = "by itself"

// TestABatchIsAnsweredWithinBounds: sixteen times one file is no sixteen files, nor are figures, lists,
// texts or bundles.
func TestABatchIsAnsweredWithinBounds(t *testing.T) {
	backend := newFake()
	backend.leave("a.bin", "application/octet-stream", make([]byte, 700<<10))
	backend.leave("a.txt", "text/plain", bytes.Repeat([]byte("<"), 300<<10))
	backend.leave("a.png", "image/png", png(900<<10))
	for n := range 150 {
		backend.leave(fmt.Sprintf("%03d%s", n, strings.Repeat("x", 900)), "text/plain", []byte("x"))
	}
	backend.Result.Stdout = strings.Repeat("x", 1<<20)
	backend.Records = json.RawMessage(`"` + strings.Repeat("x", 1<<20-2) + `"`)
	wide := api.TableInfo{Name: "wide"}
	for range 1000 {
		wide.Columns = append(wide.Columns, api.ColumnInfo{Name: strings.Repeat("c", 200), Type: "integer"})
	}
	backend.OneBundle.Tables = []api.TableInfo{wide}
	run, err := backend.CreateRun(t.Context(), api.CreateRun{}, "")
	require.NoError(t, err)
	url, id := listen(t, backend, mcpserver.Options{}), run.RunID.String()
	ofRun := `{"run_id":"` + id + `"}`
	for name, one := range map[string]struct {
		asks  string
		alone int // bytes at least
	}{
		"a file of bytes": {resource("hotcell://runs/" + id + "/files/a.bin"), 700 << 10},
		"a file of text":  {resource("hotcell://runs/" + id + "/files/a.txt"), 300 << 10},
		"output":          {resource("hotcell://runs/" + id + "/stdout"), 700 << 10},
		"a record":        {resource("hotcell://runs/" + id + "/record"), 700 << 10},
		"a list of files": {toolCall("list_files", ofRun), 256 << 10},
		"pieces of files": {toolCall("read_file", `{"run_id":"`+id+`","path":"a.txt","limit":65536}`), 64 << 10},
		"a bundle":        {toolCall("bundle_describe", `{"bundle":"health"}`), 200 << 10},
	} {
		text := batch(t, url, 16, one.asks)
		require.Less(t, len(text), 2<<20+16*(8<<10), name)
		require.Contains(t, text, itself, name)
		require.Equal(t, 16, strings.Count(text, `"jsonrpc"`), name)
		text = batch(t, url, 1, one.asks)
		require.Greater(t, len(text), one.alone, name)
		require.NotContains(t, text, itself, name)
	}
	text := batch(t, url, 16, toolCall("run_wait", `{"run_id":"`+id+`","max_output_bytes":65536}`))
	require.Less(t, len(text), 2<<20+16*(8<<10))
	require.Equal(t, 1, strings.Count(text, `"type":"image"`), "the others are links")
	require.Equal(t, 16, strings.Count(text, `"priority":1`), "every call is answered")
	require.Equal(t, 16, strings.Count(text, `\"run_id\":\"`+id))
	backend.leave("b.txt", "text/plain", bytes.Repeat([]byte("<"), 1<<20))
	require.Contains(t, batch(t, url, 1, resource("hotcell://runs/"+id+"/files/b.txt")), "fetch it over HTTP")
}

// TestARunThatWasMadeIsNamedWhateverRoomThereIs: or else it would be made again.
func TestARunThatWasMadeIsNamedWhateverRoomThereIs(t *testing.T) {
	backend := newFake()
	backend.Result.Output, backend.Result.Stdout = strings.Repeat("<", 1<<20), ""
	url := listen(t, backend, mcpserver.Options{})
	text := batch(t, url, 16, toolCall("run_python", `{"policy":"study","code":"1","max_output_bytes":65536}`))
	require.Less(t, len(text), 2<<20+16*(8<<10))
	for _, id := range backend.ids() {
		require.Contains(t, text, id)
	}
	require.Contains(t, text, "call run_wait with this run_id")
}

// unread is a service that cannot tell of runs, which have ended, just now.
type unread struct{ *fake }

func (unread) Run(context.Context, job.ID) (api.Run, error) {
	return api.Run{}, &api.Problem{Type: "urn:hotcell:problem:unavailable", Title: "No engine answers", Status: 503}
}

// TestARunThatCannotBeReadIsNamed, also one that had ended when it was created.
func TestARunThatCannotBeReadIsNamed(t *testing.T) {
	backend := newFake()
	url := listen(t, unread{backend}, mcpserver.Options{})
	text := batch(t, url, 4, toolCall("run_python", `{"policy":"study","code":"1"}`))
	require.Equal(t, 4, strings.Count(text, "No engine answers"))
	require.Len(t, backend.ids(), 4)
	for _, id := range backend.ids() {
		require.Contains(t, text, id)
	}
}

// ids are those of all runs.
func (f *fake) ids() (all []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for id := range f.runs {
		all = append(all, id.String())
	}
	return all
}

// TestAnswersTakeOfWhatAServiceHas: what one request is answered with is counted where the service
// counts, and is not there where that has no place.
func TestAnswersTakeOfWhatAServiceHas(t *testing.T) {
	backend, all := newFake(), budget.New(1<<20)
	backend.leave("a.bin", "application/octet-stream", make([]byte, 600<<10))
	run, err := backend.CreateRun(t.Context(), api.CreateRun{}, "")
	require.NoError(t, err)
	handler := newServer(t, mcpserver.Options{}).Handler(func(*http.Request) (mcpserver.Backend, string) { return backend, "" })
	most := make(chan int64, 1)
	listening := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		share, _ := all.Take("anna", 0)
		handler.ServeHTTP(w, r.WithContext(budget.With(r.Context(), share)))
		most <- share.Has()
		share.Free()
	}))
	defer listening.Close()
	asks := resource("hotcell://runs/" + run.RunID.String() + "/files/a.bin")
	text := batch(t, listening.URL, 1, asks)
	require.Contains(t, text, `"blob"`)
	require.Greater(t, <-most, int64(800<<10))
	taken, ok := all.Take("ben", 700<<10)
	require.True(t, ok)
	text = batch(t, listening.URL, 1, asks)
	require.Contains(t, text, "ask again in a while")
	require.NotContains(t, text, `"blob"`)
	<-most
	text = batch(t, listening.URL, 1, toolCall("run_wait", `{"run_id":"`+run.RunID.String()+`"}`))
	require.Contains(t, text, "succeeded", "what is small is told")
	<-most
	taken.Free()
	require.Contains(t, batch(t, listening.URL, 1, asks), `"blob"`)
	<-most
	require.Zero(t, all.Taken())
}
