package integration_test

import (
	"cmp"
	"fmt"
	"os"
	"runtime"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/job"
)

// TestEveryStatus shows on each target that every ending of a script is told by its
// name, for where the kernel counts, and how, differs between hosts; and that nothing
// remains. What a signal cancels is tried beside it, and the CPU clock by the engines'
// suite: on a slow machine the wall clock of a policy that has both may be first.
func TestEveryStatus(t *testing.T) {
	onEveryTarget(t, func(t *testing.T, target target) {
		for _, ending := range endings() {
			t.Run(ending.name, func(t *testing.T) { ending.try(t, target) })
		}
	})
}

// ending is a script and what becomes of it. It runs without the guard, where the
// guard itself would stop it: by containment-probe, or a policy that differs by its
// clocks alone, for a machine on which five seconds are little (HOTCELL_TEST_PROBE).
type ending struct {
	name, script string
	flags        []string
	unguarded    bool
	status       job.Status
	limit        job.Limit
	message      string // part of the error's
}

func endings() []ending {
	// Where seccomp denies tgkill(2), abort(3) ends by an instruction of the processor's.
	aborted := map[string]string{"amd64": "SIGSEGV", "arm64": "SIGTRAP"}[runtime.GOARCH]
	return []ending{
		{name: "succeeded", script: writesALittle, status: job.Succeeded},
		{name: "failed", script: `raise ValueError("no such patient")`, status: job.Failed, message: "no such patient"},
		{name: "calls nested in C", script: nestsInC, status: job.Failed, message: "RecursionError"},
		{name: "rejected", script: "import socket", status: job.Rejected},
		{name: "wall clock", script: sleeps, flags: []string{"--timeout", "2s"}, status: job.TimedOut, limit: job.LimitWallClock},
		{name: "memory", script: "x = [bytearray(1 << 20) for _ in range(1000)]", unguarded: true, status: job.OutOfMemory, limit: job.LimitMemory},
		{name: "processes and threads", script: startsThreads, unguarded: true, status: job.LimitExceeded, limit: job.LimitPIDs},
		{name: "output in bytes", script: fillsOutput, unguarded: true, status: job.LimitExceeded, limit: job.LimitOutputBytes},
		{name: "output in files", script: makesFiles, unguarded: true, status: job.LimitExceeded, limit: job.LimitOutputFiles},
		{name: "a signal", script: "import os; os.abort()", unguarded: true, status: job.Killed, message: aborted},
		{name: "a denied call", script: fmt.Sprintf(makesCall, syscall.SYS_PTRACE), unguarded: true, status: job.Killed, message: "ptrace"},
		{name: "a bad file", script: `(OUTPUT / "a.png").write_bytes(b"\x80\x04.")`, unguarded: true, status: job.OutputRejected},
	}
}

// Scripts for the limits of containment-probe.
const (
	nestsInC = `
import sys
sys.setrecursionlimit(10_000)
def nest(depth):
    return depth and sorted([depth], key=lambda depth: nest(depth - 1))[0]
nest(9_000)
`
	startsThreads = `
import threading
stop = threading.Event()
for _ in range(64):
    threading.Thread(target=stop.wait, daemon=True).start()
`
	fillsOutput = `
for n in range(40):
    (OUTPUT / f"{n}.txt").write_bytes(b"x" * (1 << 20))
`
	makesFiles = `
for n in range(200):
    (OUTPUT / f"{n}.txt").touch()
`
	makesCall = "import ctypes; ctypes.CDLL(None).syscall(%d, 0, 0, 0, 0)"
)

func (e ending) try(t *testing.T, target target) {
	w := newWorkspace(t, target)
	args := w.runArgs(e.script, append(e.flags, "--json")...)
	if e.unguarded {
		args = append(args, "--policy", cmp.Or(os.Getenv("HOTCELL_TEST_PROBE"), "containment-probe"), "--allow-unguarded") // the last one counts
	}
	end := w.start(w.command(args...)).end()
	got := end.result(t)
	require.Equal(t, e.status, got.Status, "%s\n%s", end.stdout, end.stderr)
	require.Equal(t, e.status.ExitCode(), end.code)
	require.Equal(t, e.limit, got.Limit)
	if e.message != "" {
		require.NotNil(t, got.Error)
		require.Contains(t, got.Error.Type+": "+got.Error.Message, e.message)
	}
	w.requireNothingLeft()
}
