//go:build linux && cgo

package seccomp_test

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	libseccomp "github.com/seccomp/libseccomp-golang"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"

	"hotcell/internal/seccomp"
)

// audit returns the architecture token that the kernel shows to a filter.
func audit(arch seccomp.Arch) uint32 {
	switch arch {
	case seccomp.AMD64:
		return unix.AUDIT_ARCH_X86_64
	case seccomp.ARM64:
		return unix.AUDIT_ARCH_AARCH64
	default:
		return unix.AUDIT_ARCH_I386
	}
}

// seccompData lays out struct seccomp_data for net/bpf's interpreter, which loads
// words big-endian where the kernel loads them in its own order. The two words of
// an argument keep their little-endian places: low first.
func seccompData(arch uint32, number uint32, args [6]uint64) []byte {
	data := binary.BigEndian.AppendUint32(nil, number)
	data = binary.BigEndian.AppendUint32(data, arch)
	data = append(data, make([]byte, 8)...) // instruction pointer
	for _, arg := range args {
		data = binary.BigEndian.AppendUint32(data, uint32(arg))
		data = binary.BigEndian.AppendUint32(data, uint32(arg>>32))
	}
	return data
}

func machine(t *testing.T, program *seccomp.Program) *bpf.VM {
	t.Helper()
	instructions, all := bpf.Disassemble(program.Instructions)
	require.True(t, all)
	vm, err := bpf.NewVM(instructions)
	require.NoError(t, err)
	return vm
}

// verdict reads what a filter returned: SECCOMP_RET_*.
func verdict(t *testing.T, value int) string {
	t.Helper()
	switch action := uint32(value) & unix.SECCOMP_RET_ACTION_FULL; action {
	case unix.SECCOMP_RET_ALLOW:
		return string(seccomp.Allow)
	case unix.SECCOMP_RET_KILL_PROCESS:
		return string(seccomp.KillProcess)
	case unix.SECCOMP_RET_ERRNO:
		return fmt.Sprintf("%s %d", seccomp.Deny, value&unix.SECCOMP_RET_DATA)
	default:
		return fmt.Sprintf("%#x", value)
	}
}

func wanted(decision seccomp.Decision) string {
	if decision.Action == seccomp.Deny {
		return fmt.Sprintf("%s %d", seccomp.Deny, decision.Errno.Number())
	}
	return string(decision.Action)
}

func requireSame(t *testing.T, vm *bpf.VM, profile *seccomp.Profile, made seccomp.Call) {
	t.Helper()
	got, err := vm.Run(seccompData(audit(made.Arch), made.Number, made.Args))
	require.NoError(t, err)
	want := profile.Evaluate(made)
	if wanted(want) != verdict(t, got) {
		require.Equal(t, wanted(want), verdict(t, got), "%+v: %+v", made, want)
	}
}

// unresolved holds the numbers for which Compile has no rule, because the
// libseccomp of this host is older than the call.
func unresolved(program *seccomp.Program) map[uint32]bool {
	numbers := map[uint32]bool{}
	for _, name := range program.Unknown {
		number, _ := seccomp.Number(program.Arch, name)
		numbers[number] = true
	}
	return numbers
}

// The program that libseccomp makes and Evaluate agree on every number and every
// interesting value in every argument.
func TestCompiledProgramIsWhatEvaluateSays(t *testing.T) {
	for _, name := range stages() {
		t.Run(name, func(t *testing.T) { compiledIsEvaluated(t, shipped(t, name)) })
	}
}

func compiledIsEvaluated(t *testing.T, profile *seccomp.Profile) {
	t.Helper()
	for _, arch := range profile.Architectures() {
		t.Run(string(arch), func(t *testing.T) {
			program, err := profile.Compile(arch)
			require.NoError(t, err)
			require.Equal(t, arch, program.Arch)
			vm, skip := machine(t, program), unresolved(program)
			for number := range uint32(501) {
				if !skip[number] {
					everyArgument(t, vm, profile, seccomp.Call{Arch: arch, Number: number})
				}
			}
			for _, number := range []uint32{999, 0x3fffffff, 0x40000000, 0x40000027, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff} {
				everyArgument(t, vm, profile, seccomp.Call{Arch: arch, Number: number})
			}
		})
	}
}

// everyArgument tries the values in each argument alone and in all at once.
func everyArgument(t *testing.T, vm *bpf.VM, profile *seccomp.Profile, made seccomp.Call) {
	t.Helper()
	for _, value := range valuesFor(profile, made) {
		for index := range made.Args {
			one := made
			one.Args[index] = value
			requireSame(t, vm, profile, one)
		}
		all := made
		all.Args = [6]uint64{value, value, value, value, value, value}
		requireSame(t, vm, profile, all)
	}
}

// Rules with two conditions need pairs.
func TestCompiledProgramAgreesOnPairsOfArguments(t *testing.T) {
	profile := shipped(t, pythonAnalysis)
	for _, arch := range profile.Architectures() {
		program, err := profile.Compile(arch)
		require.NoError(t, err)
		vm := machine(t, program)
		for _, name := range []string{"prctl", "seccomp"} {
			for _, first := range interesting() {
				for _, second := range interesting() {
					requireSame(t, vm, profile, call(t, arch, name, first, second))
				}
			}
		}
	}
}

