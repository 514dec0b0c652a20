package integration_test

import (
	"flag"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/job"
)

// chaosRounds is the number of kills over all targets.
var chaosRounds = flag.Int("chaos.rounds", 100, "runners to kill, over all engines and runtimes")

// randomInterrupts is the number of interrupts at random moments, for each target.
const randomInterrupts = 6

// milestone is a file that shows how far a run is: patterns below the state
// directory, of which an engine has one.
type milestone struct {
	name     string
	patterns []string
}

func milestones() []milestone {
	return []milestone{
		{"its draft is begun", []string{"runs/.draft-*"}},
		{"its sandbox is begun", []string{"sandboxes/oci/locks/*", "sandboxes/docker/[0-9a-f]*"}},
		{"its container is being made", []string{"sandboxes/oci/sandboxes/*/config.json", "sandboxes/docker/*/output"}},
		{"its container is made", []string{"sandboxes/oci/sandboxes/*/pid", "sandboxes/docker/*/output"}},
		{"its output is being verified", []string{"runs/.draft-*/files/*.txt"}},
		{"its record is written", []string{"runs/.draft-*/record.json"}},
		{"its record is in place", []string{"runs/1*"}},
	}
}

// TestTheNextRunSweepsWhatAKilledRunnerLeft kills runners by SIGKILL, one after
// the other in one state directory: most of them while they still sweep, or have
// just swept, what the one before has left. Engines and runtimes go side by side.
func TestTheNextRunSweepsWhatAKilledRunnerLeft(t *testing.T) {
	targets := append(targets(), target{name: "oci-runsc", engine: "oci", runtime: "runsc"})
	share := (*chaosRounds + len(targets) - 1) / len(targets)
	for _, each := range targets {
		t.Run(each.name, func(t *testing.T) {
			requireTarget(t, each)
			t.Parallel()
			w := newWorkspace(t, each)
			w.awards()
			whole := w.duration()
			for _, milestone := range milestones() {
				w.signalAt(milestone, syscall.SIGKILL)
			}
			random := max(0, share-len(milestones()))
			for n := range random {
				w.killAtWork(n, moment(whole, n, random))
			}
			w.requireUsable()
			w.requireNothingLeft()
		})
	}
}

// killAtWork kills a run, a run with a tool at work, or a session, in turn.
func (w *workspace) killAtWork(n int, delay time.Duration) {
	w.t.Helper()
	var r *running
	switch n % 3 {
	case 0:
		r = w.start(w.command(w.runArgs(writesMuch)...))
	case 1:
		tool := w.write("sleeper", "#!/bin/sh\nexec sleep 1000\n")
		require.NoError(w.t, os.Chmod(tool, 0o700))
		r = w.start(w.command(w.policyArgs("workflow-step", callsATool, "--tool", "slow="+tool)...))
	case 2:
		var steps io.WriteCloser
		r, steps = w.session()
		_, err := io.WriteString(steps, `{"code": "print(1)"}`+"\n"+sleepingStep)
		require.NoError(w.t, err)
	}
	w.t.Logf("SIGKILL after %s", delay)
	time.Sleep(delay) // the moment is what the test varies
	r.signal(syscall.SIGKILL)
	r.end()
}

// TestOneRunSweepsWhatManyKilledRunnersLeft kills several at once, all of them at
// work: the chain has each as interrupted.
func TestOneRunSweepsWhatManyKilledRunnersLeft(t *testing.T) {
	onEveryTarget(t, func(t *testing.T, target target) {
		w := newWorkspace(t, target)
		var many []*running
		for range 3 {
			many = append(many, w.start(w.command(w.runArgs(sleeps)...)))
		}
		w.awaitSleeps(len(many))
		for _, each := range many {
			each.signal(syscall.SIGKILL)
			each.end()
		}
		w.requireUsable()
		w.requireNothingLeft()
		w.requireInterrupted(len(many))
	})
}

// TestAnInterruptAtAnyMomentCancelsOrComesTooLate holds that a Ctrl-C leaves
// nothing, without another run, and is never told as a fault of the host.
func TestAnInterruptAtAnyMomentCancelsOrComesTooLate(t *testing.T) {
	onEveryTargetAndFromAfar(t, func(t *testing.T, target target) {
		w := newWorkspace(t, target)
		whole := w.duration()
		for _, milestone := range milestones() {
			w.requireCancelled(milestone.name, w.signalAt(milestone, syscall.SIGINT))
		}
		for n := range randomInterrupts {
			delay := moment(whole, n, randomInterrupts)
			w.requireCancelled(delay.String(), w.signalAfter(delay, syscall.SIGINT))
		}
	})
}

// afterthought is time for a daemon to complete what its client has given up.
const afterthought = 200 * time.Millisecond

func (w *workspace) requireCancelled(when string, e ended) {
	w.t.Helper()
	if e.signal == syscall.SIGINT { // before the runner could catch it
		return
	}
	if w.target.engine == "docker" {
		time.Sleep(afterthought)
	}
	w.requireNothingLeft()
	require.Contains(w.t, []int{0, job.Cancelled.ExitCode()}, e.code, "when %s: %s%s", when, e.stdout, e.stderr)
	if w.target.process {
		w.startEngine() // again
	}
}

// duration is how long a whole run takes here and now.
func (w *workspace) duration() time.Duration {
	w.t.Helper()
	begun := time.Now()
	e := w.run(writesMuch)
	require.Zero(w.t, e.code, e.stderr)
	return time.Since(begun)
}

// moment picks a random one of the nth of parts.
func moment(whole time.Duration, n, parts int) time.Duration {
	part := whole / time.Duration(parts)
	return part*time.Duration(n) + rand.N(part)
}

func (w *workspace) signalAfter(delay time.Duration, signal syscall.Signal) ended {
	w.t.Helper()
	w.t.Logf("%s after %s", signal, delay)
	r := w.start(w.command(w.runArgs(writesMuch)...))
	time.Sleep(delay)
	r.signal(signal)
	return r.end()
}

// signalAt signals a run as soon as it has come to a milestone that no run had come
// to before.
func (w *workspace) signalAt(milestone milestone, signal syscall.Signal) ended {
	w.t.Helper()
	before := w.find(milestone)
	r := w.start(w.command(w.runArgs(writesMuch)...))
	reached := w.awaitNew(milestone, before)
	r.signal(signal)
	e := r.end()
	require.True(w.t, reached, "no run came to where %s: %s", milestone.name, e.stderr)
	return e
}

func (w *workspace) find(milestone milestone) []string {
	w.t.Helper()
	var found []string
	for _, pattern := range milestone.patterns {
		paths, err := filepath.Glob(filepath.Join(w.state, pattern))
		require.NoError(w.t, err)
		found = append(found, paths...)
	}
	return found
}

func (w *workspace) awaitNew(milestone milestone, before []string) bool {
	for begun := time.Now(); time.Since(begun) < patience; {
		if slices.ContainsFunc(w.find(milestone), func(path string) bool { return !slices.Contains(before, path) }) {
			return true
		}
		time.Sleep(200 * time.Microsecond)
	}
	return false
}
