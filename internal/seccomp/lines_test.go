package seccomp_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/seccomp"
)

// Each kind of fault names the line on which it stands.
func TestLoadNamesTheLine(t *testing.T) {
	tests := []struct{ fault, old, changed, want string }{
		{"an unknown key", `"reason": "files"`, `"reason": "files", "comment": "x"`, "line 9"},
		{"an unknown key of the document", `"description"`, `"summary"`, "line 4"},
		{"a key that appears twice", `"default_errno": "EPERM",`, `"default_errno": "EPERM", "default_errno": "EPERM",`, "line 6"},
		{"an unknown call", `"ptrace"`, `"ptraec"`, "line 13, syscalls[4].names[0]"},
		{"a call that appears twice", `"ptrace"`, `"read"`, "line 13, syscalls[4].names[0]"},
		{"a permissive default", `"default_action": "SCMP_ACT_ERRNO"`, `"default_action": "SCMP_ACT_ALLOW"`, "line 5, default_action"},
		{"an empty list of names", `["clone3"]`, `[]`, "line 10, syscalls[1].names"},
		{"an empty list of conditions", `[{"index": 2, "mask": "0x4", "value": "0x0"}]`, `[]`, "line 11, syscalls[2].args"},
		{"an empty list of architectures", `["SCMP_ARCH_X86_64", "SCMP_ARCH_AARCH64"]`, `[]`, "line 7, architectures"},
		{"a key that is missing where it is needed", `"errno": "ENOSYS", `, ``, "line 10, syscalls[1].errno"},
		{"a null", `"mask": "0x4"`, `"mask": null`, "line 11"},
		{"what is no JSON", `"ptrace"]`, `"ptrace"`, "line 13"},
	}
	for _, test := range tests {
		t.Run(test.fault, func(t *testing.T) {
			require.Equal(t, 1, strings.Count(small, test.old))
			_, err := seccomp.Load("small", []byte(strings.Replace(small, test.old, test.changed, 1)))
			require.ErrorContains(t, err, test.want)
		})
	}
}

func TestLoadNamesTheLineOfAnEmptyListOfCalls(t *testing.T) {
	header, _, _ := strings.Cut(small, `"syscalls"`)
	_, err := seccomp.Load("small", []byte(header+"\"syscalls\": []\n}"))
	require.ErrorContains(t, err, "line 8, syscalls: is empty")
}

func TestLoadLimitsRulesToArchitectures(t *testing.T) {
	const readRule = `{"names": ["read", "write"], "action": "SCMP_ACT_ALLOW", "reason": "files"}`
	limited := func(name, architectures string) string {
		rule := `{"names": ["` + name + `"], "action": "SCMP_ACT_ALLOW", "architectures": ` + architectures + `, "reason": "x"}`
		return strings.Replace(small, readRule, readRule+",\n"+rule, 1)
	}
	profile, err := seccomp.Load("small", []byte(limited("mkdirat", `["SCMP_ARCH_AARCH64"]`)))
	require.NoError(t, err)
	require.Equal(t, seccomp.Allow, profile.Evaluate(call(t, seccomp.ARM64, "mkdirat")).Action)
	require.Equal(t, seccomp.Deny, profile.Evaluate(call(t, seccomp.AMD64, "mkdirat")).Action)

	for name, data := range map[string]string{
		"no architecture":                    limited("mkdirat", `[]`),
		"all architectures":                  limited("mkdirat", `["SCMP_ARCH_X86_64", "SCMP_ARCH_AARCH64"]`),
		"one that the profile does not name": limited("mkdirat", `["SCMP_ARCH_X86"]`),
		"one twice":                          limited("mkdirat", `["SCMP_ARCH_AARCH64", "SCMP_ARCH_AARCH64"]`),
		"a call that it does not have":       limited("mkdir", `["SCMP_ARCH_AARCH64"]`),
	} {
		_, err := seccomp.Load("small", []byte(data))
		require.ErrorContains(t, err, "line 10", name)
	}
}
