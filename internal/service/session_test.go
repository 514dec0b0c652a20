package service_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/api"
	"hotcell/internal/access"
	"hotcell/internal/engineapi"
	"hotcell/internal/httpapi"
	"hotcell/internal/job"
	"hotcell/internal/runner"
	"hotcell/internal/service"
)

var _ httpapi.Backend = (*service.Broker)(nil)

// fakeSession is a session whose steps print their own code; "wait" does so until it is
// interrupted, and "die" ends the session. One of the bundle "loading" is prepared with load, and
// one of "short" has a policy that lets it last a minute, ten seconds of them without a step.
type fakeSession struct {
	id       job.ID
	ask      runner.Ask
	prepared chan struct{}
	done     chan struct{}
	once     sync.Once

	mu    sync.Mutex
	over  string
	steps int
}

func (f *fakeEngine) OpenSession(ctx context.Context, id job.ID, _ engineapi.Principal, ask runner.Ask) (engineapi.Session, error) {
	if err := f.Resolve(ctx, "", ask.Request); err != nil {
		return nil, err
	}
	if ask.Request.Bundle == "slow" {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	f.mu.Lock()
	gone := f.gone
	f.mu.Unlock()
	x := &fakeSession{id: id, ask: ask, prepared: make(chan struct{}), done: make(chan struct{})}
	if ask.Request.Bundle != "loading" {
		close(x.prepared)
	}
	f.set(func() { f.opened = append(f.opened, x) })
	stop := context.AfterFunc(gone, func() { x.end("its engine has gone") })
	context.AfterFunc(ctx, func() { stop(); x.end("cancelled") })
	return x, nil
}

func (x *fakeSession) end(why string) {
	x.once.Do(func() {
		x.mu.Lock()
		defer x.mu.Unlock()
		x.over = why
		close(x.done)
	})
}

func (x *fakeSession) About() runner.About {
	about := runner.About{Session: x.id, Policy: "p", PolicySHA256: "abc", Limits: runner.SessionLimits{MaxSteps: 9}}
	about.Limits.WallClockMS, about.Limits.IdleMS = (100 * time.Hour).Milliseconds(), (10 * time.Hour).Milliseconds()
	if x.ask.Request.Bundle == "short" {
		about.Limits.WallClockMS, about.Limits.IdleMS = time.Minute.Milliseconds(), (10 * time.Second).Milliseconds()
	}
	return about
}

func (x *fakeSession) Step(_ context.Context, script runner.Script) (runner.Response, error) {
	x.mu.Lock()
	x.steps++
	x.mu.Unlock()
	select {
	case <-x.prepared:
	default:
		return runner.Response{}, errors.New("a step came before all was loaded")
	}
	result := job.Result{RunID: job.NewID(time.Now()), Status: job.Succeeded}
	switch code := string(script.Code); code {
	case "wait":
		select {
		case <-script.Interrupt:
			result.Status = job.Cancelled
		case <-x.done:
			return runner.Response{}, runner.ErrSessionOver
		}
	case "large":
		result.Stdout = strings.Repeat("x", 2<<20)
	case "die":
		x.end("its sandbox has ended")
		return runner.Response{}, runner.ErrSessionOver
	default:
		for i := range len(code) { // byte by byte: a character may come in pieces
			_, _ = io.WriteString(x.ask.Events.Stdout, code[i:i+1])
		}
	}
	return runner.Response{Result: result, RecordBytes: recordBytes}, nil
}

func (x *fakeSession) Form(context.Context, []byte) runner.Form { return runner.FormUnknown }

func (x *fakeSession) Close(context.Context) (runner.Response, error) {
	x.mu.Lock()
	over := x.over
	x.mu.Unlock()
	x.end("closed")
	if strings.Contains(over, "gone") {
		return runner.Response{}, engineapi.ErrLost
	}
	return runner.Response{Result: job.Result{RunID: x.id, Status: job.Succeeded, Usage: job.Usage{CPUMS: 1500}}, RecordBytes: recordBytes}, nil
}

func (x *fakeSession) Prepared() <-chan struct{} { return x.prepared }
func (x *fakeSession) Done() <-chan struct{}     { return x.done }
func (x *fakeSession) Over() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.over
}

