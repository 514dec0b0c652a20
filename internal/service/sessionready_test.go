package service_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/api"
	"hotcell/internal/engineapi"
	"hotcell/internal/job"
	"hotcell/internal/service"
)

// loading opens a session whose engine has it, and loads.
func loading(t *testing.T, f *fakeEngine, s *service.Broker) (api.Session, *fakeSession) {
	t.Helper()
	soon, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	x, err := s.OpenSession(soon, anna, api.OpenSession{Policy: "p", Bundle: "loading"})
	require.NoError(t, err)
	require.Equal(t, api.SessionOpening, x.Status)
	require.Eventually(t, func() bool {
		x, err = s.Session(t.Context(), anna, x.SessionID)
		return err == nil && x.Limits != nil
	}, patience, time.Millisecond, "its limits are known before it is ready")
	require.Equal(t, api.SessionOpening, x.Status)
	require.Zero(t, x.IdleUntil)
	var held *fakeSession
	f.set(func() { held = f.opened[len(f.opened)-1] })
	return x, held
}

func TestASessionIsOpenOnceAllIsLoaded(t *testing.T) {
	fake := newFake(t, 2)
	s := open(t, service.Options{Engine: fake})
	x, held := loading(t, fake, s)
	step, err := s.Step(t.Context(), anna, x.SessionID, api.CreateStep{Code: "a"})
	require.NoError(t, err)
	require.Equal(t, api.StateRunning, step.Status)
	_, err = s.Step(t.Context(), anna, x.SessionID, api.CreateStep{Code: "b"})
	require.ErrorIs(t, err, service.ErrBusy)
	waited, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	step, err = s.WaitStep(waited, anna, x.SessionID, 1)
	require.NoError(t, err)
	require.Equal(t, api.StateRunning, step.Status, "it waits, and its time has not begun")
	loadedAt := time.Now()
	close(held.prepared)
	step, err = s.WaitStep(t.Context(), anna, x.SessionID, 1)
	require.NoError(t, err)
	require.EqualValues(t, job.Succeeded, step.Status, "%+v", step.Error)
	run, err := s.Run(t.Context(), anna, step.Result.RunID)
	require.NoError(t, err)
	require.Less(t, run.CreatedAt, loadedAt)
	require.GreaterOrEqual(t, run.StartedAt.UnixMilli(), loadedAt.UnixMilli(), "it waited until then")

	x, err = s.CloseSession(t.Context(), anna, x.SessionID)
	require.NoError(t, err)
	closed(t, s, x.SessionID)
	ready, begun := 0, 0
	require.NoError(t, s.FollowSession(t.Context(), anna, x.SessionID, 0, func(event api.Event) error {
		var state api.StateEvent
		if event.Type == api.EventStep {
			begun++
		}
		if event.Type != api.EventState {
			return nil
		}
		require.NoError(t, json.Unmarshal(event.Data, &state))
		if state.State == api.State(api.SessionOpen) {
			require.Zero(t, begun, "before any step")
			ready++
		}
		return nil
	}))
	require.Equal(t, 1, ready)
}

