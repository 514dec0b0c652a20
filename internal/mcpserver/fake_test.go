package mcpserver_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"hotcell/api"
	"hotcell/internal/digest"
	"hotcell/internal/job"
	"hotcell/internal/mcpserver"
)

// fake is a service in memory. A run ends at once with Result, or when it is cancelled or let go
// where it is Slow.
type fake struct {
	Result    api.RunResult     // of each run and step, but for its id
	Content   map[string][]byte // of its files
	Slow      bool
	Refusal   error // of everything
	Checked   api.Checked
	Records   json.RawMessage
	OneBundle api.BundleInfo
	OnePolicy api.PolicyInfo
	SlowStep  bool

	mu        sync.Mutex
	runs      map[job.ID]*fakeRun
	keys      map[string]job.ID
	created   []api.CreateRun
	cancelled []job.ID
	opened    []api.OpenSession
	closed    []job.ID
	asked     int
}

type fakeRun struct {
	run  api.Run
	over chan struct{}
}

func newFake() *fake {
	return &fake{
		Result: api.RunResult{Status: job.Succeeded, Output: "42\n", Stdout: "42\n", Value: json.RawMessage("null")},
		runs:   map[job.ID]*fakeRun{}, keys: map[string]job.ID{},
		OnePolicy: api.PolicyInfo{Name: "study", Description: "for studies", SHA256: "ab", Sessions: true, Imports: []string{"math"}, Text: "name: study\n"},
		OneBundle: api.BundleInfo{Name: "health", Version: "1", Digest: "sha256:00", Study: "S", Tables: []api.TableInfo{
			{Name: "persons", Rows: 3, Columns: []api.ColumnInfo{{Name: "age", Type: "integer"}}}, {Name: "visits", Rows: 9},
		}},
	}
}

func (f *fake) CreateRun(_ context.Context, request api.CreateRun, key string) (api.Run, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.asked++
	if f.Refusal != nil {
		return api.Run{}, f.Refusal
	}
	if id, ok := f.keys[key]; ok && key != "" {
		return f.runs[id].run, nil
	}
	id := job.NewID(time.Now())
	made := &fakeRun{run: api.Run{RunID: id, Status: api.StateRunning, Policy: request.Policy, Bundle: request.Bundle}, over: make(chan struct{})}
	f.runs[id], f.keys[key] = made, id
	f.created = append(f.created, request)
	if !f.Slow {
		f.end(made, f.Result.Status)
	}
	return made.run, nil
}

// end is called with mu held.
func (f *fake) end(made *fakeRun, status job.Status) {
	result := f.Result
	result.RunID, result.Status = made.run.RunID, status
	made.run.Status, made.run.Result = api.State(status), &result
	close(made.over)
}

func (f *fake) finish(id job.ID) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.end(f.runs[id], f.Result.Status)
}

func (f *fake) find(id job.ID) (*fakeRun, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.asked++
	if made, ok := f.runs[id]; ok {
		return made, nil
	}
	return nil, &api.Problem{Type: "urn:hotcell:problem:not-found", Title: "there is no such run", Status: http.StatusNotFound}
}

