package service_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/api"
	"hotcell/internal/access"
	"hotcell/internal/engineapi"
	"hotcell/internal/job"
	"hotcell/internal/service"
)

func TestWhoHearsOfAnEndHearsWhichSpanItBelongsTo(t *testing.T) {
	heard := make(chan string, 1)
	s := open(t, service.Options{Engine: newFake(t, 2), Ended: func(_ api.Run, _ *job.Trace, parent string) { heard <- parent }})
	asked := asks("ok")
	asked.Trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
	_, _, err := s.Create(t.Context(), anna, asked)
	require.NoError(t, err)
	require.Equal(t, asked.Trace, <-heard)
}

// TestOthersSeeWhatARunSaidByItsRecord: the engine makes an event of each look at that. Who has asked
// for the run has its answer without one.
func TestOthersSeeWhatARunSaidByItsRecord(t *testing.T) {
	fake := newFake(t, 2)
	s := open(t, service.Options{Engine: fake})
	looks := func() (found []engineapi.Principal) {
		fake.set(func() { found, fake.looks = fake.looks, nil })
		return found
	}
	run := create(t, s, anna, "wait")
	waited := make(chan api.Run, 1)
	go func() {
		got, err := s.Wait(t.Context(), admin, run.RunID)
		if err != nil {
			t.Error(err)
		}
		waited <- got
	}()
	_, err := s.Run(t.Context(), admin, run.RunID)
	require.NoError(t, err)
	fake.finish(run.RunID, nil)
	_, err = s.Wait(t.Context(), anna, run.RunID)
	require.NoError(t, err)
	require.Equal(t, "hello", (<-waited).Result.Stdout)
	found := slices.DeleteFunc(looks(), func(by engineapi.Principal) bool { return by != "user:root" }) // the service fetches the answer for anna
	require.Len(t, found, 1, "root has waited for it")
	own := func(who access.Principal) {
		got, err := s.Run(t.Context(), who, run.RunID)
		require.NoError(t, err)
		require.Equal(t, "hello", got.Result.Stdout)
		_, err = s.Files(t.Context(), who, run.RunID)
		require.NoError(t, err)
		_, err = s.Cancel(t.Context(), who, run.RunID)
		require.NoError(t, err)
		require.NoError(t, s.Follow(t.Context(), who, run.RunID, 0, func(api.Event) error { return nil }))
	}
	own(anna)
	require.Empty(t, looks())
	own(admin)
	require.Equal(t, slices.Repeat([]engineapi.Principal{"user:root"}, 3), looks(), "following tells nothing that the run has said: the result is Run's")
	fake.set(func() { fake.away = engineapi.ErrNone })
	_, err = s.Run(t.Context(), admin, run.RunID)
	require.ErrorIs(t, err, service.ErrUnavailable, "there is no look of which there is no event")
	err = s.Follow(t.Context(), admin, run.RunID, 0, func(event api.Event) error {
		if event.Type != api.EventGap && (event.Type != api.EventResult || event.Data != nil) {
			t.Errorf("an event %s was told", event.Type)
		}
		return nil
	})
	require.NoError(t, err)
}

// TestAPanicIsTheEndOfTheService: what is in its memory can be wrong then, and what is on the disk
// is right.
func TestAPanicIsTheEndOfTheService(t *testing.T) {
	s := open(t, service.Options{Engine: newFake(t, 2), Ended: func(api.Run, *job.Trace, string) { panic("a fault of ours") }})
	select {
	case <-s.Failed():
		require.Fail(t, "it failed before anything was asked")
	default:
	}
	create(t, s, anna, "ok")
	<-s.Failed()
}
