package seccomp_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/seccomp"
)

const (
	allowed = "allowed"
	eperm   = "EPERM"
	enosys  = "ENOSYS"
	enotty  = "ENOTTY"
	kills   = "kill"
)

func outcome(decision seccomp.Decision) string {
	switch decision.Action {
	case seccomp.Allow:
		return allowed
	case seccomp.KillProcess:
		return kills
	default:
		return string(decision.Errno)
	}
}

// letThrough are the calls that user code may make on an architecture, with some
// arguments at least. Whoever changes the list changes what a bypassed guard leaves.
func letThrough(arch seccomp.Arch) []string {
	both := []string{
		"brk", "clock_getres", "clock_gettime", "clock_nanosleep", "clone", "close", "exit", "exit_group", "fcntl",
		"fstat", "fsync", "ftruncate", "futex", "getcwd", "getdents64", "getegid", "geteuid", "getgid", "getpid",
		"getrandom", "getrusage", "gettid", "gettimeofday", "getuid", "lseek", "madvise", "mmap", "mprotect", "mremap",
		"msync", "munmap", "newfstatat", "openat", "prctl", "pread64", "prlimit64", "pwrite64", "read",
		"restart_syscall", "rseq", "rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "sched_getaffinity", "sched_yield",
		"set_robust_list", "statx", "tgkill", "uname", "unlinkat", "write", "writev",
	}
	if arch == seccomp.ARM64 {
		return append(both, "faccessat", "mkdirat", "readlinkat", "renameat")
	}
	return append(both, "access", "mkdir", "readlink", "rename", "rmdir", "unlink")
}

func TestUserCodeMayMakeTheseCallsAndNoOthers(t *testing.T) {
	profile := shipped(t, userCode)
	for _, arch := range profile.Architectures() {
		var found []string
		for _, name := range seccomp.Names(arch) {
			if action, _ := profile.Outcome(arch, name); action == seccomp.Allow {
				found = append(found, name)
			}
		}
		require.ElementsMatch(t, letThrough(arch), found, arch)
		require.LessOrEqual(t, len(found), 60, arch)
	}
}

// A fork has the template's filter besides. What lets its guard interrupt itself must let nothing
// that ends or stops a process through to the first of its pid namespace, which is the runtime's.
func TestAForkCanSignalNothingButItsInterrupt(t *testing.T) {
	second, forked := shipped(t, userCode), shipped(t, "python-analysis.template")
	for _, arch := range second.Architectures() {
		for group := range uint64(8) {
			for signal := range uint64(65) {
				made := call(t, arch, "tgkill", group, group, signal)
				both := second.Evaluate(made).Action == seccomp.Allow && forked.Evaluate(made).Action == seccomp.Allow
				require.Equal(t, signal == 23, both, "%s: signal %d to %d", arch, signal, group)
			}
		}
		for _, other := range []string{"kill", "tkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "pidfd_send_signal"} {
			action, _ := second.Outcome(arch, other)
			require.NotEqual(t, seccomp.Allow, action, other)
		}
	}
}

func TestUserCodeIsNarrowerThanStage1(t *testing.T) {
	first, second := shipped(t, pythonAnalysis), shipped(t, userCode)
	for _, arch := range second.Architectures() {
		for _, name := range seccomp.Names(arch) {
			for _, value := range interesting() {
				made := call(t, arch, name, value, value, value, value)
				if second.Evaluate(made).Action == seccomp.Allow {
					require.Equal(t, seccomp.Allow, first.Evaluate(made).Action, "%s %s %#x", arch, name, value)
				}
			}
		}
	}
}