func opens(t *testing.T, s *service.Broker) api.Session {
	t.Helper()
	x, err := s.OpenSession(t.Context(), anna, api.OpenSession{Policy: "p"})
	require.NoError(t, err)
	require.Eventually(t, func() bool { // who opens one is told after two seconds that it opens still
		x, err = s.Session(t.Context(), anna, x.SessionID)
		return err == nil && x.Status == api.SessionOpen
	}, patience, time.Millisecond)
	return x
}

func closed(t *testing.T, s *service.Broker, id job.ID) api.Session {
	t.Helper()
	var x api.Session
	require.Eventually(t, func() bool {
		var err error
		x, err = s.Session(t.Context(), anna, id)
		return err == nil && x.Status == api.SessionClosed
	}, patience, time.Millisecond)
	return x
}

func stepOf(t *testing.T, s *service.Broker, id job.ID, code string) api.Step {
	t.Helper()
	step, err := s.Step(t.Context(), anna, id, api.CreateStep{Code: code})
	require.NoError(t, err)
	require.Equal(t, api.StateRunning, step.Status)
	step, err = s.WaitStep(t.Context(), anna, id, step.Number)
	require.NoError(t, err)
	return step
}

func TestASessionFromOpenToClose(t *testing.T) {
	s := open(t, service.Options{Engine: newFake(t, 2)})
	x := opens(t, s)
	require.EqualValues(t, 9, x.Limits.MaxSteps)
	require.Equal(t, 1, s.Load().Sessions)
	step := stepOf(t, s, x.SessionID, "gr\u00fc\u00dfe \xff\xe2\x82")
	require.EqualValues(t, job.Succeeded, step.Status)
	run, err := s.Run(t.Context(), anna, step.Result.RunID)
	require.NoError(t, err, "a step has a record of its own")
	require.EqualValues(t, job.Succeeded, run.Status)
	_, err = s.CloseSession(t.Context(), anna, x.SessionID)
	require.NoError(t, err)
	x = closed(t, s, x.SessionID)
	require.Equal(t, 1, x.Steps)
	require.Equal(t, job.Succeeded, x.Result.Status)
	_, err = s.Step(t.Context(), anna, x.SessionID, api.CreateStep{})
	require.ErrorIs(t, err, service.ErrClosed)
	_, err = s.WaitStep(t.Context(), anna, x.SessionID, 2)
	require.ErrorIs(t, err, service.ErrNotFound)
	require.Zero(t, s.Load().Sessions)

	var kinds []api.EventType
	text := ""
	require.NoError(t, s.FollowSession(t.Context(), anna, x.SessionID, 0, func(event api.Event) error {
		require.EqualValues(t, len(kinds)+1, event.Seq)
		kinds = append(kinds, event.Type)
		if event.Type == api.EventStdout {
			text += string(event.Data)
		}
		return nil
	}))
	require.Equal(t, []api.EventType{api.EventState, api.EventStep}, kinds[:2])
	require.Equal(t, api.EventStep, kinds[len(kinds)-2])
	require.Equal(t, api.EventResult, kinds[len(kinds)-1])
	require.Contains(t, text, `{"text":"ü"}`, "a character is not cut")
	require.Equal(t, 3, strings.Count(text, "\uFFFD"), "what is none is marked")
	seen := 0
	require.NoError(t, s.FollowSession(t.Context(), anna, x.SessionID, int64(len(kinds)), func(api.Event) error { seen++; return nil }))
	require.Zero(t, seen)
}

