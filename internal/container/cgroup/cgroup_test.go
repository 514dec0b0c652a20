//go:build linux

package cgroup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/containerd/cgroups/v3/cgroup2"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	"golang.org/x/sys/unix"

	"hotcell/internal/container"
	"hotcell/internal/job"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// newGroup makes a group of the test's own and removes it with all that lives in it.
func newGroup(t *testing.T, limits job.Limits) *Group {
	t.Helper()
	requireRoot(t)
	place, err := Home(t.Context())
	require.NoError(t, err)
	path := fmt.Sprintf("%s/test-%s", place.Path, container.NewID())
	group, err := Create(path, container.Resources(limits))
	require.NoError(t, err)
	t.Cleanup(func() {
		ctx, cancel := container.ReleaseContext(context.Background())
		defer cancel()
		require.NoError(t, group.Kill(ctx))
		require.NoError(t, group.Delete())
		_, err := Load(path)
		require.ErrorIs(t, err, ErrNotFound)
	})
	return group
}

func requireRoot(t *testing.T) {
	t.Helper()
	if os.Geteuid() == 0 {
		return
	}
	if os.Getenv("HOTCELL_REQUIRE_ALL") == "1" {
		t.Fatal("needs root to make control groups")
	}
	t.Skip("needs root to make control groups")
}

func limits() job.Limits { return job.Limits{MemoryBytes: 32 << 20, PIDs: 16, CPUMillis: 500} }

// start runs a shell that waits for a line before it does script in the group.
func start(t *testing.T, group *Group, script string) *exec.Cmd {
	t.Helper()
	command := exec.Command("/bin/sh", "-c", "read go; "+script)
	stdin, err := command.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, command.Start())
	require.NoError(t, group.AddProc(command.Process.Pid))
	_, err = stdin.Write([]byte("go\n"))
	require.NoError(t, err)
	return command
}

func TestLimitsReachTheKernel(t *testing.T) {
	group := newGroup(t, limits())
	got, err := group.Limits()
	require.NoError(t, err)
	require.Equal(t, Settings{MemoryBytes: 32 << 20, SwapBytes: 0, PIDs: 16, CPUMillis: 500}, got)
}

func TestOutOfMemoryIsCounted(t *testing.T) {
	group := newGroup(t, limits())
	require.Error(t, start(t, group, "head -c 200000000 /dev/zero | tail -n 1 >/dev/null").Wait())
	usage, err := group.Usage()
	require.NoError(t, err)
	require.Positive(t, usage.OOMKills)
	require.True(t, usage.MemoryMet)
	require.Zero(t, usage.HostOOMKills)
	require.Greater(t, usage.MemoryPeakBytes, int64(16<<20))
}

func TestDeniedForksAreCounted(t *testing.T) {
	group := newGroup(t, limits())
	command := start(t, group, "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do sleep 100 & done; wait")
	require.Eventually(t, func() bool {
		usage, err := group.Usage()
		return err == nil && usage.PIDsDenied > 0
	}, time.Minute, 10*time.Millisecond)
	kill(t, group)
	require.Error(t, command.Wait())
	usage, err := group.Usage()
	require.NoError(t, err)
	require.Contains(t, []int64{16, -1}, usage.PIDsPeak)
}

// newPair makes a group in another one, with limits of its own.
func newPair(t *testing.T, outer, inner job.Limits) (above, below *Group) {
	t.Helper()
	above = newGroup(t, outer)
	require.NoError(t, MakePlace(above.Path()+"/place"))
	below, err := Create(above.Path()+"/place/sandbox", container.Resources(inner))
	require.NoError(t, err)
	return above, below
}

// Kernels before 6.11, and those of v1, count a denied fork where it was tried, whoever's
// limit denied it: an administrator's around all sandboxes, or that of a runner's container.
func TestAForkThatAnothersLimitDeniesIsNotOurs(t *testing.T) {
	outer, inner := limits(), limits()
	outer.PIDs, inner.PIDs = 5, 100
	above, group := newPair(t, outer, inner)
	command := start(t, group, "for i in 1 2 3 4 5 6 7 8 9; do sleep 100 & done; wait")
	require.Eventually(t, func() bool {
		pids, err := group.Procs()
		return err == nil && len(pids) > 0 && len(pids) <= 5 && denials(t, group)+denials(t, above) > 0
	}, time.Minute, 10*time.Millisecond)
	usage, err := group.Usage()
	require.NoError(t, err)
	require.Zero(t, usage.PIDsDenied)
	kill(t, above)
	require.Error(t, command.Wait())
}

