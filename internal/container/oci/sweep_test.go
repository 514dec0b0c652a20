//go:build linux

package oci

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"hotcell/internal/container"
	"hotcell/internal/container/cgroup"
	"hotcell/internal/container/containertest"
)

// The variables that make this test binary an owner that gets killed.
const (
	abandonState   = "HOTCELL_TEST_ABANDON_STATE"
	abandonRuntime = "HOTCELL_TEST_ABANDON_RUNTIME"
	abandonRootFS  = "HOTCELL_TEST_ABANDON_ROOTFS"
	abandonMarker  = "HOTCELL_TEST_ABANDON_MARKER"
	abandonCall    = "HOTCELL_TEST_ABANDON_CALL" // a program in a runtime's place
	abandonHeld    = "HOTCELL_TEST_ABANDON_HELD" // not empty: while its sandbox is held
)

// abandon is the body of the owner: one sandbox that is idle, one that runs, and
// then it waits for its SIGKILL. It prints the ids.
func abandon(state string) {
	h, err := hostIn(context.Background(), filepath.Dir(state), os.Getenv(abandonRuntime))
	exitOn(err)
	exitOn(cgroup.MakePlace(h.cgroups))
	h.cgroups += "/owner" // its place is its own: who sweeps learns it from the state
	h.rootFS = os.Getenv(abandonRootFS)
	engine, err := New(h.options())
	exitOn(err)
	hang := containertest.Behaviour{Name: containertest.Hang, Marker: os.Getenv(abandonMarker)}
	spec := spec()
	spec.Command = containertest.PythonCommand(hang)
	var ids [2]container.ID
	var sandboxes [2]container.Sandbox
	for i := range sandboxes {
		ids[i] = container.NewID()
		sandboxes[i], err = engine.Create(context.Background(), ids[i], spec)
		exitOn(err)
	}
	stdin, _ := io.Pipe()
	stdout := readyWriter{ids: fmt.Sprintf("%s %s\n", ids[0], ids[1])}
	if os.Getenv(abandonHeld) != "" {
		stdout.hold = sandboxes[1]
	}
	_, err = sandboxes[1].Run(context.Background(), container.Streams{Stdin: stdin, Stdout: stdout, Stderr: os.Stderr})
	exitOn(err)
	os.Exit(1)
}

// readyWriter prints the ids when the guard has spoken.
type readyWriter struct {
	ids  string
	hold container.Sandbox // before that, or nil
}

func (w readyWriter) Write(chunk []byte) (int, error) {
	if w.hold != nil {
		_, err := w.hold.Hold(context.Background())
		exitOn(err)
	}
	fmt.Print(w.ids)
	return len(chunk), nil
}

