//go:build linux

package docker

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"hotcell/internal/container"
	"hotcell/internal/container/containertest"
)

// prepares begins a script with a guard that prepares for what follows.
const prepares = "import os, sys\nif not os.read(0, 1): sys.exit(0)\n%s\nos.write(1, b'W')\n" + waitForInput

// echoes says what its run has sent.
var echoes = fmt.Sprintf(prepares, "") + "print('in', sys.stdin.read(), flush=True); open('/output/x', 'w').write('x')"

// template makes one that does not outlive the test.
func (h harness) template(t *testing.T, spec container.Spec) *template {
	t.Helper()
	made, err := h.Prepare(t.Context(), container.NewID(), spec, containertest.Preparation())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, made.Destroy(context.Background())) })
	return made.(*template)
}

func ready(t *testing.T, from *template) *standby {
	t.Helper()
	made, err := from.Create(t.Context(), container.NewID())
	require.NoError(t, err)
	t.Cleanup(func() { destroy(t, made) })
	return made.(*standby)
}

func destroy(t *testing.T, sandbox container.Sandbox) {
	t.Helper()
	ctx, cancel := container.ReleaseContext(context.Background())
	defer cancel()
	require.NoError(t, sandbox.Destroy(ctx))
}

func requireDead(t *testing.T, what interface{ Dead() <-chan struct{} }) {
	t.Helper()
	select {
	case <-what.Dead():
	case <-time.After(time.Minute):
		t.Fatal("it is not known to be dead")
	}
}

func TestASandboxInAdvanceIsUsedOnce(t *testing.T) {
	h := newHarness(t, false)
	from := h.template(t, h.spec(echoes))
	one, other := ready(t, from), ready(t, from)
	require.NotEqual(t, one.containerID, other.containerID)
	got := h.run(t.Context(), t, one, "xone")
	require.Equal(t, "in one\n", got.stdout, got.stderr)
	requireDead(t, one)
	_, err := one.Run(t.Context(), container.Streams{Stdin: strings.NewReader("x"), Stdout: io.Discard, Stderr: io.Discard})
	require.ErrorIs(t, err, container.ErrUsed)
	root, err := one.Output(t.Context())
	require.NoError(t, err)
	require.NoError(t, root.Close())
	require.NoError(t, from.Destroy(t.Context()))
	_, err = from.Create(t.Context(), container.NewID())
	require.ErrorIs(t, err, container.ErrDestroyed)
	require.Equal(t, "in two\n", h.run(t.Context(), t, other, "xtwo").stdout, "it does not depend on the template's life")
	destroy(t, one)
	destroy(t, other)
	requireNothingLeft(t, h)
}

func TestAnIdleSandboxThatIsDestroyedLeavesNothing(t *testing.T) {
	h := newHarness(t, false)
	made := ready(t, h.template(t, h.spec(echoes)))
	pid := made.fittings.monitor.(*localMonitor).pid
	destroy(t, made)
	destroy(t, made)
	requireDead(t, made)
	require.ErrorIs(t, unix.Kill(pid, 0), unix.ESRCH)
	requireNothingLeft(t, h)
	requireNoGroup(t, made.id)
}

func TestADeadGuardOfAnIdleSandboxIsNoticed(t *testing.T) {
	h := newHarness(t, false)
	from := h.template(t, h.spec(echoes))
	killed, cutOff := ready(t, from), ready(t, from)
	require.False(t, isClosed(killed.Dead()))
	require.NoError(t, unix.Kill(killed.fittings.monitor.(*localMonitor).pid, unix.SIGKILL))
	requireDead(t, killed)
	cutOff.current.attachment.conn.Close() // as a daemon that ends does
	requireDead(t, cutOff)
	_, err := from.Memory()
	require.NoError(t, err, "what has died is no reason not to weigh the others")
	got := h.run(t.Context(), t, killed, "x")
	require.Equal(t, "SIGKILL", got.Signal, "a run in one that has died ends as it did")
	require.Empty(t, got.stdout)
}

func TestAGuardThatCannotPrepareSaysWhy(t *testing.T) {
	h := newHarness(t, false)
	for name, test := range map[string]struct{ script, wanted string }{
		"it raises":        {fmt.Sprintf(prepares, "raise ValueError('no such table')"), "ValueError: no such table"},
		"it says nothing":  {"import os; os.read(0, 1)", "wait for the guard"},
		"it says too much": {"import os; os.read(0, 1); os.write(1, b'X'); os.read(0, 1)", `said "X"`},
	} {
		t.Run(name, func(t *testing.T) {
			id := container.NewID()
			_, err := h.template(t, h.spec(test.script)).Create(t.Context(), id)
			require.ErrorContains(t, err, test.wanted)
			requireNothingLeft(t, h)
			requireNoGroup(t, id)
		})
	}
}

