//go:build linux

package cgroup

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// busy sends itself SIGCONT all the time, by a child that does nothing else.
const busy = `while :; do kill -CONT 0; done & while :; do :; done`

func cpuTime(t *testing.T, group *Group) time.Duration {
	t.Helper()
	used, err := group.CPUTime()
	require.NoError(t, err)
	return used
}

func grows(t *testing.T, group *Group) {
	t.Helper()
	before := cpuTime(t, group)
	require.Eventually(t, func() bool { return cpuTime(t, group) > before }, time.Minute, time.Millisecond)
}

// startAlone is start in a process group of its own, for kill 0.
func startAlone(t *testing.T, group *Group, script string) *exec.Cmd {
	t.Helper()
	return start(t, group, "exec setsid /bin/sh -c '"+script+"'")
}

func TestNothingRunsInAFrozenGroup(t *testing.T) {
	group := newGroup(t, limits())
	command := startAlone(t, group, busy)
	grows(t, group)
	for range 20 {
		require.NoError(t, group.Freeze(t.Context()))
		before := cpuTime(t, group)
		time.Sleep(5 * time.Millisecond) // in which it would have run
		require.Equal(t, before, cpuTime(t, group))
		require.NoError(t, group.Thaw())
		grows(t, group)
	}
	require.NoError(t, group.Thaw(), "idempotent")
	kill(t, group)
	require.Error(t, command.Wait())
}

// Whoever froze it may have died meanwhile.
func TestWhatIsFrozenIsKilled(t *testing.T) {
	group := newGroup(t, limits())
	command := start(t, group, "exec sleep 1000")
	require.NoError(t, group.Freeze(t.Context()))
	kill(t, group)
	require.Error(t, command.Wait())
}

func TestAGroupWithoutProcessesIsFrozenAtOnce(t *testing.T) {
	group := newGroup(t, limits())
	require.NoError(t, group.Freeze(t.Context()))
	require.NoError(t, group.Thaw())
}

func TestFreezingEndsWithItsContext(t *testing.T) {
	late := errors.New("too late")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(late)
	dir := t.TempDir() // of no kernel's: nothing is ever frozen there
	for _, name := range []string{"cgroup.freeze", "cgroup.events"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("populated 1\nfrozen 0\n"), 0o600))
	}
	require.ErrorIs(t, (unified{dir: dir}).freezer().stop(ctx), late)
}

// A limit of one hierarchy and the freezer of another would each be good for somebody else.
func TestAProcessThatIsInAnotherGroupOfTheFreezersIsFound(t *testing.T) {
	group := newGroup(t, limits())
	if group.Mode() == ModeUnified {
		t.Skip("v2 has one hierarchy")
	}
	command := start(t, group, "exec sleep 1000")
	outside := filepath.Join(mountpoint, "freezer", "cgroup.procs")
	require.NoError(t, os.WriteFile(outside, []byte(strconv.Itoa(command.Process.Pid)), 0o600))
	require.ErrorContains(t, group.Freeze(t.Context()), "is in another one of the freezer's")
	require.NoError(t, group.Thaw())
	kill(t, group)
	require.Error(t, command.Wait())
}

func TestAGroupThatIsGoneCannotBeFrozen(t *testing.T) {
	group := newGroup(t, limits())
	require.NoError(t, group.Delete())
	require.Error(t, group.Freeze(t.Context()))
	require.NoError(t, group.Thaw())
}

// A hybrid host has a v2 hierarchy, too, in which groups can be frozen.
func TestNothingRunsInAFrozenGroupOfV2(t *testing.T) {
	root := filepath.Join(mountpoint, "unified")
	if mode, err := HostMode(); err == nil && mode == ModeUnified {
		root = mountpoint
	}
	if _, err := os.Stat(filepath.Join(root, "cgroup.procs")); err != nil {
		t.Skip("this host has no v2 hierarchy")
	}
	dir := filepath.Join(root, "hotcell-test-"+strconv.Itoa(os.Getpid()))
	require.NoError(t, os.Mkdir(dir, 0o755))
	output := filepath.Join(t.TempDir(), "output")
	command := exec.Command("/bin/sh", "-c", "while :; do echo; done >"+output)
	require.NoError(t, command.Start())
	t.Cleanup(func() { require.NoError(t, removeEmpty(dir)) })
	t.Cleanup(func() {
		require.NoError(t, command.Process.Kill()) // v2 lets SIGKILL through
		require.Error(t, command.Wait())
	})
	require.NoError(t, os.WriteFile(filepath.Join(dir, "cgroup.procs"), []byte(strconv.Itoa(command.Process.Pid)), 0o600))
	group := &Group{path: "/" + filepath.Base(dir), mode: ModeUnified, tree: unified{dir: dir}}
	require.Error(t, group.Frozen())
	for range 20 {
		require.NoError(t, group.Freeze(t.Context()))
		require.NoError(t, group.Frozen())
		before := size(t, output)
		time.Sleep(5 * time.Millisecond) // in which it would have run
		require.Equal(t, before, size(t, output))
		require.NoError(t, group.Thaw())
		require.Eventually(t, func() bool { return size(t, output) > before }, time.Minute, time.Millisecond)
	}
	require.NoError(t, group.Freeze(t.Context()))
}

func size(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	if os.IsNotExist(err) {
		return 0
	}
	require.NoError(t, err)
	return info.Size()
}