func (f *fake) Run(_ context.Context, id job.ID) (api.Run, error) {
	made, err := f.find(id)
	if err != nil {
		return api.Run{}, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return made.run, nil
}

func (f *fake) Wait(ctx context.Context, id job.ID) error {
	made, err := f.find(id)
	if err != nil {
		return err
	}
	select {
	case <-made.over:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (f *fake) Cancel(_ context.Context, id job.ID) error {
	made, err := f.find(id)
	if err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.cancelled = append(f.cancelled, id)
	if !made.run.Ended() {
		f.end(made, job.Cancelled)
	}
	return nil
}

func (f *fake) Check(context.Context, api.CreateRun) (api.Checked, error) {
	return f.Checked, f.Refusal
}

func (f *fake) OpenSession(_ context.Context, request api.OpenSession) (api.Session, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.Refusal != nil {
		return api.Session{}, f.Refusal
	}
	f.opened = append(f.opened, request)
	return api.Session{SessionID: job.NewID(time.Now()), Status: api.SessionOpen, Policy: request.Policy}, nil
}

func (f *fake) Step(ctx context.Context, _ job.ID, _ api.CreateStep) (api.Step, error) {
	if f.SlowStep {
		<-ctx.Done()
		return api.Step{}, context.Cause(ctx)
	}
	result := f.Result
	result.RunID = job.NewID(time.Now())
	return api.Step{Number: 1, Status: api.State(result.Status), Result: &result}, nil
}

func (f *fake) CloseSession(_ context.Context, id job.ID) (api.Session, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = append(f.closed, id)
	return api.Session{SessionID: id, Status: api.SessionClosed, Result: &api.RunResult{Status: job.Succeeded}}, nil
}

func (f *fake) Policies(context.Context) ([]api.PolicyInfo, error) {
	return []api.PolicyInfo{f.OnePolicy, {Name: "other"}}, f.Refusal
}

func (f *fake) Policy(_ context.Context, name string) (api.PolicyInfo, error) {
	if name != f.OnePolicy.Name {
		return api.PolicyInfo{}, &api.Problem{Title: "there is no such policy", Status: http.StatusNotFound}
	}
	return f.OnePolicy, f.Refusal
}

func (f *fake) Bundles(context.Context) ([]api.BundleInfo, error) {
	return []api.BundleInfo{f.OneBundle, {Name: "other"}}, f.Refusal
}

func (f *fake) Bundle(context.Context, string) (api.BundleInfo, error) { return f.OneBundle, f.Refusal }

func (f *fake) Files(_ context.Context, id job.ID) (list []api.FileInfo, err error) {
	if _, err := f.find(id); err != nil {
		return nil, err
	}
	for _, file := range f.Result.Files {
		list = append(list, api.FileInfo{Path: file.Path, Bytes: file.Bytes, SHA256: string(file.SHA256), MediaType: file.MediaType})
	}
	return list, f.Refusal
}

func (f *fake) OpenListed(_ context.Context, _ job.ID, file api.FileInfo) (io.ReadCloser, error) {
	content, ok := f.Content[file.Path]
	if !ok {
		return nil, errors.New("/var/lib/hotcell: no such file")
	}
	return io.NopCloser(bytes.NewReader(content)), nil
}

func (f *fake) Record(_ context.Context, id job.ID) (json.RawMessage, error) {
	_, err := f.find(id)
	return f.Records, err
}

// leave adds a released file to every run's result.
func (f *fake) leave(path, mediaType string, content []byte) {
	if f.Content == nil {
		f.Content = map[string][]byte{}
	}
	f.Content[path] = content
	f.Result.Files = append(f.Result.Files, job.File{
		Path: path, Bytes: int64(len(content)), SHA256: digest.Of(content).Hex(), MediaType: mediaType, Role: "file",
	})
}

func newServer(t testing.TB, options mcpserver.Options) *mcpserver.Server {
	t.Helper()
	server, err := mcpserver.New(options)
	require.NoError(t, err)
	return server
}

// connect serves a backend on a pair of pipes, as runner mcp does, to the SDK's own client. What
// it returns ends it, and gives what Serve has returned.
func connect(t testing.TB, server *mcpserver.Server, backend mcpserver.Backend, version string, options *mcp.ClientOptions) (*mcp.ClientSession, func() error) {
	t.Helper()
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context())) // it is ended in order
	served := make(chan error, 1)
	go func() { served <- server.Serve(ctx, backend, fromClient, toClient) }()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, options)
	session, err := client.Connect(ctx, &mcp.IOTransport{Reader: fromServer, Writer: toServer}, &mcp.ClientSessionOptions{ProtocolVersion: version})
	require.NoError(t, err)
	var once sync.Once
	end := func() (err error) {
		once.Do(func() {
			_ = toServer.Close()
			err = <-served
			_ = toClient.Close()
			_ = session.Close()
			cancel()
		})
		return err
	}
	t.Cleanup(func() { require.NoError(t, end()) })
	return session, end
}

// tell calls a tool.
func tell(t testing.TB, session *mcp.ClientSession, name string, arguments map[string]any) *mcp.CallToolResult {
	t.Helper()
	result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: arguments})
	require.NoError(t, err)
	return result
}

// told is the first text of an answer, which is JSON of the host's own.
func told(t testing.TB, result *mcp.CallToolResult) map[string]any {
	t.Helper()
	var facts map[string]any
	require.NoError(t, json.Unmarshal([]byte(textOf(t, result, 0)), &facts))
	return facts
}

func textOf(t testing.TB, result *mcp.CallToolResult, at int) string {
	t.Helper()
	require.Greater(t, len(result.Content), at)
	text, ok := result.Content[at].(*mcp.TextContent)
	require.True(t, ok, "content %d is %T", at, result.Content[at])
	return text.Text
}

const code = "print(6 * 7)"

func study(more map[string]any) map[string]any {
	arguments := map[string]any{"policy": "study", "code": code}
	maps.Copy(arguments, more)
	return arguments
}

func unquote(t testing.TB, value string) (text string) {
	t.Helper()
	require.NoError(t, json.Unmarshal([]byte(value), &text))
	return text
}