func TestAPreparationEndsWithItsCaller(t *testing.T) {
	h := newHarness(t, false)
	from := h.template(t, h.spec("import time; time.sleep(1000)"))
	ctx, cancel := context.WithCancelCause(t.Context())
	gone := errors.New("nobody waits any more")
	from.preparation.Await = func(reader io.Reader) error {
		cancel(gone)
		_, err := io.ReadAll(reader)
		return err
	}
	_, err := from.Create(ctx, container.NewID())
	require.ErrorIs(t, err, gone)
	requireNothingLeft(t, h)
}

// What a preparation uses up is not the run's, neither for the clock nor for the kernel's own
// limit.
func TestCPUTimeBeforeTheRunIsNotTheRuns(t *testing.T) {
	const burn = "import time\nend = time.process_time() + %d\nwhile time.process_time() < end: pass"
	h := newHarness(t, false)
	spec := h.spec(fmt.Sprintf(prepares, fmt.Sprintf(burn, 4)) + "print('in', flush=True)")
	spec.Limits.CPUTime = time.Second // with its backstop it would have ended the preparation
	made := ready(t, h.template(t, spec))
	requireCPULimit(t, made.fittings.monitor.(*localMonitor).pid, spec.Limits.CPUTime, 4*time.Second)
	got := h.run(t.Context(), t, made, "x")
	require.Equal(t, "in\n", got.stdout, got.stderr)
	require.Less(t, got.Usage.CPUMS, int64(1000))

	spins := h.spec(fmt.Sprintf(prepares, fmt.Sprintf(burn, 1)) + "while True: pass")
	spins.Limits.CPUTime = time.Second
	got = h.run(t.Context(), t, ready(t, h.template(t, spins)), "x")
	require.True(t, got.KilledByUs)
	require.Equal(t, "cpu_time", string(got.Limit))
	require.GreaterOrEqual(t, got.Usage.CPUMS, int64(1000))
}

// requireCPULimit wants the kernel's limit to be what a run may use, after what its guard has
// used: a start takes longer on one machine than on another. Since that was read the guard
// may have used a little more, and so may have begun another second.
func requireCPULimit(t *testing.T, pid int, allowed, burnt time.Duration) {
	t.Helper()
	limits, err := os.ReadFile(fmt.Sprintf("/proc/%d/limits", pid)) // prlimit(2) is for the process's own user
	require.NoError(t, err)
	_, line, _ := strings.Cut(string(limits), "Max cpu time")
	var soft, hard int64
	_, err = fmt.Sscan(line, &soft, &hard)
	require.NoError(t, err, line)
	var used unix.Timespec
	require.NoError(t, unix.ClockGettime(cpuClock(pid), &used))
	require.GreaterOrEqual(t, used.Nano(), burnt.Nanoseconds())
	most := container.CPUBackstop(allowed + time.Duration(used.Nano()))
	require.Contains(t, []int64{most - 1, most}, soft)
	require.Equal(t, soft, hard)
}

func TestATemplateHoldsWhatItsIdleSandboxesHold(t *testing.T) {
	const held = 20 << 20
	h := newHarness(t, false)
	from := h.template(t, h.spec(fmt.Sprintf(prepares, fmt.Sprintf("table = b'x' * %d", held))))
	weigh := func() int64 {
		bytes, err := from.Memory()
		require.NoError(t, err)
		return bytes
	}
	require.Zero(t, weigh())
	one := ready(t, from)
	require.Greater(t, weigh(), int64(held))
	other := ready(t, from)
	require.Greater(t, weigh(), int64(2*held))
	destroy(t, one)
	require.Less(t, weigh(), int64(2*held))
	h.run(t.Context(), t, other, "x")
	require.Zero(t, weigh(), "what runs counts for its own limits")
}

func TestLimitsOfAnIdleSandboxAreLoweredAndReadBack(t *testing.T) {
	h := newHarness(t, false)
	spec := h.spec(fmt.Sprintf(prepares, "table = b'x' * (20 << 20)"))
	from := h.template(t, spec)
	half := container.Tightened{MemoryBytes: 48 << 20, PIDs: 7, CPUMillis: 250}
	place := func(t *testing.T, made *standby, limits func() error, change func()) {
		t.Helper()
		require.NoError(t, made.Tighten(t.Context(), container.Tightened{}))
		require.NoError(t, limits(), "as they were")
		require.ErrorContains(t, made.Tighten(t.Context(), container.Tightened{PIDs: spec.Limits.PIDs + 1}), "does not tighten")
		require.ErrorIs(t, made.Tighten(t.Context(), container.Tightened{MemoryBytes: 16 << 20}), container.ErrCannotTighten)
		require.NoError(t, limits(), "it is as it was")
		require.NoError(t, made.Tighten(t.Context(), half))
		require.NoError(t, limits(), "the kernel's are compared with the new ones")
		require.Equal(t, half.PIDs, made.spec.Enforced().PIDs)
		change()
		require.ErrorContains(t, limits(), "limits are")
		require.Zero(t, h.run(t.Context(), t, made, "x").Code)
	}
	t.Run("in a group of ours", func(t *testing.T) {
		made := ready(t, from)
		monitor := made.fittings.monitor.(*localMonitor)
		place(t, made, monitor.checkLimits, func() { monitor.limits.PIDs++ })
	})
	t.Run("in the daemon's own", func(t *testing.T) {
		found, err := h.daemon(t.Context())
		require.NoError(t, err)
		found.cgroups = cgroupSupport{detail: "none is made here"}
		id := container.NewID()
		box, err := h.build(t.Context(), found, &sandbox{
			engine: h.Engine, life: container.NewLifecycle(id, nil), id: id, spec: spec, preparing: container.PrepareTime,
		})
		require.NoError(t, err)
		made := newStandby(box, from, container.Host{})
		t.Cleanup(func() { destroy(t, made) })
		require.NoError(t, made.prepare(t.Context(), containertest.Preparation()))
		monitor := made.fittings.monitor.(*nearMonitor)
		if h.podman {
			require.ErrorIs(t, made.Tighten(t.Context(), half), container.ErrCannotTighten)
			return
		}
		check := func() error { return monitor.checkOwnGroup(openProc(monitor.pid), made.containerID) }
		place(t, made, check, func() { monitor.limits.PIDs++ })
	})
}

