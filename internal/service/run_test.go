package service_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/api"
	"hotcell/internal/engineapi"
	"hotcell/internal/job"
	"hotcell/internal/service"
)

func TestARunGoesToTheEngineAndItsResultComesBack(t *testing.T) {
	fake := newFake(t, 1)
	s := open(t, service.Options{Engine: fake})
	run := create(t, s, anna, "ok")
	require.Equal(t, api.StateRunning, run.Status, "it need not wait")
	run = ended(t, s, run.RunID)
	require.EqualValues(t, job.Succeeded, run.Status)
	require.Equal(t, "hello", run.Result.Stdout)
	require.Equal(t, 1, run.Attempt)
	files, err := s.Files(t.Context(), anna, run.RunID)
	require.NoError(t, err)
	require.Len(t, files.Files, 1)
	content, _, err := s.Read(t.Context(), anna, run.RunID, "files/a.csv")
	require.NoError(t, err)
	text, err := io.ReadAll(content)
	require.NoError(t, err)
	require.Equal(t, "files/a.csv for user:anna", string(text))
}

func TestOthersRunsAreNotThere(t *testing.T) {
	fake := newFake(t, 1)
	s := open(t, service.Options{Engine: fake})
	run := create(t, s, anna, "wait")
	for range 2 { // while it runs, and when it has ended
		_, err := s.Run(t.Context(), bert, run.RunID)
		require.ErrorIs(t, err, service.ErrNotFound)
		_, err = s.Cancel(t.Context(), bert, run.RunID)
		require.ErrorIs(t, err, service.ErrNotFound)
		_, err = s.Wait(t.Context(), bert, run.RunID)
		require.ErrorIs(t, err, service.ErrNotFound)
		_, _, err = s.Read(t.Context(), bert, run.RunID, "record")
		require.ErrorIs(t, err, service.ErrNotFound)
		require.ErrorIs(t, s.Follow(t.Context(), bert, run.RunID, 0, nil), service.ErrNotFound)
		list, err := s.Runs(t.Context(), bert, service.Filter{})
		require.NoError(t, err)
		require.Empty(t, list.Runs)
		list, err = s.Runs(t.Context(), admin, service.Filter{})
		require.NoError(t, err)
		require.Len(t, list.Runs, 1)
		fake.finish(run.RunID, nil)
		ended(t, s, run.RunID)
	}
	_, _, err := s.Create(t.Context(), accessNobody, asks("ok"))
	require.Error(t, err)
}

func TestWhatCannotBeRunIsRefusedAndNotKept(t *testing.T) {
	fake := newFake(t, 1)
	s := open(t, service.Options{Engine: fake})
	for name, asked := range map[string]service.Creation{
		"policy":   {Key: "k", Request: api.CreateRun{Policy: "other"}},
		"priority": {Request: api.CreateRun{Policy: "p", Priority: 101}},
		"limit":    {Request: api.CreateRun{Policy: "p", Limits: api.Tightened{PIDs: -1}}},
		"time":     {Request: api.CreateRun{Policy: "p", Limits: api.Tightened{WallClockMS: 1 << 62}}},
		"key":      {Key: strings.Repeat("k", 256), Request: api.CreateRun{Policy: "p"}},
		"bytes":    {Key: "ä", Request: api.CreateRun{Policy: "p"}},
	} {
		_, _, err := s.Create(t.Context(), anna, asked)
		require.ErrorIs(t, err, service.ErrRefused, name)
	}
	list, err := s.Runs(t.Context(), admin, service.Filter{})
	require.NoError(t, err)
	require.Empty(t, list.Runs)
	run, replayed, err := s.Create(t.Context(), anna, service.Creation{Key: "k", Request: asks("ok").Request})
	require.NoError(t, err, "the key of a refused request is free")
	require.False(t, replayed)
	require.Equal(t, api.StateRunning, run.Status, "its place, too")
	ended(t, s, run.RunID)
	fake.set(func() { require.Len(t, fake.starts, 1, "nothing else was given away") })
}