// Where two forks meet, the slower one may write the lower peak: a run that is at its
// limit does not hide it so.
func TestADenialIsOursInDoubt(t *testing.T) {
	group := fakeUnified(t, unifiedFiles()) // its peak is below its limit
	above := filepath.Dir(group.tree.pidsDir())
	for name, test := range map[string]struct {
		peak, max string
		want      int64
	}{"room above": {"9", "16", 4}, "no limit above": {"9", "max", 4}, "no room above": {"9", "9", 0}} {
		require.NoError(t, os.WriteFile(filepath.Join(above, "pids.peak"), []byte(test.peak+"\n"), 0o600))
		require.NoError(t, os.WriteFile(filepath.Join(above, "pids.max"), []byte(test.max+"\n"), 0o600))
		usage, err := group.Usage()
		require.NoError(t, err)
		require.Equal(t, test.want, usage.PIDsDenied, name)
	}
}

// denials are those that the kernel counts for the group, whoever's they are.
func denials(t *testing.T, group *Group) int64 {
	t.Helper()
	count, err := requiredCount(filepath.Join(group.tree.pidsDir(), "pids.events"), "max")
	require.NoError(t, err)
	return count
}

// What the host kills when its own memory runs out has not met a limit of its own.
func TestAKillForWantOfAnothersMemoryIsNotOurs(t *testing.T) {
	outer, inner := limits(), limits()
	outer.MemoryBytes, inner.MemoryBytes = 16<<20, 256<<20
	_, group := newPair(t, outer, inner)
	require.Error(t, start(t, group, "head -c 200000000 /dev/zero | tail -n 1 >/dev/null").Wait())
	usage, err := group.Usage()
	require.NoError(t, err)
	require.Zero(t, usage.OOMKills)
	require.False(t, usage.MemoryMet)
	require.Positive(t, usage.HostOOMKills)
}

// A runtime removes its group at once, and the script that may not fork ends of it.
func TestDenialsOutliveTheGroup(t *testing.T) {
	alone := limits()
	alone.PIDs = 1
	for name, test := range map[string]struct {
		script string
		denied int64
	}{"one": {"(exec true)", 1}, "none": {"exec true", 0}} {
		t.Run(name, func(t *testing.T) {
			group := newGroup(t, alone)
			if group.Mode() != ModeUnified {
				t.Skip("v1 marks no file")
			}
			denials, err := group.WatchDenials()
			require.NoError(t, err)
			defer func() { require.NoError(t, denials.Close()) }()
			err = start(t, group, test.script).Wait()
			require.Equal(t, test.denied > 0, err != nil, "%v", err)
			require.NoError(t, group.Delete())
			require.Eventually(t, func() bool { // the kernel marks the file a moment later
				count, err := denials.Count()
				require.NoError(t, err)
				return count == test.denied
			}, time.Minute, 10*time.Millisecond)
		})
	}
}

func TestDenialsAreTheKernelsWhileTheGroupIsThere(t *testing.T) {
	group := fakeUnified(t, unifiedFiles())
	denials, err := group.WatchDenials()
	require.NoError(t, err)
	defer func() { require.NoError(t, denials.Close()) }()
	file := filepath.Join(group.tree.pidsDir(), "pids.events")
	require.NoError(t, os.WriteFile(file, []byte("max 9\n"), 0o600))
	for _, want := range []int64{9, 9} {
		count, err := denials.Count()
		require.NoError(t, err)
		require.Equal(t, want, count)
	}
	require.NoError(t, os.Remove(file))
	count, err := denials.Count()
	require.NoError(t, err)
	require.Equal(t, int64(9), count, "told already")
	require.NoError(t, os.WriteFile(file, []byte("low 9\n"), 0o600))
	_, err = denials.Count()
	require.ErrorContains(t, err, "does not count it")
	none, err := group.WatchDenials()
	require.ErrorContains(t, err, "does not count it")
	require.Nil(t, none, "its descriptor is closed")
}

func TestOnlyAKernelThatSaysSoCountsBelow(t *testing.T) {
	group := fakeUnified(t, unifiedFiles())
	counts, err := group.CountsBelow()
	require.NoError(t, err)
	require.False(t, counts, "before Linux 6.11")
}

func kill(t *testing.T, group *Group) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	require.NoError(t, group.Kill(ctx))
}

func TestCPUTimeGrows(t *testing.T) {
	group := newGroup(t, limits())
	before, err := group.CPUTime()
	require.NoError(t, err)
	command := start(t, group, "while :; do :; done")
	require.Eventually(t, func() bool {
		now, err := group.CPUTime()
		return err == nil && now > before+50*time.Millisecond
	}, time.Minute, 10*time.Millisecond)
	kill(t, group)
	require.Error(t, command.Wait())
	usage, err := group.Usage()
	require.NoError(t, err)
	require.Greater(t, usage.CPUTime, 50*time.Millisecond)
}