func exitOn(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func TestSweepAfterTheOwnerWasKilled(t *testing.T) {
	for _, runtime := range runtimes() {
		t.Run(runtime, func(t *testing.T) { sweepAfterTheOwnerWasKilled(t, runtime) })
	}
}

// On cgroup v1 nothing that is frozen ends.
func TestSweepAfterTheOwnerWasKilledInAHold(t *testing.T) {
	t.Setenv(abandonHeld, "yes")
	for _, runtime := range runtimes() {
		t.Run(runtime, func(t *testing.T) { sweepAfterTheOwnerWasKilled(t, runtime) })
	}
}

func sweepAfterTheOwnerWasKilled(t *testing.T, runtime string) {
	t.Helper()
	h := newHost(t, runtime)
	marker := rand()
	ids := killedOwner(t, h, marker)
	alive, err := containertest.HostProcesses(marker)
	require.NoError(t, err)
	require.NotEmpty(t, alive, "the sandbox died with its owner: this test shows nothing")

	engine := h.engine(t)
	removed, err := engine.Sweep(t.Context())
	require.NoError(t, err)
	require.Equal(t, 2, removed)
	reapAll(t)

	alive, err = containertest.HostProcesses(marker)
	require.NoError(t, err)
	require.Empty(t, alive)
	for _, id := range ids {
		requireNothingLeft(t, h, id)
	}
	removed, err = engine.Sweep(t.Context())
	require.NoError(t, err)
	require.Zero(t, removed)
}

// crun start waits for ever for the reader of a pipe, where that was killed just before: it is
// in no control group, and nobody would end it.
func TestARuntimeDiesWithItsOwner(t *testing.T) {
	require.NoError(t, becomeSubreaper())
	runtime := filepath.Join(t.TempDir(), "runtime")
	require.NoError(t, unix.Mkfifo(runtime+".begun", 0o600))
	require.NoError(t, os.WriteFile(runtime, []byte("#!/bin/sh\necho $$ >$0.begun\nexec sleep 1000\n"), 0o700))
	owner := exec.Command(os.Args[0])
	owner.Env = append(os.Environ(), abandonCall+"="+runtime)
	require.NoError(t, owner.Start())
	_, err := os.ReadFile(runtime + ".begun")
	require.NoError(t, err)
	require.NotEmpty(t, children(t))
	require.NoError(t, owner.Process.Kill())
	require.Error(t, owner.Wait())
	reapAll(t)
}

func rand() string { return "marker-" + container.NewID().String() }

func killedOwner(t *testing.T, h host, marker string) []container.ID {
	t.Helper()
	owner := exec.Command(os.Args[0])
	owner.Env = append(os.Environ(), abandonState+"="+h.state, abandonRuntime+"="+h.runtime, abandonRootFS+"="+h.rootFS, abandonMarker+"="+marker)
	owner.Stderr = os.Stderr
	stdout, err := owner.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, owner.Start())
	line, err := bufio.NewReader(stdout).ReadString('\n')
	require.NoError(t, err)
	require.NoError(t, owner.Process.Kill())
	require.Error(t, owner.Wait())
	var ids []container.ID
	for text := range strings.FieldsSeq(line) {
		id, err := container.ParseID(text)
		require.NoError(t, err)
		ids = append(ids, id)
	}
	return ids
}

func requireNothingLeft(t *testing.T, h host, id container.ID) {
	t.Helper()
	left, err := h.leftovers(id)
	require.NoError(t, err)
	require.Empty(t, left)
}

// Each stage is what a kill between two steps of Create leaves, or worse.
func TestSweepOfHalfMadeSandboxes(t *testing.T) {
	for _, test := range []struct {
		name  string
		leave func(*testing.T, *Engine, container.ID)
	}{
		{"a lock alone", func(*testing.T, *Engine, container.ID) {}},
		{"an empty directory", func(t *testing.T, e *Engine, id container.ID) {
			require.NoError(t, os.Mkdir(e.sandboxDir(id), 0o700))
		}},
		{"a directory without a lock", func(t *testing.T, e *Engine, id container.ID) {
			require.NoError(t, os.Mkdir(e.sandboxDir(id), 0o700))
			require.NoError(t, os.Remove(e.lockPath(id)))
		}},
		{"a configuration without a container", func(t *testing.T, e *Engine, id container.ID) {
			require.NoError(t, os.Mkdir(e.sandboxDir(id), 0o700))
			require.NoError(t, os.WriteFile(filepath.Join(e.sandboxDir(id), configFile), []byte("{"), 0o600))
		}},
		{"a control group alone", func(t *testing.T, e *Engine, id container.ID) {
			_, err := cgroup.Create(filepath.Join(e.mounts.place, id.String()), container.Resources(spec().Limits))
			require.NoError(t, err)
		}},
		{"a runtime's broken state", func(t *testing.T, e *Engine, id container.ID) {
			state := filepath.Join(e.runtimeRoot(e.options.Runtime), id.String())
			require.NoError(t, os.MkdirAll(state, 0o700))
			require.NoError(t, os.WriteFile(filepath.Join(state, "state.json"), []byte("{"), 0o600))
		}},
		{"the state of a runtime that is gone", func(t *testing.T, e *Engine, id container.ID) {
			require.NoError(t, os.MkdirAll(filepath.Join(e.runtimeRoot("runsc"), id.String()), 0o700))
			programs := t.TempDir()
			runc, err := exec.LookPath("runc")
			require.NoError(t, err)
			require.NoError(t, os.Symlink(runc, filepath.Join(programs, "runc")))
			t.Setenv("PATH", programs)
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := newHost(t, "runc")
			engine := h.engine(t)
			_, err := engine.Probe(t.Context(), "")
			require.NoError(t, err)
			id := container.NewID()
			require.NoError(t, os.WriteFile(engine.lockPath(id), nil, 0o600))
			test.leave(t, engine, id)
			removed, err := engine.Sweep(t.Context())
			require.NoError(t, err)
			require.Equal(t, 1, removed)
			requireNothingLeft(t, h, id)
		})
	}
}