func TestAKeyGivesTheSameRunAlsoInABurst(t *testing.T) {
	fake := newFake(t, 2)
	dir := t.TempDir()
	s := begin(t, service.Options{Engine: fake, Dir: dir})
	asked := service.Creation{Key: "once", Request: asks("wait").Request}
	var burst sync.WaitGroup
	ids := make([]job.ID, 1000)
	var mu sync.Mutex
	made := 0
	for i := range ids {
		burst.Go(func() {
			run, replayed, err := s.Create(t.Context(), anna, asked)
			if err != nil {
				t.Error(err)
				return
			}
			mu.Lock()
			defer mu.Unlock()
			ids[i] = run.RunID
			if !replayed {
				made++
			}
		})
	}
	burst.Wait()
	require.Equal(t, 1, made)
	for _, id := range ids {
		require.Equal(t, ids[0], id)
	}
	_, _, err := s.Create(t.Context(), anna, service.Creation{Key: "once", Request: asks("ok").Request})
	require.ErrorIs(t, err, service.ErrKeyReused)
	other, replayed, err := s.Create(t.Context(), bert, asked)
	require.NoError(t, err)
	require.False(t, replayed, "a key is of one principal")
	require.NotEqual(t, ids[0], other.RunID)
	require.NoError(t, s.Close())

	began, passed := time.Now(), atomic.Int64{}
	passed.Store(int64(7*24*time.Hour - time.Minute))
	s = open(t, service.Options{Engine: fake, Dir: dir, Now: func() time.Time { return began.Add(time.Duration(passed.Load())) }})
	run, replayed, err := s.Create(t.Context(), anna, asked)
	require.NoError(t, err)
	require.True(t, replayed, "a key outlives a restart")
	require.Equal(t, ids[0], run.RunID)
	passed.Add(int64(2 * time.Minute))
	require.NoError(t, s.Pass(7*time.Hour+time.Minute)) // it comes nearer
	run, replayed, err = s.Create(t.Context(), anna, asked)
	require.NoError(t, err)
	require.False(t, replayed, "and is forgotten after seven days")
	require.NotEqual(t, ids[0], run.RunID)
}

func TestTheEventsOfARun(t *testing.T) {
	fake := newFake(t, 1)
	s := open(t, service.Options{Engine: fake})
	first := create(t, s, anna, "wait")
	second := create(t, s, anna, "wait")
	require.Equal(t, 0, *second.Position)
	heard := make(chan api.Event, 100)
	done := make(chan error, 1)
	go func() {
		done <- s.Follow(t.Context(), anna, second.RunID, 0, func(event api.Event) error { heard <- event; return nil })
	}()
	event := <-heard
	require.Equal(t, api.EventState, event.Type)
	require.Zero(t, event.Seq)
	require.JSONEq(t, `{"state":"queued","position":0}`, string(event.Data))
	require.Equal(t, 1, s.Load().Followers)
	fake.finish(first.RunID, nil)
	require.EqualValues(t, 1, (<-heard).Seq)
	require.EqualValues(t, 2, (<-heard).Seq)
	fake.finish(second.RunID, nil)
	event = <-heard
	require.Equal(t, api.EventResult, event.Type)
	require.EqualValues(t, 3, event.Seq)
	require.Empty(t, event.Data, "which Run has: many may follow")
	require.NoError(t, <-done)
	for after, want := range map[int64]int{0: 3, 1: 2, 2: 1, 3: 0, 9: 0} {
		got := 0
		require.NoError(t, s.Follow(t.Context(), anna, second.RunID, after, func(api.Event) error { got++; return nil }))
		require.Equal(t, want, got, "after %d", after)
	}
	stop := errors.New("stop")
	require.ErrorIs(t, s.Follow(t.Context(), anna, second.RunID, 0, func(api.Event) error { return stop }), stop)
}

// TestARunThatWaitsAtTheEngineIsQueued in the queue that the engine names, until that lets it in. It has
// its place at the engine all the while.
func TestARunThatWaitsAtTheEngineIsQueued(t *testing.T) {
	fake := newFake(t, 2)
	s := open(t, service.Options{Engine: fake})
	waits := create(t, s, anna, "queue")
	is := func(id job.ID, state api.State, queue string) {
		t.Helper()
		require.Eventually(t, func() bool {
			now, err := s.Run(t.Context(), anna, id)
			return err == nil && now.Status == state && now.Queue == queue && !now.Ended()
		}, 10*time.Second, time.Millisecond)
		for _, one := range []api.State{api.StateQueued, api.StateRunning} {
			page, err := s.Runs(t.Context(), anna, service.Filter{Status: one})
			require.NoError(t, err)
			require.Equal(t, one == state, slices.ContainsFunc(page.Runs, func(run api.Run) bool { return run.RunID == id }), one)
		}
	}
	is(waits.RunID, api.StateQueued, "studies")
	first := errors.New("the first event")
	require.ErrorIs(t, s.Follow(t.Context(), anna, waits.RunID, 0, func(event api.Event) error {
		require.JSONEq(t, `{"state":"queued","queue":"studies"}`, string(event.Data))
		return first
	}), first)
	fake.finish(waits.RunID, nil)
	is(waits.RunID, api.StateRunning, "")
	fake.finish(waits.RunID, nil)
	require.Equal(t, api.State(job.Succeeded), ended(t, s, waits.RunID).Status)

	cancelled := create(t, s, anna, "queue")
	is(cancelled.RunID, api.StateQueued, "studies")
	_, err := s.Cancel(t.Context(), anna, cancelled.RunID)
	require.NoError(t, err)
	require.Equal(t, api.State(job.Cancelled), ended(t, s, cancelled.RunID).Status)
}

