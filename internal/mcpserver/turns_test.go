package mcpserver_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/api"
	"hotcell/internal/job"
	"hotcell/internal/mcpserver"
)

// crowd counts who holds a result, or a record, of a fake's.
type crowd struct {
	*fake
	inside, most atomic.Int32
}

func (c *crowd) hold() func() {
	now := c.inside.Add(1)
	for before := c.most.Load(); now > before && !c.most.CompareAndSwap(before, now); before = c.most.Load() {
	}
	time.Sleep(5 * time.Millisecond) // the others come meanwhile
	return func() { c.inside.Add(-1) }
}

func (c *crowd) Run(ctx context.Context, id job.ID) (api.Run, error) {
	defer c.hold()()
	return c.fake.Run(ctx, id)
}

func (c *crowd) Record(ctx context.Context, id job.ID) (json.RawMessage, error) {
	defer c.hold()()
	return c.fake.Record(ctx, id)
}

func (c *crowd) CreateRun(ctx context.Context, request api.CreateRun, key string) (api.Run, error) {
	if key != "" { // the run is there, and has a result
		defer c.hold()()
	}
	return c.fake.CreateRun(ctx, request, key)
}

// TestWhatHoldsAResultTakesTurns: however many calls there are, by batches and by requests, and in
// whichever way they come to a result. None waits for another that waits for it.
func TestWhatHoldsAResultTakesTurns(t *testing.T) {
	backend := &crowd{fake: newFake()}
	backend.leave("a.png", "image/png", png(1<<10))
	run, err := backend.CreateRun(t.Context(), api.CreateRun{}, "")
	require.NoError(t, err)
	url, id := listen(t, backend, mcpserver.Options{}), run.RunID.String()
	kinds := []string{
		`"tools/call","params":{"name":"run_wait","arguments":{"run_id":"` + id + `"}}`,
		`"tools/call","params":{"name":"run_cancel","arguments":{"run_id":"` + id + `"}}`,
		`"tools/call","params":{"name":"run_python","arguments":{"policy":"study","code":"1","idempotency_key":"k"}}`,
		`"resources/read","params":{"uri":"hotcell://runs/` + id + `/stdout"}`,
		`"resources/read","params":{"uri":"hotcell://runs/` + id + `/record"}`,
	}
	var all []string
	for i := range 15 {
		all = append(all, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%s}`, i+1, kinds[i%len(kinds)]))
	}
	body := "[" + strings.Join(all, ",") + "]"
	answers := make(chan string, 4)
	for range cap(answers) {
		go func() {
			request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
			if err != nil {
				answers <- err.Error()
				return
			}
			request.Header = httpHeader(body, "2025-03-26")
			response, err := http.DefaultClient.Do(request)
			if err != nil {
				answers <- err.Error()
				return
			}
			defer response.Body.Close()
			text, _ := io.ReadAll(response.Body)
			answers <- string(text)
		}()
	}
	for range cap(answers) {
		require.Equal(t, 15, strings.Count(<-answers, `"jsonrpc"`), "each is answered")
	}
	require.LessOrEqual(t, backend.most.Load(), int32(4))
	require.Greater(t, backend.most.Load(), int32(1))
}