func TestUserCodeArguments(t *testing.T) {
	const (
		high    = 1 << 32 // a bit that the kernel ignores in an int
		pointer = 0x7fff00000000
		threads = 0x3d0f00
	)
	tests := []struct {
		behaviour string
		call      string
		args      []uint64
		want      string
	}{
		{"readable and writable memory", "mmap", []uint64{0, 4096, 3}, allowed},
		{"code from a file", "mmap", []uint64{0, 4096, 5}, eperm},
		{"execute-only memory", "mmap", []uint64{0, 4096, 4}, eperm},
		{"writable code", "mmap", []uint64{0, 4096, 7}, eperm},
		{"code with high bits", "mmap", []uint64{0, 4096, 5 | high}, eperm},
		{"sealing relocations", "mprotect", []uint64{0, 4096, 1}, allowed},
		{"making memory executable", "mprotect", []uint64{0, 4096, 5}, eperm},
		{"the same with high bits", "mprotect", []uint64{0, 4096, 4 | high}, eperm},
		{"the same with a key", "pkey_mprotect", []uint64{0, 4096, 4}, eperm},

		{"a thread as glibc makes it", "clone", []uint64{threads}, allowed},
		{"a thread as musl makes it", "clone", []uint64{0x7d0f00}, eperm},
		{"a fork", "clone", []uint64{17}, eperm},
		{"a thread in a new user namespace", "clone", []uint64{threads | 0x10000000}, eperm},
		{"a thread that is its own process", "clone", []uint64{threads &^ 0x10000}, eperm},
		{"a thread with high bits", "clone", []uint64{threads | high}, eperm},

		{"isatty", "ioctl", []uint64{0, 0x5401}, enotty},
		{"isatty with high bits, which the kernel ignores", "ioctl", []uint64{0, 0x5401 | high}, enotty},
		{"terminal size", "ioctl", []uint64{0, 0x5413}, enotty},
		{"TIOCSTI", "ioctl", []uint64{0, 0x5412}, eperm},
		{"TIOCSTI with high bits (CVE-2019-10063)", "ioctl", []uint64{0, 0x5412 | high}, eperm},
		{"TIOCLINUX", "ioctl", []uint64{0, 0x541c}, eperm},
		{"FIOCLEX", "ioctl", []uint64{0, 0x5451}, enotty},

		{"F_DUPFD", "fcntl", []uint64{0, 0}, eperm},
		{"F_GETFD", "fcntl", []uint64{0, 1}, allowed},
		{"F_SETFD", "fcntl", []uint64{0, 2}, allowed},
		{"F_GETFL", "fcntl", []uint64{0, 3}, allowed},
		{"F_SETFL", "fcntl", []uint64{0, 4}, eperm},
		{"F_SETLK", "fcntl", []uint64{0, 6}, eperm},
		{"F_SETOWN", "fcntl", []uint64{0, 8}, eperm},
		{"F_NOTIFY", "fcntl", []uint64{0, 0x402}, eperm},
		{"F_DUPFD_CLOEXEC", "fcntl", []uint64{0, 0x406}, allowed},
		{"F_SETPIPE_SZ", "fcntl", []uint64{0, 0x407}, eperm},
		{"F_ADD_SEALS", "fcntl", []uint64{0, 0x409}, eperm},

		{"naming a thread", "prctl", []uint64{15, pointer}, allowed},
		{"becoming dumpable", "prctl", []uint64{4, 1}, eperm},
		{"PR_GET_DUMPABLE", "prctl", []uint64{3}, eperm},
		{"PR_SET_SECCOMP", "prctl", []uint64{22, 2}, eperm},
		{"PR_SET_MM", "prctl", []uint64{35, 1}, eperm},
		{"PR_SET_PTRACER", "prctl", []uint64{0x59616d61}, eperm},
		{"PR_CAP_AMBIENT", "prctl", []uint64{47, 2}, eperm},

		{"MADV_WILLNEED", "madvise", []uint64{0, 0, 3}, eperm},
		{"MADV_DONTNEED", "madvise", []uint64{0, 0, 4}, allowed},
		{"MADV_FREE", "madvise", []uint64{0, 0, 8}, allowed},
		{"MADV_REMOVE", "madvise", []uint64{0, 0, 9}, eperm},
		{"MADV_MERGEABLE", "madvise", []uint64{0, 0, 12}, eperm},
		{"MADV_HUGEPAGE", "madvise", []uint64{0, 0, 14}, allowed},
		{"MADV_NOHUGEPAGE", "madvise", []uint64{0, 0, 15}, allowed},
		{"MADV_HWPOISON", "madvise", []uint64{0, 0, 100}, eperm},

		{"reading a limit", "prlimit64", []uint64{0, 3, 0, pointer}, allowed},
		{"setting a limit", "prlimit64", []uint64{0, 3, pointer, 0}, eperm},
		{"setting a limit at a low address", "prlimit64", []uint64{0, 3, 1, 0}, eperm},

		{"a signal to itself", "tgkill", []uint64{1, 1, 6}, allowed},
		{"a signal to another process", "tgkill", []uint64{2, 2, 6}, eperm},
		{"a signal to all", "tgkill", []uint64{0xffffffff, 1, 9}, eperm},
		{"an interrupt of a fork by itself", "tgkill", []uint64{7, 7, 23}, allowed},
		{"an interrupt with high bits, which the kernel ignores", "tgkill", []uint64{7, 7, 23 | high}, allowed},
		{"a signal with the interrupt's bits", "tgkill", []uint64{7, 7, 31}, eperm},
		{"a signal by the thread's number alone", "tkill", []uint64{2, 23}, eperm},
		{"a signal to a group, by kill", "kill", []uint64{0, 9}, eperm},

		{"FUTEX_WAIT_PRIVATE", "futex", []uint64{pointer, 0x80}, allowed},
		{"FUTEX_WAKE_PRIVATE", "futex", []uint64{pointer, 0x81, 1}, allowed},
		{"FUTEX_WAIT_BITSET_PRIVATE by the wall clock", "futex", []uint64{pointer, 0x189}, allowed},
		{"joining a thread", "futex", []uint64{pointer, 0x109}, allowed},
		{"joining a thread, as older C libraries do", "futex", []uint64{pointer, 0}, allowed},
		{"FUTEX_WAKE", "futex", []uint64{pointer, 1, 1}, eperm},
		{"FUTEX_WAKE with high bits", "futex", []uint64{pointer, 1 | 0x80<<32, 1}, eperm},
		{"FUTEX_REQUEUE", "futex", []uint64{pointer, 3, 1}, eperm},
		{"FUTEX_CMP_REQUEUE", "futex", []uint64{pointer, 4, 1}, eperm},
		{"FUTEX_WAKE_OP", "futex", []uint64{pointer, 5, 1}, eperm},
		{"FUTEX_LOCK_PI", "futex", []uint64{pointer, 6}, eperm},
		{"FUTEX_WAKE_BITSET", "futex", []uint64{pointer, 10, 1}, eperm},
		{"FUTEX_WAIT_REQUEUE_PI", "futex", []uint64{pointer, 11}, eperm},

		{"membarrier, even to ask", "membarrier", []uint64{0}, eperm},
		{"a further filter", "seccomp", []uint64{1, 1, pointer}, eperm},
		{"a filter's actions", "seccomp", []uint64{2, 0, pointer}, eperm},
		{"a program", "execve", []uint64{pointer, pointer, pointer}, eperm},
		{"a program by descriptor", "execveat", []uint64{3}, eperm},
		{"a pair of sockets", "socketpair", []uint64{1, 1}, eperm},
		{"a socket of AF_ALG", "socket", []uint64{38, 5}, eperm},
		{"a thread pointer", "set_tid_address", []uint64{pointer}, eperm},
	}
	profile := shipped(t, userCode)
	for _, test := range tests {
		t.Run(test.behaviour, func(t *testing.T) {
			for _, arch := range profile.Architectures() {
				require.Equal(t, test.want, outcome(profile.Evaluate(call(t, arch, test.call, test.args...))), arch)
			}
		})
	}
}

