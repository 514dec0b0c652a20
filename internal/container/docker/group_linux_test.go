package docker

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	containerapi "github.com/moby/moby/api/types/container"
	"github.com/moby/moby/client"
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

// A container is below our group from its first moment: what became of one that ended before
// anybody saw it is not left to the daemon's opinion.
func TestAContainerThatEndedAtOnceIsCounted(t *testing.T) {
	id := strings.Repeat("0c", 32)
	for name, test := range map[string]struct {
		script  string
		signal  string
		adopted bool // and so counted by the kernel where we look
		killed  bool // by us
		kills   int64
	}{
		"by memory.max":                                 {script: "exec tail /dev/zero", signal: "SIGKILL", kills: 1},
		"by another, below its limit":                   {script: "kill -9 $$", signal: "SIGKILL"},
		"by itself, after a child has met its limit":    {script: "tail /dev/zero; exit 3"},
		"by us, after a child has met its limit":        {script: "tail /dev/zero; kill -9 $$", signal: "SIGKILL", killed: true},
		"when it had been seen, and met its limit once": {script: "tail /dev/zero; kill -9 $$", signal: "SIGKILL", adopted: true},
	} {
		t.Run(name, func(t *testing.T) {
			group := groupOfOurs(t, "hotcell-test-brief")
			monitor := &localMonitor{group: group, placed: true, adopted: test.adopted, stats: tellingDaemon(t, false)}
			ended := (&watch{sandbox: &sandbox{}, killed: test.killed}).exit(sample{}, endedBelow(t, monitor, id, test.script), 0)
			require.Equal(t, test.signal, ended.Signal)
			require.Zero(t, ended.HostOOMKills)
			if group.Mode() == cgroup.ModeUnified { // its count has all below
				require.Equal(t, strings.Contains(test.script, "/dev/zero"), ended.OOMKills > 0)
				return
			}
			require.Equal(t, test.kills, ended.OOMKills)
		})
	}
}

// What it has heard counts where nothing else is known.
func TestADaemonsWordOnMemoryIsTaken(t *testing.T) {
	for _, heard := range []bool{true, false} {
		ended, err := (&localMonitor{stats: tellingDaemon(t, heard)}).counts(t.Context(), "any")
		require.NoError(t, err)
		require.Equal(t, heard, ended.oomKills == 1)
		require.False(t, ended.uncounted)
	}
}

// tellingDaemon has heard of an end by memory.max, or not.
func tellingDaemon(t *testing.T, heard bool) *remoteMonitor {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Api-Version", client.MaxAPIVersion)
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(containerapi.InspectResponse{State: &containerapi.State{OOMKilled: heard}})
	}))
	t.Cleanup(server.Close)
	return &remoteMonitor{api: engineAt(t, "tcp://"+server.Listener.Addr().String()).api}
}

// endedBelow has a script end in a group below the monitor's, which is removed, as a runtime does.
func endedBelow(t *testing.T, monitor *localMonitor, id, script string) account {
	t.Helper()
	below, err := cgroup.Create(filepath.Join(monitor.group.Path(), id), container.Resources(testLimits()))
	require.NoError(t, err)
	command := exec.Command("/bin/sh", "-c", "read go; "+script)
	stdin, err := command.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, command.Start())
	added := below.AddProc(command.Process.Pid)
	require.NoError(t, stdin.Close())
	_ = command.Wait() // its status is what is looked at
	require.NoError(t, errors.Join(added, below.Delete()))

	ended, err := monitor.counts(t.Context(), id)
	require.NoError(t, err)
	ended.exit = exitFromKernel(int32(command.ProcessState.Sys().(syscall.WaitStatus)))
	return ended
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
