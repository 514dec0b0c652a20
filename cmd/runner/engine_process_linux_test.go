package main

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/admission"
	"hotcell/internal/container"
	"hotcell/internal/container/docker"
	"hotcell/internal/engineapi"
	"hotcell/internal/image"
	"hotcell/internal/job"
	"hotcell/internal/runner"
	"hotcell/internal/unixsocket"
)

// Who asks an engine process has the name that the command itself would have, and rights
// only as root.
func TestOnlyRootHasRights(t *testing.T) {
	var known callers
	for range 2 { // the second time from memory
		require.Equal(t, runner.Caller{Name: "shell user " + userName(0), Rights: runner.AllRights(), Actor: job.ActorOf(0, userName(0))}, known.of(0))
		require.Equal(t, runner.Caller{Name: "shell user uid 3999999999", Actor: job.ActorOf(3999999999, "uid 3999999999")}, known.of(3999999999))
	}
	if os.Getuid() == 0 {
		require.Equal(t, shellUser(), known.of(0))
	}
}

// An engine whose sandboxes are in a cluster needs no right of this machine's, and then can give a
// socket to nobody else.
func TestOnlyAnEngineOfAClusterDoesWithoutRoot(t *testing.T) {
	for _, engine := range []string{"auto", "oci", "docker"} {
		require.NoError(t, needsRoot(engine, 0))
		require.ErrorContains(t, needsRoot(engine, 65532), "runner engine needs root")
	}
	require.NoError(t, needsRoot("kubernetes", 65532))
	require.NoError(t, mayGive(999, 0))
	require.NoError(t, mayGive(65532, 65532))
	require.ErrorContains(t, mayGive(999, 65532), "its own user (65532) alone")
}

func TestACommandAsksOnlyWhoWouldDoTheSame(t *testing.T) {
	host, _ := docker.DefaultHost()
	same := engineapi.Description{Protocol: engineapi.Protocol, Version: thisBuild().Version, Engine: "oci"}
	change := func(by func(*engineapi.Description)) engineapi.Description {
		other := same
		by(&other)
		return other
	}
	onDocker := change(func(d *engineapi.Description) { d.Engine, d.Daemon = "docker", host })
	require.Empty(t, unfit(same, target{engine: "oci"}, ""))
	require.Empty(t, unfit(same, target{engine: "oci", runtime: "runsc"}, ""))
	require.Empty(t, unfit(onDocker, target{engine: "docker"}, ""))
	require.Contains(t, unfit(change(func(d *engineapi.Description) { d.Version = "v0" }), target{engine: "oci"}, ""), "runner v0")
	require.NotEmpty(t, unfit(change(func(d *engineapi.Description) { d.Protocol++ }), target{engine: "oci"}, ""))
	require.Contains(t, unfit(onDocker, target{engine: "oci"}, ""), "docker, and oci is wanted")
	require.NotEmpty(t, unfit(same, target{engine: "docker"}, ""))
	elsewhere := onDocker
	elsewhere.Daemon = "tcp://elsewhere"
	require.Contains(t, unfit(elsewhere, target{engine: "docker"}, ""), "tcp://elsewhere")
	signs := change(func(d *engineapi.Description) { d.Signer = "sha256:a" })
	require.Empty(t, unfit(signs, target{engine: "oci"}, "sha256:a"))
	require.Equal(t, "what listens signs with sha256:a, and sha256:b is wanted", unfit(signs, target{engine: "oci"}, "sha256:b"))
	require.Equal(t, "what listens signs with no key, and sha256:b is wanted", unfit(same, target{engine: "oci"}, "sha256:b"))
	require.Equal(t, "what listens signs with sha256:a, and no key is wanted", unfit(signs, target{engine: "oci"}, ""))
}

// probed is an engine that knows one runtime, and who asks.
type probed struct{ asked []context.Context }

func (p *probed) Probe(ctx context.Context, runtime string) (container.Host, error) {
	p.asked = append(p.asked, ctx)
	if runtime != "known" {
		return container.Host{}, container.ErrUnknownRuntime
	}
	return container.Host{}, nil
}