func TestSweepRefusesForeignEntries(t *testing.T) {
	h := newHost(t, "runc")
	engine := h.engine(t)
	_, err := engine.Probe(t.Context(), "")
	require.NoError(t, err)
	require.NoError(t, os.Mkdir(filepath.Join(engine.sandboxesDir(), "precious"), 0o700))
	_, err = engine.Sweep(t.Context())
	require.ErrorContains(t, err, "precious")
	require.DirExists(t, filepath.Join(engine.sandboxesDir(), "precious"))
}

func TestLockOfALivingOwnerIsRespected(t *testing.T) {
	h := newHost(t, "runc")
	engine := h.engine(t)
	_, err := engine.Probe(t.Context(), "")
	require.NoError(t, err)
	id := container.NewID()
	held, err := engine.lock(t.Context(), id)
	require.NoError(t, err)
	defer held.Close()
	_, err = engine.lock(t.Context(), id)
	require.ErrorIs(t, err, errLocked)
}

// Another process of the state directory may be stopped while it is at a lock.
func TestNobodyWaitsAtTheGateForLongerThanHisContext(t *testing.T) {
	h := newHost(t, runtimes()[0])
	engine := h.engine(t)
	mounts, err := engine.prepare(t.Context())
	require.NoError(t, err)
	id := container.NewID()
	gate, err := engine.enterGate(t.Context())
	require.NoError(t, err)
	defer gate.Close()

	late := errors.New("too late")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(late)
	for name, lock := range map[string]func() error{
		"create": func() error {
			_, err := engine.claim(ctx, container.NewLifecycle(id, nil), spec(), &discovery{mounts: mounts})
			return err
		},
		"sweep": func() error { return engine.sweepOne(ctx, id, mounts) },
		"probe": func() error {
			_, err := engine.tryGroup(ctx, mounts)
			return err
		},
	} {
		require.ErrorIs(t, lock(), late, name)
	}
	require.NoFileExists(t, engine.lockPath(id))
}

// Another caller's discovery takes as long as that one's context lets it.
func TestNobodyWaitsForADiscoveryForLongerThanHisContext(t *testing.T) {
	h := newHost(t, runtimes()[0])
	engine := h.engine(t)
	leave, err := engine.await(t.Context())
	require.NoError(t, err)

	late := errors.New("too late")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(late)
	_, err = engine.Probe(ctx, "")
	require.ErrorIs(t, err, late)
	_, err = engine.Sweep(ctx)
	require.ErrorIs(t, err, late)

	leave()
	_, err = engine.Probe(t.Context(), "")
	require.NoError(t, err)
}

// A sweeper may remove the lock's file between another's opening and locking it.
func TestRemovedLockIsNotCurrent(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	file, err := os.Create(path)
	require.NoError(t, err)
	defer file.Close()
	require.NoError(t, os.Remove(path))
	current, err := lockCurrent(file)
	require.NoError(t, err)
	require.False(t, current)
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	current, err = lockCurrent(file)
	require.NoError(t, err)
	require.False(t, current, "another file of the same name")
}

