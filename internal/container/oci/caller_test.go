//go:build linux

package oci

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"hotcell/internal/container"
)

// oddCaller makes this test binary one that was started in an odd way.
const oddCaller = "HOTCELL_TEST_ODD_CALLER"

// What the kernel hands from a process to its children, over execve(2), and no runtime
// sets: without control of it, a sandbox of a runner without address randomisation has
// none either, and one of a real-time runner is above every process of the host.
func TestASandboxIsTheSameWhoeverStartsIt(t *testing.T) {
	switch odd := os.Getenv(oddCaller); odd {
	case "":
	case "1":
		onBothRuntimes(t, requireOrdinary)
		return
	default:
		becomeOdd(t, odd)
	}
	self := []string{os.Args[0], "-test.run=^" + t.Name() + "$", "-test.v"}
	for name, command := range map[string][]string{
		"an ordinary one":                     {"env"},
		"a nice one":                          {"nice", "-n", "7"},
		"an urgent one":                       {"nice", "-n", "-7"},
		"one in batches":                      {"chrt", "--batch", "0"},
		"a real-time one":                     {"chrt", "--rr", "1"},
		"one with a real-time class for disk": {"ionice", "--class", "realtime", "--classdata", "0"},
		"one on a single processor":           {"taskset", "0x1"},
		"one without address randomisation":   {"setarch", "-R"},
		"one whose memory can be executed":    {"setarch", "-X"},
		"one that keeps files to itself":      {"sh", "-c", `umask 077; exec "$@"`, "sh"},
		"one whose group may not write":       {"sh", "-c", `umask 027; exec "$@"`, "sh"},
		"one that shares all":                 {"sh", "-c", `umask 0; exec "$@"`, "sh"},
		"one without hang-ups":                {"nohup"},
		"one that ignores what a shell can":   {"sh", "-c", `trap "" HUP INT QUIT TERM USR1 USR2 CHLD PIPE ALRM; exec "$@"`, "sh"},
		"one with a small stack":              {"prlimit", "--stack=1048576:"},
		"one with a large stack":              {"prlimit", "--stack=unlimited:"},
		"one that cannot lock memory":         {"prlimit", "--memlock=4096:"},
		"one with few signals":                {"prlimit", "--sigpending=7:"},
		"one with little real time":           {"prlimit", "--rttime=1000000:"},
		"one with little address space":       {"prlimit", "--as=64000000000:"},
		"one with few open files":             {"prlimit", "--nofile=40:"},
		"one that dumps everything":           {"sh", "-c", `echo 0xff > /proc/self/coredump_filter; exec "$@"`, "sh"},
		"one that is late":                    {"env", oddCaller + "=late"},
		"one without huge pages":              {"env", oddCaller + "=small"},
		"one whose memory is merged":          {"env", oddCaller + "=merged"},
		"one that is deaf":                    {"env", oddCaller + "=deaf"},
	} {
		t.Run(name, func(t *testing.T) {
			odd := exec.Command(command[0], append(command[1:], self...)...)
			odd.Dir = t.TempDir() // nohup's
			odd.Env = append(os.Environ(), oddCaller+"=1")
			words, err := odd.CombinedOutput()
			require.NoError(t, err, string(words))
			require.Contains(t, string(words), "--- PASS", "nothing was tested")
		})
	}
}

// A hard limit of the caller's below a sandbox's is raised, or the sandbox is refused
// and the limit named: it is never the sandbox's.
func TestNoHardLimitOfTheCallersGetsIntoASandbox(t *testing.T) {
	if os.Getenv(oddCaller) != "" {
		onBothRuntimes(t, func(t *testing.T, engine *Engine) {
			spec := spec()
			spec.Command = []string{"/usr/bin/python3", "-sBP", "-c", tellOrdinary}
			created, err := engine.Create(t.Context(), container.NewID(), spec)
			if err != nil {
				require.ErrorIs(t, err, unix.EPERM)
				require.ErrorContains(t, err, "raise the hard limit "+os.Getenv(oddCaller))
				return
			}
			_, told := run(t, created.(*sandbox))
			require.Equal(t, ordinary, told)
			require.NoError(t, created.Destroy(t.Context()))
		})
		return
	}
	for name, option := range map[string]string{
		"RLIMIT_STACK": "--stack=1048576:1048576", "RLIMIT_MEMLOCK": "--memlock=4096:4096", "RLIMIT_SIGPENDING": "--sigpending=7:7",
		"RLIMIT_RTTIME": "--rttime=1000000:1000000", "RLIMIT_AS": "--as=64000000000:64000000000", "RLIMIT_NOFILE": "--nofile=40:40",
	} {
		t.Run(name, func(t *testing.T) {
			odd := exec.Command("prlimit", option, os.Args[0], "-test.run=^TestNoHardLimitOfTheCallersGetsIntoASandbox$", "-test.v")
			odd.Env = append(os.Environ(), oddCaller+"="+name)
			words, err := odd.CombinedOutput()
			require.NoError(t, err, string(words))
			require.Contains(t, string(words), "--- PASS", "nothing was tested")
		})
	}
}

