package engineapi

import (
	"bufio"
	"bytes"
	"context"
	"log/slog"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"hotcell/internal/admission"
	"hotcell/internal/job"
	"hotcell/internal/runner"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// played is a Service that does what a test says.
type played struct {
	run   func(context.Context, runner.Ask) (runner.Response, error)
	check func(context.Context, runner.Ask) (runner.Checked, error)
	open  func(context.Context, runner.Ask) (Session, error)
}

func (p played) Run(ctx context.Context, ask runner.Ask) (runner.Response, error) {
	return p.run(ctx, ask)
}

func (p played) Check(ctx context.Context, ask runner.Ask) (runner.Checked, error) {
	return p.check(ctx, ask)
}

func (p played) OpenSession(ctx context.Context, ask runner.Ask) (Session, error) {
	return p.open(ctx, ask)
}

var oneKind = Kind{For: "p:b", Ready: 4, Made: 7, AgeMS: 5, MemoryBytes: 1 << 20, Failure: "none"}

// scene is an engine that listens.
type scene struct {
	dir    string
	server *Server
}

func newScene(t *testing.T, service Service) *scene {
	t.Helper()
	return newSceneWith(t, service, admission.Options{Places: 2, Queue: 2, Queues: 4})
}

func newSceneWith(t *testing.T, service Service, room admission.Options) *scene {
	t.Helper()
	gate, err := admission.New(room)
	require.NoError(t, err)
	sessions, err := admission.New(room.ButOne())
	require.NoError(t, err)
	server, err := NewServer(Options{
		Service: service, Gate: gate, Sessions: sessions, Requests: room.Places + room.Queues,
		Caller: func(uid uint32) runner.Caller {
			require.EqualValues(t, os.Getuid(), uid)
			return runner.Caller{Name: "tester", Rights: runner.Rights{ChooseRuntime: true}}
		},
		About:          Description{Version: "v1", Engine: "fake", Places: room.Places},
		Signer:         func() string { return "sha256:signer" },
		Templates:      func() ([]Kind, int64) { return []Kind{oneKind}, 1 << 30 },
		RemovalsFailed: func() int64 { return 3 },
		Logger:         slog.New(slog.DiscardHandler),
	})
	require.NoError(t, err)
	s := &scene{dir: t.TempDir(), server: server}
	listener, err := Listen(s.dir)
	require.NoError(t, err)
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	t.Cleanup(func() {
		server.Cancel()
		<-server.Drain()
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		require.NoError(t, server.End(ctx))
		require.NoError(t, <-served)
		require.NoError(t, listener.Close())
	})
	return s
}

func (s *scene) client(t *testing.T) *Client {
	t.Helper()
	client, err := Connect(t.Context(), s.dir)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, client.Close()) })
	return client
}

// responseOf is what a run with this status answers.
func responseOf(status job.Status) runner.Response {
	return runner.Response{RecordDir: "/records/1", RecordBytes: 8 << 10, Result: job.Result{
		RunID: job.NewID(time.Now()), Status: status, Value: []byte("null"), Charts: []job.Chart{}, Files: []job.File{},
		Violations: []job.Violation{}, ToolCalls: []job.ToolCall{}, Provenance: job.Provenance{Controls: []job.Control{}},
	}}
}

// untilCancelled is a run that does not end by itself.
func untilCancelled(begun chan<- struct{}) func(context.Context, runner.Ask) (runner.Response, error) {
	return func(ctx context.Context, _ runner.Ask) (runner.Response, error) {
		begun <- struct{}{}
		<-ctx.Done()
		return responseOf(job.Cancelled), nil
	}
}

func newReader(text []byte) *bufio.Reader { return bufio.NewReader(bytes.NewReader(text)) }