// A sandbox that was listed may be destroyed by its owner before the sweep comes to
// it: the sweep has then removed nothing, and makes nothing.
func TestSweepDoesNotCountWhatItsOwnerHasDestroyed(t *testing.T) {
	h := newHost(t, runtimes()[0])
	engine := h.engine(t)
	mounts, err := engine.prepare(t.Context())
	require.NoError(t, err)
	id := container.NewID()
	held, err := engine.lock(t.Context(), id)
	require.NoError(t, err)
	listed, err := engine.known()
	require.NoError(t, err)
	require.Equal(t, []container.ID{id}, listed)

	require.NoError(t, os.Remove(held.Name()))
	require.NoError(t, held.Close())

	require.ErrorIs(t, engine.sweepOne(t.Context(), id, mounts), errGone)
	require.NoFileExists(t, engine.lockPath(id))
}

// A copy of a state directory, such as a restored backup, has the locks of its
// original's living sandboxes, and nobody holds the copies.
func TestACopyOfTheStateLeavesTheOriginalsSandboxesAlone(t *testing.T) {
	for _, test := range []struct {
		name  string
		leave func(t *testing.T, original, copied *Engine, id container.ID)
	}{
		{"all of it", func(*testing.T, *Engine, *Engine, container.ID) {}},
		{"without the lock, which was made later", func(t *testing.T, _, copied *Engine, id container.ID) {
			require.NoError(t, os.Remove(copied.lockPath(id)))
		}},
		{"without the directory, which was made later", func(t *testing.T, _, copied *Engine, id container.ID) {
			require.NoError(t, os.RemoveAll(copied.sandboxDir(id)))
		}},
		{"moved away, and the copy in its place", func(t *testing.T, original, copied *Engine, _ container.ID) {
			there, away := original.options.StateDir, original.options.StateDir+"-away"
			require.NoError(t, os.Rename(there, away))
			require.NoError(t, os.Rename(copied.options.StateDir, there))
			t.Cleanup(func() {
				require.NoError(t, os.RemoveAll(there))
				require.NoError(t, os.Rename(away, there))
			})
			copied.options.StateDir = there
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := newHost(t, "runc")
			original := h.engine(t)
			living := python(t, original, "pass")
			second := h
			second.state = h.state + "-copy"
			require.NoError(t, exec.Command("cp", "-a", h.state, second.state).Run())
			copied := second.engine(t)
			test.leave(t, original, copied, living.id)

			removed, err := copied.Sweep(t.Context())
			require.NoError(t, err)
			require.Zero(t, removed)
			require.NoFileExists(t, copied.lockPath(living.id))
			require.NoDirExists(t, copied.sandboxDir(living.id))
			pids, err := living.group.Procs()
			require.NoError(t, err)
			require.NotEmpty(t, pids, "the copy has ended a sandbox of its original")
		})
	}
}

// Whoever can write the state directory must not choose by a name in it what root runs.
func TestNoNameInTheStateChoosesAProgram(t *testing.T) {
	h := newHost(t, runtimes()[0])
	engine := h.engine(t)
	mounts, err := engine.prepare(t.Context())
	require.NoError(t, err)
	programs, id := t.TempDir(), container.NewID()
	ran := filepath.Join(programs, "ran")
	require.NoError(t, os.WriteFile(filepath.Join(programs, "adv-evil"), []byte("#!/bin/sh\ntouch "+ran+"\n"), 0o700))
	t.Setenv("PATH", programs+":"+os.Getenv("PATH"))
	planted := engine.runtimeRoot("adv-evil")
	require.NoError(t, os.MkdirAll(filepath.Join(planted, id.String()), 0o700))
	s := engine.handle(id, mounts)
	err = engine.removeAny(t.Context(), s)
	require.NoFileExists(t, ran)
	require.ErrorContains(t, err, planted+" is of no runtime that this engine knows (crun, runc, runsc): remove it")
}