func TestFollowersCostTheEngineNothing(t *testing.T) {
	fake := newFake(t, 1)
	s := open(t, service.Options{Engine: fake})
	run := create(t, s, anna, "wait")
	var followers sync.WaitGroup
	for range 1000 {
		followers.Go(func() {
			got := 0
			if err := s.Follow(t.Context(), anna, run.RunID, 0, func(api.Event) error { got++; return nil }); err != nil || got != 3 {
				t.Errorf("%d events, %v", got, err)
			}
		})
	}
	require.Eventually(t, func() bool { return s.Load().Followers == 1000 }, patience, time.Millisecond)
	fake.set(func() { require.Equal(t, 1, fake.follows) })
	fake.finish(run.RunID, nil)
	followers.Wait()
}

func TestCancel(t *testing.T) {
	fake := newFake(t, 1)
	s := open(t, service.Options{Engine: fake, Quotas: everybody(service.Quotas{Queued: 1})})
	given := create(t, s, anna, "wait")
	waiting := create(t, s, anna, "ok")
	_, _, err := s.Create(t.Context(), anna, asks("ok"))
	require.ErrorContains(t, err, "queued")
	run, err := s.Cancel(t.Context(), anna, waiting.RunID)
	require.NoError(t, err)
	require.EqualValues(t, job.Cancelled, run.Status, "at once")
	require.Nil(t, run.Result)
	another := create(t, s, anna, "ok")
	for range 2 { // repeatable
		_, err = s.Cancel(t.Context(), anna, given.RunID)
		require.NoError(t, err)
	}
	require.EqualValues(t, job.Cancelled, ended(t, s, given.RunID).Status)
	require.EqualValues(t, job.Succeeded, ended(t, s, another.RunID).Status)
	run, err = s.Cancel(t.Context(), anna, another.RunID)
	require.NoError(t, err)
	require.EqualValues(t, job.Succeeded, run.Status, "what has ended stays")
	fake.set(func() { require.Zero(t, fake.starts[waiting.RunID]) })
}

func TestAnEngineThatTakesNothingLosesNothing(t *testing.T) {
	fake := newFake(t, 2)
	s := open(t, service.Options{Engine: fake})
	fake.set(func() { fake.startErr = errBusy })
	run := create(t, s, anna, "ok")
	require.Eventually(t, func() bool {
		now, err := s.Run(t.Context(), anna, run.RunID)
		return err == nil && now.Status == api.StateQueued
	}, patience, time.Millisecond)
	fake.set(func() { fake.startErr = nil })
	require.EqualValues(t, job.Succeeded, ended(t, s, run.RunID).Status)

	fake.crash()
	_, _, err := s.Create(t.Context(), anna, asks("ok"))
	require.ErrorIs(t, err, service.ErrUnavailable)
	require.Eventually(t, func() bool { return !s.Load().Answers }, patience, time.Millisecond)
	fake.restart()
	require.Eventually(t, func() bool { return s.Load().Answers }, patience, time.Millisecond)
	require.EqualValues(t, job.Succeeded, ended(t, s, create(t, s, anna, "ok").RunID).Status)
}

func TestALostAnswerIsAskedFor(t *testing.T) {
	fake := newFake(t, 1)
	s := open(t, service.Options{Engine: fake})
	fake.set(func() { fake.loseNext = true })
	run := ended(t, s, create(t, s, anna, "ok").RunID)
	require.EqualValues(t, job.Succeeded, run.Status)
	fake.set(func() { require.Equal(t, 1, fake.starts[run.RunID]) })
}

func TestWhatAnEngineDiedWithIsNeverBegunAgain(t *testing.T) {
	fake := newFake(t, 1)
	s := open(t, service.Options{Engine: fake})
	run := create(t, s, anna, "wait")
	require.Eventually(t, func() bool { _, known := fake.begun(run.RunID); return known }, patience, time.Millisecond)
	fake.crash()
	fake.restart()
	run = ended(t, s, run.RunID)
	require.Equal(t, api.StateError, run.Status)
	require.Equal(t, "urn:hotcell:problem:interrupted", run.Error.Type)
	fake.set(func() { require.Empty(t, fake.twice); require.Equal(t, 1, fake.starts[run.RunID]) })
}