// The engine that listens is asked, and no other: within the caller's time.
func TestARuntimeThatACallerNamesIsAskedFor(t *testing.T) {
	engine, all := new(probed), runner.Caller{Rights: runner.AllRights()}
	service := probing{served{check: func(context.Context) error { return nil }}, engine}
	check := func(runtime string, caller runner.Caller) error {
		_, err := service.Check(t.Context(), runner.Ask{Request: job.Request{Runtime: runtime}, Caller: caller})
		return err
	}
	require.NoError(t, check("known", all))
	err := new(app).explained(check("nosuch", all))
	require.ErrorIs(t, err, container.ErrUnknownRuntime)
	require.Equal(t, job.ExitUsage, (&app{stderr: new(spoken)}).exitCode(err))
	require.Equal(t, []context.Context{t.Context(), t.Context()}, engine.asked)
	require.NoError(t, check("", all))
	require.NoError(t, check("nosuch", runner.Caller{}), "the runner refuses it for another reason")
	require.Len(t, engine.asked, 2)
}

// ledEngine is an engine process whose runs are the test's.
type ledEngine struct {
	app    *app
	said   *spoken
	cancel context.CancelFunc // as a signal does
	done   chan error         // how it ended

	mu     sync.Mutex
	warm   func(ctx context.Context, policy string) error
	closed int
}

func (e *ledEngine) Warm(ctx context.Context, policy, _ string) error { return e.warm(ctx, policy) }

func (e *ledEngine) Close(context.Context) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.closed++
	return nil
}

// served is a service whose checks alone are asked for.
type served struct {
	engineapi.Service
	check func(ctx context.Context) error
}

func (s served) Check(ctx context.Context, _ runner.Ask) (runner.Checked, error) {
	return runner.Checked{}, s.check(ctx)
}

// lead begins an engine process that is to warm one policy, and returns its listener.
func lead(t *testing.T, warm func(context.Context, string) error, check func(context.Context) error) (*ledEngine, *unixsocket.Listener) {
	t.Helper()
	gate, err := admission.New(admission.For(2))
	require.NoError(t, err)
	sessions, err := admission.New(admission.For(2).ButOne())
	require.NoError(t, err)
	server, err := engineapi.NewServer(engineapi.Options{
		Service: served{check: check}, Gate: gate, Sessions: sessions, Requests: 2, Caller: func(uint32) runner.Caller { return runner.Caller{Name: "tester"} },
		About: engineapi.Description{Version: "v1"}, Templates: func() ([]engineapi.Kind, int64) { return nil, 0 }, RemovalsFailed: func() int64 { return 0 }, Signer: func() string { return "" }, Logger: slog.New(slog.DiscardHandler),
	})
	require.NoError(t, err)
	e := &ledEngine{said: new(spoken), done: make(chan error, 1), warm: warm}
	e.app = &app{state: t.TempDir(), stderr: e.said}
	listener, err := engineapi.Listen(e.app.state)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	e.cancel = cancel
	t.Cleanup(cancel)
	signals := make(chan os.Signal, 1)
	go func() {
		e.done <- e.app.lead(ctx, &engineProcess{server: server, runner: e}, listener, engineFlags{warm: []string{"slow"}, sweepEvery: time.Hour}, signals)
	}()
	return e, listener
}

func (e *ledEngine) client(t *testing.T) *engineapi.Client {
	t.Helper()
	client, err := engineapi.Connect(t.Context(), e.app.state)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, client.Close()) })
	return client
}

// end waits for it, and for everything that it must have let go.
func (e *ledEngine) end(t *testing.T) error {
	t.Helper()
	err := <-e.done
	require.Equal(t, 1, e.closed)
	require.NoFileExists(t, e.app.socket())
	return err
}

func TestAnEngineAnswersWhileItMakesSandboxesReady(t *testing.T) {
	warm := make(chan struct{})
	e, _ := lead(t, func(context.Context, string) error { <-warm; return nil }, func(context.Context) error { return nil })
	_, err := e.client(t).Check(t.Context(), runner.Ask{})
	require.NoError(t, err)
	require.False(t, e.said.has("engine ready"))
	close(warm)
	require.Eventually(t, func() bool { return e.said.has("engine ready at ") }, time.Minute, time.Millisecond)
	e.cancel()
	require.NoError(t, e.end(t))
}