func TestASessionIsItsOwners(t *testing.T) {
	s := open(t, service.Options{Engine: newFake(t, 2)})
	x := opens(t, s)
	_, err := s.Session(t.Context(), bert, x.SessionID)
	require.ErrorIs(t, err, service.ErrNotFound)
	_, err = s.Step(t.Context(), bert, x.SessionID, api.CreateStep{})
	require.ErrorIs(t, err, service.ErrNotFound)
	_, err = s.CloseSession(t.Context(), bert, x.SessionID)
	require.ErrorIs(t, err, service.ErrNotFound)
	require.ErrorIs(t, s.FollowSession(t.Context(), bert, x.SessionID, 0, nil), service.ErrNotFound)
	_, err = s.Step(t.Context(), admin, x.SessionID, api.CreateStep{})
	require.ErrorIs(t, err, service.ErrNotFound, "an administrator closes, and runs nothing in it")
	_, err = s.CloseSession(t.Context(), admin, x.SessionID)
	require.NoError(t, err)
}

func TestStepsOneAtATime(t *testing.T) {
	s := open(t, service.Options{Engine: newFake(t, 2)})
	x := opens(t, s)
	step, err := s.Step(t.Context(), anna, x.SessionID, api.CreateStep{Code: "wait"})
	require.NoError(t, err)
	_, err = s.Step(t.Context(), anna, x.SessionID, api.CreateStep{})
	require.ErrorIs(t, err, service.ErrBusy)
	for range 2 {
		_, err = s.CancelStep(t.Context(), anna, x.SessionID)
		require.NoError(t, err)
	}
	step, err = s.WaitStep(t.Context(), anna, x.SessionID, step.Number)
	require.NoError(t, err)
	require.EqualValues(t, job.Cancelled, step.Status)
	require.EqualValues(t, job.Succeeded, stepOf(t, s, x.SessionID, "x").Status, "the session goes on")
	step = stepOf(t, s, x.SessionID, "die")
	require.Equal(t, api.StateError, step.Status)
	require.Equal(t, "its sandbox has ended", closed(t, s, x.SessionID).Over)
}

func TestASessionEndsByItself(t *testing.T) {
	for over, limits := range map[string]service.SessionLimits{
		"idle_ms": {Idle: 30 * time.Millisecond}, "total_ms": {Total: 60 * time.Millisecond},
	} {
		s := open(t, service.Options{Engine: newFake(t, 2), Sessions: limits})
		x := opens(t, s)
		step, err := s.Step(t.Context(), anna, x.SessionID, api.CreateStep{Code: "wait"})
		require.NoError(t, err)
		if limits.Idle > 0 {
			time.Sleep(3 * limits.Idle)
			shown, err := s.CancelStep(t.Context(), anna, x.SessionID)
			require.NoError(t, err)
			require.Equal(t, api.SessionBusy, shown.Status, "a step is no idleness")
		}
		step, err = s.WaitStep(t.Context(), anna, x.SessionID, step.Number)
		require.NoError(t, err)
		require.EqualValues(t, job.Cancelled, step.Status)
		require.Contains(t, closed(t, s, x.SessionID).Over, over)
	}
}

func TestHowManySessionsThereMayBe(t *testing.T) {
	fake := newFake(t, 3)
	s := open(t, service.Options{Engine: fake, Quotas: everybody(service.Quotas{Sessions: 1})})
	x := opens(t, s)
	var quota *service.QuotaError
	_, err := s.OpenSession(t.Context(), anna, api.OpenSession{Policy: "p"})
	require.ErrorAs(t, err, &quota)
	require.Equal(t, "sessions", quota.Quota)
	_, err = s.OpenSession(t.Context(), bert, api.OpenSession{Policy: "p"})
	require.NoError(t, err)
	_, err = s.OpenSession(t.Context(), admin, api.OpenSession{Policy: "p"})
	require.ErrorIs(t, err, service.ErrSessionsFull, "one place is left for runs")
	require.NotErrorIs(t, err, service.ErrQueueFull)
	ended(t, s, create(t, s, bert, "ok").RunID)
	_, err = s.CloseSession(t.Context(), anna, x.SessionID)
	require.NoError(t, err)
	closed(t, s, x.SessionID)
	_, err = s.OpenSession(t.Context(), anna, api.OpenSession{Policy: "other"})
	require.ErrorIs(t, err, service.ErrRefused)
	waits, err := s.OpenSession(t.Context(), anna, api.OpenSession{Policy: "p", Bundle: "slow"})
	require.NoError(t, err)
	require.Equal(t, api.SessionOpening, waits.Status)
	_, err = s.CloseSession(t.Context(), anna, waits.SessionID)
	require.NoError(t, err)
	closed(t, s, waits.SessionID)
	opens(t, s)
}

