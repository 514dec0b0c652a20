//go:build linux && cgo

package seccomp_test

import (
	"flag"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

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