// TestWhatEndsASessionThatLoads: each of them is at once, and the step that waits is not begun.
func TestWhatEndsASessionThatLoads(t *testing.T) {
	for name, test := range map[string]struct {
		limits service.SessionLimits
		end    func(t *testing.T, s *service.Broker, x job.ID, f *fakeEngine, held *fakeSession)
		over   string
	}{
		"it is closed": {end: func(t *testing.T, s *service.Broker, x job.ID, _ *fakeEngine, _ *fakeSession) {
			_, err := s.CloseSession(t.Context(), anna, x)
			require.NoError(t, err)
		}, over: "it was closed"},
		"what it loads is not there": {end: func(_ *testing.T, _ *service.Broker, _ job.ID, _ *fakeEngine, held *fakeSession) {
			held.end("")
		}, over: "it did not become ready"},
		"its engine dies": {end: func(_ *testing.T, _ *service.Broker, _ job.ID, f *fakeEngine, _ *fakeSession) {
			f.crash()
		}, over: "its engine has gone"},
		"its time is over": {limits: service.SessionLimits{Total: time.Second}, over: "its time is over (total_ms)"},
		"the service ends": {end: func(t *testing.T, s *service.Broker, _ job.ID, _ *fakeEngine, _ *fakeSession) {
			require.NoError(t, s.Drain(t.Context()))
		}, over: "the service ends"},
	} {
		t.Run(name, func(t *testing.T) {
			fake := newFake(t, 2)
			s := open(t, service.Options{Engine: fake, Sessions: test.limits})
			x, held := loading(t, fake, s)
			_, err := s.Step(t.Context(), anna, x.SessionID, api.CreateStep{Code: "never"})
			require.NoError(t, err)
			if test.end != nil {
				test.end(t, s, x.SessionID, fake, held)
			}
			require.Equal(t, test.over, closed(t, s, x.SessionID).Over)
			step, err := s.WaitStep(t.Context(), anna, x.SessionID, 1)
			require.NoError(t, err)
			require.EqualValues(t, job.Cancelled, step.Status)
			require.Nil(t, step.Result)
			held.mu.Lock()
			defer held.mu.Unlock()
			require.Zero(t, held.steps)
		})
	}
}

// TestIdlenessIsNoLoading: the time without a step begins when one could be given.
func TestIdlenessIsNoLoading(t *testing.T) {
	fake := newFake(t, 2)
	s := open(t, service.Options{Engine: fake, Sessions: service.SessionLimits{Idle: 30 * time.Millisecond}})
	x, held := loading(t, fake, s)
	time.Sleep(100 * time.Millisecond)
	x, err := s.Session(t.Context(), anna, x.SessionID)
	require.NoError(t, err)
	require.Equal(t, api.SessionOpening, x.Status)
	close(held.prepared)
	require.Contains(t, closed(t, s, x.SessionID).Over, "idle_ms")
}

func TestTheTimesOfASessionAreThoseInForce(t *testing.T) {
	s := open(t, service.Options{Engine: newFake(t, 9)})
	before := time.Now()
	within := func(what string, at time.Time, since time.Time, most time.Duration) {
		t.Helper()
		require.WithinRange(t, at, since.Add(most).Add(-time.Second), time.Now().Add(most).Add(time.Second), what)
	}
	x, err := s.OpenSession(t.Context(), anna, api.OpenSession{Policy: "p", Bundle: "short"})
	require.NoError(t, err)
	within("the policy's idle", x.IdleUntil, before, 10*time.Second)
	within("the policy's life", x.Until, before, time.Minute)
	stepOf(t, s, x.SessionID, "x")
	x, err = s.Session(t.Context(), anna, x.SessionID)
	require.NoError(t, err)
	within("after a step, too", x.IdleUntil, before, 10*time.Second)

	x, err = s.OpenSession(t.Context(), anna, api.OpenSession{Policy: "p", Bundle: "short", IdleMS: 5000, TotalMS: 7000})
	require.NoError(t, err)
	within("the request's idle", x.IdleUntil, before, 5*time.Second)
	within("the request's life", x.Until, before, 7*time.Second)

	x, err = s.OpenSession(t.Context(), anna, api.OpenSession{Policy: "p", IdleMS: 90_000, TotalMS: 60_000})
	require.NoError(t, err)
	require.Equal(t, x.Until, x.IdleUntil, "nothing is after its end")

	x, err = s.OpenSession(t.Context(), anna, api.OpenSession{Policy: "p"})
	require.NoError(t, err)
	within("the service's idle", x.IdleUntil, before, service.DefaultIdle)
	within("the service's life", x.Until, before, service.DefaultTotal)
	_, err = s.Step(t.Context(), anna, x.SessionID, api.CreateStep{Code: "wait"})
	require.NoError(t, err)
	require.Zero(t, isBusy(t, s, x.SessionID).IdleUntil, "a step is no idleness")
}

func isBusy(t *testing.T, s *service.Broker, id job.ID) (x api.Session) {
	t.Helper()
	require.Eventually(t, func() bool {
		var err error
		x, err = s.Session(t.Context(), anna, id)
		return err == nil && x.Status == api.SessionBusy
	}, patience, time.Millisecond)
	return x
}

