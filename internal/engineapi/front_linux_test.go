package engineapi

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"hotcell/api"
	"hotcell/internal/admission"
	"hotcell/internal/digest"
	"hotcell/internal/job"
	"hotcell/internal/runner"
)

// shelf is what records and stores say of runs in a test.
type shelf struct {
	mu       sync.Mutex
	recorded map[job.ID]Outcome
	read     []job.Actor
	looked   chan struct{} // if not nil, Fate waits for it
}

func (s *shelf) Fate(ctx context.Context, id job.ID) (Fate, error) {
	if s.looked != nil {
		select {
		case <-s.looked:
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if found, known := s.recorded[id]; known {
		return found.Fate, nil
	}
	return FateUnknown, nil
}

func (s *shelf) Outcome(ctx context.Context, id job.ID, by job.Actor) (Outcome, error) {
	fate, err := s.Fate(ctx, id)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil || fate != FateEnded {
		return Outcome{Fate: fate}, err
	}
	s.read = append(s.read, by)
	return s.recorded[id], nil
}

func (s *shelf) List(_ context.Context, cursor string, most int) ([]Recorded, string, error) {
	if cursor != "" {
		return nil, "", nil
	}
	return []Recorded{{ID: idOf(1), Principal: "user:anna", Policy: "p", Status: job.Failed}, {ID: idOf(2), Interrupted: true}}, fmt.Sprint("after ", most), nil
}

func (s *shelf) Read(_ context.Context, id job.ID, by job.Actor, part string) (io.ReadCloser, int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.read = append(s.read, by)
	switch part {
	case "record":
		return io.NopCloser(strings.NewReader("of " + id.String())), 3 + int64(len(id.String())), nil
	case "short":
		return io.NopCloser(strings.NewReader("half")), 8, nil
	default:
		return nil, 0, fmt.Errorf("read %s: %w", part, fs.ErrNotExist)
	}
}

func (s *shelf) Policies(context.Context) ([]api.PolicyInfo, error) {
	return []api.PolicyInfo{{Name: "p", Imports: []string{"math"}}}, nil
}

func (s *shelf) Policy(_ context.Context, name string) (api.PolicyInfo, error) {
	return api.PolicyInfo{Name: name, Text: "version: 1\n"}, nil
}

func (s *shelf) Bundles(context.Context) ([]api.BundleInfo, error) { return nil, nil }

func (s *shelf) Bundle(_ context.Context, reference string) (api.BundleInfo, error) {
	return api.BundleInfo{}, fmt.Errorf("%w: no bundle %s", runner.ErrInput, reference)
}

func (s *shelf) Tools(context.Context) ([]api.ToolInfo, error) {
	return []api.ToolInfo{{Policy: "p", Name: "t", Schema: []byte(`{"type":"object"}`)}}, nil
}

func idOf(number int) job.ID {
	id, err := job.ParseID(fmt.Sprintf("1795219431042-%016x", number))
	if err != nil {
		panic(err)
	}
	return id
}

// frontScene is an engine that listens for a front of this test's user.
type frontScene struct {
	server  *Server
	front   *Front
	path    string
	shelf   *shelf
	refused []runner.Ask // all that was looked up
	full    atomic.Bool  // its disk
}

var oneRoom = admission.Options{Places: 1, Queue: 4, Queues: 8}

func newFrontScene(t *testing.T, service Service, room admission.Options) *frontScene {
	t.Helper()
	return newFrontSceneOf(t, service, room, uint32(os.Getuid()))
}

// newFrontSceneOf is one whose front is that user.
func newFrontSceneOf(t *testing.T, service Service, room admission.Options, uid uint32) *frontScene {
	t.Helper()
	s := &frontScene{shelf: &shelf{recorded: map[job.ID]Outcome{}}, path: filepath.Join(t.TempDir(), "front.sock")}
	gate, err := admission.New(room)
	require.NoError(t, err)
	sessions, err := admission.New(room.ButOne())
	require.NoError(t, err)
	s.server, err = NewServer(Options{
		Service: service, Gate: gate, Sessions: sessions, Requests: room.Places + room.Queues,
		Caller: func(uid uint32) runner.Caller {
			return runner.Caller{Name: "tester", Rights: runner.AllRights(), Actor: job.ActorOf(uid, "hotcell-front")}
		},
		About: Description{Version: "v1", Engine: "fake", Places: room.Places}, Signer: func() string { return "" },
		Templates: func() ([]Kind, int64) { return nil, 0 }, RemovalsFailed: func() int64 { return 0 }, Logger: slog.New(slog.DiscardHandler),
		Front: &FrontOptions{UID: uid, Streams: func(string) int64 { return 1 << 10 }, Tools: toolsOf, Archive: s.shelf, Catalogue: s.shelf, Prepare: s.prepare,
			Room: s.room},
	})
	require.NoError(t, err)
	listener, err := ListenFront(s.path, uint32(os.Getuid()))
	require.NoError(t, err)
	served := make(chan error, 1)
	go func() { served <- s.server.ServeFront(listener) }()
	s.front = NewFront(s.path)
	t.Cleanup(func() {
		s.server.Cancel()
		<-s.server.Drain()
		s.front.Close()
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		require.NoError(t, s.server.End(ctx))
		require.NoError(t, <-served)
		require.NoError(t, listener.Close())
	})
	return s
}

// toolsOf are what the administrator has registered.
func toolsOf(policy string) ([]job.Tool, error) {
	switch policy {
	case "tooled":
		return []job.Tool{{Name: "lookup", Command: []string{"/opt/lookup"}}}, nil
	case "broken":
		return nil, errors.New("tools.yaml: line 3: what is that")
	case "unguarded":
		return nil, fmt.Errorf("%w: there is no policy %q: known are p", runner.ErrInput, policy)
	default:
		return nil, nil
	}
}

func (s *frontScene) prepare(_ context.Context, ask runner.Ask) (run func(context.Context) (runner.Response, error), err error) {
	s.refused = append(s.refused, ask)
	if ask.Request.Policy == "nope" {
		return nil, fmt.Errorf("%w: unknown policy", runner.ErrInput)
	}
	return func(ctx context.Context) (runner.Response, error) { return s.server.options.Service.Run(ctx, ask) }, nil
}

// outcome waits until the run has ended.
func (s *frontScene) outcome(t *testing.T, id job.ID) Outcome {
	t.Helper()
	told, err := s.front.Follow(t.Context(), id, 0, func(api.Event) error { return nil })
	require.NoError(t, err)
	found, err := s.front.Outcome(t.Context(), id, "a")
	require.NoError(t, err)
	if told.Fate != "" {
		require.Equal(t, found, told)
	}
	return found
}

// unknown waits until a run has gone that has not begun.
func (s *frontScene) unknown(t *testing.T, id job.ID) {
	t.Helper()
	require.Eventually(t, func() bool {
		found, err := s.front.Outcome(t.Context(), id, "a")
		return err == nil && found.Fate == FateUnknown
	}, 10*time.Second, time.Millisecond)
}

// events are all of a run that ends.
func (s *frontScene) events(t *testing.T, id job.ID, after int64) (all []api.Event) {
	t.Helper()
	_, err := s.front.Follow(t.Context(), id, after, func(event api.Event) error { all = append(all, event); return nil })
	require.NoError(t, err)
	return all
}

// ranAs answers a run by its own id.
func ranAs(ask runner.Ask) runner.Response {
	said := responseOf(job.Succeeded)
	said.Result.RunID, said.CodeFile = ask.ID, "/state/runs/1/code.py"
	return said
}

func TestASessionOfAFrontHasItsID(t *testing.T) {
	var got runner.Ask
	s := newFrontScene(t, played{open: func(ctx context.Context, ask runner.Ask) (Session, error) {
		got = ask
		return newPlayedSession(ctx, ask), nil
	}}, admission.Options{Places: 2, Queue: 4, Queues: 8})
	session, err := s.front.OpenSession(t.Context(), idOf(1), "user:anna", runner.Ask{Request: job.Request{Policy: "p"}})
	require.NoError(t, err)
	require.Equal(t, idOf(1), got.ID)
	require.Equal(t, "user:anna", got.Caller.Actor.Principal)
	require.Zero(t, got.Caller.Rights)
	_, err = s.front.OpenSession(t.Context(), idOf(1), "user:anna", runner.Ask{Request: job.Request{Policy: "p"}})
	require.ErrorIs(t, err, ErrKnown)
	found, err := s.front.Outcome(t.Context(), idOf(1), "a")
	require.NoError(t, err)
	require.Equal(t, FateHeld, found.Fate)
	response, err := session.Close(t.Context())
	require.NoError(t, err)
	require.Empty(t, response.RecordDir)
	require.EqualValues(t, 8<<10, response.RecordBytes)
	found, err = s.front.Outcome(t.Context(), idOf(1), "a")
	require.NoError(t, err)
	require.Equal(t, FateUnknown, found.Fate, "its record knows it, which this test has not")
}

func TestWhatAFrontLooksUp(t *testing.T) {
	s := newFrontScene(t, played{check: func(_ context.Context, ask runner.Ask) (runner.Checked, error) {
		return runner.Checked{Policy: ask.Request.Policy, PolicySHA256: digest.Of(nil).Hex(), Violations: []job.Violation{{Rule: "r"}}}, nil
	}}, oneRoom)
	checked, err := s.front.Check(t.Context(), "a", job.Request{Policy: "p"})
	require.NoError(t, err)
	require.Equal(t, "r", checked.Violations[0].Rule)
	about, err := s.front.About(t.Context())
	require.NoError(t, err)
	require.Equal(t, Description{Protocol: Protocol, Version: "v1", Engine: "fake", Places: 1}, about)
	runs, next, err := s.front.List(t.Context(), "", 100)
	require.NoError(t, err)
	require.Equal(t, "after 100", next)
	require.Equal(t, []Recorded{{ID: idOf(1), Principal: "user:anna", Policy: "p", Status: job.Failed}, {ID: idOf(2), Interrupted: true}}, runs)
	policies, err := s.front.Policies(t.Context())
	require.NoError(t, err)
	require.Equal(t, []api.PolicyInfo{{Name: "p", Imports: []string{"math"}}}, policies)
	one, err := s.front.Policy(t.Context(), "q")
	require.NoError(t, err)
	require.Equal(t, "q", one.Name)
	bundles, err := s.front.Bundles(t.Context())
	require.NoError(t, err)
	require.Empty(t, bundles)
	_, err = s.front.Bundle(t.Context(), "b")
	require.ErrorIs(t, err, runner.ErrInput)
	tools, err := s.front.Tools(t.Context())
	require.NoError(t, err)
	require.JSONEq(t, `{"type":"object"}`, string(tools[0].Schema))
}

func TestAPartOfARecordIsReadInItsReadersName(t *testing.T) {
	s := newFrontScene(t, played{}, oneRoom)
	content, size, err := s.front.Read(t.Context(), idOf(1), "user:anna", "record")
	require.NoError(t, err)
	text, err := io.ReadAll(content)
	require.NoError(t, err)
	require.NoError(t, content.Close())
	require.Equal(t, "of "+idOf(1).String(), string(text))
	require.EqualValues(t, len(text), size)
	_, _, err = s.front.Read(t.Context(), idOf(1), "user:anna", "files/none")
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.Equal(t, "user:anna", s.shelf.read[0].Principal)
	_, _, err = s.front.Read(t.Context(), idOf(1), "", "record")
	require.ErrorIs(t, err, ErrMalformed)
	require.Len(t, s.shelf.read, 2)
	content, _, err = s.front.Read(t.Context(), idOf(1), "user:anna", "short")
	require.NoError(t, err)
	_, err = io.ReadAll(content)
	require.ErrorIs(t, err, ErrLost, "what is cut must not look whole")
	require.NoError(t, content.Close())
}

func TestAResultIsReadInItsReadersName(t *testing.T) {
	s := newFrontScene(t, played{run: func(_ context.Context, ask runner.Ask) (runner.Response, error) { return ranAs(ask), nil }}, oneRoom)
	require.NoError(t, s.front.Start(t.Context(), idOf(1), "a", job.Request{Policy: "p"}))
	require.Equal(t, job.Succeeded, s.outcome(t, idOf(1)).Response.Result.Status)
	require.Empty(t, s.shelf.read, "the answer to whoever has asked for the run")
	found, err := s.front.Outcome(t.Context(), idOf(1), "b")
	require.NoError(t, err)
	require.Equal(t, job.Succeeded, found.Response.Result.Status, "a run without a record has its answer alone")
	require.Empty(t, s.shelf.read)
	for number, by := range []Principal{2: "a", 1: "b"} { // of which 1 is in memory, too
		if by == "" {
			continue
		}
		s.shelf.mu.Lock()
		s.shelf.read, s.shelf.recorded[idOf(number)] = nil, Outcome{Fate: FateEnded, Response: responseOf(job.Failed)}
		s.shelf.mu.Unlock()
		found, err = s.front.Outcome(t.Context(), idOf(number), by)
		require.NoError(t, err)
		require.Equal(t, job.Failed, found.Response.Result.Status, "what the record says")
		require.Len(t, s.shelf.read, 1)
		require.Equal(t, string(by), s.shelf.read[0].Principal)
	}
	_, err = s.front.Outcome(t.Context(), idOf(2), "")
	require.ErrorIs(t, err, ErrMalformed)
	told, err := s.front.Follow(t.Context(), idOf(2), 0, nil)
	require.NoError(t, err)
	require.Zero(t, told)
	require.NoError(t, s.front.Cancel(t.Context(), idOf(2)))
	require.Len(t, s.shelf.read, 1, "nothing of the result is told by those")
}

func TestAFrontIsToldThatNoEngineAnswers(t *testing.T) {
	dir := t.TempDir()
	front := NewFront(filepath.Join(dir, "front.sock"))
	defer front.Close()
	_, err := front.About(t.Context())
	require.ErrorIs(t, err, ErrNone)
	listener, err := ListenFront(front.path, uint32(os.Getuid()))
	require.NoError(t, err)
	server := &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.NotFoundHandler()} // of another version
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	_, err = front.About(t.Context())
	require.ErrorIs(t, err, ErrMalformed)
	require.NoError(t, server.Close())
	<-served
	_ = listener.Close()
}

func TestTheFrontsSocketIsItsUsersInADirectoryOfRoots(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root, to be somebody else")
	}
	dir := filepath.Join(t.TempDir(), "hotcell")
	path := filepath.Join(dir, "front.sock")
	listener, err := ListenFront(path, 65534)
	require.NoError(t, err)
	info, err := os.Stat(dir)
	require.NoError(t, err)
	require.Equal(t, fs.ModeDir|0o755, info.Mode())
	info, err = os.Lstat(path)
	require.NoError(t, err)
	require.Equal(t, fs.ModeSocket|0o600, info.Mode())
	var stat unix.Stat_t
	require.NoError(t, unix.Lstat(path, &stat))
	require.EqualValues(t, 65534, stat.Uid)
	_, err = ListenFront(path, 65534)
	require.ErrorIs(t, err, ErrAnother)
	require.NoError(t, listener.Close())
	require.NoFileExists(t, path)
	for _, change := range []func() error{
		func() error { return os.Chmod(dir, 0o775) }, func() error { return os.Chmod(dir, 0o1777) },
		func() error { return errors.Join(os.Chmod(dir, 0o755), os.Chown(dir, 65534, -1)) },
	} {
		require.NoError(t, change())
		_, err = ListenFront(path, 65534)
		require.ErrorContains(t, err, dir)
	}
	for _, path := range []string{"front.sock", dir + "/../x", "/" + strings.Repeat("a", 107)} {
		_, err = ListenFront(path, 65534)
		require.ErrorContains(t, err, "clean absolute path")
	}
}

// Root could ask the other socket, and is not the front.
func TestNobodyButTheFrontsUserIsAnswered(t *testing.T) {
	s := newFrontSceneOf(t, played{}, oneRoom, uint32(os.Getuid())+1) // whose socket it is not, so that this test may connect
	_, err := s.front.About(t.Context())
	require.ErrorIs(t, err, ErrLost)
	require.ErrorIs(t, s.front.Start(t.Context(), idOf(1), "a", job.Request{Policy: "p"}), ErrLost)
}

// What an engine answers would be believed.
func TestAFrontBelievesRootOrItselfOnly(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root, to be somebody else")
	}
	path := filepath.Join(t.TempDir(), "front.sock")
	socket, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	require.NoError(t, err)
	require.NoError(t, unix.Bind(socket, &unix.SockaddrUnix{Name: path}))
	require.NoError(t, listenAs(65534, socket))
	_, err = dialFront(t.Context(), path)
	require.ErrorContains(t, err, "it is of user 65534")
	require.NoError(t, unix.Close(socket))
}