func TestKillCatchesWhatForks(t *testing.T) {
	many := limits()
	many.MemoryBytes, many.PIDs = 512<<20, 512 // a shell that may not fork ends, and what it started stays
	group := newGroup(t, many)
	command := start(t, group, "trap '' TERM; while :; do sleep 100 & sleep 0.001; done")
	require.Eventually(t, func() bool {
		pids, err := group.Procs()
		return err == nil && len(pids) > 5
	}, time.Minute, time.Millisecond)
	kill(t, group)
	require.Error(t, command.Wait())
	pids, err := group.Procs()
	require.NoError(t, err)
	require.Empty(t, pids)
}

// Runtimes and systemd remove groups below; a list that stopped there told of no process,
// and Kill believed it.
func TestProcsAreToldWhileGroupsBelowComeAndGo(t *testing.T) {
	group := newGroup(t, limits())
	command := start(t, group, "exec sleep 1000")
	below := filepath.Join(group.tree.pidsDir(), "below")
	done := make(chan struct{})
	churned := make(chan error)
	go func() {
		for {
			select {
			case <-done:
				churned <- nil
				return
			default:
				if err := errors.Join(os.Mkdir(below, 0o755), os.Remove(below)); err != nil {
					churned <- err
					return
				}
			}
		}
	}()
	var pids []int
	var err error
	for range 2000 {
		if pids, err = group.Procs(); err != nil || len(pids) != 1 {
			break
		}
	}
	close(done)
	require.NoError(t, <-churned)
	require.NoError(t, err)
	require.Equal(t, []int{command.Process.Pid}, pids)
	kill(t, group)
	require.Error(t, command.Wait())
}

func TestAProcessIsNotMovedWhereAHierarchyLacksTheGroup(t *testing.T) {
	group := newGroup(t, limits())
	if group.Mode() == ModeUnified {
		t.Skip("v2 has one hierarchy")
	}
	command := exec.Command("/bin/sleep", "1000")
	require.NoError(t, command.Start())
	t.Cleanup(func() {
		require.NoError(t, command.Process.Kill())
		require.Error(t, command.Wait())
	})
	require.NoError(t, os.Remove(filepath.Join(mountpoint, "memory", group.Path())))
	require.ErrorContains(t, group.AddProc(command.Process.Pid), "a hierarchy lacks it")
}

func TestKillSaysWhoLivesWhenTimeIsUp(t *testing.T) {
	group := newGroup(t, limits())
	command := start(t, group, "exec sleep 100")
	ctx, cancel := context.WithCancelCause(t.Context())
	late := errors.New("too late")
	cancel(late)
	err := group.Kill(ctx)
	require.ErrorIs(t, err, late)
	require.ErrorContains(t, err, strconv.Itoa(command.Process.Pid))
	require.Error(t, command.Wait())
}

func TestDeleteRefusesWhileAProcessLives(t *testing.T) {
	group := newGroup(t, limits())
	command := start(t, group, "exec sleep 100")
	require.ErrorIs(t, group.Delete(), unix.EBUSY)
	kill(t, group)
	require.Error(t, command.Wait())
}

func TestDeleteTakesDescendantsAndIsIdempotent(t *testing.T) {
	group := newGroup(t, limits())
	require.NoError(t, MakePlace(group.Path()+"/a"))
	child, err := Create(group.Path()+"/a/b", container.Resources(limits()))
	require.NoError(t, err)
	require.NoError(t, group.Delete())
	require.NoError(t, group.Delete())
	require.NoError(t, Remove(group.Path()))
	_, err = Load(child.Path())
	require.ErrorIs(t, err, ErrNotFound)
	_, err = group.Usage()
	require.ErrorIs(t, err, ErrNotFound)
	pids, err := group.Procs()
	require.NoError(t, err)
	require.Empty(t, pids)
}

func TestAGroupThatThereIsIsNotMadeAgain(t *testing.T) {
	group := newGroup(t, limits())
	_, err := Create(group.Path(), container.Resources(limits()))
	require.ErrorIs(t, err, fs.ErrExist)
	_, err = Load(group.Path())
	require.NoError(t, err, "it was taken away")
}

