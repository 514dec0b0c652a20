package seccomp_test

import (
	"encoding/json"
	"slices"
	"testing"

	specs "github.com/opencontainers/runtime-spec/specs-go"
	"github.com/stretchr/testify/require"

	"hotcell/internal/seccomp"
)

// A second reading of the runtime-spec's form, as its document describes it,
// decides every call as the profile does.
func TestOCIFormSaysTheSame(t *testing.T) {
	profile := shipped(t, pythonAnalysis)
	form := profile.OCI()
	for _, arch := range profile.Architectures() {
		require.Contains(t, form.Architectures, specs.Arch(arch))
		for number := range uint32(501) {
			for _, value := range valuesFor(profile, seccomp.Call{Arch: arch, Number: number}) {
				made := seccomp.Call{Arch: arch, Number: number, Args: [6]uint64{value, value, value, value}}
				want := profile.Evaluate(made)
				action, errno := readOCI(t, form, arch, made)
				require.Equal(t, specs.LinuxSeccompAction(want.Action), action, "%+v", made)
				if want.Action == seccomp.Deny {
					require.Equal(t, uint(want.Errno.Number()), errno, "%+v", made)
				}
			}
		}
	}
}

func readOCI(t *testing.T, form *specs.LinuxSeccomp, arch seccomp.Arch, made seccomp.Call) (specs.LinuxSeccompAction, uint) {
	t.Helper()
	for _, rule := range form.Syscalls {
		named := slices.ContainsFunc(rule.Names, func(name string) bool {
			number, ok := seccomp.Number(arch, name)
			return ok && number == made.Number
		})
		if named && ociHolds(t, rule.Args, made.Args) {
			return rule.Action, valueOf(rule.ErrnoRet)
		}
	}
	return form.DefaultAction, valueOf(form.DefaultErrnoRet)
}

func ociHolds(t *testing.T, args []specs.LinuxSeccompArg, given [6]uint64) bool {
	t.Helper()
	for _, arg := range args {
		switch arg.Op {
		case specs.OpEqualTo:
			if given[arg.Index] != arg.Value {
				return false
			}
		case specs.OpMaskedEqual:
			if given[arg.Index]&arg.Value != arg.ValueTwo {
				return false
			}
		default:
			require.Fail(t, "unexpected operator", arg.Op)
		}
	}
	return true
}

func valueOf(errno *uint) uint {
	if errno == nil {
		return 0
	}
	return *errno
}

// Values above 2^53 would not survive a reader that takes JSON numbers for
// floating point.
func TestOCIFormSurvivesJSON(t *testing.T) {
	form := shipped(t, pythonAnalysis).OCI()
	encoded, err := json.Marshal(form)
	require.NoError(t, err)
	var decoded specs.LinuxSeccomp
	require.NoError(t, json.Unmarshal(encoded, &decoded))
	require.Equal(t, form, &decoded)
	for _, rule := range form.Syscalls {
		for _, arg := range rule.Args {
			require.Less(t, arg.Value, uint64(1)<<53)
			require.Less(t, arg.ValueTwo, uint64(1)<<53)
		}
	}
}
