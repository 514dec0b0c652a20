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
