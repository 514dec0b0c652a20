package service_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/api"
	"hotcell/internal/access"
	"hotcell/internal/admission"
	"hotcell/internal/engineapi"
	"hotcell/internal/job"
	"hotcell/internal/journal"
	"hotcell/internal/runner"
	"hotcell/internal/service"
	"hotcell/internal/strictjson"
)

// fakeEngine is an engine in memory that keeps what an engine process must. What a script does is
// its first word: "ok" ends at once, "wait" with finish, "sleep" after some milliseconds. "queue" waits
// in a queue of the engine's until finish, and then for another.
type fakeEngine struct {
	mu       sync.Mutex
	places   int
	away     error // what every call fails with
	hangs    bool  // it says nothing of outcomes
	startErr error // and what Start does
	readErr  error // and what Read does of a run that is there
	loseNext bool  // the answer of the next Start is lost, and the run is there
	runs     map[job.ID]*fakeRun
	offered  map[job.ID]*fakeRun
	forgets  bool                        // what it was offered
	onOffer  func(context.Context) error // before an offer is answered
	order    []job.ID                    // as they were begun
	starts   map[job.ID]int
	twice    []job.ID      // begun again after code had begun
	lag      time.Duration // until code begins, at most
	mute     atomic.Bool   // of runs there are records, and no events
	gone     context.Context
	die      context.CancelFunc
	follows  int
	resolves int
	looks    []engineapi.Principal // at outcomes
	opened   []*fakeSession
	says     *job.Result // what runs end with, in place of what is theirs
}

// recordBytes is what a run, a session or a step leaves.
const recordBytes = 12 << 10

type fakeRun struct {
	by      engineapi.Principal
	request job.Request
	log     *journal.Log
	begun   bool
	fate    engineapi.Fate
	answer  runner.Response
	err     error
	end     chan error
}

func newFake(t testing.TB, places int) *fakeEngine {
	f := &fakeEngine{places: places, runs: map[job.ID]*fakeRun{}, offered: map[job.ID]*fakeRun{}, starts: map[job.ID]int{}}
	f.gone, f.die = context.WithCancel(context.Background())
	t.Cleanup(func() { f.set(func() { f.die() }) })
	return f
}

// crash is the death of the engine process: what had begun is interrupted, the rest forgotten.
func (f *fakeEngine) crash() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.die()
	f.away = engineapi.ErrNone
	clear(f.offered)
	for id, r := range f.runs {
		if r.fate != engineapi.FateHeld {
			continue
		}
		if r.fate = engineapi.FateInterrupted; !r.begun {
			delete(f.runs, id)
		}
	}
}

func (f *fakeEngine) restart() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.gone, f.die = context.WithCancel(context.Background())
	f.away = nil
}

func (f *fakeEngine) set(change func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change()
}

func (f *fakeEngine) check() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.away
}

func (f *fakeEngine) About(context.Context) (engineapi.Description, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return engineapi.Description{Protocol: engineapi.Protocol, Places: f.places}, f.away
}

func (f *fakeEngine) Status(ctx context.Context) (engineapi.Overview, error) {
	about, err := f.About(ctx)
	return engineapi.Overview{Engine: about}, err
}

func (f *fakeEngine) Resolve(_ context.Context, _ engineapi.Principal, request job.Request) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.resolves++
	if f.away == nil && request.Policy != "p" {
		return fmt.Errorf("%w: there is no policy %s", runner.ErrInput, request.Policy)
	}
	return f.away
}

func (f *fakeEngine) Offer(ctx context.Context, id job.ID, by engineapi.Principal, request job.Request) error {
	var wait func(context.Context) error
	f.set(func() { wait = f.onOffer })
	if wait != nil {
		if err := wait(ctx); err != nil {
			return err
		}
	}
	if err := f.Resolve(ctx, by, request); err != nil {
		return err
	}
	f.set(func() { f.offered[id] = &fakeRun{by: by, request: request} })
	return nil
}

func (f *fakeEngine) Begin(ctx context.Context, id job.ID, by engineapi.Principal) error {
	f.mu.Lock()
	r := f.offered[id]
	delete(f.offered, id)
	lost := f.away == nil && (r == nil || r.by != by || f.forgets)
	f.mu.Unlock()
	if lost {
		return engineapi.ErrUnknownRun
	}
	if r == nil {
		return f.check()
	}
	return f.Start(ctx, id, by, r.request)
}

func (f *fakeEngine) Check(context.Context, engineapi.Principal, job.Request) (runner.Checked, error) {
	return runner.Checked{Policy: "p"}, f.check()
}

func (f *fakeEngine) Start(_ context.Context, id job.ID, by engineapi.Principal, request job.Request) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := errors.Join(f.away, f.startErr); err != nil {
		return err
	}
	f.starts[id]++
	if old := f.runs[id]; old != nil {
		if old.fate == engineapi.FateInterrupted {
			f.twice = append(f.twice, id)
		}
		return engineapi.ErrKnown
	}
	r := &fakeRun{by: by, request: request, log: journal.New(1 << 20), fate: engineapi.FateHeld, end: make(chan error, 1)}
	f.runs[id] = r
	go f.run(f.gone, id, r)
	if f.loseNext {
		f.loseNext = false
		return engineapi.ErrLost
	}
	return nil
}

