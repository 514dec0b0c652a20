package runner

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
	"hotcell/internal/container/containertest"
	"hotcell/internal/container/fake"
	"hotcell/internal/job"
)

// slow gives out sandboxes whose Destroy waits.
type slow struct {
	Sandboxes
	begun, let   chan struct{} // one for each Destroy
	active, most atomic.Int64  // Destroys at a time
}

func newSlow(own Sandboxes) *slow {
	return &slow{Sandboxes: own, begun: make(chan struct{}), let: make(chan struct{})}
}

type slowSandbox struct {
	container.Sandbox
	slow *slow
}

// Acquire implements Sandboxes.
func (s *slow) Acquire(ctx context.Context, spec container.Spec, preparation container.Preparation) (container.Acquired, error) {
	acquired, err := s.Sandboxes.Acquire(ctx, spec, preparation)
	if err == nil {
		acquired.Sandbox = slowSandbox{acquired.Sandbox, s}
	}
	return acquired, err
}

// Destroy implements container.Sandbox.
func (s slowSandbox) Destroy(ctx context.Context) error {
	now := s.slow.active.Add(1)
	defer s.slow.active.Add(-1)
	for most := s.slow.most.Load(); now > most && !s.slow.most.CompareAndSwap(most, now); most = s.slow.most.Load() {
	}
	s.slow.begun <- struct{}{}
	<-s.slow.let
	return s.Sandbox.Destroy(ctx)
}

// heardFailures is who hears of failures.
type heardFailures struct {
	mu       sync.Mutex
	failures map[container.ID]error
}

func (h *heardFailures) hear(id container.ID, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.failures == nil {
		h.failures = map[container.ID]error{}
	}
	h.failures[id] = err
}

func pending(many int, heard *heardFailures) func(*fake.Options, *Options) {
	return func(_ *fake.Options, options *Options) { options.Removal = Removal{Pending: many, Failed: heard.hear} }
}

// newSlowBench is one whose sandboxes are removed when the test lets them.
func newSlowBench(t *testing.T, many int) (*bench, *slow) {
	t.Helper()
	var heard heardFailures
	b := newBench(t, honest(t), pending(many, &heard))
	slow := newSlow(b.runner.options.Sandboxes)
	b.runner.options.Sandboxes = slow
	t.Cleanup(func() { require.Empty(t, heard.failures) })
	return b, slow
}

func TestARunIsAnsweredBeforeItsSandboxIsRemoved(t *testing.T) {
	b, slow := newSlowBench(t, 1)
	response, err := b.run(t.Context(), request(), "")
	require.NoError(t, err)
	require.Equal(t, job.Succeeded, response.Result.Status)
	_, err = b.records.Get(t.Context(), response.Result.RunID)
	require.NoError(t, err)
	<-slow.begun
	require.Len(t, b.engine.Live(), 1)
	slow.let <- struct{}{}
	require.NoError(t, b.runner.Close(t.Context()))
	require.Empty(t, b.engine.Live())
	require.NoError(t, b.runner.Close(t.Context()), "again")
}

func TestACheckIsAnsweredBeforeItsSandboxIsRemoved(t *testing.T) {
	var heard heardFailures
	b := newBench(t, anyMode(func() {}), pending(1, &heard))
	slow := newSlow(b.runner.options.Sandboxes)
	b.runner.options.Sandboxes = slow
	ask := b.ask(request())
	ask.Request.Code = []byte("check")
	found, err := b.runner.Check(t.Context(), ask)
	require.NoError(t, err)
	require.NotEmpty(t, found)
	<-slow.begun
	slow.let <- struct{}{}
	require.NoError(t, b.runner.Close(t.Context()))
	require.Empty(t, b.engine.Live())
}

// A run whose removal has no room waits, with its answer, for one before it.
func TestRemovalsDoNotPileUp(t *testing.T) {
	const many, runs = 2, 12
	b, slow := newSlowBench(t, many)
	var all sync.WaitGroup
	answered := make(chan struct{}, runs)
	for range runs {
		ask := b.ask(request())
		ask.Events = Events{}
		all.Go(func() {
			if _, err := b.runner.Run(t.Context(), ask); err != nil {
				t.Error(err)
			}
			answered <- struct{}{}
		})
	}
	for range many {
		<-slow.begun
	}
	require.LessOrEqual(t, len(answered), many)
	for range runs - many {
		slow.let <- struct{}{}
		<-slow.begun
	}
	require.Equal(t, int64(many), slow.most.Load())
	for range many {
		slow.let <- struct{}{}
	}
	all.Wait()
	require.NoError(t, b.runner.Close(t.Context()))
	require.Empty(t, b.engine.Live())
}

func TestAFailureOfARemovalAfterTheAnswerIsHeardOf(t *testing.T) {
	broken := errors.New("device is busy")
	for name, fault := range map[string]containertest.Fault{
		"an error": {Call: containertest.CallDestroy, Err: broken},
		"a panic":  {Call: containertest.CallDestroy, Panic: "thrown"},
	} {
		t.Run(name, func(t *testing.T) {
			var heard heardFailures
			b := newBench(t, honest(t), pending(4, &heard), fault)
			response, err := b.run(t.Context(), request(), "")
			require.NoError(t, err)
			require.NoError(t, b.runner.Close(t.Context()))
			require.Equal(t, int64(1), b.runner.RemovalsFailed())
			require.Len(t, heard.failures, 1)
			for id, err := range heard.failures {
				require.Equal(t, response.Result.Provenance.Sandbox, id.String())
				require.Error(t, err)
			}
			// And whoever does not close waits for its own again.
			_, err = b.run(t.Context(), request(), "")
			require.Error(t, err)
		})
	}
}

// Something may live in it.
func TestASandboxThatDidNotEndInOrderIsWaitedFor(t *testing.T) {
	var heard heardFailures
	b := newBench(t, honest(t), pending(4, &heard), containertest.Fault{Call: containertest.CallRun, Err: errors.New("broken host")})
	slow := newSlow(b.runner.options.Sandboxes)
	b.runner.options.Sandboxes = slow
	ask, answered := b.ask(request()), make(chan error, 1)
	ask.Events = Events{}
	go func() {
		_, err := b.runner.Run(t.Context(), ask)
		answered <- err
	}()
	<-slow.begun
	select {
	case <-answered:
		t.Error("it was answered while its sandbox was being removed")
	case <-time.After(100 * time.Millisecond): // who does not wait has answered by then
	}
	slow.let <- struct{}{}
	require.ErrorContains(t, <-answered, "broken host")
	require.Empty(t, b.engine.Live())
	require.NoError(t, b.runner.Close(t.Context()))
}

func TestCloseWaitsNoLongerThanItsContext(t *testing.T) {
	b, slow := newSlowBench(t, 3)
	_, err := b.run(t.Context(), request(), "")
	require.NoError(t, err)
	<-slow.begun
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, b.runner.Close(ctx), context.Canceled)
	slow.let <- struct{}{}
	require.Eventually(t, func() bool { return len(b.engine.Live()) == 0 }, time.Minute, time.Millisecond)
}

func TestRemovalsThatNobodyHearsOfAreRefused(t *testing.T) {
	b := newBench(t, honest(t), nil)
	options := b.runner.options
	for _, removal := range []Removal{{Pending: 1}, {Pending: -1, Failed: func(container.ID, error) {}}} {
		options.Removal = removal
		_, err := New(options)
		require.ErrorContains(t, err, "hears of their failures")
	}
}
