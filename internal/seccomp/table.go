package seccomp

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
)

//go:generate go run gen_syscalls.go

// syscallTable has a line per system call: name, number on x86_64, number on
// aarch64, tab-separated, with a hyphen where the architecture lacks it. It comes
// from golang.org/x/sys/unix, so that a profile is checked alike on every host,
// one without libseccomp included.
//
//go:embed syscalls.tsv
var syscallTable string

// syscallNumbers returns the table. A fault in the embedded file is ours alone.
var syscallNumbers = sync.OnceValue(func() map[Arch]map[string]uint32 {
	numbers := map[Arch]map[string]uint32{AMD64: {}, ARM64: {}}
	for line := range strings.Lines(syscallTable) {
		fields := strings.Fields(line)
		for i, arch := range []Arch{AMD64, ARM64} {
			if fields[i+1] == "-" {
				continue
			}
			number, err := strconv.ParseUint(fields[i+1], 10, 32)
			if err != nil {
				panic(fmt.Sprintf("syscalls.tsv: %v", err))
			}
			numbers[arch][fields[0]] = uint32(number)
		}
	}
	return numbers
})

// Number returns the number of the named system call, and whether arch has it.
func Number(arch Arch, name string) (number uint32, ok bool) {
	number, ok = syscallNumbers()[arch][name]
	return number, ok
}

// argumentBits tells how many bits of an argument the kernel reads (the
// parameter's type in the call's SYSCALL_DEFINE). Only arguments that mean the
// same on every Arch and hold no pointer to what they decide belong here: a
// filter cannot look behind a pointer.
func argumentBits(name string, index uint) (bits int, ok bool) {
	switch (argument{name, index}) {
	case argument{"clone", 0}, // unsigned long clone_flags
		argument{"keyctl", 1},    // a name, for KEYCTL_JOIN_SESSION_KEYRING: null or not
		argument{"mmap", 2},      // unsigned long prot
		argument{"mprotect", 2},  // unsigned long prot
		argument{"prctl", 1},     // unsigned long arg2
		argument{"unshare", 0},   // unsigned long unshare_flags
		argument{"prlimit64", 2}: // struct rlimit64 *new_rlim: null or not
		return 64, true
	case argument{"arch_prctl", 0}, // int option
		argument{"setgroups", 0},                                                     // int gidsetsize
		argument{"setns", 1},                                                         // int flags
		argument{"setresgid", 0}, argument{"setresgid", 1}, argument{"setresgid", 2}, // gid_t
		argument{"setresuid", 0}, argument{"setresuid", 1}, argument{"setresuid", 2}, // uid_t
		argument{"close_range", 2},             // unsigned int flags
		argument{"fcntl", 1},                   // unsigned int cmd
		argument{"futex", 1},                   // int op
		argument{"ioctl", 1},                   // unsigned int cmd
		argument{"keyctl", 0},                  // int option
		argument{"landlock_add_rule", 3},       // u32 flags
		argument{"landlock_create_ruleset", 2}, // u32 flags
		argument{"landlock_restrict_self", 1},  // u32 flags
		argument{"madvise", 2},                 // int advice
		argument{"membarrier", 0},              // int cmd
		argument{"prctl", 0},                   // int option
		argument{"prlimit64", 0},               // pid_t pid
		argument{"recvmsg", 2},                 // unsigned int flags
		argument{"seccomp", 0},                 // unsigned int op
		argument{"seccomp", 1},                 // unsigned int flags
		argument{"socket", 0},                  // int family
		argument{"socketpair", 0},              // int family
		argument{"tgkill", 0},                  // pid_t tgid
		argument{"tgkill", 2}:                  // int sig
		return 32, true
	default:
		return 0, false
	}
}

// ArgumentBits tells how many bits of an argument the kernel reads, and whether it is
// a pointer of which only null can be told apart; ok is false for an argument that
// no profile may compare.
func ArgumentBits(name string, index uint) (bits int, pointer, ok bool) {
	bits, ok = argumentBits(name, index)
	pointer = slices.Contains([]argument{{"prlimit64", 2}, {"keyctl", 1}}, argument{name, index})
	return bits, pointer, ok
}

type argument struct {
	name  string
	index uint
}

// syscallNames is the table by number.
var syscallNames = sync.OnceValue(func() map[Arch]map[uint32]string {
	names := map[Arch]map[uint32]string{}
	for arch, numbers := range syscallNumbers() {
		names[arch] = make(map[uint32]string, len(numbers))
		for name, number := range numbers {
			names[arch][number] = name
		}
	}
	return names
})

// Names returns the names of arch's system calls, sorted.
func Names(arch Arch) []string {
	return slices.Sorted(maps.Keys(syscallNumbers()[arch]))
}

// NameOf returns the name of a system call, or "" for a number that the table does
// not have.
func NameOf(arch Arch, number uint32) string { return callName(arch, number) }
