package service_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/rpc"
	"net/rpc/jsonrpc"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/api"
	"hotcell/internal/admission"
	"hotcell/internal/engineapi"
	"hotcell/internal/job"
	"hotcell/internal/runner"
	"hotcell/internal/service"
	"hotcell/internal/service/store"
)

// A process of this test that has a service: it is killed at any moment, again and again, and
// sometimes the engine dies, too. The engine is here, behind a socket. Nothing that was
// accepted may be lost, no code begun twice, and no key have two runs.
func TestKillsLoseNothingAndRepeatNothing(t *testing.T) {
	rounds := 40
	if testing.Short() {
		rounds = 10
	}
	w := &world{fake: newFake(t, 3), accepted: map[string]map[job.ID]bool{}, finals: map[job.ID]Final{}, pending: map[string]bool{}}
	w.fake.lag = 3 * time.Millisecond
	dir := t.TempDir()
	socket := filepath.Join(dir, "engine")
	w.serve(t, socket)
	for range rounds {
		child := w.start(t, dir, socket)
		<-w.opened
		time.Sleep(rand.N(80 * time.Millisecond))
		crashes := rand.IntN(3) == 0
		if crashes && rand.IntN(2) == 0 {
			w.fake.crash()
			time.Sleep(rand.N(20 * time.Millisecond))
		}
		require.NoError(t, child.Process.Kill())
		require.Error(t, child.Wait())
		if crashes {
			w.fake.crash()
			w.fake.restart()
		}
	}
	w.set(func() { w.last = true })
	child := w.start(t, dir, socket)
	<-w.opened
	require.NoError(t, child.Wait(), "the last one carries out what is left")
	w.judge(t)
	w.measure(t, filepath.Join(dir, "service"))
}

// measure compares what the service has counted for its principal, however often it was killed, with
// what the engine has said that lies in records: nothing is missing, and nothing is there twice.
func (w *world) measure(t *testing.T, dir string) {
	kept, err := store.Open(dir)
	require.NoError(t, err)
	defer func() { require.NoError(t, kept.Close()) }()
	var left, counted int64
	for _, r := range w.fake.runs {
		if r.fate == engineapi.FateEnded {
			left += r.answer.RecordBytes
		}
	}
	for _, day := range []time.Time{time.Now(), time.Now().Add(-24 * time.Hour)} { // it may have begun before midnight
		used, err := kept.Used(t.Context(), store.Day(day))
		require.NoError(t, err)
		counted += used[anna.Name].Bytes
	}
	require.Positive(t, left)
	require.Equal(t, left, counted)
}

func (w *world) judge(t *testing.T) {
	w.mu.Lock()
	defer w.mu.Unlock()
	require.Greater(t, len(w.accepted), 20)
	interruptions := 0
	for key, ids := range w.accepted {
		require.Len(t, ids, 1, "key %s", key)
		for id := range ids {
			end := w.finals[id]
			r := w.fake.runs[id]
			switch end.Status {
			case api.State(job.Succeeded):
				require.Equal(t, engineapi.FateEnded, r.fate)
			case api.StateError:
				interruptions++
				require.Equal(t, "urn:hotcell:problem:interrupted", end.Problem)
				require.Equal(t, engineapi.FateInterrupted, r.fate)
			default:
				t.Errorf("the run of key %s is %q at last", key, end.Status)
			}
		}
	}
	require.Empty(t, w.fake.twice)
	begun := map[job.ID]int{}
	for _, id := range w.fake.order {
		begun[id]++
		require.Equal(t, 1, begun[id], "begun twice: %s", id)
	}
	t.Logf("%d runs accepted, %d begun, %d interrupted", len(w.accepted), len(begun), interruptions)
}

// world is what outlives a service: its engine, and who asks it.
type world struct {
	fake   *fakeEngine
	opened chan struct{}

	mu       sync.Mutex
	asked    int
	pending  map[string]bool // keys whose answer did not come
	last     bool
	accepted map[string]map[job.ID]bool // by key
	finals   map[job.ID]Final
}

type Final struct {
	ID      string
	Status  api.State
	Problem string
}

func (w *world) set(change func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	change()
}

func (w *world) serve(t *testing.T, socket string) {
	w.opened = make(chan struct{})
	listener, err := net.Listen("unix", socket)
	require.NoError(t, err)
	server := rpc.NewServer()
	require.NoError(t, server.RegisterName("World", &remoteWorld{w}))
	var group sync.WaitGroup
	group.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			group.Go(func() { server.ServeCodec(jsonrpc.NewServerCodec(conn)) })
		}
	})
	t.Cleanup(func() { listener.Close(); w.fake.die(); group.Wait() })
}