// becomeOdd is for what no program of a shell's does to itself. It does not return.
func becomeOdd(t *testing.T, odd string) {
	runtime.LockOSThread()
	switch odd {
	case "late":
		require.NoError(t, unix.Prctl(unix.PR_SET_TIMERSLACK, 1_000_000_000, 0, 0, 0))
	case "small":
		require.NoError(t, unix.Prctl(unix.PR_SET_THP_DISABLE, 1, 0, 0, 0))
	case "merged":
		require.NoError(t, unix.Prctl(unix.PR_SET_MEMORY_MERGE, 1, 0, 0, 0))
	case "deaf":
		all := unix.Sigset_t{}
		for index := range all.Val {
			all.Val[index] = ^all.Val[index]
		}
		for number := firstRealTime; number < signals; number++ {
			ignore := sigaction{handler: 1}
			_, _, _ = unix.RawSyscall6(unix.SYS_RT_SIGACTION, uintptr(number), uintptr(unsafe.Pointer(&ignore)), 0, 8, 0, 0)
		}
		require.NoError(t, unix.PthreadSigmask(unix.SIG_SETMASK, &all, nil))
	}
	require.NoError(t, os.Setenv(oddCaller, "1")) //nolint:usetesting // exec follows, and nothing is set back
	require.NoError(t, unix.Exec("/proc/self/exe", os.Args, os.Environ()))
}

// ordinary is what a process prints of itself that was started by a shell. Python
// itself ignores SIGPIPE and SIGXFSZ.
const ordinary = `SigBlk:	0000000000000000
SigIgn:	0000000001001000
THP_enabled:	1
Umask:	0022
Max stack size            67108864             67108864             bytes     
Max locked memory         65536                65536                bytes     
Max pending signals       1024                 1024                 signals   
Max realtime timeout      unlimited            unlimited            us        
Max address space         unlimited            unlimited            bytes     
00000033
50000
`

// The process is its own, so that the timer slack can be read, which is nobody else's.
const tellOrdinary = `
lines = open("/proc/self/status").readlines()
names = ("SigBlk", "SigIgn", "THP_enabled", "Umask")
print("".join(sorted(line for line in lines if line.startswith(names))), end="")
lines = open("/proc/self/limits").readlines()
for name in ("stack", "locked", "pending", "realtime timeout", "address"):
    print([line for line in lines if line.startswith("Max " + name)][0], end="")
print(open("/proc/self/coredump_filter").read(), end="")
print(open("/proc/self/timerslack_ns").read(), end="")
`

func requireOrdinary(t *testing.T, engine *Engine) {
	_, told := run(t, python(t, engine, tellOrdinary))
	require.Equal(t, ordinary, told)
	s := python(t, engine, "pass")
	merged, err := os.ReadFile(fmt.Sprintf("/proc/%d/ksm_stat", s.guard.pid))
	if err == nil { // a kernel that can
		require.NotContains(t, string(merged), "ksm_merge_any: yes")
	}
	const onProcess = 1 // IOPRIO_WHO_PROCESS
	disk, _, errno := unix.Syscall(unix.SYS_IOPRIO_GET, onProcess, uintptr(s.guard.pid), 0)
	require.Zero(t, errno)
	require.Zero(t, disk>>13, "class for disk")
	scheduling, err := unix.SchedGetAttr(s.guard.pid, 0)
	require.NoError(t, err)
	require.Equal(t, uint32(unix.SCHED_NORMAL), scheduling.Policy)
	require.Zero(t, scheduling.Nice)
	personality, err := os.ReadFile(fmt.Sprintf("/proc/%d/personality", s.guard.pid))
	require.NoError(t, err)
	require.Equal(t, "00000000\n", string(personality))
	var processors unix.CPUSet
	require.NoError(t, unix.SchedGetaffinity(s.guard.pid, &processors))
	require.Equal(t, everyProcessor(t), processors, "processors")
}

// everyProcessor returns those that the kernel would give to a process of this group.
func everyProcessor(t *testing.T) unix.CPUSet {
	t.Helper()
	var asked, given unix.CPUSet
	asked.Fill()
	require.NoError(t, onThread(func() error {
		return errors.Join(unix.SchedSetaffinity(0, &asked), unix.SchedGetaffinity(0, &given))
	}))
	return given
}
