// Package trace lists the system calls that a command makes and what a profile
// would do with each, so that a new package is admitted with evidence.
//
// It decides nothing, and it is no sandbox: the command runs with the caller's
// rights, and its every call is let through (SECCOMP_RET_USER_NOTIF, answered with
// SECCOMP_USER_NOTIF_FLAG_CONTINUE). Trace code that you trust. cmd/runner is its
// caller; tests use it too.
package trace

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"hotcell/internal/seccomp"
)

// Options says what is traced.
type Options struct {
	// Helper is the argument vector with which this very program calls Exec, with
	// Command behind it. The traced command needs a filter before its first
	// instruction, which a process can only give to itself.
	Helper  []string
	Command []string
	Profile *seccomp.Profile

	Stdin          io.Reader
	Stdout, Stderr io.Writer
}

// Report is what a command did.
type Report struct {
	Calls []Call
	// Locked tells that the command gave up being dumpable, as the guard does
	// before it loads stage 2. Only what came after it counts then.
	Locked bool
	// ExitCode is the command's, or -1 when a signal ended it.
	ExitCode int
}

// Call is one system call with the arguments that a filter can compare.
type Call struct {
	Name     string // "" for a number that no table has
	Number   uint32
	Args     string // like "arg2=0x3"; "" where no argument can be compared
	Count    int
	Decision seccomp.Decision
}

// Refused returns the calls that the profile would not let through.
func (r Report) Refused() []Call {
	return slices.DeleteFunc(slices.Clone(r.Calls), func(c Call) bool { return c.Decision.Action == seccomp.Allow })
}

// key tells calls apart that a filter can tell apart.
type key struct {
	arch   seccomp.Arch
	number uint32
	args   string
}

// tally counts the calls of one run.
type tally struct {
	profile *seccomp.Profile
	calls   map[key]*Call
	locked  bool
}

func (t *tally) add(call seccomp.Call) {
	if !t.locked && givesUpDumpable(call) {
		t.locked, t.calls = true, map[key]*Call{}
		return
	}
	name := seccomp.NameOf(call.Arch, call.Number)
	args := compared(name, call.Args)
	at := key{call.Arch, call.Number, args}
	if t.calls[at] == nil {
		t.calls[at] = &Call{Name: name, Number: call.Number, Args: args, Decision: t.profile.Evaluate(call)}
	}
	t.calls[at].Count++
}

// givesUpDumpable recognises prctl(PR_SET_DUMPABLE, 0).
func givesUpDumpable(call seccomp.Call) bool {
	const setDumpable = 4
	return seccomp.NameOf(call.Arch, call.Number) == "prctl" && uint32(call.Args[0]) == setDumpable && call.Args[1] == 0
}

// compared writes the arguments that a profile may compare. Pointers differ from
// call to call and mean nothing: only whether there is one is kept.
func compared(name string, args [6]uint64) string {
	var text strings.Builder
	for index, value := range args {
		bits, pointer, ok := seccomp.ArgumentBits(name, uint(index))
		switch {
		case !ok:
			continue
		case pointer && value != 0:
			fmt.Fprintf(&text, " arg%d=pointer", index)
		case bits == 32:
			fmt.Fprintf(&text, " arg%d=%#x", index, uint32(value))
		default:
			fmt.Fprintf(&text, " arg%d=%#x", index, value)
		}
	}
	return strings.TrimPrefix(text.String(), " ")
}

func (t *tally) sorted() []Call {
	calls := []Call{}
	for _, call := range t.calls {
		calls = append(calls, *call)
	}
	slices.SortFunc(calls, func(a, b Call) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Number, b.Number), cmp.Compare(a.Args, b.Args))
	})
	return calls
}