func (f *fakeEngine) run(gone context.Context, id job.ID, r *fakeRun) {
	if f.lag > 0 {
		time.Sleep(rand.N(f.lag))
	}
	f.set(func() {
		if r.fate == engineapi.FateHeld && gone.Err() == nil {
			r.begun = true
			f.order = append(f.order, id)
		}
	})
	var err error
	word, rest, _ := strings.Cut(string(r.request.Code), " ")
	if word == "queue" {
		say(r.log, api.EventState, engineapi.StateIn(runner.PhaseQueued("studies")))
		select {
		case err = <-r.end:
		case <-gone.Done():
			return
		}
		word = "wait"
	}
	if err != nil {
		r.end <- err // and nothing of it begins
	} else {
		say(r.log, api.EventState, api.StateEvent{State: api.StateRunning, Phase: "running"})
		say(r.log, api.EventStdout, api.TextEvent{Text: "hello"})
	}
	var sleep time.Duration
	if word == "sleep" {
		var ms int
		_, _ = fmt.Sscan(rest, &ms)
		sleep = time.Duration(ms) * time.Millisecond
	}
	switch word {
	case "wait":
		select {
		case err = <-r.end:
		case <-gone.Done():
			return
		}
	case "sleep":
		select {
		case <-time.After(sleep):
		case err = <-r.end:
		case <-gone.Done():
			return
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if gone.Err() != nil {
		return
	}
	r.fate, r.answer = engineapi.FateEnded, runner.Response{Result: f.resultOf(id, r), RecordBytes: recordBytes}
	if errors.Is(err, context.Canceled) {
		r.answer.Result.Status = job.Cancelled
	} else if err != nil {
		r.answer, r.err = runner.Response{}, err
	}
	r.log.End()
}

func (f *fakeEngine) resultOf(id job.ID, r *fakeRun) job.Result {
	result := job.Result{
		Stdout: "hello", Usage: job.Usage{CPUMS: 700}, Files: []job.File{{Path: "a.csv", Bytes: 3, Role: "file"}},
		Provenance: job.Provenance{Policy: r.request.Policy, Actor: &job.Actor{Principal: string(r.by)}},
	}
	if f.says != nil {
		result = *f.says
	}
	result.RunID, result.Status = id, job.Succeeded
	return result
}

func say(log *journal.Log, kind api.EventType, of any) {
	text, err := strictjson.Encode(of)
	if err != nil {
		panic(err)
	}
	log.Append(kind, text)
}

// finish ends a run that waits, once it has come.
func (f *fakeEngine) finish(id job.ID, err error) {
	var r *fakeRun
	for begun := time.Now(); r == nil && time.Since(begun) < 5*time.Second; time.Sleep(time.Millisecond) {
		f.set(func() { r = f.runs[id] })
	}
	if r != nil {
		select {
		case r.end <- err:
		default:
		}
	}
}

func (f *fakeEngine) get(id job.ID) (*fakeRun, context.Context, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.away != nil {
		return nil, nil, f.away
	}
	if r := f.runs[id]; r != nil {
		return r, f.gone, nil
	}
	return nil, nil, engineapi.ErrUnknownRun
}

func (f *fakeEngine) Outcome(ctx context.Context, id job.ID, by engineapi.Principal) (engineapi.Outcome, error) {
	f.mu.Lock()
	hangs := f.hangs
	f.mu.Unlock()
	if hangs {
		<-ctx.Done()
		return engineapi.Outcome{}, ctx.Err()
	}
	r, _, err := f.get(id)
	if errors.Is(err, engineapi.ErrUnknownRun) {
		return engineapi.Outcome{Fate: engineapi.FateUnknown}, nil
	}
	if err != nil {
		return engineapi.Outcome{}, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.looks = append(f.looks, by)
	return engineapi.Outcome{Fate: r.fate, Response: r.answer, Err: r.err}, nil
}

func (f *fakeEngine) Follow(ctx context.Context, id job.ID, after int64, take func(api.Event) error) (engineapi.Outcome, error) {
	r, gone, err := f.get(id)
	if err != nil {
		return engineapi.Outcome{}, err
	}
	f.set(func() { f.follows++ })
	defer f.set(func() { f.follows-- })
	ctx, cancel := context.WithCancelCause(ctx)
	defer context.AfterFunc(gone, func() { cancel(engineapi.ErrLost) })()
	if f.mute.Load() {
		return engineapi.Outcome{}, nil
	}
	for {
		page, err := r.log.Next(ctx, after)
		if errors.Is(err, journal.ErrEnded) {
			return f.small(id), nil
		}
		if err != nil {
			return engineapi.Outcome{}, err
		}
		for _, event := range page.Events {
			if err := take(event); err != nil {
				return engineapi.Outcome{}, err
			}
			after = event.Seq
		}
	}
}

// small is what ends the events of a run: every other one has an answer that is asked for.
func (f *fakeEngine) small(id job.ID) engineapi.Outcome {
	if text := id.String(); text[len(text)-1]%2 == 0 {
		return engineapi.Outcome{}
	}
	found, _ := f.Outcome(context.Background(), id, "") // it is asked for, where it is not there
	return found
}

func (f *fakeEngine) Cancel(_ context.Context, id job.ID) error {
	_, _, err := f.get(id)
	if err == nil {
		f.finish(id, context.Canceled)
	}
	return err
}

func (f *fakeEngine) List(_ context.Context, cursor string, most int) (found []engineapi.Recorded, next string, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	ids := slices.SortedFunc(maps.Keys(f.runs), func(a, b job.ID) int { return strings.Compare(a.String(), b.String()) })
	for _, id := range ids {
		r := f.runs[id]
		if id.String() <= cursor || r.fate == engineapi.FateHeld {
			continue
		}
		if len(found) == most {
			return found, found[most-1].ID.String(), f.away
		}
		found = append(found, engineapi.Recorded{
			ID: id, Principal: string(r.by), Policy: r.request.Policy, Status: r.answer.Result.Status, Interrupted: r.fate == engineapi.FateInterrupted,
			At: time.Now().Add(-59 * time.Minute), Bytes: r.answer.RecordBytes,
		})
	}
	return found, "", f.away
}

func (f *fakeEngine) Read(_ context.Context, id job.ID, by engineapi.Principal, part string) (io.ReadCloser, int64, error) {
	if _, _, err := f.get(id); err != nil || f.readErr != nil {
		return nil, 0, cmp.Or(err, f.readErr)
	}
	text := fmt.Sprintf("%s for %s", part, by)
	return io.NopCloser(strings.NewReader(text)), int64(len(text)), nil
}

func (f *fakeEngine) Policies(context.Context) ([]api.PolicyInfo, error) {
	return []api.PolicyInfo{{Name: "p"}}, f.check()
}

func (f *fakeEngine) Policy(_ context.Context, name string) (api.PolicyInfo, error) {
	if name != "p" {
		return api.PolicyInfo{}, fmt.Errorf("%w: there is no policy %s", runner.ErrInput, name)
	}
	return api.PolicyInfo{Name: "p", Text: "x"}, f.check()
}

func (f *fakeEngine) Bundles(context.Context) ([]api.BundleInfo, error) { return nil, f.check() }

func (f *fakeEngine) Bundle(context.Context, string) (api.BundleInfo, error) {
	return api.BundleInfo{}, f.check()
}

func (f *fakeEngine) Tools(context.Context) ([]api.ToolInfo, error) { return nil, f.check() }

var (
	anna  = access.Principal{Name: "user:anna", Scopes: []access.Scope{access.ScopeRun}}
	bert  = access.Principal{Name: "user:bert", Scopes: []access.Scope{access.ScopeRun}}
	admin = access.Principal{Name: "user:root", Scopes: []access.Scope{access.ScopeAdmin}}
)

func asks(code string) service.Creation {
	return service.Creation{Request: api.CreateRun{Policy: "p", Code: code}}
}

// open is a service that is closed with the test.
// patience is how long a test waits for what comes within milliseconds on an idle machine. On one
// that others use a single write to the disk can take seconds.
const patience = time.Minute

func open(t testing.TB, options service.Options) *service.Broker {
	t.Helper()
	if options.Dir == "" {
		options.Dir = t.TempDir()
	}
	s := begin(t, options)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

// begin is a service that the caller closes, and that has asked its engine.
func begin(t testing.TB, options service.Options) *service.Broker {
	t.Helper()
	s, err := service.New(options)
	require.NoError(t, err)
	require.Eventually(t, func() bool { return s.Load().Answers || away(options.Engine) }, patience, time.Millisecond)
	return s
}

func away(engine engineapi.Detached) bool {
	_, err := engine.About(context.Background())
	return err != nil
}

func create(t testing.TB, s *service.Broker, who access.Principal, code string) api.Run {
	t.Helper()
	run, replayed, err := s.Create(t.Context(), who, asks(code))
	require.NoError(t, err)
	require.False(t, replayed)
	return run
}

func ended(t testing.TB, s *service.Broker, id job.ID) api.Run {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	run, err := s.Wait(ctx, admin, id)
	require.NoError(t, err)
	require.True(t, run.Ended(), "%+v", run)
	return run
}

var errBusy = fmt.Errorf("%w: try again", admission.ErrFull)

var accessNobody access.Principal

// begun reports whether code of a run has begun.
func (f *fakeEngine) begun(id job.ID) (*fakeRun, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	r := f.runs[id]
	return r, r != nil && r.begun
}
