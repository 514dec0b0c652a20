package runner

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
	"hotcell/internal/job"
	"hotcell/internal/wire"
)

func parts(trace *job.Trace) (names []string) {
	for _, part := range trace.Phases {
		names = append(names, part.Phase)
	}
	return names
}

func TestATraceHasEveryPartOfARun(t *testing.T) {
	b := newBench(t, honest(t), nil)
	response, err := b.run(t.Context(), request(), "")
	require.NoError(t, err)
	upToTheRecord := []string{"preparing", "acquiring", "starting", "loading", "running", "verifying", "removing"}
	require.Equal(t, append(upToTheRecord, "committing"), parts(response.Trace))
	require.False(t, response.Trace.Warm)
	record, err := b.records.Get(t.Context(), response.Result.RunID)
	require.NoError(t, err)
	require.Equal(t, upToTheRecord, parts(record.Trace))
	for n, part := range record.Trace.Phases {
		require.Equal(t, part, response.Trace.Phases[n])
		require.GreaterOrEqual(t, part.MS, 0.0)
	}
}

// queued is an engine whose sandboxes wait in a queue of their own.
type queued struct {
	container.Cold
	wait func(ctx context.Context) error
}

// Acquire implements Sandboxes.
func (q queued) Acquire(ctx context.Context, spec container.Spec, preparation container.Preparation) (container.Acquired, error) {
	container.TellQueued(ctx, "studies")
	if err := q.wait(ctx); err != nil {
		return container.Acquired{}, err
	}
	container.TellQueued(ctx, "")
	return q.Cold.Acquire(ctx, spec, preparation)
}

func TestARunThatWaitsInAQueueTellsOfIt(t *testing.T) {
	b := newBench(t, honest(t), nil)
	b.runner.options.Sandboxes = queued{container.Cold{Engine: b.engine}, func(context.Context) error { return nil }}
	response, err := b.run(t.Context(), request(), "")
	require.NoError(t, err)
	require.Equal(t, job.Succeeded, response.Result.Status)
	require.Equal(t, []Phase{PhaseCreating, "queued in studies", PhaseCreating, PhaseStarting, PhaseLoading, PhaseRunning, PhaseVerifying}, b.phases)
	require.Equal(t, "studies", b.phases[1].Queue())
	require.Equal(t, []string{"preparing", "acquiring", "queued", "acquiring", "starting"}, parts(response.Trace)[:5])
	for _, phase := range []Phase{PhaseCreating, PhaseRunning, PhaseCalling("queued in studies")} {
		require.Empty(t, phase.Queue())
	}
}

// TestWhatIsCancelledInAQueueHasNotBegun, and is the caller's own doing, also where their time was over.
func TestWhatIsCancelledInAQueueHasNotBegun(t *testing.T) {
	b := newBench(t, honest(t), nil)
	ctx, cancel := context.WithCancel(t.Context())
	b.runner.options.Sandboxes = queued{container.Cold{Engine: b.engine}, func(ctx context.Context) error {
		cancel()
		<-ctx.Done()
		return context.Cause(ctx)
	}}
	response, err := b.run(ctx, request(), "")
	require.NoError(t, err)
	require.Equal(t, job.Cancelled, response.Result.Status)
	require.Zero(t, response.Result.Usage.WallMS)
	require.NotContains(t, b.phases, PhaseStarting)
}

func TestATraceOfCodeThatIsRefusedHasNoSandbox(t *testing.T) {
	b := newBench(t, honest(t), nil)
	refused := request()
	refused.Code = nil
	response, err := b.run(t.Context(), refused, "")
	require.NoError(t, err)
	require.Equal(t, []string{"preparing", "committing"}, parts(response.Trace))
}

func TestASessionHasNoTrace(t *testing.T) {
	b := newBench(t, anyMode(func() {}), withPolicy(withSession))
	session, err := b.open(t.Context(), request(), "")
	require.NoError(t, err)
	stepped, err := session.Step(t.Context(), Script{Code: []byte("step"), Name: "step.py"})
	require.NoError(t, err)
	require.Nil(t, stepped.Trace)
	closed, err := session.Close(t.Context())
	require.NoError(t, err)
	require.Nil(t, closed.Trace)
	record, err := b.records.Get(t.Context(), closed.Result.RunID)
	require.NoError(t, err)
	require.Nil(t, record.Trace)
}

// warm gives out sandboxes that it says were there.
type warm struct{ Sandboxes }

// Acquire implements Sandboxes.
func (w warm) Acquire(ctx context.Context, spec container.Spec, preparation container.Preparation) (container.Acquired, error) {
	acquired, err := w.Sandboxes.Acquire(ctx, spec, preparation)
	acquired.Warm = err == nil
	return acquired, err
}

func TestATraceTellsAWarmSandbox(t *testing.T) {
	b := newBench(t, func(_ context.Context, g guard) container.Exit { // it was prepared: its hello has been heard
		g.send(wire.TypeReady, "")
		g.report("completed", "")
		return container.Exit{}
	}, nil)
	b.runner.options.Sandboxes = warm{b.runner.options.Sandboxes}
	response, err := b.run(t.Context(), request(), "")
	require.NoError(t, err)
	require.True(t, response.Trace.Warm)
	record, err := b.records.Get(t.Context(), response.Result.RunID)
	require.NoError(t, err)
	require.True(t, record.Trace.Warm)
}

func TestEachPartLastsUntilTheNext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		made := newTrace()
		var told []Phase
		events := made.told(Events{Phase: func(phase Phase) { told = append(told, phase) }})
		for _, phase := range []Phase{PhaseCreating, PhaseStarting, PhaseLoading, PhaseRunning, PhaseCalling("x"), PhaseRunning} {
			time.Sleep(1500 * time.Microsecond)
			events.Phase(phase)
		}
		time.Sleep(time.Millisecond)
		made.begin(job.PartCommitting)
		want := []job.PhaseTime{{Phase: "preparing", MS: 1.5}, {Phase: "acquiring", MS: 1.5}, {Phase: "starting", MS: 1.5}, {Phase: "loading", MS: 1.5}, {Phase: "running", MS: 4}}
		time.Sleep(2 * time.Millisecond)
		require.Equal(t, want, made.upTo(false).Phases)
		require.Equal(t, append(want, job.PhaseTime{Phase: "committing", MS: 2}), made.upTo(true).Phases)
		require.Len(t, told, 6, "whoever listens hears of all")
	})
}