func TestAStepAsARunHasItsOwnTimes(t *testing.T) {
	s := open(t, service.Options{Engine: newFake(t, 9)})
	x := opens(t, s)
	before := time.Now()
	step, err := s.Step(t.Context(), anna, x.SessionID, api.CreateStep{Code: "wait"})
	require.NoError(t, err)
	isBusy(t, s, x.SessionID)
	busy := time.Now()
	time.Sleep(20 * time.Millisecond)
	_, err = s.CancelStep(t.Context(), anna, x.SessionID)
	require.NoError(t, err)
	step, err = s.WaitStep(t.Context(), anna, x.SessionID, step.Number)
	require.NoError(t, err)
	run, err := s.Run(t.Context(), anna, step.Result.RunID)
	require.NoError(t, err)
	for _, at := range []time.Time{run.CreatedAt, run.StartedAt} {
		require.WithinRange(t, at, before.Add(-time.Millisecond), busy)
	}
	require.True(t, run.EndedAt.After(busy))
	page, err := s.Runs(t.Context(), anna, service.Filter{})
	require.NoError(t, err)
	require.Equal(t, run.EndedAt, page.Runs[0].EndedAt)

	_, err = s.CloseSession(t.Context(), anna, x.SessionID)
	require.NoError(t, err)
	closed(t, s, x.SessionID)
	own, err := s.Run(t.Context(), anna, x.SessionID)
	require.NoError(t, err)
	require.False(t, own.StartedAt.Before(own.CreatedAt))
	require.True(t, own.EndedAt.After(own.StartedAt))
}

// TestARecordThatIsFoundLaterHasItsEnd: where nobody was there when it ended.
func TestARecordThatIsFoundLaterHasItsEnd(t *testing.T) {
	fake := newFake(t, 2)
	id := job.NewID(time.Now().Add(-time.Hour))
	fake.runs[id] = &fakeRun{by: engineapi.Principal(anna.Name), fate: engineapi.FateEnded}
	fake.runs[id].request.Policy, fake.runs[id].answer.Result.Status = "p", job.Succeeded
	s := open(t, service.Options{Engine: fake})
	var run api.Run
	require.Eventually(t, func() bool {
		var err error
		run, err = s.Run(t.Context(), anna, id)
		return err == nil
	}, patience, time.Millisecond)
	require.Equal(t, time.Minute, run.EndedAt.Sub(run.StartedAt).Round(time.Minute))
}

// TestAStepThatWaitsIsCancelledAtOnce: nothing of it is run, and another may be given.
func TestAStepThatWaitsIsCancelledAtOnce(t *testing.T) {
	fake := newFake(t, 2)
	s := open(t, service.Options{Engine: fake})
	x, held := loading(t, fake, s)
	for number := 1; number <= 2; number++ {
		_, err := s.Step(t.Context(), anna, x.SessionID, api.CreateStep{Code: "never"})
		require.NoError(t, err)
		shown, err := s.CancelStep(t.Context(), anna, x.SessionID)
		require.NoError(t, err)
		require.Equal(t, api.SessionOpening, shown.Status)
		soon, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		step, err := s.WaitStep(soon, anna, x.SessionID, number)
		cancel()
		require.NoError(t, err)
		require.True(t, step.NotBegun(), "%+v", step)
	}
	_, err := s.CancelStep(t.Context(), anna, x.SessionID)
	require.NoError(t, err, "there is none")
	step, err := s.Step(t.Context(), anna, x.SessionID, api.CreateStep{Code: "a"})
	require.NoError(t, err)
	require.Equal(t, 3, step.Number)
	close(held.prepared)
	step, err = s.WaitStep(t.Context(), anna, x.SessionID, 3)
	require.NoError(t, err)
	require.EqualValues(t, job.Succeeded, step.Status)
	held.mu.Lock()
	defer held.mu.Unlock()
	require.Equal(t, 1, held.steps)
	require.Zero(t, s.CodeKept(x.SessionID))
}
