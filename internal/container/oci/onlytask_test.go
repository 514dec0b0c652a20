//go:build linux

package oci

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"hotcell/internal/image/imagetest"
)

const sleepsEnv = "HOTCELL_TEST_SLEEPS"

// TestThatSleeps is no test: it is run by others in a process of its own, which has the threads
// of Go's runtime.
func TestThatSleeps(*testing.T) {
	if os.Getenv(sleepsEnv) == "" {
		return
	}
	_, _ = os.Stdout.WriteString("begun\n")
	_, _ = os.Stdin.Read(make([]byte, 1))
}

// startThreads is startIdle for a process with more than one thread.
func startThreads(t *testing.T) *os.Process {
	t.Helper()
	command := exec.CommandContext(t.Context(), "/proc/self/exe", "-test.run=^TestThatSleeps$")
	command.Env = []string{sleepsEnv + "=1"}
	hold, err := command.StdinPipe()
	require.NoError(t, err)
	said, err := command.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, command.Start())
	t.Cleanup(func() { _, _ = command.Process.Kill(), hold.Close(); _ = command.Wait() })
	_, err = bufio.NewReader(said).ReadString('\n')
	require.NoError(t, err)
	return command.Process
}

// A thread may have descriptors and capabilities of its own.
func TestAForkWithThreadsIsRefused(t *testing.T) {
	require.ErrorContains(t, onlyTask(pretending()), "threads, not 1")
}

func TestAForkThatHasForkedIsRefused(t *testing.T) {
	requireUsable(t, "crun")
	s := &sandbox{group: ownGroup(t), guard: &guardProcess{opened(t, startIdle(t, 0).Pid)}, anchor: &anchor{opened(t, startIdle(t, 0).Pid)}}
	require.NoError(t, s.group.AddProc(s.guard.pid))
	require.NoError(t, s.group.AddProc(s.anchor.pid))
	require.NoError(t, onlyTask(s))
	require.NoError(t, s.group.AddProc(startIdle(t, 0).Pid))
	require.ErrorContains(t, onlyTask(s), "the fork has forked")
}

// A thread may hold what its process's first one does not.
func TestATemplateWithAnotherThreadIsNotAlone(t *testing.T) {
	made := asked(t)
	threads := startThreads(t)
	made.box.guard = &guardProcess{opened(t, threads.Pid)}
	made.box.group = ownGroup(t)
	require.NoError(t, made.box.group.AddProc(threads.Pid))
	var err error
	made.holds, err = holdingsOf(threads.Pid)
	require.NoError(t, err)
	alone, err := made.isAlone()
	require.NoError(t, err)
	require.False(t, alone)
}

func TestMappingsAreFoundByTheNamesThatTheKernelGivesThem(t *testing.T) {
	require.Equal(t, "400000-420000", unpadded("00400000-00420000"))
	require.Equal(t, "7f1453986000-7f1453987000", unpadded("7f1453986000-7f1453987000"))
}

// A template that is replaced while a fork is on its way ends what is in its group, and who makes
// the sandbox waits for the fork, too.
func TestAForkThatItsOwnerHasWaitedForIsNotWaitedForAgain(t *testing.T) {
	process := startIdle(t, 0)
	fork := opened(t, process.Pid)
	require.NoError(t, process.Kill())
	<-fork.reap()
	require.NoError(t, reapKilled(t.Context(), process.Pid))
}

func TestATemplateNeedsFewDescriptors(t *testing.T) {
	requireUsable(t, "crun")
	p, err := newPipes(true)
	require.NoError(t, err)
	defer p.Close()
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	require.NoError(t, err)
	defer null.Close()
	begin := func(more ...*os.File) error {
		files := append([]*os.File{null, p.err.write, p.err.write, p.in.read, p.out.write}, more...)
		box := &sandbox{pipes: p, group: ownGroup(t), guard: &guardProcess{opened(t, startWith(t, 0, files...).Pid)}}
		require.NoError(t, box.group.AddProc(box.guard.pid))
		return (&template{box: box}).beginCensus(t.Context())
	}
	require.NoError(t, begin())
	reader, writer, err := os.Pipe()
	require.NoError(t, err)
	defer reader.Close()
	defer writer.Close()
	for _, more := range []*os.File{reader, null, p.in.read} {
		require.ErrorContains(t, begin(more), "does not need")
	}
}

// Two that have one open file in common have its flags and its offset in common.
func TestAForksNullDeviceIsItsSandboxs(t *testing.T) {
	p, err := newPipes(false)
	require.NoError(t, err)
	defer p.Close()
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	require.NoError(t, err)
	defer null.Close()
	look := func(namespaces uintptr) error {
		process := startWith(t, namespaces, null, p.err.write, p.err.write, p.in.read, p.out.write)
		return onlyTheProtocol(&sandbox{pipes: p, guard: &guardProcess{opened(t, process.Pid)}})
	}
	require.NoError(t, look(0))
	require.ErrorContains(t, look(syscall.CLONE_NEWNS), "leads elsewhere")
}

// startWith starts a process that has these files open, and waits.
func startWith(t *testing.T, namespaces uintptr, files ...*os.File) *os.Process {
	t.Helper()
	if os.Geteuid() != 0 {
		imagetest.Lacking(t, "needs root")
	}
	inherited, err := os.ReadDir("/proc/self/fd") // whoever started the tests may have left us some
	require.NoError(t, err)
	for _, one := range inherited {
		number, err := strconv.Atoi(one.Name())
		require.NoError(t, err)
		for len(files) <= number {
			files = append(files, nil)
		}
	}
	process, err := os.StartProcess("/bin/sleep", []string{"sleep", "1000"}, &os.ProcAttr{
		Files: files, Sys: &syscall.SysProcAttr{Cloneflags: namespaces},
	})
	require.NoError(t, err)
	t.Cleanup(func() { _ = process.Kill(); _, _ = process.Wait() })
	untilSleeping(t, process)
	return process
}

// untilSleeping waits until what the loader reads is closed.
func untilSleeping(t *testing.T, process *os.Process) {
	t.Helper()
	require.Eventually(t, func() bool {
		call, err := os.ReadFile(fmt.Sprintf("/proc/%d/syscall", process.Pid))
		number, _, _ := strings.Cut(string(call), " ")
		return err == nil && slices.Contains([]string{strconv.Itoa(unix.SYS_CLOCK_NANOSLEEP), strconv.Itoa(unix.SYS_NANOSLEEP)}, number)
	}, time.Minute, time.Millisecond)
}