// Where a controller is not mounted its directory can be made, its limit be written and
// read back, and nothing is limited.
func TestALimitOutsideOfTheKernelIsNone(t *testing.T) {
	requireRoot(t)
	mode, err := HostMode()
	require.NoError(t, err)
	if mode == ModeUnified {
		t.Skip("v2 has no directory of a controller's")
	}
	for _, lacking := range []string{"memory", "."} {
		refused := make(chan error)
		go func() {
			runtime.LockOSThread() // which ends with its mounts
			err := errors.Join(unix.Unshare(unix.CLONE_FS|unix.CLONE_NEWNS),
				unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""),
				unix.Mount("hotcell", filepath.Join(mountpoint, lacking), "tmpfs", 0, ""))
			if err == nil {
				_, err = Create("/hotcell/test-"+container.NewID().String(), container.Resources(limits()))
			}
			refused <- err
		}()
		require.ErrorContains(t, <-refused, "is not mounted", lacking)
	}
}

// With v1 a process can be in the group for one controller, and outside for another.
func TestAGroupHoldsWhatEveryControllerHasThere(t *testing.T) {
	_, group := newPair(t, limits(), limits())
	command := exec.Command("/bin/sleep", "1000")
	require.NoError(t, command.Start())
	pid := command.Process.Pid
	require.ErrorContains(t, group.Holds(pid), strconv.Itoa(pid))
	require.NoError(t, group.AddProc(pid))
	require.NoError(t, group.Holds(pid))
	for _, dir := range group.tree.dirs() { // whoever may write there takes it out again
		file := filepath.Join(filepath.Dir(dir), "cgroup.procs")
		require.NoError(t, os.Chmod(file, 0o666))
		require.ErrorContains(t, group.Holds(pid), "chmod go-w "+file)
		require.NoError(t, os.Chmod(file, 0o644))
	}
	require.NoError(t, group.Holds(pid))
	if group.Mode() != ModeUnified {
		require.NoError(t, moveTo(filepath.Join(mountpoint, "memory"), pid))
		require.ErrorContains(t, group.Holds(pid), "/memory/")
	}
	kill(t, group)
	require.Error(t, command.Wait())
}

func TestUnclearPathsAreRefused(t *testing.T) {
	for _, path := range []string{"", "/", "hotcell/x", "/hotcell/../x", "/hotcell/x/", "//x"} {
		_, err := Load(path)
		require.ErrorContains(t, err, "not absolute and clean", path)
		_, err = Create(path, container.Resources(limits()))
		require.ErrorContains(t, err, "not absolute and clean", path)
		require.ErrorContains(t, Remove(path), "not absolute and clean", path)
	}
}

// fakeUnified is a v2 group of plain files, so that v2 is tested on a v1 host too.
func fakeUnified(t *testing.T, files map[string]string) *Group {
	t.Helper()
	root := t.TempDir()
	dir := filepath.Join(root, "sandbox")
	require.NoError(t, os.Mkdir(dir, 0o700))
	for name, content := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600))
	}
	manager, err := cgroup2.Load("/sandbox", cgroup2.WithMountpoint(root))
	require.NoError(t, err)
	return &Group{path: "/sandbox", mode: ModeUnified, tree: unified{manager, dir}}
}

func unifiedFiles() map[string]string {
	return map[string]string{
		"cpu.stat":        "usage_usec 1500000\nuser_usec 1000000\nsystem_usec 500000\n",
		"cpu.max":         "50000 100000\n",
		"memory.max":      "33554432\n",
		"memory.swap.max": "0\n",
		"memory.current":  "1\n",
		"memory.peak":     "20000000\n",
		"memory.stat":     "anon 1\n",
		"memory.events":   "low 0\nhigh 0\nmax 3\noom 1\noom_kill 2\noom_group_kill 0\n",
		"pids.max":        "16\n",
		"pids.events":     "max 4\n",
		"pids.peak":       "9\n",
	}
}

func TestUnifiedKillsEachWhereTheKernelCannotKillAll(t *testing.T) {
	command := exec.Command("/bin/sleep", "1000")
	require.NoError(t, command.Start())
	group := fakeUnified(t, map[string]string{"cgroup.procs": "", "pids.max": ""})
	below := filepath.Join(group.tree.pidsDir(), "below")
	require.NoError(t, os.Mkdir(below, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(below, "cgroup.procs"), fmt.Appendln(nil, command.Process.Pid), 0o600))
	require.NoError(t, group.tree.kill(t.Context()))
	require.ErrorContains(t, command.Wait(), "killed")
	denied, err := os.ReadFile(filepath.Join(group.tree.pidsDir(), "pids.max"))
	require.NoError(t, err)
	require.Equal(t, "1", string(denied))
}

