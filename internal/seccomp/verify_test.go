//go:build linux && cgo

package seccomp_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"

	"hotcell/internal/seccomp"
)

var update = flag.Bool("update", false, "write the compiled programs that the binary carries")

// carried names the file of stage 2 for hosts without libseccomp.
func carried(goarch string) string {
	return "../../policies/seccomp/" + userCode + "." + goarch + ".bpf"
}

func TestCarriedProgramsAreTheProfile(t *testing.T) {
	profile := shipped(t, userCode)
	for _, goarch := range []string{"amd64", "arm64"} {
		arch, _ := seccomp.Native(goarch)
		if *update {
			program, err := profile.Compile(arch)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(carried(goarch), program.Bytes(), 0o644))
		}
		encoded, err := os.ReadFile(carried(goarch))
		require.NoError(t, err)
		program, err := profile.Precompiled(arch, encoded)
		require.NoError(t, err, "run go test ./internal/seccomp -update")
		require.Equal(t, encoded, program.Bytes())
		vm := machine(t, program)
		for number := range uint32(501) {
			if !unresolved(program)[number] {
				everyArgument(t, vm, profile, seccomp.Call{Arch: arch, Number: number})
			}
		}
	}
}

// Each instruction counts: with the lowest bit of its number, value or answer
// changed, a decision changes somewhere or the kernel would refuse it.
func TestVerifyFindsAChangedProgram(t *testing.T) {
	profile := shipped(t, userCode)
	encoded, err := os.ReadFile(carried("amd64"))
	require.NoError(t, err)
	const size = 8
	missed := 0
	for at := 0; at < len(encoded); at += size {
		changed := append([]byte{}, encoded...)
		changed[at+4] ^= 1 // the lowest bit of the number, value or answer
		if _, err := profile.Precompiled(seccomp.AMD64, changed); err == nil {
			missed++
		}
	}
	require.Zero(t, missed)
}

// rulesOf makes a profile with these rules and no others.
func rulesOf(t *testing.T, rules ...string) *seccomp.Profile {
	t.Helper()
	head, _, _ := strings.Cut(small, `[
    {`)
	return loadSmall(t, head+"["+strings.Join(rules, ",")+"]}")
}

// allowing is a rule that compares arguments.
func allowing(name string, args ...string) string {
	return fmt.Sprintf(`{"names": [%q], "action": "SCMP_ACT_ALLOW", "args": [%s], "reason": "x"}`, name, strings.Join(args, ","))
}

func masked(index int, mask, value uint64) string {
	return fmt.Sprintf(`{"index": %d, "mask": "%#x", "value": "%#x"}`, index, mask, value)
}

// The program that libseccomp 2.5.4 makes of such rules allows prctl(1, 0): what it has
// read last, when it comes to the second rule, is the second argument.
func TestVerifyFindsAComparisonOfTheWrongArgument(t *testing.T) {
	profile := rulesOf(t, allowing("prctl", masked(0, 0xffffffff, 1), masked(1, 1, 1)), allowing("prctl", masked(0, 0xffffffff, 0)))
	const load, and, equal, atLeast, answer = 0x20, 0x54, 0x15, 0x35, 0x06
	const deny, allow, kill = 0x00050001, 0x7fff0000, 0x80000000
	right := []bpf.RawInstruction{
		{Op: load, K: 4},
		{Op: equal, Jt: 1, K: unix.AUDIT_ARCH_X86_64},
		{Op: answer, K: kill},
		{Op: load, K: 0},
		{Op: atLeast, Jf: 2, K: 0x40000000}, // x32
		{Op: equal, Jt: 1, K: 0xffffffff},
		{Op: answer, K: kill},
		{Op: equal, Jt: 1, K: call(t, seccomp.AMD64, "prctl").Number},
		{Op: answer, K: deny},
		{Op: load, K: 16},
		{Op: equal, Jf: 4, K: 1},
		{Op: load, K: 24},
		{Op: and, K: 1},
		{Op: equal, Jf: 1, K: 1},
		{Op: answer, K: allow},
		{Op: load, K: 16}, // which libseccomp leaves out
		{Op: equal, Jf: 1, K: 0},
		{Op: answer, K: allow},
		{Op: answer, K: deny},
	}
	_, err := profile.Precompiled(seccomp.AMD64, (&seccomp.Program{Instructions: right}).Bytes())
	require.NoError(t, err)
	wrong := slices.Delete(right, 15, 16)
	_, err = profile.Precompiled(seccomp.AMD64, (&seccomp.Program{Instructions: wrong}).Bytes())
	require.ErrorContains(t, err, libseccompFault)
}

// Where calls share the end of their rules, libseccomp 2.5.4 makes such a program itself.
func TestCompileNeverReturnsAWrongProgram(t *testing.T) {
	const all = 0xffffffff
	profile := rulesOf(t,
		allowing("membarrier", masked(0, all, 1)), allowing("membarrier", masked(0, all, 0)),
		allowing("membarrier", masked(0, 8, 8)), allowing("membarrier", masked(0, all, 2)),
		allowing("prctl", masked(0, all, 1), masked(1, 1, 1)), allowing("prctl", masked(0, all, 0)))
	program, err := profile.Compile(seccomp.AMD64)
	if err != nil {
		require.ErrorContains(t, err, libseccompFault)
		return
	}
	requireSame(t, machine(t, program), profile, call(t, seccomp.AMD64, "prctl", 1, 0))
}

// What cannot be tried in full is refused.
func TestVerifyRefusesMoreOutcomesThanItTries(t *testing.T) {
	var rules []string
	for bit := range 20 {
		rules = append(rules, allowing("mmap", masked(2, 1<<bit, 1<<bit)))
	}
	_, err := rulesOf(t, rules[:8]...).Compile(seccomp.AMD64)
	require.NoError(t, err)
	_, err = rulesOf(t, rules...).Compile(seccomp.AMD64)
	require.ErrorContains(t, err, "outcomes together")
}

func TestPrecompiledRefuses(t *testing.T) {
	profile := shipped(t, userCode)
	encoded, err := os.ReadFile(carried("amd64"))
	require.NoError(t, err)
	for name, data := range map[string][]byte{
		"nothing": nil, "half an instruction": encoded[:12], "half a program": encoded[:len(encoded)/16*8],
		"too much": make([]byte, 8*4097), "zeros": make([]byte, 80),
		"a program that allows everything": {0x06, 0, 0, 0, 0, 0, 0xff, 0x7f},
	} {
		_, err := profile.Precompiled(seccomp.AMD64, data)
		require.Error(t, err, name)
	}
	_, err = profile.Precompiled(seccomp.ARM64, encoded)
	require.Error(t, err, "the other architecture's program")
	_, err = shipped(t, pythonAnalysis).Precompiled(seccomp.AMD64, encoded)
	require.Error(t, err, "the other stage's program")
	_, err = profile.Precompiled("SCMP_ARCH_X86", encoded)
	require.Error(t, err)
}
