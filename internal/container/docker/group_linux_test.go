package docker

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"hotcell/internal/container"
	"hotcell/internal/container/cgroup"
)

// groupOfOurs is an empty group.
func groupOfOurs(t *testing.T, name string) *cgroup.Group {
	t.Helper()
	needRoot(t)
	place, err := cgroup.Home(t.Context())
	require.NoError(t, err)
	group, err := cgroup.Create(filepath.Join(place.Path, name), container.Resources(testLimits()))
	require.NoError(t, err)
	t.Cleanup(func() {
		ctx, cancel := container.ReleaseContext(t.Context())
		defer cancel()
		require.NoError(t, group.Kill(ctx))
		require.NoError(t, group.Delete())
	})
	return group
}

// asleep is a process that may already be dead, and is not waited for before the end.
func asleep(t *testing.T) *exec.Cmd {
	t.Helper()
	command := exec.Command("/bin/sleep", "600")
	require.NoError(t, command.Start())
	t.Cleanup(func() {
		_ = command.Process.Kill()
		require.Error(t, command.Wait())
	})
	return command
}

// On v1 a container's processes are moved. The number that the daemon tells may be
// another's by then, and so may what is read by it.
func TestNoStrangersProcessIsMoved(t *testing.T) {
	ours, theirs := groupOfOurs(t, "hotcell-test-ours"), groupOfOurs(t, "hotcell-test-theirs")
	stranger, dead := asleep(t), asleep(t)
	require.NoError(t, theirs.AddProc(stranger.Process.Pid))
	gone := pidfdOf(t, dead.Process.Pid)
	require.NoError(t, dead.Process.Kill())
	require.True(t, isDead(gone, dyingPatience))

	id := strings.Repeat("0c", 32)
	for name, process := range map[string]opened{
		"in a group without the container's name": {
			pidfd: pidfdOf(t, stranger.Process.Pid), groups: map[string]string{"pids": theirs.Path()},
		},
		"with the number of a process that has ended": {pidfd: gone, groups: map[string]string{"pids": "/docker/" + id}},
	} {
		process.pid = stranger.Process.Pid
		err := (&localMonitor{group: ours}).adopt(t.Context(), process, id)
		if ours.Mode() != cgroup.ModeUnified { // there, nothing is moved
			require.Error(t, err, name)
		}
		found, err := theirs.Procs()
		require.NoError(t, err)
		require.Equal(t, []int{stranger.Process.Pid}, found, name)
	}
}

// On v2 a container is below our group from its first moment: what the kernel has counted
// of one that ended before anybody saw it is not left to the daemon's opinion.
func TestAContainerThatEndedAtOnceIsCounted(t *testing.T) {
	group := groupOfOurs(t, "hotcell-test-brief")
	if group.Mode() != cgroup.ModeUnified {
		t.Skip("v1: it would have to be moved first")
	}
	hog := exec.Command("/bin/sh", "-c", "read go; head -c 200000000 /dev/zero | tail -n 1 >/dev/null")
	stdin, err := hog.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, hog.Start())
	require.NoError(t, group.AddProc(hog.Process.Pid))
	require.NoError(t, stdin.Close())
	_ = hog.Wait()
	counted, err := (&localMonitor{group: group}).counts(t.Context(), "")
	require.NoError(t, err)
	require.Positive(t, counted.oomKills)
}

// The same for a limit that is given by number.
func TestALimitIsForTheContainersProcess(t *testing.T) {
	stranger := asleep(t)
	var before, after unix.Rlimit
	require.NoError(t, unix.Prlimit(stranger.Process.Pid, unix.RLIMIT_NOFILE, nil, &before))
	require.ErrorIs(t, limitOpenFiles(stranger.Process.Pid, strings.Repeat("0c", 32), 7), errIsolation)
	require.NoError(t, unix.Prlimit(stranger.Process.Pid, unix.RLIMIT_NOFILE, nil, &after))
	require.Equal(t, before, after)
}
