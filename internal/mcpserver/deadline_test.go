package mcpserver_test

import (
	"context"
	"encoding/json"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"hotcell/api"
	"hotcell/internal/job"
	"hotcell/internal/mcpserver"
)

// hanging is a service that takes what it is asked and answers nothing, until who asks gives up.
type hanging struct {
	*fake
	creates bool // but makes runs
	lists   bool // and lists files
	over    bool // and, when all was asked, ends runs
}

func hang[T any](ctx context.Context) (none T, err error) {
	<-ctx.Done()
	return none, context.Cause(ctx)
}

func (h *hanging) CreateRun(ctx context.Context, request api.CreateRun, key string) (api.Run, error) {
	if h.creates {
		return h.fake.CreateRun(ctx, request, key)
	}
	return hang[api.Run](ctx)
}

func (h *hanging) Files(ctx context.Context, id job.ID) ([]api.FileInfo, error) {
	if h.lists {
		return []api.FileInfo{{Path: "a.txt", Bytes: 1, MediaType: "text/plain"}}, nil
	}
	return hang[[]api.FileInfo](ctx)
}

func (h *hanging) OpenListed(ctx context.Context, _ job.ID, _ api.FileInfo) (io.ReadCloser, error) {
	return hang[io.ReadCloser](ctx)
}

func (h *hanging) Run(ctx context.Context, _ job.ID) (api.Run, error) { return hang[api.Run](ctx) }

func (h *hanging) Wait(ctx context.Context, _ job.ID) error { _, err := hang[int](ctx); return err }

func (h *hanging) Cancel(ctx context.Context, id job.ID) error {
	if h.over {
		return h.fake.Cancel(ctx, id)
	}
	_, err := hang[int](ctx)
	return err
}

func (h *hanging) Check(ctx context.Context, _ api.CreateRun) (api.Checked, error) {
	return hang[api.Checked](ctx)
}

func (h *hanging) OpenSession(ctx context.Context, _ api.OpenSession) (api.Session, error) {
	return hang[api.Session](ctx)
}

func (h *hanging) Step(ctx context.Context, _ job.ID, _ api.CreateStep) (api.Step, error) {
	return hang[api.Step](ctx)
}

func (h *hanging) CloseSession(ctx context.Context, _ job.ID) (api.Session, error) {
	return hang[api.Session](ctx)
}

func (h *hanging) Policies(ctx context.Context) ([]api.PolicyInfo, error) {
	return hang[[]api.PolicyInfo](ctx)
}

func (h *hanging) Policy(ctx context.Context, _ string) (api.PolicyInfo, error) {
	return hang[api.PolicyInfo](ctx)
}

func (h *hanging) Bundles(ctx context.Context) ([]api.BundleInfo, error) {
	return hang[[]api.BundleInfo](ctx)
}

func (h *hanging) Bundle(ctx context.Context, _ string) (api.BundleInfo, error) {
	return hang[api.BundleInfo](ctx)
}

func (h *hanging) Record(ctx context.Context, _ job.ID) (json.RawMessage, error) {
	return hang[json.RawMessage](ctx)
}

// Clients give a call up after a minute, and ask for the same again: whatever hangs, each tool that
// there is and each resource is answered before. What waits has ten seconds more for its answer.
func TestEveryCallIsAnsweredInTime(t *testing.T) {
	const id = "1795219431042-9f86d081884c7d65"
	all := map[string]any{"policy": "study", "code": code, "run_id": id, "session_id": id, "bundle": "health", "path": "a.txt"}
	lasts := map[string]time.Duration{"run_wait": 55 * time.Second, "run_python": 55 * time.Second, "session_open": 55 * time.Second, "session_step": 55 * time.Second}
	for name, backend := range map[string]*hanging{"all hangs": {}, "but runs are made": {creates: true}, "but files are listed": {lists: true}} {
		backend.fake = newFake()
		backend.Slow = true
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				session, _ := connect(t, newServer(t, mcpserver.Options{}), backend, "", nil)
				tools, err := session.ListTools(t.Context(), nil)
				require.NoError(t, err)
				require.NotEmpty(t, tools.Tools)
				for _, tool := range tools.Tools {
					arguments := map[string]any{}
					properties, _ := tool.InputSchema.(map[string]any)["properties"].(map[string]any)
					for name := range properties {
						if value, there := all[name]; there {
							arguments[name] = value
						}
					}
					begun := time.Now()
					result := tell(t, session, tool.Name, arguments)
					require.Equal(t, !backend.lists || tool.Name != "list_files", result.IsError, "%s: %v", tool.Name, arguments)
					most := max(45*time.Second, lasts[tool.Name])
					require.LessOrEqual(t, time.Since(begun), most+time.Second, tool.Name)
					require.NotContains(t, textOf(t, result, 0), "argument", "%s hangs", tool.Name)
					if backend.creates && tool.Name == "run_python" {
						require.NotEmpty(t, told(t, result)["run_id"], "it goes on, and can be waited for")
						require.Empty(t, backend.cancelled)
					}
				}
				for _, what := range []string{"runs/" + id + "/record", "runs/" + id + "/stdout", "runs/" + id + "/file/1", "runs/" + id + "/files/a.txt", "policies/study"} {
					begun := time.Now()
					_, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "hotcell://" + what})
					require.ErrorContains(t, err, "in time", what)
					require.LessOrEqual(t, time.Since(begun), 46*time.Second, what)
				}
				backend.over = true // the process's runs are ended with it
			})
		})
	}
}