// Between the reading of a number and the signal it can become another process's.
func TestWhoIsNotInTheGroupIsNotKilledByNumber(t *testing.T) {
	dir := fakeUnified(t, map[string]string{"cgroup.procs": ""}).tree.pidsDir()
	command := exec.Command("/bin/cat")
	stdin, err := command.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, command.Start())
	pid := command.Process.Pid
	require.NoError(t, killMember(dir, pid))
	require.NoError(t, stdin.Close())
	require.NoError(t, command.Wait(), "it was killed")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "cgroup.procs"), fmt.Appendln(nil, pid), 0o600))
	require.NoError(t, killMember(dir, pid), "who has ended")
}

// The kernel calls such a process 0, which in kill(2) is the caller's own process group.
func TestAProcessOfAnotherPidNamespaceIsNotKilledByNumber(t *testing.T) {
	group := fakeUnified(t, map[string]string{"cgroup.procs": "0\n", "pids.max": "16\n"})
	require.ErrorContains(t, group.tree.kill(t.Context()), "another pid namespace")
}

func TestUnifiedCounters(t *testing.T) {
	group := fakeUnified(t, unifiedFiles())
	usage, err := group.Usage()
	require.NoError(t, err)
	require.Equal(t, Usage{
		CPUTime: 1500 * time.Millisecond, MemoryPeakBytes: 20000000, MemoryMet: true, PIDsPeak: 9, OOMKills: 2, PIDsDenied: 4,
	}, usage)
	got, err := group.Limits()
	require.NoError(t, err)
	require.Equal(t, Settings{MemoryBytes: 32 << 20, SwapBytes: 0, PIDs: 16, CPUMillis: 500}, got)
}

func TestUnifiedWithoutACounter(t *testing.T) {
	for _, test := range []struct {
		name    string
		missing string
		check   func(*testing.T, Usage, error)
	}{
		{"memory.peak is -1", "memory.peak", func(t *testing.T, usage Usage, err error) {
			require.NoError(t, err)
			require.EqualValues(t, -1, usage.MemoryPeakBytes)
		}},
		{"pids.peak is -1", "pids.peak", func(t *testing.T, usage Usage, err error) {
			require.NoError(t, err)
			require.EqualValues(t, -1, usage.PIDsPeak)
		}},
		{"memory.events is an error", "memory.events", func(t *testing.T, _ Usage, err error) { require.Error(t, err) }},
		{"pids.events is an error", "pids.events", func(t *testing.T, _ Usage, err error) { require.Error(t, err) }},
		{"cpu.stat is an error", "cpu.stat", func(t *testing.T, _ Usage, err error) { require.Error(t, err) }},
	} {
		t.Run(test.name, func(t *testing.T) {
			files := unifiedFiles()
			delete(files, test.missing)
			usage, err := fakeUnified(t, files).Usage()
			test.check(t, usage, err)
		})
	}
}

func TestUnifiedPeakThatCannotBeReadIsAnError(t *testing.T) {
	files := unifiedFiles()
	files["memory.peak"] = "many\n"
	_, err := fakeUnified(t, files).Usage()
	require.ErrorContains(t, err, "memory.peak")
}

func TestUnifiedWithoutALimit(t *testing.T) {
	for _, test := range []struct {
		file, content string
		want          Settings
	}{
		{"memory.max", "max\n", Settings{Unlimited, 0, 16, 500}},
		{"pids.max", "max\n", Settings{32 << 20, 0, Unlimited, 500}},
		{"cpu.max", "max 100000\n", Settings{32 << 20, 0, 16, Unlimited}},
		{"memory.swap.max", "max\n", Settings{32 << 20, Unlimited, 16, 500}},
	} {
		t.Run(test.file, func(t *testing.T) {
			files := unifiedFiles()
			files[test.file] = test.content
			got, err := fakeUnified(t, files).Limits()
			require.NoError(t, err)
			require.Equal(t, test.want, got)
		})
	}
}

func TestLimitsThatCannotBeReadAreErrors(t *testing.T) {
	for file, content := range map[string]string{"memory.max": "", "pids.max": "many\n", "cpu.max": "50000\n"} {
		files := unifiedFiles()
		files[file] = content
		_, err := fakeUnified(t, files).Limits()
		require.Error(t, err, file)
	}
}

func TestLimitsOfTwoGroupsHoldTogether(t *testing.T) {
	outer := Settings{MemoryBytes: 64, SwapBytes: 64, PIDs: Unlimited, CPUMillis: 500}
	inner := Settings{MemoryBytes: Unlimited, SwapBytes: 0, PIDs: 32, CPUMillis: 1000}
	require.Equal(t, Settings{MemoryBytes: 64, SwapBytes: 0, PIDs: 32, CPUMillis: 500}, outer.And(inner))
	require.Equal(t, outer.And(inner), inner.And(outer))
}
