package service_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/api"
	"hotcell/internal/access"
	"hotcell/internal/engineapi"
	"hotcell/internal/job"
	"hotcell/internal/service"
)

// recorded is what a principal has left in records today, by its own look.
func recorded(t testing.TB, s *service.Broker, who access.Principal) int64 {
	t.Helper()
	me, err := s.Me(t.Context(), who)
	require.NoError(t, err)
	for _, one := range me.Quotas {
		if one.Quota == "recorded_bytes_per_day" {
			return one.Used
		}
	}
	t.Fatal("there is no such quota")
	return 0
}

// still is a clock that somebody sets.
type still struct{ at time.Time }

func (c *still) now() time.Time { return c.at }

func refusedForBytes(t *testing.T, err error, used int64) {
	t.Helper()
	var quota *service.QuotaError
	require.ErrorAs(t, err, &quota)
	require.Equal(t, service.QuotaError{Quota: "recorded_bytes_per_day", Limit: recordBytes, Used: used, After: 2 * time.Hour}, *quota)
}

func TestWhatRunsLeaveInRecordsHasAQuotaOfTheDay(t *testing.T) {
	clock := &still{time.Date(2026, 11, 27, 22, 0, 0, 0, time.UTC)}
	fake, dir := newFake(t, 1), t.TempDir()
	// What a result says of itself counts for nothing: its guard may be its script's.
	fake.says = &job.Result{Stdout: "x", Files: []job.File{{Path: "a", Bytes: 1 << 50}}, Limits: job.Allowances{OutputBytes: job.Allowance{Used: -1 << 50}}}
	options := service.Options{Engine: fake, Dir: dir, Quotas: everybody(service.Quotas{RecordedBytesPerDay: recordBytes}), Now: clock.now}
	s := begin(t, options)
	first, second := create(t, s, anna, "wait"), create(t, s, anna, "ok")
	require.Zero(t, recorded(t, s, anna))
	fake.finish(first.RunID, nil)
	ended(t, s, first.RunID)
	require.EqualValues(t, recordBytes, recorded(t, s, anna))
	_, _, err := s.Create(t.Context(), anna, asks("ok"))
	refusedForBytes(t, err, recordBytes)
	_, err = s.OpenSession(t.Context(), anna, api.OpenSession{Policy: "p"})
	refusedForBytes(t, err, recordBytes)
	_, err = s.Check(t.Context(), anna, api.CreateRun{Policy: "p"})
	require.NoError(t, err, "which leaves nothing")
	require.Zero(t, recorded(t, s, bert))
	ended(t, s, create(t, s, bert, "ok").RunID)
	require.NoError(t, s.Close())

	s = begin(t, options)
	_, _, err = s.Create(t.Context(), anna, asks("ok"))
	refusedForBytes(t, err, recordBytes)
	run, err := s.Run(t.Context(), anna, second.RunID)
	require.NoError(t, err)
	require.Equal(t, api.StateQueued, run.Status, "what waited waits for the next day")
	require.NoError(t, s.Close())
	clock.at = clock.at.Add(2 * time.Hour)
	s = open(t, options)
	ended(t, s, second.RunID)
	require.EqualValues(t, recordBytes, recorded(t, s, anna))
}

// A run that fails, or that somebody cancels when it has begun, leaves a record as well; one that
// was never begun, or whose engine failed, leaves none.
func TestOnlyWhatLiesThereCounts(t *testing.T) {
	clock := &still{time.Now()}
	fake := newFake(t, 1)
	s := open(t, service.Options{Engine: fake, Now: clock.now})
	first, second := create(t, s, anna, "wait"), create(t, s, anna, "ok")
	_, err := s.Cancel(t.Context(), anna, second.RunID)
	require.NoError(t, err)
	_, err = s.Cancel(t.Context(), anna, first.RunID)
	require.NoError(t, err)
	require.Equal(t, api.State(job.Cancelled), ended(t, s, first.RunID).Status)
	require.EqualValues(t, recordBytes, recorded(t, s, anna))
	broken := create(t, s, anna, "wait")
	fake.finish(broken.RunID, os.ErrClosed)
	require.Equal(t, api.StateError, ended(t, s, broken.RunID).Status)
	require.EqualValues(t, recordBytes, recorded(t, s, anna))
}

func TestStepsAndSessionsCountToo(t *testing.T) {
	clock := &still{time.Date(2026, 11, 27, 22, 0, 0, 0, time.UTC)}
	fake, dir := newFake(t, 3), t.TempDir()
	options := service.Options{Engine: fake, Dir: dir, Quotas: everybody(service.Quotas{RecordedBytesPerDay: recordBytes}), Now: clock.now}
	s := begin(t, options)
	x := opens(t, s)
	step, err := s.Step(t.Context(), anna, x.SessionID, api.CreateStep{Code: "a"})
	require.NoError(t, err)
	_, err = s.WaitStep(t.Context(), anna, x.SessionID, step.Number)
	require.NoError(t, err)
	require.EqualValues(t, recordBytes, recorded(t, s, anna))
	_, err = s.Step(t.Context(), anna, x.SessionID, api.CreateStep{Code: "b"})
	refusedForBytes(t, err, recordBytes)
	_, err = s.CloseSession(t.Context(), anna, x.SessionID)
	require.NoError(t, err)
	closed(t, s, x.SessionID)
	require.EqualValues(t, 2*recordBytes, recorded(t, s, anna))
	require.NoError(t, s.Close())
	s = open(t, options)
	require.EqualValues(t, 2*recordBytes, recorded(t, s, anna))
}

// What a service that died has not counted, its successor finds in the engine's list, and once.
func TestWhatALostIndexHadCountedIsFoundAgain(t *testing.T) {
	clock := &still{time.Now()} // the list has all as ended before, and so when they were made
	fake, dir := newFake(t, 4), t.TempDir()
	options := service.Options{Engine: fake, Dir: dir, Now: clock.now}
	s := begin(t, options)
	for range 3 {
		ended(t, s, create(t, s, anna, "ok").RunID)
	}
	require.EqualValues(t, 3*recordBytes, recorded(t, s, anna))
	require.NoError(t, s.Close())
	for range 2 { // the first finds them, and the second has them
		for _, name := range []string{"service.db", "service.db-wal", "service.db-shm"} {
			require.NoError(t, os.RemoveAll(filepath.Join(dir, name)))
		}
		for range 2 {
			s = begin(t, options)
			require.Eventually(t, func() bool { return recorded(t, s, anna) == 3*recordBytes }, 5*time.Second, time.Millisecond)
			ended(t, s, create(t, s, bert, "ok").RunID)
			require.EqualValues(t, 3*recordBytes, recorded(t, s, anna))
			require.NoError(t, s.Close())
		}
	}
}

// An engine that counts backwards gives nothing back.
func TestNoFigureGivesBytesBack(t *testing.T) {
	clock := &still{time.Now()}
	fake := newFake(t, 1)
	id := job.NewID(clock.at)
	fake.runs[id] = &fakeRun{by: engineapi.Principal(anna.Name), fate: engineapi.FateEnded}
	fake.runs[id].answer.RecordBytes = -1 << 40
	s := open(t, service.Options{Engine: fake, Now: clock.now})
	require.Eventually(t, func() bool {
		list, err := s.Runs(t.Context(), anna, service.Filter{})
		return err == nil && len(list.Runs) == 1
	}, 5*time.Second, time.Millisecond)
	require.Zero(t, recorded(t, s, anna))
}