// Nobody has all sessions, whatever their quota.
func TestASessionIsLeftForOthers(t *testing.T) {
	for name, quotas := range map[string]func(string) service.Quotas{
		"without a quota": nil, "of all": everybody(service.Quotas{Sessions: 3}), "of more than there are": everybody(service.Quotas{Sessions: 1000}),
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t, service.Options{Engine: newFake(t, 4), Quotas: quotas})
			opens(t, s)
			opens(t, s)
			_, err := s.OpenSession(t.Context(), anna, api.OpenSession{Policy: "p"})
			quota, ok := errors.AsType[*service.QuotaError](err)
			require.True(t, ok, err)
			require.Equal(t, service.QuotaError{Quota: "sessions", Limit: 2, Used: 2, After: quota.After}, *quota)
			_, err = s.OpenSession(t.Context(), bert, api.OpenSession{Policy: "p"})
			require.NoError(t, err)
		})
	}
	s := open(t, service.Options{Engine: newFake(t, 1)})
	opens(t, s) // the only one is for who comes first
	_, err := s.OpenSession(t.Context(), anna, api.OpenSession{Policy: "p"})
	require.ErrorIs(t, err, service.ErrSessionsFull)
}

// What is configured is a bound beside that of the engine's places, and does not put it up.
func TestSessionsLeaveAPlaceToRuns(t *testing.T) {
	for name, test := range map[string]struct{ places, most, want int }{
		"more than there are places": {4, 64, 3}, "as many as there are places": {3, 3, 2}, "fewer": {4, 2, 2}, "one place": {1, 64, 1}, "none said": {4, 0, 3},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t, service.Options{Engine: newFake(t, test.places), Sessions: service.SessionLimits{Most: test.most}})
			var err error
			opened := 0
			for n := 0; err == nil && n < 10; n++ {
				who := access.Principal{Name: fmt.Sprintf("user:%d", n), Scopes: anna.Scopes}
				if _, err = s.OpenSession(t.Context(), who, api.OpenSession{Policy: "p"}); err == nil {
					opened++
				}
			}
			require.ErrorIs(t, err, service.ErrSessionsFull)
			require.Equal(t, test.want, opened)
			if test.places > 1 {
				ended(t, s, create(t, s, bert, "ok").RunID)
			}
		})
	}
}

func TestSessionsEndWithWhatHoldsThem(t *testing.T) {
	fake, dir := newFake(t, 4), t.TempDir()
	s := begin(t, service.Options{Engine: fake, Dir: dir})
	x := opens(t, s)
	fake.crash()
	shown := closed(t, s, x.SessionID)
	require.Equal(t, "its engine has gone", shown.Over)
	require.Equal(t, "urn:hotcell:problem:interrupted", shown.Error.Type)
	require.Eventually(t, func() bool { return !s.Load().Answers }, patience, time.Millisecond) // else it could hear of it later
	fake.restart()
	require.Eventually(t, func() bool { return s.Load().Answers }, patience, time.Millisecond)

	x, drained := opens(t, s), opens(t, s)
	_, err := s.CloseSession(t.Context(), anna, drained.SessionID)
	require.NoError(t, err)
	closed(t, s, drained.SessionID)
	require.NoError(t, s.Close())
	s = open(t, service.Options{Engine: fake, Dir: dir})
	require.Equal(t, api.SessionClosed, closed(t, s, x.SessionID).Status)
	var last api.Event
	require.NoError(t, s.FollowSession(t.Context(), anna, x.SessionID, 7, func(event api.Event) error { last = event; return nil }))
	require.Equal(t, api.EventResult, last.Type)

	x = opens(t, s)
	step, err := s.Step(t.Context(), anna, x.SessionID, api.CreateStep{Code: "wait"})
	require.NoError(t, err)
	require.NoError(t, s.Drain(t.Context()))
	shown = closed(t, s, x.SessionID)
	require.Equal(t, "the service ends", shown.Over)
	step, err = s.WaitStep(t.Context(), anna, x.SessionID, step.Number)
	require.NoError(t, err)
	require.EqualValues(t, job.Cancelled, step.Status)
}

