//go:build linux && cgo

package seccomp_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/seccomp"
)

// FuzzCompileAgainstEvaluate makes a profile of the bytes, whatever they are, and has
// libseccomp's program decide calls beside Evaluate: at the borders of all conditions in
// all combinations, and with values of the bytes. No shipped profile leads there. A
// program of which one bit is changed is refused, or decides as before.
func FuzzCompileAgainstEvaluate(f *testing.F) {
	f.Fuzz(func(t *testing.T, content []byte) {
		from := &source{rest: content}
		number, values := uint32(from.word()), []uint64{0, from.word(), from.word()}
		place, bit := from.below(1<<16), from.below(8)
		text := from.profile(t)
		t.Logf("%s", text) // shown with a failure
		profile, err := seccomp.Load(drawnName, text)
		require.NoError(t, err)
		for _, arch := range profile.Architectures() {
			program, err := profile.Compile(arch)
			if err != nil && strings.Contains(err.Error(), libseccompFault) {
				continue
			}
			require.NoError(t, err)
			narrow, err := profile.For(arch)
			require.NoError(t, err)
			requireAgreement(t, narrow, program, number, values)
			changed := program.Bytes()
			changed[place%len(changed)] ^= 1 << bit
			if accepted, err := narrow.Precompiled(arch, changed); err == nil {
				requireAgreement(t, narrow, accepted, number, values)
			}
		}
	})
}

// libseccompFault stands in the error about a program in which libseccomp has a wrong word
// compared. One drawn profile in some thousands has one.
const libseccompFault = "a fault of libseccomp's"

// requireAgreement tries the calls of all rules and those beside them, x32's included, a
// number of the fuzzer's own, and such as no call has. A profile that is narrowed to the
// program's architecture kills every other one, as the program does.
func requireAgreement(t *testing.T, profile *seccomp.Profile, program *seccomp.Program, number uint32, values []uint64) {
	t.Helper()
	vm, skip := machine(t, program), unresolved(program)
	for number, conditions := range conditionsOf(profile, program.Arch, number) {
		for _, arch := range []seccomp.Arch{seccomp.AMD64, seccomp.ARM64, "SCMP_ARCH_X86"} {
			if arch != program.Arch {
				requireSame(t, vm, profile, seccomp.Call{Arch: arch, Number: number})
				continue
			}
			for _, args := range combinations(conditions, values) {
				if !skip[number] {
					requireSame(t, vm, profile, seccomp.Call{Arch: arch, Number: number, Args: args})
				}
			}
		}
	}
}

// conditionsOf returns the numbers to be tried, each with all that any rule asks of its
// arguments.
func conditionsOf(profile *seccomp.Profile, arch seccomp.Arch, drawn uint32) map[uint32][]seccomp.Condition {
	const x32 = 0x40000000
	found := map[uint32][]seccomp.Condition{}
	for _, number := range []uint32{drawn, 0, 500, x32 - 1, x32, 1<<31 - 1, 1 << 31, 1<<32 - 2, 1<<32 - 1} {
		found[number] = nil
	}
	for _, rule := range profile.Rules() {
		for _, name := range rule.Names {
			number, ok := seccomp.Number(arch, name)
			if !ok {
				continue
			}
			found[number] = append(found[number], rule.Conditions...)
			for _, beside := range []uint32{number - 1, number + 1, number | x32} {
				found[beside] = append(found[beside], nil...)
			}
		}
	}
	return found
}

// combinations are arguments with each value in all of them, and with what is at the
// borders of the conditions in those that they compare.
func combinations(conditions []seccomp.Condition, values []uint64) [][6]uint64 {
	borders := map[uint]map[uint64]bool{}
	for _, c := range conditions {
		if borders[c.Index] == nil {
			borders[c.Index] = map[uint64]bool{}
		}
		for _, border := range []uint64{
			c.Value, ^c.Value, c.Value - 1, c.Value + 1, c.Value | ^c.Mask, c.Value ^ c.Mask&-c.Mask,
			c.Value ^ 1<<31, c.Value ^ 1<<32, c.Value ^ 1<<63,
		} {
			borders[c.Index][border] = true
		}
	}
	var all [][6]uint64
	for _, value := range values {
		all = append(all, [6]uint64{value, value, value, value, value, value})
	}
	for index, at := range borders {
		for _, args := range all {
			for border := range at {
				args[index] = border
				all = append(all, args)
			}
		}
	}
	return all
}