// Everything that stage 1 allows for the interpreter's start, the imports and the
// runtime, and that is over by then.
func TestUserCodeLosesWhatOnlyTheStartNeeds(t *testing.T) {
	gone := map[string]string{}
	first, second := shipped(t, pythonAnalysis), shipped(t, userCode)
	for _, name := range seccomp.Names(seccomp.AMD64) {
		before, _ := first.Outcome(seccomp.AMD64, name)
		after, _ := second.Outcome(seccomp.AMD64, name)
		if before == seccomp.Allow && after != seccomp.Allow {
			gone[name] = outcome(second.Evaluate(call(t, seccomp.AMD64, name)))
		}
	}
	for _, name := range []string{"execve", "arch_prctl", "set_tid_address", "close_range", "chdir", "dup2", "pipe2", "poll", "seccomp", "epoll_ctl", "landlock_restrict_self"} {
		require.Equal(t, eperm, gone[name], name)
	}
	require.Equal(t, enosys, gone["openat2"])
	require.Len(t, gone, 36, "%v", slices.Sorted(maps.Keys(gone)))
}

func TestForProfilesAreOfOneArchitecture(t *testing.T) {
	profile := shipped(t, userCode)
	for _, arch := range profile.Architectures() {
		narrow, err := profile.For(arch)
		require.NoError(t, err)
		require.Equal(t, []seccomp.Arch{arch}, narrow.Architectures())
		for number := range uint32(501) {
			made := seccomp.Call{Arch: arch, Number: number, Args: [6]uint64{1, 1, 1, 1}}
			require.Equal(t, profile.Evaluate(made), narrow.Evaluate(made))
		}
	}
	_, err := profile.For("SCMP_ARCH_X86")
	require.ErrorContains(t, err, "does not name architecture")
}

// The runtime-spec's form knows no rule for one architecture: it may deny more
// than the profile, never less.
func TestOCIFormOfStage2NeverAllowsMore(t *testing.T) {
	profile := shipped(t, userCode)
	form := profile.OCI()
	for _, arch := range profile.Architectures() {
		for _, name := range seccomp.Names(arch) {
			made := call(t, arch, name)
			action, _ := readOCI(t, form, arch, made)
			if action == "SCMP_ACT_ALLOW" {
				require.Equal(t, seccomp.Allow, profile.Evaluate(made).Action, "%s %s", arch, name)
			}
		}
	}
}

func TestStages(t *testing.T) {
	require.Equal(t, userCode, seccomp.UserCode(pythonAnalysis))
	require.Equal(t, 1, shipped(t, pythonAnalysis).Stage())
	require.Equal(t, 2, shipped(t, userCode).Stage())
}

func TestComparisonWithDocker(t *testing.T) {
	for _, name := range stages() {
		compared := shipped(t, name).CompareWithDocker(seccomp.AMD64)
		require.Equal(t, 385, compared.Known)
		require.Equal(t, 292, compared.Docker)
		require.Empty(t, compared.OnlyProfile, "%s allows what Docker does not", name)
	}
	require.Equal(t, 58, shipped(t, userCode).CompareWithDocker(seccomp.AMD64).Allowed)
	require.True(t, seccomp.DockerAllows("ptrace"))
	require.False(t, seccomp.DockerAllows("mount"))
}