func (w *world) start(t *testing.T, dir, socket string) *exec.Cmd {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	child := exec.CommandContext(ctx, os.Args[0])
	child.Env = append(os.Environ(), childVariable+"="+dir+"\n"+socket)
	child.Stdout, child.Stderr = os.Stdout, os.Stderr
	require.NoError(t, child.Start())
	return child
}

// remoteWorld is what the other process may call. An error crosses as its class.
type remoteWorld struct{ w *world }

type Ask struct {
	ID      string
	By      engineapi.Principal
	Request job.Request
	After   int64
	Key     string
	Final   Final
}

type Reply struct {
	Class   string
	Places  int
	Fate    engineapi.Fate
	Status  job.Status
	Bytes   int64
	Events  []api.Event
	Key     string
	Waiting []string // at last: whose ends are to be told
}

var classesOfFake = map[string]error{
	"none": engineapi.ErrNone, "known": engineapi.ErrKnown, "unknown": engineapi.ErrUnknownRun, "full": admission.ErrFull,
	"lost": engineapi.ErrLost, "input": runner.ErrInput,
}

func classOf(err error) string {
	for name, class := range classesOfFake {
		if errors.Is(err, class) {
			return name
		}
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

func (r *remoteWorld) Opened(Ask, *Reply) error { r.w.opened <- struct{}{}; return nil }

func (r *remoteWorld) About(_ Ask, to *Reply) error {
	about, err := r.w.fake.About(context.Background())
	to.Places, to.Class = about.Places, classOf(err)
	return nil
}

func (r *remoteWorld) Resolve(a Ask, to *Reply) error {
	to.Class = classOf(r.w.fake.Resolve(context.Background(), a.By, a.Request))
	return nil
}

func (r *remoteWorld) Offer(a Ask, to *Reply) error {
	to.Class = classOf(r.w.fake.Offer(context.Background(), idOf(a.ID), a.By, a.Request))
	return nil
}

func (r *remoteWorld) Begin(a Ask, to *Reply) error {
	to.Class = classOf(r.w.fake.Begin(context.Background(), idOf(a.ID), a.By))
	return nil
}

func (r *remoteWorld) Start(a Ask, to *Reply) error {
	to.Class = classOf(r.w.fake.Start(context.Background(), idOf(a.ID), a.By, a.Request))
	return nil
}

func (r *remoteWorld) Outcome(a Ask, to *Reply) error {
	outcome, err := r.w.fake.Outcome(context.Background(), idOf(a.ID), a.By)
	to.Fate, to.Status, to.Bytes, to.Class = outcome.Fate, outcome.Response.Result.Status, outcome.Response.RecordBytes, classOf(err)
	return nil
}

// Next is the next events of a run; none is the end.
func (r *remoteWorld) Next(a Ask, to *Reply) error {
	enough := errors.New("enough")
	_, err := r.w.fake.Follow(context.Background(), idOf(a.ID), a.After, func(event api.Event) error {
		to.Events = append(to.Events, event)
		return enough
	})
	if !errors.Is(err, enough) {
		to.Class = classOf(err)
	}
	return nil
}

// Work is a key to create a run with, one that was not confirmed first; the last time, it is
// nothing but what was accepted.
func (r *remoteWorld) Work(_ Ask, to *Reply) error {
	r.w.mu.Lock()
	defer r.w.mu.Unlock()
	if r.w.last {
		for _, ids := range r.w.accepted {
			for id := range ids {
				to.Waiting = append(to.Waiting, id.String())
			}
		}
		return nil
	}
	for key := range r.w.pending {
		if rand.IntN(2) == 0 {
			to.Key = key
			return nil
		}
	}
	r.w.asked++
	to.Key = strconv.Itoa(r.w.asked)
	r.w.pending[to.Key] = true
	return nil
}

func (r *remoteWorld) Accepted(a Ask, _ *Reply) error {
	r.w.mu.Lock()
	defer r.w.mu.Unlock()
	if r.w.accepted[a.Key] == nil {
		r.w.accepted[a.Key] = map[job.ID]bool{}
	}
	r.w.accepted[a.Key][idOf(a.ID)] = true
	delete(r.w.pending, a.Key)
	return nil
}

func (r *remoteWorld) Ended(a Ask, _ *Reply) error {
	r.w.mu.Lock()
	defer r.w.mu.Unlock()
	r.w.finals[idOf(a.Final.ID)] = a.Final
	return nil
}

func idOf(text string) job.ID {
	id, err := job.ParseID(text)
	if err != nil {
		panic(err)
	}
	return id
}

const childVariable = "HOTCELL_SERVICE_CHILD"

// remoteEngine is the engine, as the process that is killed sees it.
type remoteEngine struct {
	engineapi.Detached // what is not called
	socket             string

	mu   sync.Mutex
	conn *rpc.Client
}

func (e *remoteEngine) call(method string, with Ask) (Reply, error) {
	e.mu.Lock()
	if e.conn == nil {
		conn, err := jsonrpc.Dial("unix", e.socket)
		if err != nil {
			e.mu.Unlock()
			return Reply{}, engineapi.ErrNone
		}
		e.conn = conn
	}
	conn := e.conn
	e.mu.Unlock()
	var back Reply
	if err := conn.Call("World."+method, with, &back); err != nil {
		return Reply{}, fmt.Errorf("%w: %w", engineapi.ErrLost, err)
	}
	if back.Class == "" {
		return back, nil
	}
	if class := classesOfFake[back.Class]; class != nil {
		return back, class
	}
	return back, errors.New(back.Class)
}

func (e *remoteEngine) About(context.Context) (engineapi.Description, error) {
	back, err := e.call("About", Ask{})
	return engineapi.Description{Places: back.Places}, err
}

func (e *remoteEngine) Resolve(_ context.Context, by engineapi.Principal, request job.Request) error {
	_, err := e.call("Resolve", Ask{By: by, Request: request})
	return err
}

func (e *remoteEngine) Offer(_ context.Context, id job.ID, by engineapi.Principal, request job.Request) error {
	_, err := e.call("Offer", Ask{ID: id.String(), By: by, Request: request})
	return err
}

func (e *remoteEngine) Begin(_ context.Context, id job.ID, by engineapi.Principal) error {
	_, err := e.call("Begin", Ask{ID: id.String(), By: by})
	return err
}

func (e *remoteEngine) Start(_ context.Context, id job.ID, by engineapi.Principal, request job.Request) error {
	_, err := e.call("Start", Ask{ID: id.String(), By: by, Request: request})
	return err
}

func (e *remoteEngine) Outcome(_ context.Context, id job.ID, by engineapi.Principal) (engineapi.Outcome, error) {
	back, err := e.call("Outcome", Ask{ID: id.String(), By: by})
	return engineapi.Outcome{Fate: back.Fate, Response: runner.Response{Result: job.Result{RunID: id, Status: back.Status}, RecordBytes: back.Bytes}}, err
}

func (e *remoteEngine) Follow(ctx context.Context, id job.ID, after int64, take func(api.Event) error) (engineapi.Outcome, error) {
	for ctx.Err() == nil {
		back, err := e.call("Next", Ask{ID: id.String(), After: after})
		if err != nil || len(back.Events) == 0 {
			return engineapi.Outcome{}, err
		}
		for _, event := range back.Events {
			if err := take(event); err != nil {
				return engineapi.Outcome{}, err
			}
			after = event.Seq
		}
	}
	return engineapi.Outcome{}, ctx.Err()
}

func (e *remoteEngine) Cancel(context.Context, job.ID) error { return nil }

func (e *remoteEngine) List(context.Context, string, int) ([]engineapi.Recorded, string, error) {
	return nil, "", nil
}

// beChild is the process that is killed.
func beChild() int {
	dir, socket, _ := strings.Cut(os.Getenv(childVariable), "\n")
	engine := &remoteEngine{socket: socket}
	s, err := service.New(service.Options{Engine: engine, Dir: filepath.Join(dir, "service")})
	if err == nil {
		_, err = engine.call("Opened", Ask{})
	}
	var workers sync.WaitGroup
	for range 4 {
		workers.Go(func() {
			for err == nil && work(s, engine) {
			}
		})
	}
	workers.Wait()
	if err != nil || s.Close() != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// work creates one run, or the last time waits for all. It reports whether there is more.
func work(s *service.Broker, engine *remoteEngine) bool {
	ctx := context.Background()
	todo, err := engine.call("Work", Ask{})
	if err != nil {
		return false
	}
	if todo.Key == "" {
		for _, id := range todo.Waiting {
			run, err := s.Wait(ctx, admin, idOf(id))
			end := Final{ID: id, Status: run.Status}
			if err != nil {
				end.Status = api.State(err.Error())
			} else if run.Error != nil {
				end.Problem = run.Error.Type
			}
			_, _ = engine.call("Ended", Ask{Final: end})
		}
		return false
	}
	creation := asks("sleep " + todo.Key[len(todo.Key)-1:])
	creation.Key = todo.Key
	run, _, err := s.Create(ctx, anna, creation)
	if err != nil {
		time.Sleep(time.Millisecond) // the engine is away
		return true
	}
	_, _ = engine.call("Accepted", Ask{Key: todo.Key, ID: run.RunID.String()})
	return true
}
