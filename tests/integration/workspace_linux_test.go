package integration_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/job"
)

const (
	// patience ends a test that hangs; nothing is asserted about how long it took.
	patience = 2 * time.Minute
	// heldOpen is how long our pipe may outlive the runner: a longer holder is a
	// leftover, and Wait then fails.
	heldOpen = 10 * time.Second
)

// workspace is a state directory of its own, and all that its runners touch.
type workspace struct {
	t         *testing.T
	target    target
	dir       string // holds the rest
	state     string
	tmp       string // TMPDIR of the runners
	runs      *nameWatch
	sandboxes *nameWatch
	engine    *exec.Cmd   // the engine process, or nil
	said      chan string // what it has printed once it was ready, when it has ended
	mayWarn   []string    // what it may warn of, by a part of the line
}

func newWorkspace(t *testing.T, target target) *workspace {
	t.Helper()
	dir := t.TempDir()
	w := &workspace{t: t, target: target, dir: dir, state: filepath.Join(dir, "state"), tmp: filepath.Join(dir, "tmp")}
	for _, each := range []string{w.state, w.tmp, w.path("data")} {
		require.NoError(t, os.Mkdir(each, 0o700))
	}
	t.Cleanup(w.sweep)
	return w.begin()
}

// sweep keeps a failed test from leaving its sandboxes on the machine.
func (w *workspace) sweep() {
	if w.t.Failed() {
		cmd := w.command(w.runArgs(writesALittle, "--cold")...) // its engine process may be dead
		swept := exec.Command(cmd.Path, cmd.Args[1:]...)        // the test's context has ended
		swept.Env = cmd.Env
		output, err := swept.CombinedOutput()
		w.t.Logf("sweep after failure: %v\n%s", err, output)
	}
}

// begin lays out the state directory, which may be a fresh mount.
func (w *workspace) begin() *workspace {
	w.t.Helper()
	require.NoError(w.t, os.Symlink(images, filepath.Join(w.state, "images")))
	runs := filepath.Join(w.state, "runs")
	sandboxes := filepath.Join(w.state, "sandboxes", "oci", "locks") // auto takes oci on every host of these tests
	if w.target.engine == "docker" {
		sandboxes = filepath.Join(w.state, "sandboxes", "docker")
	}
	require.NoError(w.t, errors.Join(os.Mkdir(runs, 0o700), os.MkdirAll(sandboxes, 0o700)))
	w.runs, w.sandboxes = watchNames(w.t, runs, isRun), watchNames(w.t, sandboxes, isSandbox)
	if w.target.process {
		w.startEngine()
	}
	return w
}

func (w *workspace) path(name string) string { return filepath.Join(w.dir, name) }

func (w *workspace) write(name, content string) string {
	w.t.Helper()
	require.NoError(w.t, os.WriteFile(w.path(name), []byte(content), 0o600))
	return w.path(name)
}

// command is the runner with nothing of our environment but what it needs.
func (w *workspace) command(args ...string) *exec.Cmd {
	cmd := exec.CommandContext(w.t.Context(), runnerPath, args...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOTCELL_STATE=" + w.state, "TMPDIR=" + w.tmp, "DOCKER_HOST=" + os.Getenv("DOCKER_HOST")}
	cmd.Dir = w.dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // a terminal's Ctrl-C goes to a process group
	cmd.WaitDelay = heldOpen
	return cmd
}

// runArgs are the arguments of `runner run` on the workspace's target.
func (w *workspace) runArgs(script string, flags ...string) []string {
	w.t.Helper()
	args := slices.Concat([]string{"run", "--policy", "study-analysis"}, w.target.flags(), flags)
	if content, err := os.ReadFile(w.path("script.py")); err == nil && string(content) == script {
		return append(args, w.path("script.py")) // another runner may be reading it
	}
	return append(args, w.write("script.py", script))
}

// running is a runner at work.
type running struct {
	w              *workspace
	cmd            *exec.Cmd
	stdout, stderr bytes.Buffer // only after end
}

// ended is what became of a runner.
type ended struct {
	code           int // -1 when a signal ended it
	signal         syscall.Signal
	stdout, stderr string
}

func (w *workspace) start(cmd *exec.Cmd) *running {
	w.t.Helper()
	r := &running{w: w, cmd: cmd}
	if cmd.Stdout == nil {
		cmd.Stdout = &r.stdout
	}
	cmd.Stderr = &r.stderr
	require.NoError(w.t, cmd.Start())
	return r
}

func (r *running) signal(signal syscall.Signal) {
	r.w.t.Helper()
	if err := syscall.Kill(-r.cmd.Process.Pid, signal); err != nil {
		require.ErrorIs(r.w.t, err, syscall.ESRCH) // it was quicker
	}
}

// end waits for the runner. It kills one that hangs.
func (r *running) end() ended {
	r.w.t.Helper()
	hung := time.AfterFunc(patience, func() { r.signal(syscall.SIGABRT) })
	defer hung.Stop()
	err := r.cmd.Wait()
	require.NotErrorIs(r.w.t, err, exec.ErrWaitDelay, "somebody still holds the runner's output")
	state := r.cmd.ProcessState
	e := ended{code: state.ExitCode(), stdout: r.stdout.String(), stderr: r.stderr.String()}
	if status := state.Sys().(syscall.WaitStatus); status.Signaled() {
		e.signal = status.Signal()
	}
	require.NotContains(r.w.t, e.stderr, "goroutine ", "the runner has panicked")
	return e
}

// run runs one script to its end.
func (w *workspace) run(script string, flags ...string) ended {
	w.t.Helper()
	return w.start(w.command(w.runArgs(script, flags...)...)).end()
}

// requireUsable runs a script in the ordinary way, which also sweeps.
func (w *workspace) requireUsable() {
	w.t.Helper()
	e := w.run(writesALittle)
	require.Zero(w.t, e.code, e.stderr)
	require.Contains(w.t, e.stdout, "written")
}

// result reads --json strictly: one document and nothing else.
func (e ended) result(t *testing.T) job.Result {
	t.Helper()
	var result job.Result
	decoder := json.NewDecoder(strings.NewReader(e.stdout))
	require.NoError(t, decoder.Decode(&result), "%s\n%s", e.stdout, e.stderr)
	_, err := decoder.Token()
	require.ErrorIs(t, err, io.EOF, "more than one document on stdout")
	return result
}

// Scripts.
const (
	writesALittle = `
(OUTPUT / "a.txt").write_text("x")
print("written")
`
	writesMuch = `
for n in range(30):
    (OUTPUT / f"{n}.txt").write_text("x" * (1 << 20))
`
	sleeps = `
import time
(OUTPUT / "a.txt").write_text("x")
time.sleep(100)
`
)
