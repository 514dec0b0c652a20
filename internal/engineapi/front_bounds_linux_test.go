package engineapi

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/admission"
	"hotcell/internal/budget"
	"hotcell/internal/job"
	"hotcell/internal/runner"
)

// raw sends a question as no client of ours does: text may be less than was told, and nobody
// reads the answer.
func (s *frontScene) raw(t *testing.T, name, text string, more int) net.Conn {
	t.Helper()
	conn, err := net.Dial("unix", s.path)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	_, err = fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: h\r\nContent-Length: %d\r\n\r\n%s", frontPath(name), len(text)+more, text)
	require.NoError(t, err)
	return conn
}

// root is a client of the engine's own socket.
func (s *frontScene) root(t *testing.T) *Client {
	t.Helper()
	dir := t.TempDir()
	listener, err := Listen(dir)
	require.NoError(t, err)
	served := make(chan error, 1)
	go func() { served <- s.server.Serve(listener) }()
	client, err := Connect(t.Context(), dir)
	require.NoError(t, err)
	t.Cleanup(func() {
		require.NoError(t, client.Close())
		require.NoError(t, s.server.http.Close())
		<-served
		_ = listener.Close()
	})
	return client
}

func eventually(t *testing.T, is func() bool) {
	t.Helper()
	require.Eventually(t, is, 10*time.Second, time.Millisecond)
}

// runOf is a request of so many bytes.
func runOf(bytes int) job.Request {
	return job.Request{Policy: "p", Code: []byte(strings.Repeat("x", bytes*3/4))}
}

// Memory is the whole host's: an engine that the kernel kills takes root's runs along.
func TestWhatAFrontHasInHandHasABound(t *testing.T) {
	begun, release := make(chan struct{}, 9), make(chan struct{})
	s := newFrontScene(t, played{run: func(_ context.Context, ask runner.Ask) (runner.Response, error) {
		begun <- struct{}{}
		<-release
		return ranAs(ask), nil
	}, check: func(context.Context, runner.Ask) (runner.Checked, error) { return runner.Checked{}, nil }}, oneRoom)
	held := budget.New(3 << 20) // what is read counts three times
	s.server.front.budget = held
	refused := func(bytes int) {
		t.Helper()
		request := runOf(bytes)
		require.ErrorIs(t, s.front.Start(t.Context(), idOf(9), "a", request), admission.ErrFull)
		require.ErrorIs(t, s.front.Resolve(t.Context(), "a", request), admission.ErrFull)
		_, err := s.front.Check(t.Context(), "a", request)
		require.ErrorIs(t, err, admission.ErrFull)
		_, err = s.front.OpenSession(t.Context(), idOf(9), "a", runner.Ask{Request: request})
		require.ErrorIs(t, err, admission.ErrFull)
	}
	for _, name := range []string{"session", "start", "check", "resolve"} { // half a line
		conn := s.raw(t, name, strings.Repeat("x", 640<<10), 1)
		eventually(t, func() bool { return held.Taken() >= 3*640<<10 })
		refused(500 << 10)
		require.NoError(t, s.front.Resolve(t.Context(), "a", runOf(300<<10)))
		require.NoError(t, conn.Close())
		eventually(t, func() bool { return held.Taken() == 0 })
	}
	require.NoError(t, s.front.Start(t.Context(), idOf(1), "a", runOf(600<<10)))
	<-begun
	require.InDelta(t, 600<<10, held.Taken(), 2<<10, "what was read counts once")
	refused(900 << 10)
	close(release)
	s.outcome(t, idOf(1))
	require.Zero(t, held.Taken())
	require.NoError(t, s.front.Start(t.Context(), idOf(2), "a", runOf(600<<10)))
	s.outcome(t, idOf(2))
	refused(2 << 20)
	require.Zero(t, held.Taken())
}