func TestWhatTheEngineDoesNotKnowIsGivenAgainUnlessTheHostWasRestarted(t *testing.T) {
	for boot, want := range map[string]api.State{"a": api.State(job.Succeeded), "b": api.StateError} {
		fake, dir := newFake(t, 1), t.TempDir()
		s := begin(t, service.Options{Engine: fake, Dir: dir, Boot: "a"})
		run := create(t, s, anna, "wait")
		require.NoError(t, s.Close())
		fake.crash()
		fake.set(func() { clear(fake.runs) })
		fake.restart()
		s = open(t, service.Options{Engine: fake, Dir: dir, Boot: boot})
		require.Eventually(t, func() bool {
			if boot == "a" {
				fake.finish(run.RunID, nil)
			}
			now, err := s.Run(t.Context(), anna, run.RunID)
			return err == nil && now.Ended()
		}, patience, time.Millisecond)
		run = ended(t, s, run.RunID)
		require.Equal(t, want, run.Status)
		if boot == "b" {
			require.Equal(t, "urn:hotcell:problem:host-restarted", run.Error.Type)
			require.Equal(t, 1, run.Attempt)
		} else {
			require.Equal(t, 2, run.Attempt)
		}
	}
}

func TestAFrontThatIsRestartedGoesOn(t *testing.T) {
	fake, dir := newFake(t, 1), t.TempDir()
	s := begin(t, service.Options{Engine: fake, Dir: dir})
	held, over, waits := create(t, s, anna, "wait"), create(t, s, anna, "ok"), create(t, s, anna, "ok")
	_, err := s.Cancel(t.Context(), anna, over.RunID)
	require.NoError(t, err)
	require.NoError(t, s.Close())
	_, _, err = s.Create(t.Context(), anna, asks("ok"))
	require.ErrorIs(t, err, service.ErrDraining)

	s = open(t, service.Options{Engine: fake, Dir: dir})
	seqs := make(chan int64, 10)
	go func() {
		_ = s.Follow(t.Context(), anna, held.RunID, 1, func(event api.Event) error { seqs <- event.Seq; return nil })
		close(seqs)
	}()
	require.EqualValues(t, 2, <-seqs, "the same numbers as before")
	fake.finish(held.RunID, nil)
	require.EqualValues(t, 3, <-seqs)
	require.EqualValues(t, job.Succeeded, ended(t, s, held.RunID).Status)
	require.EqualValues(t, job.Succeeded, ended(t, s, waits.RunID).Status)
	require.EqualValues(t, job.Cancelled, ended(t, s, over.RunID).Status)
	fake.set(func() { require.Equal(t, 1, fake.starts[held.RunID]); require.Zero(t, fake.starts[over.RunID]) })
}

func TestALostIndexIsReadFromTheEngine(t *testing.T) {
	fake, dir := newFake(t, 4), t.TempDir()
	s := begin(t, service.Options{Engine: fake, Dir: dir})
	var runs []api.Run
	for range 7 {
		runs = append(runs, create(t, s, anna, "ok"))
		ended(t, s, runs[len(runs)-1].RunID)
	}
	require.NoError(t, s.Close())
	for _, name := range []string{"service.db", "service.db-wal", "service.db-shm"} {
		if err := os.Remove(filepath.Join(dir, name)); !errors.Is(err, os.ErrNotExist) {
			require.NoError(t, err)
		}
	}
	s = open(t, service.Options{Engine: fake, Dir: dir})
	require.Eventually(t, func() bool {
		list, err := s.Runs(t.Context(), anna, service.Filter{})
		return err == nil && len(list.Runs) == 7
	}, patience, time.Millisecond)
	run, err := s.Run(t.Context(), anna, runs[3].RunID)
	require.NoError(t, err)
	require.Equal(t, "hello", run.Result.Stdout)
	for after, want := range map[int64]int{0: 1, 3: 1, 1<<53 - 1: 0} {
		got := 0
		require.NoError(t, s.Follow(t.Context(), anna, run.RunID, after, func(api.Event) error { got++; return nil }))
		require.Equal(t, want, got, after)
	}
	create(t, s, anna, "ok")
}