// After an upgrade the image has the earlier guard still, and before the first build there is none.
func TestAnEngineSaysThatItsImageIsNotItsOwn(t *testing.T) {
	said := new(spoken)
	(&app{state: t.TempDir(), stderr: said}).tellImage()
	require.True(t, said.has("runner image build"))

	require.ErrorContains(t, oldImage(image.Image{Name: "python-analysis", Architecture: "amd64", Recipe: "of an earlier one"}),
		"the image python-analysis has the guard or the packages of another version of the runner: run `runner image build`")
}

// Who is started after it finds it, and does not wait for what shall be ready.
func TestAnEngineTellsSystemdWhenItAnswersAndWhenItEnds(t *testing.T) {
	path := filepath.Join(t.TempDir(), "notify")
	systemd, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	require.NoError(t, err)
	defer systemd.Close()
	told := func() string {
		text := make([]byte, 64)
		require.NoError(t, systemd.SetReadDeadline(time.Now().Add(time.Minute)))
		size, err := systemd.Read(text)
		require.NoError(t, err)
		return string(text[:size])
	}
	t.Setenv("NOTIFY_SOCKET", path)
	e, _ := lead(t, func(ctx context.Context, _ string) error { <-ctx.Done(); return ctx.Err() }, func(context.Context) error { return nil })
	require.Equal(t, "READY=1", told())
	_, err = e.client(t).Check(t.Context(), runner.Ask{})
	require.NoError(t, err)
	e.cancel()
	require.Equal(t, "STOPPING=1", told())
	require.NoError(t, e.end(t))
}

func TestAnEngineThatCannotMakeSandboxesReadyEnds(t *testing.T) {
	e, _ := lead(t, func(context.Context, string) error { return runner.ErrInput }, nil)
	err := e.end(t)
	require.ErrorIs(t, err, runner.ErrInput)
	require.ErrorContains(t, err, "keep sandboxes ready for slow")
	require.False(t, e.said.has("engine ready"))
}

func TestASignalWhileSandboxesAreMadeReadyIsAnOrderlyEnd(t *testing.T) {
	begun := make(chan struct{})
	e, _ := lead(t, func(ctx context.Context, _ string) error { close(begun); <-ctx.Done(); return ctx.Err() }, nil)
	<-begun
	e.cancel()
	require.NoError(t, e.end(t))
	require.False(t, e.said.has("engine ready"))
}

// Whatever ends it, runs come to their end, and what it keeps is let go.
func TestAnEngineWhoseSocketFailsEndsInOrder(t *testing.T) {
	begun, over := make(chan struct{}), make(chan struct{})
	e, listener := lead(t, func(context.Context, string) error { return nil }, func(context.Context) error {
		close(begun)
		<-over
		return nil
	})
	client, answered := e.client(t), make(chan error, 1)
	go func() {
		_, err := client.Check(t.Context(), runner.Ask{})
		answered <- err
	}()
	<-begun
	require.NoError(t, listener.Listener.Close())
	require.Eventually(t, func() bool { return e.said.has("waits for the runs that go on; a signal cancels them") }, time.Minute, time.Millisecond)
	close(over)
	require.NoError(t, <-answered)
	require.ErrorContains(t, e.end(t), "serve requests")
}

func TestAnEngineSweepsAndTellsAFailureOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		said := new(spoken)
		a := &app{stderr: said}
		fails := []error{nil, errors.New("first"), errors.New("first"), errors.New("second"), nil, errors.New("second")}
		ctx, cancel := context.WithCancel(t.Context())
		swept := 0
		sweeping := begin("sweeping", func() error {
			a.keepSwept(ctx, time.Minute, func(context.Context) error { swept++; return fails[swept-1] })
			return nil
		})
		time.Sleep(time.Duration(len(fails))*time.Minute + time.Second)
		cancel()
		require.NoError(t, sweeping.wait())
		require.Equal(t, len(fails), swept)
		require.Equal(t, 1, strings.Count(said.String(), "reason=first"))
		require.Equal(t, 2, strings.Count(said.String(), "reason=second"))
	})
}

func TestAnEngineThatEndsWaitsForItsSweep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		said := new(spoken)
		ctx, cancel := context.WithCancel(t.Context())
		go func() { time.Sleep(90 * time.Second); cancel() }()
		(&app{stderr: said}).keepSwept(ctx, time.Minute, func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() })
		require.Empty(t, said.String(), "that it was cut short is no failure")
	})
}
