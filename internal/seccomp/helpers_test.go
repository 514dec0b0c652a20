package seccomp_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/seccomp"
)

// shipped loads one of the profiles that the binary carries.
func shipped(t testing.TB, name string) *seccomp.Profile {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "policies", "seccomp", name+".json"))
	require.NoError(t, err)
	profile, err := seccomp.Load(name, data)
	require.NoError(t, err)
	return profile
}

// call makes a call by name. A missing argument is zero.
func call(t testing.TB, arch seccomp.Arch, name string, args ...uint64) seccomp.Call {
	t.Helper()
	number, ok := seccomp.Number(arch, name)
	require.True(t, ok, "%s has no %s", arch, name)
	made := seccomp.Call{Arch: arch, Number: number}
	copy(made.Args[:], args)
	return made
}

// interesting are argument values at the borders of what filters compare: each
// one also with bits above the 32nd, which the kernel ignores in many arguments.
func interesting() []uint64 {
	low := []uint64{
		0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 14, 15, 16, 22, 38, 39, 40,
		0x3ff, 0x406, 0x407, 0x1002, 0x1003, 0x5401, 0x5412, 0x5413, 0x541c, 0x5451,
		0x3d0f00, 0x7d0f00, 0x3d0f11, 0x103d0f00, 0x50f00, 17, 0x10000000,
		0x40000000, 0x7fffffff, 0x80000000, 0xffffffff,
	}
	values := low
	for _, value := range low {
		values = append(values, value|1<<32, value|0xffffffff<<32)
	}
	return values
}

// valuesFor returns all interesting values for a call whose arguments matter, and
// a few for one whose arguments must not.
func valuesFor(profile *seccomp.Profile, made seccomp.Call) []uint64 {
	for _, rule := range profile.Rules() {
		for _, name := range rule.Names {
			if number, ok := seccomp.Number(made.Arch, name); ok && number == made.Number && rule.Conditions != nil {
				return interesting()
			}
		}
	}
	return []uint64{0, 1, 4, 0x10000000, 0xffffffff, 1 << 32, ^uint64(0)}
}
