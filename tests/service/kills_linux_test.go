package service_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/api"
	"hotcell/client"
	"hotcell/internal/job"
)

// kills is how many processes are killed.
var kills = flag.Int("service.kills", 100, "processes to kill: fronts, engines, or both")

// callers ask for one run after the other.
const callers = 4

// crowd is what callers ask for, and what became of it.
type crowd struct {
	scene *scene
	stop  chan struct{}

	mu    sync.Mutex
	ended map[string]api.Run // by key
	err   error
}

func (c *crowd) fail(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.err = errors.Join(c.err, err)
}

// ask asks until it is told to stop, and then waits for its last run.
func (c *crowd) ask(ctx context.Context, caller int) {
	for n := 0; ; n++ {
		select {
		case <-c.stop:
			return
		default:
		}
		key := fmt.Sprintf("caller-%d-run-%d", caller, n)
		run, err := c.scene.asks.CreateRun(ctx, api.CreateRun{Policy: "interpreter", Code: fmt.Sprintf("print(%q)", key)}, client.CreateOptions{Key: key})
		if err != nil {
			c.fail(fmt.Errorf("create %s: %w", key, err))
			return
		}
		ended, err := c.scene.asks.Wait(ctx, run.RunID)
		if err != nil {
			c.fail(fmt.Errorf("wait for %s: %w", key, err))
			return
		}
		c.mu.Lock()
		c.ended[key] = ended
		c.mu.Unlock()
	}
}

// duration is how long the callers' runs take, all at a time: not their first ones, for which
// all that is read and compiled once is read and compiled.
func (c *crowd) duration() time.Duration {
	c.await(callers)
	began := time.Now()
	c.await(2 * callers)
	return time.Since(began)
}

// await waits for so many ended runs.
func (c *crowd) await(count int) {
	for over := false; !over; time.Sleep(10 * time.Millisecond) {
		c.mu.Lock()
		over = len(c.ended) >= count || c.err != nil
		c.mu.Unlock()
	}
}

// TestNothingIsLostOrBegunTwiceWhoeverIsKilled kills the front, the engine, or both, at any
// moment, while callers ask for runs. Each run that was accepted ends once: with the result of
// its own code, or as one that its engine's death has interrupted; and the audit chain has a
// line of each, one, and of no other.
func TestNothingIsLostOrBegunTwiceWhoeverIsKilled(t *testing.T) {
	s := newScene(t)
	c := &crowd{scene: s, stop: make(chan struct{}), ended: map[string]api.Run{}}
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	var asking sync.WaitGroup
	for caller := range callers {
		asking.Go(func() { c.ask(ctx, caller) })
	}
	whole := c.duration()
	for n := range *kills {
		time.Sleep(rand.N(3 * whole)) // the moment is what the test varies
		switch n % 3 {
		case 0:
			s.front.kill()
			s.startFront()
		case 1:
			s.engine.kill()
			s.startEngine()
		case 2:
			s.engine.kill()
			s.front.kill()
			s.startFront()
			s.startEngine()
		}
	}
	close(c.stop)
	asking.Wait()
	require.NoError(t, c.err)
	s.requireEachOnce(c.ended)
}

func (s *scene) requireEachOnce(ended map[string]api.Run) {
	s.t.Helper()
	told := s.told()
	counts := map[api.State]int{}
	again := 0
	for key, run := range ended {
		counts[run.Status]++
		again += run.Attempt - 1
		id := run.RunID.String()
		kinds := told[id]
		delete(told, id)
		switch run.Status {
		case api.State(job.Succeeded):
			require.Equal(s.t, key+"\n", run.Result.Stdout, "run %s", id)
			require.Equal(s.t, []string{"run"}, kinds, "run %s", id)
		case api.StateError:
			require.Equal(s.t, "urn:hotcell:problem:interrupted", run.Error.Type, "run %s: %+v", id, run.Error)
			require.Equal(s.t, []string{"interrupted"}, kinds, "run %s", id)
		default:
			require.Fail(s.t, "a run ended otherwise", "%s: %+v", key, run)
		}
	}
	require.Empty(s.t, slices.Collect(maps.Keys(told)), "the chain has runs that nobody asked for")
	require.NotZero(s.t, counts[api.State(job.Succeeded)])
	s.t.Logf("%d runs: %v; given again before they had begun: %d", len(ended), counts, again)
}
