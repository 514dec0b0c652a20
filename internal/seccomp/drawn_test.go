//go:build linux && cgo

package seccomp_test

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	libseccomp "github.com/seccomp/libseccomp-golang"
	"github.com/stretchr/testify/require"

	"hotcell/internal/seccomp"
)

// source is what a profile is drawn from: choice after choice, one byte each. Behind its
// end all are 0.
type source struct{ rest []byte }

func (s *source) below(bound int) int {
	raw := [2]byte{}
	size := 1
	if bound > 256 {
		size = 2
	}
	s.rest = s.rest[copy(raw[:size], s.rest):]
	return int(binary.LittleEndian.Uint16(raw[:])) % bound
}

func one[T any](s *source, of []T) T { return of[s.below(len(of))] }

// word is a number at which comparisons go wrong, one of a few bits, or any.
func (s *source) word() uint64 {
	edges := []uint64{0, 1, 1<<31 - 1, 1 << 31, 1<<32 - 1, 1 << 32, 1<<63 - 1, 1 << 63, 1<<64 - 1}
	switch choice := s.below(24); {
	case choice < len(edges):
		return edges[choice]
	case choice < 20:
		return uint64(s.below(256)) << (4 * s.below(16))
	default:
		var raw [8]byte
		s.rest = s.rest[copy(raw[:], s.rest):]
		return binary.LittleEndian.Uint64(raw[:])
	}
}

// drawnName is the name of every drawn profile.
const drawnName = "drawn"

// drawn is a profile in the file's form, by a second hand.
type drawn struct {
	Version       int            `json:"version"`
	Name          string         `json:"name"`
	Description   string         `json:"description"`
	DefaultAction seccomp.Action `json:"default_action"`
	DefaultErrno  seccomp.Errno  `json:"default_errno,omitempty"`
	Architectures []seccomp.Arch `json:"architectures"`
	Syscalls      []drawnRule    `json:"syscalls"`
}

type drawnRule struct {
	Names         []string       `json:"names"`
	Action        seccomp.Action `json:"action"`
	Errno         seccomp.Errno  `json:"errno,omitempty"`
	Args          []drawnArg     `json:"args,omitempty"`
	Architectures []seccomp.Arch `json:"architectures,omitempty"`
	Reason        string         `json:"reason"`
}

type drawnArg struct {
	Index uint   `json:"index"`
	Mask  string `json:"mask,omitempty"`
	Value string `json:"value"`
}

// answer is an action with its errno.
type answer struct {
	action seccomp.Action
	errno  seccomp.Errno
}

func answers() []answer {
	return []answer{
		{seccomp.Allow, ""}, {seccomp.KillProcess, ""}, {seccomp.Deny, seccomp.EPERM},
		{seccomp.Deny, seccomp.EACCES}, {seccomp.Deny, seccomp.ENOTTY}, {seccomp.Deny, seccomp.ENOSYS},
	}
}

// profile returns the file of a profile in which nothing is to be refused.
func (s *source) profile(t *testing.T) []byte {
	t.Helper()
	fallback := one(s, answers()[1:3])
	made := drawn{
		Version: 1, Name: drawnName, Description: "for tests", DefaultAction: fallback.action, DefaultErrno: fallback.errno,
		Architectures: one(s, [][]seccomp.Arch{{seccomp.AMD64, seccomp.ARM64}, {seccomp.AMD64}, {seccomp.ARM64}}),
	}
	others := slices.DeleteFunc(answers(), func(a answer) bool { return a == fallback })
	taken := map[string]bool{}
	for len(made.Syscalls) == 0 || len(s.rest) > 0 && len(taken) < 8 {
		made.Syscalls = append(made.Syscalls, s.call(others, made.Architectures, taken)...)
	}
	text, err := json.Marshal(made)
	require.NoError(t, err)
	return text
}

// call returns the rules of a call that has none yet. They have one answer, and no two
// the same conditions.
func (s *source) call(others []answer, archs []seccomp.Arch, taken map[string]bool) []drawnRule {
	name := one(s, candidates(s.below(2) == 0, archs, taken))
	taken[name] = true
	given := one(s, others)
	if given.action == seccomp.Allow && !resolved(name, archs) {
		given = others[len(others)-1]
	}
	conditional := len(compared(name)) > 0 && s.below(4) > 0
	var rules []drawnRule
	seen := map[string]bool{}
	for range 1 + s.below(4) {
		rule := drawnRule{Names: []string{name}, Action: given.action, Errno: given.errno, Reason: "drawn"}
		if conditional {
			rule.Args = s.args(compared(name))
		}
		if on := having(name, archs); len(archs) > 1 && s.below(4) == 3 {
			rule.Architectures = []seccomp.Arch{one(s, on)}
		}
		if conditions := fmt.Sprint(rule.Args); !seen[conditions] {
			rules, seen[conditions] = append(rules, rule), true
		}
	}
	return rules
}

// args returns conditions of one or all of the arguments, in any order.
func (s *source) args(of []argument) []drawnArg {
	first := s.below(len(of))
	chosen := slices.Concat(of[first:], of[:first])[:1+s.below(len(of))]
	var args []drawnArg
	for _, argument := range chosen {
		mask := s.word() & argument.all
		if mask == 0 {
			mask = argument.all
		}
		arg := drawnArg{Index: argument.index, Value: fmt.Sprintf("%#x", s.word()&mask)}
		if mask != 1<<64-1 || s.below(2) == 1 { // all bits are what no mask is
			arg.Mask = fmt.Sprintf("%#x", mask)
		}
		args = append(args, arg)
	}
	return args
}

// argument is one that a rule may compare, and the bits of it that the kernel reads.
type argument struct {
	index uint
	all   uint64
}

func compared(name string) []argument {
	var found []argument
	for index := range uint(6) {
		if bits, _, ok := seccomp.ArgumentBits(name, index); ok {
			found = append(found, argument{index, 1<<bits - 1})
		}
	}
	return found
}

// candidates are the calls that the architectures have, sorted: all of them, or those
// with arguments to compare.
func candidates(conditional bool, archs []seccomp.Arch, taken map[string]bool) []string {
	var names []string
	for _, arch := range archs {
		for _, name := range seccomp.Names(arch) {
			if !taken[name] && (!conditional || len(compared(name)) > 0) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func having(name string, archs []seccomp.Arch) []seccomp.Arch {
	return slices.DeleteFunc(slices.Clone(archs), func(arch seccomp.Arch) bool {
		_, ok := seccomp.Number(arch, name)
		return !ok
	})
}

// resolved tells whether this libseccomp knows the call wherever there is one: where it
// does not, Compile refuses to let it through.
func resolved(name string, archs []seccomp.Arch) bool {
	tokens := map[seccomp.Arch]libseccomp.ScmpArch{seccomp.AMD64: libseccomp.ArchAMD64, seccomp.ARM64: libseccomp.ArchARM64}
	return !slices.ContainsFunc(having(name, archs), func(arch seccomp.Arch) bool {
		number, err := libseccomp.GetSyscallFromNameByArch(name, tokens[arch])
		return err != nil || number < 0
	})
}