// TestNoScriptIsKept: neither of a step that has ended, nor of one that nobody ran, nor what a
// session was asked for with.
func TestNoScriptIsKept(t *testing.T) {
	s := open(t, service.Options{Engine: newFake(t, 4)})
	x, err := s.OpenSession(t.Context(), anna, api.OpenSession{Policy: "p", Imports: []string{"math"}})
	require.NoError(t, err)
	require.Zero(t, s.AskedKept(x.SessionID))
	for _, code := range []string{"print", "die"} {
		stepOf(t, s, x.SessionID, code)
		require.Zero(t, s.CodeKept(x.SessionID), code)
	}
	x, err = s.OpenSession(t.Context(), anna, api.OpenSession{Policy: "p", Bundle: "slow"})
	require.NoError(t, err)
	_, err = s.Step(t.Context(), anna, x.SessionID, api.CreateStep{Code: "never"})
	require.NoError(t, err)
	require.Equal(t, 5, s.CodeKept(x.SessionID))
	_, err = s.CloseSession(t.Context(), anna, x.SessionID)
	require.NoError(t, err)
	closed(t, s, x.SessionID)
	require.Zero(t, s.CodeKept(x.SessionID))
}

// TestClosedSessionsAreForgottenByTheirBytes: of twenty with 4 MiB each, the newest are there.
func TestClosedSessionsAreForgottenByTheirBytes(t *testing.T) {
	s := open(t, service.Options{Engine: newFake(t, 3)})
	others, err := s.OpenSession(t.Context(), bert, api.OpenSession{Policy: "p"})
	require.NoError(t, err)
	_, err = s.CloseSession(t.Context(), bert, others.SessionID)
	require.NoError(t, err)
	var ids []job.ID
	for range 20 {
		x := opens(t, s)
		stepOf(t, s, x.SessionID, "large")
		_, err := s.CloseSession(t.Context(), anna, x.SessionID)
		require.NoError(t, err)
		closed(t, s, x.SessionID)
		ids = append(ids, x.SessionID)
	}
	left := 0
	for _, id := range ids {
		if _, err := s.Session(t.Context(), anna, id); err == nil {
			left++
		}
	}
	require.LessOrEqual(t, left, 16, "they have 64 MiB together")
	require.GreaterOrEqual(t, left, 12)
	_, err = s.Session(t.Context(), anna, ids[0])
	require.ErrorIs(t, err, service.ErrNotFound)
	_, err = s.Session(t.Context(), bert, others.SessionID)
	require.NoError(t, err, "who has the most makes room")
}

func TestASessionsTimeIsItsPrincipals(t *testing.T) {
	s := open(t, service.Options{Engine: newFake(t, 3), Quotas: everybody(service.Quotas{CPUSecondsPerDay: 1})})
	x := opens(t, s)
	_, err := s.CloseSession(t.Context(), anna, x.SessionID)
	require.NoError(t, err)
	closed(t, s, x.SessionID)
	_, err = s.OpenSession(t.Context(), anna, api.OpenSession{Policy: "p"})
	require.ErrorContains(t, err, "cpu_seconds_per_day")
	_, _, err = s.Create(t.Context(), anna, asks("ok"))
	require.ErrorContains(t, err, "cpu_seconds_per_day")
}