func TestCompiledProgramKillsForeignArchitectures(t *testing.T) {
	for _, name := range stages() {
		t.Run(name, func(t *testing.T) { foreignIsKilled(t, shipped(t, name)) })
	}
}

func foreignIsKilled(t *testing.T, profile *seccomp.Profile) {
	t.Helper()
	for _, arch := range profile.Architectures() {
		program, err := profile.Compile(arch)
		require.NoError(t, err)
		vm := machine(t, program)
		for _, foreign := range []uint32{
			unix.AUDIT_ARCH_I386, unix.AUDIT_ARCH_ARM, unix.AUDIT_ARCH_S390X, 0,
			audit(seccomp.AMD64) ^ audit(seccomp.ARM64) ^ audit(arch), // the profile's other one
		} {
			for number := range uint32(501) {
				got, err := vm.Run(seccompData(foreign, number, [6]uint64{}))
				require.NoError(t, err)
				require.Equal(t, string(seccomp.KillProcess), verdict(t, got), "%#x %d", foreign, number)
			}
		}
	}
}

func TestCompileRefuses(t *testing.T) {
	profile := shipped(t, pythonAnalysis)
	_, err := profile.Compile("SCMP_ARCH_X86")
	require.ErrorContains(t, err, "does not name this architecture")
	_, err = profile.Compile("")
	require.Error(t, err)
}

// newest is a call that libseccomp 2.5 does not know (Linux 6.15).
const newest = "open_tree_attr"

func TestCompileHandlesNamesThatLibseccompDoesNotKnow(t *testing.T) {
	if _, err := libseccomp.GetSyscallFromName(newest); err == nil {
		t.Logf("this libseccomp knows %s: the case is covered on older ones", newest)
		return
	}
	denying := loadSmall(t, strings.Replace(small, `"ptrace"`, `"`+newest+`"`, 1))
	program, err := denying.Compile(seccomp.AMD64)
	require.NoError(t, err)
	require.Equal(t, []string{newest}, program.Unknown)
	value, err := machine(t, program).Run(seccompData(unix.AUDIT_ARCH_X86_64, 467, [6]uint64{}))
	require.NoError(t, err)
	require.Equal(t, "SCMP_ACT_ERRNO 1", verdict(t, value), "the default denies in place of the rule")

	allowing := loadSmall(t, strings.Replace(small, `"read"`, `"`+newest+`"`, 1))
	_, err = allowing.Compile(seccomp.AMD64)
	require.ErrorContains(t, err, newest)
	require.ErrorContains(t, err, "too old")
}

// A call that only the other architecture has is no rule here, and no error.
func TestCompileLeavesOutCallsOfOtherArchitectures(t *testing.T) {
	profile := loadSmall(t, strings.Replace(small, `"ptrace"`, `"arch_prctl"`, 1))
	for _, arch := range profile.Architectures() {
		program, err := profile.Compile(arch)
		require.NoError(t, err)
		require.Empty(t, program.Unknown)
	}
}

func TestCompileWithDefaultKill(t *testing.T) {
	data := strings.NewReplacer(
		`"default_action": "SCMP_ACT_ERRNO",`, `"default_action": "SCMP_ACT_KILL_PROCESS",`,
		`"default_errno": "EPERM",`, ``,
		`{"names": ["ptrace"], "action": "SCMP_ACT_KILL_PROCESS", "reason": "an attack"}`,
		`{"names": ["ptrace"], "action": "SCMP_ACT_ERRNO", "errno": "EACCES", "reason": "an attack"}`,
	).Replace(small)
	profile := loadSmall(t, data)
	require.Nil(t, profile.OCI().DefaultErrnoRet)
	for _, arch := range profile.Architectures() {
		program, err := profile.Compile(arch)
		require.NoError(t, err)
		vm := machine(t, program)
		for number := range uint32(501) {
			everyArgument(t, vm, profile, seccomp.Call{Arch: arch, Number: number})
		}
	}
}

func loadSmall(t *testing.T, data string) *seccomp.Profile {
	t.Helper()
	profile, err := seccomp.Load("small", []byte(data))
	require.NoError(t, err)
	return profile
}

// libseccomp and this package's table agree wherever both know a call.
func TestTableAgreesWithLibseccomp(t *testing.T) {
	for arch, token := range map[seccomp.Arch]libseccomp.ScmpArch{
		seccomp.AMD64: libseccomp.ArchAMD64, seccomp.ARM64: libseccomp.ArchARM64,
	} {
		agreed := 0
		for number := range uint32(501) {
			name, err := libseccomp.ScmpSyscall(number).GetNameByArch(token)
			if err != nil {
				continue
			}
			ours, ok := seccomp.Number(arch, name)
			require.True(t, ok, "%s lacks %s", arch, name)
			require.Equal(t, number, ours, name)
			agreed++
		}
		require.Greater(t, agreed, 300, arch)
	}
}
