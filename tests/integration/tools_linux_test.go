package integration_test

import (
	"cmp"
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/job"
)

// callsATool waits for an answer that does not come.
const callsATool = `context.tools.call("slow", {})`

// slowTool is a tool that notes its pid and that of a child, and then sleeps.
func (w *workspace) slowTool() (flag, pids string) {
	w.t.Helper()
	pids = w.path("pids")
	tool := w.write("slow", "#!/bin/sh\nsleep 1000 &\necho $$ $! > "+pids+"\nwait\n")
	require.NoError(w.t, os.Chmod(tool, 0o700))
	return "slow=" + tool, pids
}

// awaitPids returns the processes that a slow tool has noted.
func (w *workspace) awaitPids(file string) []int {
	w.t.Helper()
	var found []int
	require.Eventually(w.t, func() bool {
		content, _ := os.ReadFile(file)
		found = nil
		for field := range strings.FieldsSeq(string(content)) {
			pid, err := strconv.Atoi(field)
			require.NoError(w.t, err)
			found = append(found, pid)
		}
		return len(found) == 2
	}, patience, 5*time.Millisecond, "the tool was never called")
	return found
}

// requireEnded waits until a process is gone or a zombie: its reaper may be slow.
func (w *workspace) requireEnded(pid int) {
	w.t.Helper()
	require.Eventually(w.t, func() bool {
		status, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
		return err != nil || strings.Contains(string(status), ") Z ")
	}, patience, 5*time.Millisecond, "process %d of the tool is alive", pid)
}

func TestAnInterruptEndsAToolAndNothingRemains(t *testing.T) {
	onEveryTarget(t, func(t *testing.T, target target) {
		w := newWorkspace(t, target)
		tool, file := w.slowTool()
		r := w.start(w.command(w.policyArgs("workflow-step", callsATool, "--tool", tool, "--json")...))
		pids := w.awaitPids(file)
		r.signal(syscall.SIGINT)
		e := r.end()
		require.Equal(t, job.Cancelled.ExitCode(), e.code, e.stderr)
		calls := e.result(t).ToolCalls
		require.Len(t, calls, 1)
		require.False(t, calls[0].OK)
		for _, pid := range pids {
			w.requireEnded(pid)
		}
		w.requireNothingLeft()
	})
}

// TestNoToolOutlivesAKilledRunner kills the runner with a signal that it cannot
// handle: the kernel ends the tool with it, and the next run sweeps.
func TestNoToolOutlivesAKilledRunner(t *testing.T) {
	onEveryTarget(t, func(t *testing.T, target target) {
		w := newWorkspace(t, target)
		tool, file := w.slowTool()
		cmd := w.command(w.policyArgs("workflow-step", callsATool, "--tool", tool)...)
		r := w.start(cmd)
		pids := w.awaitPids(file)
		require.NoError(t, cmd.Process.Kill())
		r.end()
		w.requireEnded(pids[0])
		require.NoError(t, syscall.Kill(pids[1], syscall.SIGKILL)) // its child has no such tie
		w.requireUsable()
		w.requireNothingLeft()
	})
}

// policyArgs is runArgs for another policy.
func (w *workspace) policyArgs(policy, script string, flags ...string) []string {
	w.t.Helper()
	args := append([]string{"run", "--policy", policy}, w.target.flags()...)
	return append(append(args, flags...), w.write("script.py", script))
}

// awards adds the bundle that table-query wants.
func (w *workspace) awards() {
	w.t.Helper()
	w.write("data/award_data.csv", "a,b\n1,2\n")
	w.runner("bundle", "create", "data", "--name", "awards", "--version", "1.0", "--study", "S1",
		"--method", "synthetic", "--attested-by", "A. Tester", "--statement", "Made up.")
	w.runner("bundle", "add", "data")
}

// session starts a session and returns what its steps are written to.
func (w *workspace) session(flags ...string) (*running, io.WriteCloser) {
	w.t.Helper()
	policy := cmp.Or(os.Getenv("HOTCELL_TEST_SESSION"), "table-query") // or one with more patience
	args := append([]string{"session", "--policy", policy, "--bundle", "awards", "--json"}, w.target.flags()...)
	cmd := w.command(append(args, flags...)...)
	steps, err := cmd.StdinPipe()
	require.NoError(w.t, err)
	return w.start(cmd), steps
}

const sleepingStep = `{"code": "time.sleep(1000)"}` + "\n"

func TestAnInterruptEndsASessionAndNothingRemains(t *testing.T) {
	onEveryTargetAndFromAfar(t, func(t *testing.T, target target) {
		w := newWorkspace(t, target)
		w.awards()
		r, steps := w.session()
		_, err := io.WriteString(steps, sleepingStep)
		require.NoError(t, err)
		r.awaitSleep()
		r.signal(syscall.SIGINT)
		e := r.end()
		require.Equal(t, job.Cancelled.ExitCode(), e.code, e.stderr)
		require.Equal(t, 2, strings.Count(e.stdout, `"status":"cancelled"`), "the step's line and the session's: %s", e.stdout)
		w.requireNothingLeft()
	})
}

func TestTheNextRunSweepsWhatAKilledSessionLeft(t *testing.T) {
	onEveryTargetAndFromAfar(t, func(t *testing.T, target target) {
		w := newWorkspace(t, target)
		w.awards()
		r, steps := w.session()
		w.mayWarn = []string{"a caller did not take its answer"}
		_, err := io.WriteString(steps, `{"code": "print(1)"}`+"\n"+sleepingStep)
		require.NoError(t, err)
		r.awaitSleep()
		r.signal(syscall.SIGKILL)
		r.end()
		w.requireUsable()
		w.requireNothingLeft()
	})
}

func TestASessionWhoseInputEndsInTheMiddleOfALineEnds(t *testing.T) {
	requireTarget(t, targets()[0])
	w := newWorkspace(t, targets()[0])
	w.awards()
	r, steps := w.session()
	_, err := io.WriteString(steps, `{"code": "print(1)"}`+"\n"+`{"code": "pri`)
	require.NoError(t, err)
	require.NoError(t, steps.Close())
	e := r.end()
	require.Zero(t, e.code, e.stderr)
	require.Contains(t, e.stdout, "step refused")
	require.Equal(t, 2, strings.Count(e.stdout, `"status":"succeeded"`), e.stdout)
	w.requireNothingLeft()
}
