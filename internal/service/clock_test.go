package service_test

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/api"
	"hotcell/internal/access"
	"hotcell/internal/job"
	"hotcell/internal/service"
)

// steps is a clock that is set an hour ahead, and back by two, again and again, as one that an
// administrator or a time server corrects. Nothing of it is monotonic, which is worse than any
// process sees, but for one that was started again.
type steps struct{ asked atomic.Int64 }

func (c *steps) now() time.Time {
	off := []time.Duration{0, time.Hour, -time.Hour, time.Hour, 0, -time.Hour}
	return time.Now().Round(0).Add(off[c.asked.Add(1)/7%int64(len(off))])
}

func TestAClockThatStepsLosesAndRepeatsNothing(t *testing.T) {
	fake, dir, clock := newFake(t, 3), t.TempDir(), &steps{}
	fake.lag = 2 * time.Millisecond
	quotas := everybody(service.Quotas{RequestsPerMinute: 1000})
	made := map[string]job.ID{}
	who := []access.Principal{anna, bert}
	for start := range 3 {
		s := begin(t, service.Options{Engine: fake, Dir: dir, Now: clock.now, Quotas: quotas})
		for n := range 30 {
			key, by := fmt.Sprintf("%d-%d", start, n), who[n%len(who)]
			asked := service.Creation{Key: key, Request: asks("ok").Request}
			run, replayed, err := s.Create(t.Context(), by, asked)
			require.NoError(t, err)
			require.False(t, replayed)
			made[key] = run.RunID
			run, replayed, err = s.Create(t.Context(), by, asked)
			require.NoError(t, err)
			require.True(t, replayed, "the key is kept for days")
			require.Equal(t, made[key], run.RunID)
			require.GreaterOrEqual(t, run.QueuedMS, int64(0), "no run has waited for less than nothing")
		}
		require.NoError(t, s.Close()) // while some wait, and some run
	}
	s := open(t, service.Options{Engine: fake, Dir: dir, Now: clock.now, Quotas: quotas})
	for key, id := range made {
		run := ended(t, s, id)
		require.Equal(t, api.State(job.Succeeded), run.Status, key)
		require.GreaterOrEqual(t, run.QueuedMS, int64(0), key)
	}
	listed, err := s.Runs(t.Context(), admin, service.Filter{Limit: 200})
	require.NoError(t, err)
	require.Len(t, listed.Runs, len(made), "no run is missing from the list, or there twice")
	fake.set(func() {
		require.Len(t, fake.starts, len(made))
		require.Len(t, fake.order, len(made), "each was begun once")
		require.Empty(t, fake.twice)
	})
}

// steppable is of a service whose clock stands, and is ahead by as much as is stored.
func steppable(t *testing.T) (service.Options, *atomic.Int64) {
	began, ahead := time.Now(), &atomic.Int64{}
	return service.Options{Engine: newFake(t, 1), Dir: t.TempDir(), Now: func() time.Time { return began.Add(time.Duration(ahead.Load())) }}, ahead
}

// A clock that is years ahead, at a start or while the service runs, has nothing forgotten: neither
// a key, whose request would run twice, nor a run of the list, also where that is read again.
func TestAClockThatIsWrongHasNothingForgotten(t *testing.T) {
	const year = 366 * 24 * time.Hour
	for name, off := range map[string]time.Duration{"a month ahead": year / 12, "two years ahead": 2 * year, "behind": -2 * year} {
		t.Run(name, func(t *testing.T) {
			options, ahead := steppable(t)
			s := begin(t, options)
			asked := service.Creation{Key: "once", Request: asks("ok").Request}
			made, _, err := s.Create(t.Context(), anna, asked)
			require.NoError(t, err)
			ended(t, s, made.RunID)
			again := func() {
				run, replayed, err := s.Create(t.Context(), anna, asked)
				require.NoError(t, err)
				require.True(t, replayed)
				require.Equal(t, made.RunID, run.RunID)
			}
			ahead.Store(int64(off)) // while it runs
			again()
			require.NoError(t, s.Close())
			s = begin(t, options) // at a start
			require.NoError(t, s.Pass(time.Minute))
			again()
			require.NoError(t, s.Close())
			ahead.Store(0)
			s = open(t, options)
			again()
			require.NoError(t, s.Pass(time.Minute), "it goes on by the clock that is right")
		})
	}
}

func TestWhatIsOldIsForgottenAfterAYearOff(t *testing.T) {
	options, ahead := steppable(t)
	s := begin(t, options)
	asked := service.Creation{Key: "once", Request: asks("ok").Request}
	made, _, err := s.Create(t.Context(), anna, asked)
	require.NoError(t, err)
	ended(t, s, made.RunID)
	require.NoError(t, s.Close())
	ahead.Store(int64(366 * 24 * time.Hour))
	s = open(t, options)
	require.NoError(t, s.Pass(16*24*time.Hour))
	_, replayed, err := s.Create(t.Context(), anna, asked)
	require.NoError(t, err)
	require.False(t, replayed)
}
