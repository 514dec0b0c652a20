package containertest

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
)

func orderTests() []subtest {
	return []subtest{
		{"a sandbox runs once", runsOnce},
		{"a missing stream is an error and no run", missingStream},
		{"output before the run", outputBeforeRun},
		{"output after a run that failed", outputAfterFailure},
		{"output as often as it is asked for", outputAgain},
		{"output on a context that has ended", outputOnEndedContext},
		{"a destroyed sandbox neither runs nor gives its output", destroyedIsOver(false)},
		{"a sandbox that has run and was destroyed is over", destroyedIsOver(true)},
		{"destroy is idempotent", destroyIsIdempotent},
		{"destroy needs no run", destroyNeedsNoRun},
		{"a closed engine makes no sandbox", closedEngine},
		{"a sandbox outlives the close of its engine", sandboxOutlivesClose},
	}
}

func runsOnce(t *testing.T, h Harness) {
	r := newTrial(t, h, Behaviour{Name: ExitWith})
	exit, _ := r.collect()
	requireCleanEnd(t, exit)
	exit, err := r.sandbox.Run(t.Context(), discard())
	require.ErrorIs(t, err, container.ErrUsed)
	require.Zero(t, exit)
	r.output()
}

func discard() container.Streams {
	return container.Streams{Stdin: strings.NewReader(""), Stdout: &bytes.Buffer{}, Stderr: &bytes.Buffer{}}
}

func missingStream(t *testing.T, h Harness) {
	r := newTrial(t, h, Behaviour{Name: ExitWith})
	for name, take := range map[string]func(*container.Streams){
		"stdin":  func(s *container.Streams) { s.Stdin = nil },
		"stdout": func(s *container.Streams) { s.Stdout = nil },
		"stderr": func(s *container.Streams) { s.Stderr = nil },
	} {
		streams := discard()
		take(&streams)
		_, err := r.sandbox.Run(t.Context(), streams)
		require.ErrorContains(t, err, "a stream is missing", name)
	}
	exit, _ := r.collect()
	requireCleanEnd(t, exit)
}

func outputBeforeRun(t *testing.T, h Harness) {
	r := newTrial(t, h, Behaviour{Name: ExitWith})
	r.requireNoOutput(container.ErrNotEnded)
	r.collect()
	r.output()
}

func (r *trial) requireNoOutput(want error) {
	r.t.Helper()
	root, err := r.sandbox.Output(r.t.Context())
	require.ErrorIs(r.t, err, want)
	require.Nil(r.t, root)
}

// outputAfterFailure fails a run by the one thing of which each engine must make an
// error: a stdin that cannot be read.
func outputAfterFailure(t *testing.T, h Harness) {
	r := newTrial(t, h, Behaviour{Name: Hang})
	broken := errors.New("broken disk")
	streams := discard()
	streams.Stdin = iotest.ErrReader(broken)
	exit, err := r.sandbox.Run(t.Context(), streams)
	require.ErrorIs(t, err, broken)
	require.Zero(t, exit)
	r.requireNoOutput(container.ErrNotEnded)
	_, err = r.sandbox.Run(t.Context(), discard())
	require.ErrorIs(t, err, container.ErrUsed)
}

func outputAgain(t *testing.T, h Harness) {
	r := newTrial(t, h, writeTwoFiles())
	r.collect()
	first := r.output()
	requireTwoFiles(t, r.output())
	requireTwoFiles(t, first)
}

func outputOnEndedContext(t *testing.T, h Harness) {
	r := newTrial(t, h, Behaviour{Name: ExitWith})
	r.collect()
	why := errors.New("nobody wants it")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	root, err := r.sandbox.Output(ctx)
	require.ErrorIs(t, err, why)
	require.Nil(t, root)
	r.output()
}

func destroyedIsOver(used bool) func(*testing.T, Harness) {
	return func(t *testing.T, h Harness) {
		r := newTrial(t, h, Behaviour{Name: ExitWith})
		if used {
			r.collect()
		}
		require.NoError(t, r.sandbox.Destroy(t.Context()))
		exit, err := r.sandbox.Run(t.Context(), discard())
		require.ErrorIs(t, err, container.ErrDestroyed)
		require.Zero(t, exit)
		r.requireNoOutput(container.ErrDestroyed)
	}
}

func destroyIsIdempotent(t *testing.T, h Harness) {
	r := newTrial(t, h, Behaviour{Name: ExitWith})
	r.collect()
	for range 3 {
		require.NoError(t, r.sandbox.Destroy(t.Context()))
	}
}

func destroyNeedsNoRun(t *testing.T, h Harness) {
	r := newTrial(t, h, Behaviour{Name: Hang})
	require.NoError(t, r.sandbox.Destroy(t.Context()))
}

func closedEngine(t *testing.T, h Harness) {
	engine := h.New(t)
	_, err := engine.Probe(t.Context(), h.Spec(t).Runtime)
	require.NoError(t, err)
	for range 2 {
		require.NoError(t, engine.Close())
	}
	_, err = engine.Probe(t.Context(), h.Spec(t).Runtime)
	require.ErrorIs(t, err, container.ErrClosed)
	require.ErrorIs(t, refusal(t, h, engine, h.spec(t, Behaviour{Name: ExitWith})), container.ErrClosed)
	_, err = engine.Sweep(t.Context())
	require.ErrorIs(t, err, container.ErrClosed)
}

func sandboxOutlivesClose(t *testing.T, h Harness) {
	engine := h.New(t)
	idle := newTrialOn(t, h, engine, writeTwoFiles())
	running := newTrialOn(t, h, engine, Behaviour{Name: Echo}).converse()
	running.say("before")
	running.expect("before")
	require.NoError(t, engine.Close())
	running.say("after")
	running.expect("after")
	requireCleanEnd(t, running.finish())
	exit, _ := idle.collect()
	requireCleanEnd(t, exit)
	requireTwoFiles(t, idle.output())
}
