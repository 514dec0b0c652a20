//go:build linux

package docker

import (
	"context"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
	"hotcell/internal/job"
)

// waitForInput lets a script do its work only once Run has let the run in.
const waitForInput = "import sys, os; sys.stdin.buffer.read(1)\n"

func bothPlaces(t *testing.T, test func(t *testing.T, h harness)) {
	t.Run("local", func(t *testing.T) { test(t, newHarness(t, false)) })
	t.Run("remote", func(t *testing.T) { test(t, newHarness(t, true)) })
}

func TestRunCarriesStreamsAndExitCode(t *testing.T) {
	bothPlaces(t, func(t *testing.T, h harness) {
		made := h.create(t, h.spec("import sys; sys.stdout.write(sys.stdin.read()); sys.stderr.write('err'); sys.exit(3)"))
		got := h.run(t.Context(), t, made, strings.Repeat("hello ", 100_000))
		require.Equal(t, 3, got.Code)
		require.Empty(t, got.Signal)
		require.False(t, got.KilledByUs)
		require.Equal(t, strings.Repeat("hello ", 100_000), got.stdout)
		require.Equal(t, "err", got.stderr)
	})
}

func TestRunIsOnce(t *testing.T) {
	h := newHarness(t, false)
	made := h.create(t, h.spec("pass"))
	_, err := made.Output(t.Context())
	require.ErrorIs(t, err, container.ErrNotEnded)
	h.run(t.Context(), t, made, "")
	_, err = made.Run(t.Context(), container.Streams{Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: io.Discard})
	require.ErrorIs(t, err, container.ErrUsed)
}

func TestEnvironmentIsExactlyTheSpecs(t *testing.T) {
	bothPlaces(t, func(t *testing.T, h harness) {
		spec := h.spec("import os, json; print(json.dumps([k + '=' + v for k, v in os.environ.items()]))")
		got := h.run(t.Context(), t, h.create(t, spec), "")
		var environment []string
		require.NoError(t, json.Unmarshal([]byte(got.stdout), &environment))
		require.ElementsMatch(t, slices.Concat(spec.Environment, h.environment), environment)
	})
}

func TestWallClockKillsWhatIgnoresSignals(t *testing.T) {
	bothPlaces(t, func(t *testing.T, h harness) {
		made := h.create(t, h.spec("import signal, time; [signal.signal(s, signal.SIG_IGN) for s in (1, 2, 15)]; print('ready', flush=True); time.sleep(1000)"))
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		got, err := made.Run(ctx, container.Streams{Stdin: strings.NewReader(""), Stdout: startedWriter{cancel}, Stderr: io.Discard})
		require.NoError(t, err)
		require.True(t, got.KilledByUs)
		require.Equal(t, "SIGKILL", got.Signal)
		require.Empty(t, got.Limit)
	})
}

func TestCPUClockKills(t *testing.T) {
	bothPlaces(t, func(t *testing.T, h harness) {
		spec := h.spec(waitForInput + "\nwhile True: pass")
		spec.Limits.CPUTime = time.Second
		got := h.run(t.Context(), t, h.create(t, spec), "x")
		require.True(t, got.KilledByUs)
		require.Equal(t, job.LimitCPUTime, got.Limit)
		require.GreaterOrEqual(t, got.Usage.CPUMS, int64(1000), "the clock fired before the limit")
	})
}

type refusingWriter struct{}

func (refusingWriter) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

func TestWriteErrorKills(t *testing.T) {
	bothPlaces(t, func(t *testing.T, h harness) {
		made := h.create(t, h.spec(waitForInput+"\nwhile True: print('flood')"))
		exit, err := made.Run(t.Context(), container.Streams{Stdin: strings.NewReader("x"), Stdout: refusingWriter{}, Stderr: io.Discard})
		require.NoError(t, err)
		require.True(t, exit.KilledByUs)
	})
}
