package integration_test

import (
	"bufio"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/job"
)

// engineProcess is the target whose runs an engine process makes.
func engineProcess() target {
	return target{name: "engine-process", engine: "oci", runtime: "crun", process: true}
}

// onEveryTargetAndFromAfar is for what a command must do alike wherever its runs are made.
func onEveryTargetAndFromAfar(t *testing.T, test func(*testing.T, target)) {
	t.Helper()
	onEveryTarget(t, test)
	t.Run(engineProcess().name, func(t *testing.T) {
		requireTarget(t, engineProcess())
		test(t, engineProcess())
	})
}

// startEngine returns when the engine process is ready.
func (w *workspace) startEngine() {
	w.t.Helper()
	args := append([]string{"engine", "--sweep-every", "1s"}, w.target.flags()...)
	for policy := range strings.FieldsSeq(w.target.warm) {
		args = append(args, "--warm", policy)
	}
	if w.target.forks > 0 {
		args = append(args, "--forks", strconv.Itoa(w.target.forks))
	}
	cmd := exec.Command(runnerPath, args...) // it ends in order, before the test's context has ended it
	cmd.Env, cmd.Dir = w.command().Env, w.dir
	says, err := cmd.StderrPipe()
	require.NoError(w.t, err)
	require.NoError(w.t, cmd.Start())
	w.engine, w.said = cmd, make(chan string, 1)
	w.t.Cleanup(w.endEngine)
	lines, said := bufio.NewReader(says), w.said
	defer func() { // also where it has said something else, for whoever ends it
		go func() {
			rest, _ := io.ReadAll(lines) // ends with it
			said <- string(rest)
		}()
	}()
	for ready := false; !ready; {
		line, err := lines.ReadString('\n')
		require.NoError(w.t, err, line)
		ready = strings.Contains(line, "engine ready")
		require.True(w.t, ready || strings.Contains(line, "removed what an earlier runner left behind"), line)
	}
}

// endEngine waits until it has ended in order: nothing of it is left then.
func (w *workspace) endEngine() {
	w.t.Helper()
	if w.engine == nil {
		return
	}
	engine := w.engine
	w.engine = nil
	require.NoError(w.t, engine.Process.Signal(syscall.SIGTERM))
	w.requireNoWarning(<-w.said)
	require.NoError(w.t, engine.Wait())
	require.NoFileExists(w.t, filepath.Join(w.state, "engine.sock"))
}

// killEngine ends it by SIGKILL.
func (w *workspace) killEngine() {
	w.t.Helper()
	engine := w.engine
	w.engine = nil
	require.NoError(w.t, engine.Process.Kill())
	w.requireNoWarning(<-w.said)
	_ = engine.Wait() // it was killed
}

// requireNoWarning wants an engine process to have warned of nothing but what the test
// brings about: what it could not remove, for one, it tells nobody else.
func (w *workspace) requireNoWarning(said string) {
	w.t.Helper()
	require.NotContains(w.t, said, "goroutine ", "the engine has panicked")
	for line := range strings.Lines(said) {
		if strings.Contains(line, "level=WARN") || strings.Contains(line, "level=ERROR") {
			require.True(w.t, containsAny(line, w.mayWarn), "the engine warns: %s", line)
		}
	}
}

// TestAKilledEngineProcessIsAnErrorAndIsSwept kills it in the middle of a run: the command
// must not run anything a second time, and the next engine process sweeps.
func TestAKilledEngineProcessIsAnErrorAndIsSwept(t *testing.T) {
	requireTarget(t, engineProcess())
	w := newWorkspace(t, engineProcess())
	r := w.start(w.command(w.runArgs(sleeps)...))
	r.awaitSleep()
	w.killEngine()
	e := r.end()
	require.Equal(t, job.ExitInternal, e.code, e.stderr)
	require.Contains(t, e.stderr, "engine.sock: the engine has gone before it answered")
	e = w.run(writesALittle)
	require.Equal(t, job.ExitInternal, e.code, e.stderr)
	require.Contains(t, e.stderr, "has died")
	require.Len(t, w.runs.ids(), 1, "nothing ran in its place")
	w.startEngine()
	w.requireUsable()
	w.requireNothingLeft()
}

// TestAnEngineProcessSweepsWhatAKilledColdRunLeft kills a run that was made beside it: no
// command that would sweep comes after, and its own runs go on.
func TestAnEngineProcessSweepsWhatAKilledColdRunLeft(t *testing.T) {
	requireTarget(t, engineProcess())
	w := newWorkspace(t, engineProcess())
	w.mayWarn = []string{"removed what an earlier runner left behind"}
	own := w.start(w.command(w.runArgs(sleeps, "--json")...))
	own.awaitSleep()
	mine := w.sleepers()
	draft := w.find(draftBegun)
	killed := w.start(w.command(w.runArgs(sleeps, "--cold")...))
	theirs := func(id string) bool { return !slices.Contains(mine, id) }
	require.Eventually(t, func() bool { return slices.ContainsFunc(w.sleepers(), theirs) }, patience, 10*time.Millisecond)
	killed.signal(syscall.SIGKILL)
	killed.end()
	require.Eventually(t, func() bool {
		return slices.Equal(w.sleepers(), mine) && slices.Equal(w.find(draftBegun), draft)
	}, patience, 10*time.Millisecond, "nobody sweeps")
	own.signal(syscall.SIGINT)
	e := own.end()
	require.Equal(t, job.Cancelled, e.result(t).Status, "the sweep has left it alone")
	w.requireUsable()
	w.requireNothingLeft()
}

var draftBegun = milestone{"its draft is begun", []string{"runs/.draft-*"}}

// sleepers are the sandboxes in which a script sleeps.
func (w *workspace) sleepers() []string {
	w.t.Helper()
	return slices.DeleteFunc(w.sandboxes.ids(), func(id string) bool {
		return !slices.ContainsFunc(processesOf(w.t, []string{id}), inSleep)
	})
}

// TestAnEngineProcessEndsAfterItsRuns sends it SIGTERM in the middle of one: new ones are
// refused, and a second signal cancels.
func TestAnEngineProcessEndsAfterItsRuns(t *testing.T) {
	requireTarget(t, engineProcess())
	w := newWorkspace(t, engineProcess())
	r := w.start(w.command(w.runArgs(sleeps, "--json")...))
	r.awaitSleep()
	require.NoError(t, w.engine.Process.Signal(syscall.SIGTERM))
	require.Eventually(t, func() bool {
		e := w.run(writesALittle)
		return e.code == job.ExitInternal && strings.Contains(e.stderr, "no new request is taken")
	}, patience, 1)
	w.endEngine() // the second signal
	e := r.end()
	require.Equal(t, job.Cancelled.ExitCode(), e.code, e.stderr)
	require.Equal(t, job.Cancelled, e.result(t).Status)
	w.requireUsable()
	w.requireNothingLeft()
}