func TestStepsOfAFrontHaveABound(t *testing.T) {
	s := newFrontScene(t, played{open: func(ctx context.Context, ask runner.Ask) (Session, error) {
		return newPlayedSession(ctx, ask), nil
	}}, admission.Options{Places: 2, Queue: 4, Queues: 8})
	held := budget.New(1 << 20)
	s.server.front.budget = held
	session, err := s.front.OpenSession(t.Context(), idOf(1), "a", runner.Ask{Request: job.Request{Policy: "p"}, Events: runner.Events{Stdout: io.Discard}})
	require.NoError(t, err)
	_, err = session.Step(t.Context(), runner.Script{Code: []byte("x"), Name: "step.py"})
	require.NoError(t, err)
	require.Positive(t, held.Taken())
	_, err = session.Step(t.Context(), runner.Script{Code: []byte(strings.Repeat("x", 300<<10)), Name: "step.py"})
	require.Error(t, err)
	_, _ = session.Close(t.Context())
	eventually(t, func() bool { return held.Taken() == 0 })
}

// A name in a list takes more than it has bytes.
func TestNamesOfARequestHaveABound(t *testing.T) {
	s := newFrontScene(t, played{}, oneRoom)
	long := strings.Repeat("n", maxNames)
	for what, request := range map[string]job.Request{
		"imports": {Policy: "p", Imports: make([]string, maxMembers+1)}, "tables": {Policy: "p", Tables: make([]string, maxMembers+1)},
		"tools": {Policy: "p", Tools: make([]job.Tool, maxMembers)}, "script": {Policy: "p", ScriptName: long}, "policy": {Policy: long + "p"},
		"bundle": {Policy: "p", Bundle: long}, "import": {Policy: "p", Imports: []string{long}}, "table": {Policy: "p", Tables: []string{long}},
	} {
		err := s.front.Start(t.Context(), idOf(1), "a", request)
		require.True(t, errors.Is(err, ErrMalformed) || errors.Is(err, runner.ErrInput), "%s: %v", what, err)
	}
	require.ErrorIs(t, s.front.Start(t.Context(), idOf(1), "a", job.Request{Policy: "p", Code: make([]byte, maxCode+1)}), runner.ErrInput)
	require.Empty(t, s.refused)
	require.Zero(t, s.server.front.budget.Taken())
}

// shelveLarge puts a run's large answer into the archive, and returns the question for it.
func (s *frontScene) shelveLarge(t *testing.T) (asked string) {
	t.Helper()
	large := responseOf(job.Succeeded)
	large.Result.Stdout = strings.Repeat("x", 8<<20)
	s.shelf.recorded[idOf(1)] = Outcome{Fate: FateEnded, Response: large}
	text, err := encode(question{ID: idOf(1), Principal: "a"})
	require.NoError(t, err)
	return string(text)
}

func TestFewAnswersAreSentAtATime(t *testing.T) {
	s := newFrontScene(t, played{}, oneRoom)
	asked := s.shelveLarge(t)
	var deaf []net.Conn
	for range 8 {
		deaf = append(deaf, s.raw(t, "outcome", asked, 0))
	}
	front := s.server.front
	eventually(t, func() bool { return len(front.telling) == frontOutcomes })
	_, err := s.front.Policies(t.Context())
	require.NoError(t, err, "what else is asked is answered")
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, err = s.front.Outcome(ctx, idOf(1), "a")
	require.ErrorIs(t, err, context.DeadlineExceeded, "it waits for those that do not read")
	for _, conn := range deaf {
		require.NoError(t, conn.Close())
	}
	found, err := s.front.Outcome(t.Context(), idOf(1), "a")
	require.NoError(t, err)
	require.Len(t, found.Response.Result.Stdout, 8<<20)
}

