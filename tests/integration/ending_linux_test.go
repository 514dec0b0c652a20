package integration_test

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/job"
)

func TestSignalsCancelARunAndNothingRemains(t *testing.T) {
	onEveryTargetAndFromAfar(t, func(t *testing.T, target target) {
		for _, signal := range []syscall.Signal{
			syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT,
			syscall.SIGABRT, syscall.SIGSYS, syscall.SIGTRAP, syscall.SIGSEGV, // Go's own ending for them is exit code 2, "nothing ran"
			syscall.SIGTSTP, syscall.SIGTTIN, syscall.SIGTTOU, // a runner that is stopped keeps no clock
		} {
			t.Run(signal.String(), func(t *testing.T) {
				w := newWorkspace(t, target)
				r := w.start(w.command(w.runArgs(sleeps, "--json")...))
				r.awaitSleep()
				r.signal(signal)
				e := r.end()
				require.Equal(t, job.Cancelled.ExitCode(), e.code, e.stderr)
				require.Equal(t, job.Cancelled, e.result(t).Status)
				w.requireNothingLeft()
			})
		}
	})
}

// Ctrl-Z again and again must not leave a sandbox alive behind a runner that stands
// still in the middle of its clean-up.
func TestNoSecondStopKeepsTheCleanUp(t *testing.T) {
	onEveryTargetAndFromAfar(t, func(t *testing.T, target target) {
		w := newWorkspace(t, target)
		r := w.start(w.command(w.runArgs(sleeps, "--json")...))
		r.awaitSleep()
		for range 3 {
			r.signal(syscall.SIGTSTP)
			r.signal(syscall.SIGTTOU)
			r.signal(syscall.SIGTTIN)
		}
		e := r.end()
		require.Equal(t, job.Cancelled.ExitCode(), e.code, e.stderr)
		require.Equal(t, job.Cancelled, e.result(t).Status)
		w.requireNothingLeft()
	})
}

// TestTwoSignalsInARowAreOneRequest is timeout(1), which signals the process and then its
// group, and a user who presses Ctrl-C twice.
func TestTwoSignalsInARowAreOneRequest(t *testing.T) {
	onEveryTargetAndFromAfar(t, func(t *testing.T, target target) {
		for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
			t.Run(signal.String(), func(t *testing.T) {
				w := newWorkspace(t, target)
				r := w.start(w.command(w.runArgs(sleeps, "--json")...))
				r.awaitSleep()
				r.signal(signal)
				r.signal(signal)
				e := r.end()
				require.Equal(t, job.Cancelled.ExitCode(), e.code, e.stderr)
				require.Equal(t, job.Cancelled, e.result(t).Status)
				w.requireNothingLeft()
			})
		}
	})
}

// TestSignalsThatDoNotStopEndItAndTheNextRunSweeps goes on when the runner cleans up: one of
// the later ones ends it there, if it takes so long.
func TestSignalsThatDoNotStopEndItAndTheNextRunSweeps(t *testing.T) {
	onEveryTargetAndFromAfar(t, func(t *testing.T, target target) {
		w := newWorkspace(t, target)
		w.mayWarn = []string{"a caller did not take its answer"}
		r := w.start(w.command(w.runArgs(sleeps)...))
		r.awaitSleep()
		r.signal(syscall.SIGINT)
		r.awaitKill()
		for range 8 {
			r.signal(syscall.SIGINT)
			time.Sleep(200 * time.Millisecond)
		}
		e := r.end()
		if e.signal == syscall.SIGINT {
			require.Contains(t, e.stderr, "the next run removes what is left")
		} else {
			require.Equal(t, job.Cancelled.ExitCode(), e.code, e.stderr)
		}
		w.requireUsable()
		w.requireNothingLeft()
	})
}

// TestAReaderThatGoesAwayTakesNothingWithIt is `runner run … | head -1`: the run comes
// to its end and is recorded.
func TestAReaderThatGoesAwayTakesNothingWithIt(t *testing.T) {
	onEveryTargetAndFromAfar(t, func(t *testing.T, target target) {
		w := newWorkspace(t, target)
		reader, writer, err := os.Pipe()
		require.NoError(t, err)
		// More than the pipe holds: the runner is still writing when nobody reads any more.
		cmd := w.command(w.runArgs(`
for n in range(20_000):
    print("x" * 200)
`)...)
		cmd.Stdout = writer
		r := w.start(cmd)
		require.NoError(t, writer.Close())
		line, err := bufio.NewReaderSize(reader, 16).ReadString('\n')
		require.NotErrorIs(t, err, io.EOF, line)
		require.NoError(t, reader.Close())
		e := r.end()
		require.Zero(t, e.code, e.stderr)
		require.Equal(t, w.runs.ids(), names(t, filepath.Join(w.state, "runs")), "the record")
		w.requireNothingLeft()
	})
}