func TestADaemonElsewhereHasNoSandboxesInAdvance(t *testing.T) {
	h := newHarness(t, true)
	_, err := h.Prepare(t.Context(), container.NewID(), h.spec(echoes), containertest.Preparation())
	require.ErrorContains(t, err, "does not share this kernel")
	requireNothingLeft(t, h)
}

func TestManySandboxesInAdvanceAtOnce(t *testing.T) {
	h := newHarness(t, false)
	from := h.template(t, h.spec(echoes))
	var work sync.WaitGroup
	var mu sync.Mutex
	said := map[string]bool{}
	const count = 6
	for number := range count {
		work.Go(func() {
			made, err := from.Create(t.Context(), container.NewID())
			if err != nil {
				t.Error(err)
				return
			}
			defer destroy(t, made)
			var stdout bytes.Buffer
			_, err = made.Run(t.Context(), container.Streams{
				Stdin: strings.NewReader(fmt.Sprint("x", number)), Stdout: &stdout, Stderr: io.Discard,
			})
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			said[stdout.String()] = true
		})
	}
	work.Wait()
	require.Len(t, said, count)
	requireNothingLeft(t, h)
}

// TestIdleVictim is not a test of its own: the next one runs it in a process of its own.
func TestIdleVictim(t *testing.T) {
	state := os.Getenv(idleState)
	if state == "" {
		return
	}
	h := newHarnessIn(t, state, false)
	// Its guard lives on when its stdin has ended.
	made := ready(t, h.template(t, h.spec(fmt.Sprintf(prepares, "")+"import time; time.sleep(1000)")))
	fmt.Println("waits as", made.id, "with process", made.fittings.monitor.(*localMonitor).pid)
	select {}
}

const idleState = "HOTCELL_DOCKER_IDLE_STATE"

func TestSweepRemovesIdleSandboxesOfAProcessThatWasKilled(t *testing.T) {
	h := newHarness(t, false)
	alive := ready(t, h.template(t, h.spec(echoes)))
	victim := exec.Command(os.Args[0], "-test.run=^TestIdleVictim$", "-test.v")
	victim.Env = append(os.Environ(), idleState+"="+h.state, "TMPDIR="+t.TempDir())
	output, err := victim.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, victim.Start())
	var id string
	var pid int
	buffer := make([]byte, 4096)
	for said := ""; !strings.Contains(said, "\n") || id == ""; {
		size, err := output.Read(buffer)
		require.NoError(t, err, said)
		said += string(buffer[:size])
		if _, rest, found := strings.Cut(said, "waits as "); found && strings.Contains(rest, "\n") {
			_, err := fmt.Sscanf(rest, "%s with process %d", &id, &pid)
			require.NoError(t, err, said)
		}
	}
	require.NoError(t, victim.Process.Kill())
	_ = victim.Wait() // "signal: killed"
	require.DirExists(t, filepath.Join(h.state, id))
	removed, err := h.Sweep(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, removed)
	require.ErrorIs(t, unix.Kill(pid, 0), unix.ESRCH)
	require.Equal(t, "in alive\n", h.run(t.Context(), t, alive, "xalive").stdout, "it was not touched")
	destroy(t, alive)
	requireNothingLeft(t, h)
}

func TestWhatAGuardPrintsInItsRunIsHandedOn(t *testing.T) {
	var one container.Kept
	_, err := one.Write([]byte("before"))
	require.NoError(t, err)
	var later bytes.Buffer
	one.HandOver(&later)
	_, err = one.Write([]byte("later"))
	require.NoError(t, err)
	require.Equal(t, "later", later.String())
	require.Equal(t, "before", one.Text())
}
