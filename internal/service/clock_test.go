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
