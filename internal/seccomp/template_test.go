package seccomp_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/seccomp"
)

// What a template's filter denied, stage 1 could not give back to what is forked: a sandbox
// would be another one, and an analysis fail in it.
func TestATemplateMayDoAllThatStageOneLetsThrough(t *testing.T) {
	first, template := shipped(t, "python-analysis"), shipped(t, seccomp.Template("python-analysis"))
	require.Equal(t, first.Architectures(), template.Architectures())
	for _, arch := range first.Architectures() {
		tried := 0
		for _, name := range seccomp.Names(arch) {
			number, _ := seccomp.Number(arch, name)
			for _, args := range arguments(append(first.Rules(), template.Rules()...), name) {
				call := seccomp.Call{Arch: arch, Number: number, Args: args}
				if name == "tgkill" {
					continue // see TestATemplateForksAndMakesNoOtherProcess
				}
				if outcome(first.Evaluate(call)) == allowed {
					require.Equal(t, allowed, outcome(template.Evaluate(call)), "%s %x", name, args)
					tried++
				}
			}
		}
		require.Greater(t, tried, 100)
	}
}

// arguments are those that meet each rule for the call, and none.
func arguments(rules []seccomp.Rule, name string) [][6]uint64 {
	found := [][6]uint64{{}}
	for _, rule := range rules {
		for _, one := range rule.Names {
			if one != name {
				continue
			}
			var args [6]uint64
			for _, condition := range rule.Conditions {
				args[condition.Index] = condition.Value
			}
			found = append(found, args)
		}
	}
	return found
}

func TestATemplateMayMakeTheseCallsBesides(t *testing.T) {
	first, template := shipped(t, "python-analysis"), shipped(t, seccomp.Template("python-analysis"))
	for _, arch := range first.Architectures() {
		var more []string
		for _, name := range seccomp.Names(arch) {
			was, _ := first.Outcome(arch, name)
			if now, _ := template.Outcome(arch, name); now == seccomp.Allow && was != seccomp.Allow {
				more = append(more, name)
			}
		}
		require.ElementsMatch(t, []string{"capset", "keyctl", "recvmsg", "setgroups", "setns", "setresgid", "setresuid", "setsid", "unshare"}, more, arch)
	}
}

func TestATemplateForksAndMakesNoOtherProcess(t *testing.T) {
	template := shipped(t, seccomp.Template("python-analysis"))
	for name, test := range map[string]struct {
		call string
		args [6]uint64
		want string
	}{
		"fork as glibc makes it":               {"clone", [6]uint64{0x1200011}, allowed},
		"a fork in a new namespace":            {"clone", [6]uint64{0x1200011 | 0x10000000}, eperm},
		"a user namespace":                     {"unshare", [6]uint64{0x10000000}, allowed},
		"a user and a network namespace":       {"unshare", [6]uint64{0x10000000 | 0x40000000}, eperm},
		"a mount namespace":                    {"unshare", [6]uint64{0x20000}, eperm},
		"entering a network namespace":         {"setns", [6]uint64{3, 0x40000000}, allowed},
		"entering a user namespace":            {"setns", [6]uint64{3, 0x10000000}, eperm},
		"entering whatever it is":              {"setns", [6]uint64{3, 0}, eperm},
		"the guard's ids":                      {"setresuid", [6]uint64{65532, 65532, 65532}, allowed},
		"the ids of root":                      {"setresuid", [6]uint64{0, 0, 0}, eperm},
		"keeping an id":                        {"setresgid", [6]uint64{65532, 65532, 1<<32 - 1}, eperm},
		"a group":                              {"setgroups", [6]uint64{1, 4096}, eperm},
		"another process's limits":             {"prlimit64", [6]uint64{7, 1, 4096}, eperm},
		"a signal":                             {"tgkill", [6]uint64{7, 7, 9}, eperm},
		"a signal that stops":                  {"tgkill", [6]uint64{7, 7, 19}, eperm},
		"a signal with high bits":              {"tgkill", [6]uint64{7, 7, 1<<32 | 9}, eperm},
		"the signal of Go's own":               {"tgkill", [6]uint64{7, 7, 23}, allowed},
		"a key":                                {"keyctl", [6]uint64{11, 1}, eperm},
		"a keyring by its name":                {"keyctl", [6]uint64{1, 4096}, eperm},
		"receiving a message":                  {"recvmsg", [6]uint64{3, 4096, 0x40000000}, allowed},
		"looking at a message and leaving it":  {"recvmsg", [6]uint64{3, 4096, 0x40000002}, eperm},
		"a socket":                             {"socket", [6]uint64{1, 1}, eperm},
		"a mount":                              {"mount", [6]uint64{}, kills},
		"looking into another process":         {"ptrace", [6]uint64{}, kills},
		"a process by clone3":                  {"clone3", [6]uint64{}, enosys},
		"taking a capability's ambient set up": {"prctl", [6]uint64{47}, eperm},
	} {
		t.Run(name, func(t *testing.T) {
			for _, arch := range template.Architectures() {
				number, known := seccomp.Number(arch, test.call)
				require.True(t, known)
				require.Equal(t, test.want, outcome(template.Evaluate(seccomp.Call{Arch: arch, Number: number, Args: test.args})))
			}
		})
	}
}