// A front may take what it has, and make up principals as it likes.
func TestAFrontLeavesTheHostItsTurn(t *testing.T) {
	begun, release := make(chan string, 99), make(chan struct{})
	s := newFrontScene(t, played{run: func(_ context.Context, ask runner.Ask) (runner.Response, error) {
		begun <- ask.Caller.Name
		<-release
		ask.ID = job.NewID(time.Now())
		return ranAs(ask), nil
	}}, oneRoom)
	root := s.root(t)
	many := oneRoom.Places + oneRoom.Queues
	var halves []net.Conn
	for range many + 4 {
		halves = append(halves, s.raw(t, "session", "{", 1))
	}
	front := s.server.front
	eventually(t, func() bool { return len(front.places) == many })
	ran := make(chan error, 1)
	run := func() {
		_, err := root.Run(t.Context(), runner.Ask{Request: job.Request{Policy: "p"}})
		ran <- err
	}
	go run()
	require.Equal(t, "tester", <-begun)
	release <- struct{}{}
	require.NoError(t, <-ran)
	for _, conn := range halves {
		require.NoError(t, conn.Close())
	}
	eventually(t, func() bool { return len(front.places) == 0 })
	for number := range many {
		require.NoError(t, s.front.Start(t.Context(), idOf(number+1), Principal(fmt.Sprint("p", number)), job.Request{Policy: "p"}))
	}
	<-begun
	eventually(t, func() bool { overview := s.server.status(); return overview.Running == 1 && overview.Waiting == many-1 })
	go run()
	eventually(t, func() bool { return s.server.status().Waiting == many })
	order := []string{}
	for range 2 {
		release <- struct{}{}
		order = append(order, <-begun)
	}
	require.Contains(t, order, "tester", "its turn is next, however many the front has")
	close(release)
	require.NoError(t, <-ran)
	require.ErrorIs(t, s.front.Start(t.Context(), idOf(1), "p0", job.Request{Policy: "p"}), ErrKnown)
}

func TestWhatHasNoIDIsRefusedByThat(t *testing.T) {
	s := newFrontScene(t, played{}, oneRoom)
	_, err := s.front.Outcome(t.Context(), job.ID{}, "a")
	require.ErrorIs(t, err, ErrMalformed)
	require.ErrorIs(t, s.front.Cancel(t.Context(), job.ID{}), ErrMalformed)
	_, err = s.front.Follow(t.Context(), job.ID{}, 0, nil)
	require.ErrorIs(t, err, ErrMalformed)
	_, _, err = s.front.Read(t.Context(), job.ID{}, "a", "record")
	require.ErrorIs(t, err, ErrMalformed)
	require.Empty(t, s.shelf.read)
}

func TestAFrontHearsNothingOfWhatToolsOfTheHostPrint(t *testing.T) {
	s := newFrontScene(t, played{open: func(ctx context.Context, ask runner.Ask) (Session, error) {
		if ask.Events.ToolStderr != nil {
			return nil, runner.ErrForbidden
		}
		return newPlayedSession(ctx, ask), nil
	}}, admission.Options{Places: 2, Queue: 4, Queues: 8})
	session, err := s.front.OpenSession(t.Context(), idOf(1), "a", runner.Ask{Request: job.Request{Policy: "p"}, Events: runner.Events{ToolStderr: io.Discard}})
	require.NoError(t, err)
	_, err = session.Close(t.Context())
	require.NoError(t, err)
}

// TestAnEndWaitsForNoHalfRequest: neither of a front's nor of anybody's, read or waiting to be.
func TestAnEndWaitsForNoHalfRequest(t *testing.T) {
	s := newFrontScene(t, played{}, oneRoom)
	dir := t.TempDir()
	own, err := Listen(dir)
	require.NoError(t, err)
	served := make(chan error, 1)
	go func() { served <- s.server.Serve(own) }()
	for _, name := range []string{"session", "start", "outcome", "follow", "read"} {
		for range frontWork { // more of them together than are read at a time
			s.raw(t, name, "{", 1)
		}
	}
	half, err := net.Dial("unix", filepath.Join(dir, SocketName))
	require.NoError(t, err)
	defer half.Close()
	_, err = fmt.Fprint(half, "POST /v1/session HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\n{")
	require.NoError(t, err)
	eventually(t, func() bool { return len(s.server.front.reading) == frontWork && len(s.server.requests) == 1 })
	<-s.server.Drain()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	require.NoError(t, s.server.End(ctx))
	require.NoError(t, ctx.Err(), "it has ended by itself")
	require.NoError(t, <-served)
	require.NoError(t, own.Close())
}

// TestAnEndDoesNotFailForAFrontThatReadsNothing: what became of its runs is kept.
func TestAnEndDoesNotFailForAFrontThatReadsNothing(t *testing.T) {
	s := newFrontScene(t, played{}, oneRoom)
	asked := s.shelveLarge(t)
	s.raw(t, "outcome", asked, 0)
	eventually(t, func() bool { return len(s.server.front.telling) == 1 })
	<-s.server.Drain()
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	require.NoError(t, s.server.End(ctx))
}