func TestPagesOfRuns(t *testing.T) {
	fake := newFake(t, 1)
	s := open(t, service.Options{Engine: fake})
	held := create(t, s, anna, "wait")
	var waiting []job.ID
	for range 9 {
		waiting = append(waiting, create(t, s, anna, "ok").RunID)
	}
	seen := map[job.ID]bool{}
	filter := service.Filter{Limit: 4}
	for pages := 1; ; pages++ {
		page, err := s.Runs(t.Context(), anna, filter)
		require.NoError(t, err)
		for _, run := range page.Runs {
			require.False(t, seen[run.RunID])
			seen[run.RunID] = true
		}
		if filter.Cursor = page.NextCursor; filter.Cursor == "" {
			require.Equal(t, 3, pages)
			break
		}
	}
	require.Len(t, seen, 10)
	for state, want := range map[api.State]int{api.StateQueued: 9, api.StateRunning: 1, api.State(job.Succeeded): 0} {
		page, err := s.Runs(t.Context(), anna, service.Filter{Status: state, Policy: "p"})
		require.NoError(t, err)
		require.Len(t, page.Runs, want, state)
	}
	page, err := s.Runs(t.Context(), anna, service.Filter{Since: time.Now().Add(time.Hour)})
	require.NoError(t, err)
	require.Empty(t, page.Runs)
	for _, cursor := range []string{"?", "eHg", "MTc5NTIxOTQzMTA0Mi05Zjg2ZDA4MTg4NGM3ZDY1JyBPUiAxPTE"} {
		_, err = s.Runs(t.Context(), anna, service.Filter{Cursor: cursor})
		require.ErrorIs(t, err, service.ErrCursor)
	}
	require.Equal(t, map[string]int{"p": 9}, s.Backlog().Queued)
	fake.finish(held.RunID, nil)
	ended(t, s, waiting[8])
}

func TestDrainWaitsForWhatWasGiven(t *testing.T) {
	fake := newFake(t, 1)
	s := open(t, service.Options{Engine: fake})
	given := create(t, s, anna, "wait")
	create(t, s, anna, "ok")
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	require.ErrorIs(t, s.Drain(ctx), context.DeadlineExceeded)
	_, _, err := s.Create(t.Context(), anna, asks("ok"))
	require.ErrorIs(t, err, service.ErrDraining)
	fake.finish(given.RunID, nil)
	require.NoError(t, s.Drain(t.Context()))
	require.Equal(t, 1, s.Load().Queued, "what waits stays")
}

func TestOneServiceForADirectory(t *testing.T) {
	fake, dir := newFake(t, 1), t.TempDir()
	open(t, service.Options{Engine: fake, Dir: dir})
	_, err := service.New(service.Options{Engine: fake, Dir: dir})
	require.ErrorContains(t, err, "another service uses it")
}

func TestTheCatalogueIsTheEngines(t *testing.T) {
	fake := newFake(t, 1)
	s := open(t, service.Options{Engine: fake})
	_, err := s.Policy(t.Context(), "q")
	require.ErrorIs(t, err, service.ErrNotFound)
	policies, err := s.Policies(t.Context())
	require.NoError(t, err)
	require.Len(t, policies.Policies, 1)
	checked, err := s.Check(t.Context(), anna, api.CreateRun{Policy: "p", Code: "x"})
	require.NoError(t, err)
	require.NotNil(t, checked.Violations)
	host, err := s.Host(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, host.Engine.Places)
	fake.set(func() { fake.away = fmt.Errorf("%w: dial", engineapi.ErrNone) })
	host, err = s.Host(t.Context())
	require.NoError(t, err)
	require.Nil(t, host.Engine)
	_, err = s.Tools(t.Context())
	require.ErrorIs(t, err, service.ErrUnavailable)
}

// Who has seen some of the events of a run still gets its result, also where nobody has them any more.
func TestTheResultComesAlsoWhereTheEventsAreGone(t *testing.T) {
	fake, dir := newFake(t, 1), t.TempDir()
	s := begin(t, service.Options{Engine: fake, Dir: dir})
	run := create(t, s, anna, "wait")
	require.Eventually(t, func() bool { _, known := fake.begun(run.RunID); return known }, patience, time.Millisecond)
	require.NoError(t, s.Close())
	fake.finish(run.RunID, nil)
	fake.mute.Store(true)
	s = open(t, service.Options{Engine: fake, Dir: dir})
	ended(t, s, run.RunID)
	var last api.Event
	require.NoError(t, s.Follow(t.Context(), anna, run.RunID, 2, func(event api.Event) error { last = event; return nil }))
	require.Equal(t, api.EventResult, last.Type)
	require.NoError(t, s.Follow(t.Context(), anna, run.RunID, last.Seq, func(api.Event) error { return errors.New("again") }))
}
