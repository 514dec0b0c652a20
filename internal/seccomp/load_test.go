package seccomp_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/seccomp"
)

const small = `{
  "version": 1,
  "name": "small",
  "description": "for tests",
  "default_action": "SCMP_ACT_ERRNO",
  "default_errno": "EPERM",
  "architectures": ["SCMP_ARCH_X86_64", "SCMP_ARCH_AARCH64"],
  "syscalls": [
    {"names": ["read", "write"], "action": "SCMP_ACT_ALLOW", "reason": "files"},
    {"names": ["clone3"], "action": "SCMP_ACT_ERRNO", "errno": "ENOSYS", "reason": "flags in memory"},
    {"names": ["mmap"], "action": "SCMP_ACT_ALLOW", "args": [{"index": 2, "mask": "0x4", "value": "0x0"}], "reason": "no code"},
    {"names": ["clone"], "action": "SCMP_ACT_ALLOW", "args": [{"index": 0, "value": "0x3d0f00"}], "reason": "threads"},
    {"names": ["ptrace"], "action": "SCMP_ACT_KILL_PROCESS", "reason": "an attack"}
  ]
}`

func TestLoadAcceptsASoundProfile(t *testing.T) {
	profile, err := seccomp.Load("small", []byte(small))
	require.NoError(t, err)
	require.Equal(t, "small", profile.Name())
	require.Equal(t, []seccomp.Arch{seccomp.AMD64, seccomp.ARM64}, profile.Architectures())
	require.Len(t, profile.Rules(), 5)
	require.Equal(t, seccomp.Decision{Action: seccomp.Allow, Reason: "files"},
		profile.Evaluate(call(t, seccomp.ARM64, "read")))
}

func TestLoadRefuses(t *testing.T) {
	const readRule = `{"names": ["read", "write"], "action": "SCMP_ACT_ALLOW", "reason": "files"}`
	const mmapArgs = `[{"index": 2, "mask": "0x4", "value": "0x0"}]`
	tests := []struct{ fault, old, changed, message string }{
		{"an unknown key", `"version"`, `"sersion"`, "sersion"},
		{"a key in another case", `"syscalls"`, `"Syscalls"`, "Syscalls"},
		{"an unknown key in a rule", `"reason": "files"`, `"reason": "files", "comment": "x"`, "syscalls/0/comment"},
		{"the OCI spelling of a key", `"errno": "ENOSYS"`, `"errnoRet": 38`, "errnoRet"},
		{"an OCI operator", `"mask": "0x4"`, `"op": "SCMP_CMP_NE"`, "syscalls/2/args/0/op"},
		{"a key that appears twice", `"version": 1`, `"version": 1, "version": 1`, "version"},
		{"trailing bytes", "\n}", "\n}{}", "JSON"},
		{"a missing key", `"description": "for tests",`, ``, "description"},
		{"a missing list of calls", `"syscalls"`, `"name2": "x", "syscalls"`, "name2"},
		{"no reason key", `, "reason": "files"`, ``, "reason"},
		{"no value", `, "value": "0x3d0f00"`, ``, "value"},
		{"no index", `"index": 0, `, ``, "index"},

		{"another version", `"version": 1`, `"version": 2`, "version: 2 is unknown"},
		{"another name than the file's", `"name": "small"`, `"name": "large"`, "name:"},
		{"an empty description", `"for tests"`, `" "`, "description:"},
		{"an empty reason", `"files"`, `""`, "syscalls[0].reason:"},

		{"default allow", `"default_action": "SCMP_ACT_ERRNO"`, `"default_action": "SCMP_ACT_ALLOW"`, "default_action:"},
		{"default log", `"default_action": "SCMP_ACT_ERRNO"`, `"default_action": "SCMP_ACT_LOG"`, "default_action:"},
		{"default trace", `"default_action": "SCMP_ACT_ERRNO"`, `"default_action": "SCMP_ACT_TRACE"`, "default_action:"},
		{"default notify", `"default_action": "SCMP_ACT_ERRNO"`, `"default_action": "SCMP_ACT_NOTIFY"`, "default_action:"},
		{"default trap", `"default_action": "SCMP_ACT_ERRNO"`, `"default_action": "SCMP_ACT_TRAP"`, "default_action:"},
		{"default kill of a thread", `"default_action": "SCMP_ACT_ERRNO"`, `"default_action": "SCMP_ACT_KILL"`, "default_action:"},
		{"an empty default", `"default_action": "SCMP_ACT_ERRNO"`, `"default_action": ""`, "default_action:"},
		{"a default errno that Docker drops", `"default_errno": "EPERM"`, `"default_errno": "ENOSYS"`, "default_errno:"},
		{"no default errno", `"default_errno": "EPERM",`, ``, "default_errno:"},
		{"an errno with default kill", `"default_action": "SCMP_ACT_ERRNO"`, `"default_action": "SCMP_ACT_KILL_PROCESS"`, "default_errno:"},

		{"no architecture", `["SCMP_ARCH_X86_64", "SCMP_ARCH_AARCH64"]`, `[]`, "architectures:"},
		{"an unknown architecture", `"SCMP_ARCH_AARCH64"`, `"SCMP_ARCH_X86"`, "architectures[1]:"},
		{"an architecture twice", `"SCMP_ARCH_AARCH64"`, `"SCMP_ARCH_X86_64"`, "architectures[1]:"},
		{"null for the architectures", `["SCMP_ARCH_X86_64", "SCMP_ARCH_AARCH64"]`, `null`, "architectures"},

		{"no names", `["read", "write"]`, `[]`, "syscalls[0].names:"},
		{"a misspelt name", `"read"`, `"raed"`, `syscalls[0].names[0]: unknown system call "raed"`},
		{"a name in capitals", `"read"`, `"READ"`, "syscalls[0].names[0]"},
		{"an empty name", `"read"`, `""`, "syscalls[0].names[0]"},
		{"a wildcard", `"read"`, `"*"`, "syscalls[0].names[0]"},
		{"a number for a name", `"read"`, `"0"`, "syscalls[0].names[0]"},
		{"a name twice in a rule", `"write"`, `"read"`, `syscalls[0].names[1]: "read" appears twice`},
		{"a name twice in two rules", `"ptrace"`, `"clone3"`, `syscalls[4].names[0]: "clone3" has another action`},
		{"an allowed name that is killed too", `"ptrace"`, `"read"`, `syscalls[4].names[0]: "read" has another action`},
		{
			"the same condition twice", readRule,
			readRule + `, {"names": ["clone"], "action": "SCMP_ACT_ALLOW", "args": [{"index": 0, "value": "0x3d0f00"}], "reason": "x"}`,
			`"clone" appears twice`,
		},
		{
			"a rule that a condition could not narrow", readRule,
			`{"names": ["read", "mmap"], "action": "SCMP_ACT_ALLOW", "reason": "x"}`, `"mmap" has a rule with args and one without`,
		},

		{"an unknown action", `"SCMP_ACT_ALLOW", "reason": "files"`, `"SCMP_ACT_PERMIT", "reason": "files"`, "syscalls[0].action:"},
		{"a call that is only logged", `"SCMP_ACT_ALLOW", "reason": "files"`, `"SCMP_ACT_LOG", "reason": "files"`, "syscalls[0].action:"},
		{"a call that asks", `"SCMP_ACT_ALLOW", "reason": "files"`, `"SCMP_ACT_NOTIFY", "reason": "files"`, "syscalls[0].action:"},
		{"a call that can be traced", `"SCMP_ACT_ALLOW", "reason": "files"`, `"SCMP_ACT_TRACE", "reason": "files"`, "syscalls[0].action:"},
		{"a trap", `"SCMP_ACT_KILL_PROCESS"`, `"SCMP_ACT_TRAP"`, "syscalls[4].action:"},
		{"the kill of a thread", `"SCMP_ACT_KILL_PROCESS"`, `"SCMP_ACT_KILL_THREAD"`, "syscalls[4].action:"},
		{"an action that is the default", `"errno": "ENOSYS"`, `"errno": "EPERM"`, "syscalls[1].action:"},
		{"an errno for an allowed call", `"SCMP_ACT_ALLOW", "reason": "files"`, `"SCMP_ACT_ALLOW", "errno": "EPERM", "reason": "files"`, "syscalls[0].errno:"},
		{"no errno", `"errno": "ENOSYS", `, ``, "syscalls[1].errno:"},
		{"an unknown errno", `"ENOSYS"`, `"EWHATEVER"`, "syscalls[1].errno:"},
		{"success for an errno", `"ENOSYS"`, `"0"`, "syscalls[1].errno:"},

		{"empty args", mmapArgs, `[]`, "syscalls[2].args:"},
		{"null args", mmapArgs, `null`, "null"},
		{"a null mask", `"mask": "0x4"`, `"mask": null`, "null"},
		{"an index that is too large", `"index": 2`, `"index": 6`, "syscalls[2].args[0].index:"},
		{"a negative index", `"index": 2`, `"index": -1`, "syscalls[2].args[0].index:"},
		{"an index that is no number", `"index": 2`, `"index": "2"`, "syscalls/2/args/0/index"},
		{"a pointer that cannot be looked behind", `"index": 2`, `"index": 4`, "syscalls[2].args[0].index:"},
		{
			"two conditions on one argument", mmapArgs,
			`[{"index": 2, "mask": "0x4", "value": "0x0"}, {"index": 2, "mask": "0x2", "value": "0x2"}]`,
			"syscalls[2].args[1].index: 2 appears twice",
		},
		{"a decimal value", `"0x3d0f00"`, `"4001536"`, "syscalls[3].args[0].value:"},
		{"a number for a value", `"0x3d0f00"`, `4001536`, "syscalls/3/args/0/value"},
		{"a value in capitals", `"0x3d0f00"`, `"0x3D0F00"`, "syscalls[3].args[0].value:"},
		{"a value with leading zeros", `"0x3d0f00"`, `"0x03d0f00"`, "syscalls[3].args[0].value:"},
		{"a value of 65 bits", `"0x3d0f00"`, `"0x10000000000000000"`, "syscalls[3].args[0].value:"},
		{"an empty value", `"0x3d0f00"`, `""`, "syscalls[3].args[0].value:"},
		{"a mask that keeps nothing", `"mask": "0x4"`, `"mask": "0x0"`, "syscalls[2].args[0].mask:"},
		{"a value outside the mask", `"mask": "0x4", "value": "0x0"`, `"mask": "0x4", "value": "0x8"`, "syscalls[2].args[0].value:"},
		{
			"an int compared with 64 bits", mmapArgs + `, "reason": "no code"}`,
			mmapArgs + `, "reason": "no code"}, {"names": ["ioctl"], "action": "SCMP_ACT_ALLOW", "args": [{"index": 1, "value": "0x5401"}], "reason": "x"}`,
			"syscalls[3].args[0].mask:",
		},
		{
			"an int compared with a mask of more than 32 bits", mmapArgs + `, "reason": "no code"}`,
			mmapArgs + `, "reason": "no code"}, {"names": ["ioctl"], "action": "SCMP_ACT_ALLOW", "args": [{"index": 1, "mask": "0x1ffffffff", "value": "0x5401"}], "reason": "x"}`,
			"syscalls[3].args[0].mask:",
		},
	}
	for _, test := range tests {
		t.Run(test.fault, func(t *testing.T) {
			require.Equal(t, 1, strings.Count(small, test.old), "the test must change one place")
			data := strings.Replace(small, test.old, test.changed, 1)
			profile, err := seccomp.Load("small", []byte(data))
			require.ErrorContains(t, err, test.message)
			require.ErrorContains(t, err, `load seccomp profile "small"`)
			require.Nil(t, profile)
		})
	}
}

func TestLoadRefusesWhatIsNoProfile(t *testing.T) {
	header, _, _ := strings.Cut(small, `"syscalls"`)
	for name, data := range map[string]string{
		"nothing":           "",
		"null":              "null",
		"an empty object":   "{}",
		"a list":            "[]",
		"no calls":          header + `"syscalls": []}`,
		"half a file":       small[:len(small)/2],
		"invalid UTF-8":     strings.Replace(small, "for tests", "for \xff", 1),
		"a byte order mark": "\xef\xbb\xbf" + small,
		"a huge file":       small + strings.Repeat(" ", 1<<20),
		"a unix name":       strings.Replace(small, `"small"`, `"../small"`, 1),
	} {
		t.Run(name, func(t *testing.T) {
			profile, err := seccomp.Load("small", []byte(data))
			require.Error(t, err)
			require.Nil(t, profile)
		})
	}
}

func TestLoadReportsEveryFaultAtOnce(t *testing.T) {
	data := strings.NewReplacer(`"read"`, `"raed"`, `"ENOSYS"`, `"E"`, `"index": 2`, `"index": 9`).Replace(small)
	_, err := seccomp.Load("small", []byte(data))
	require.ErrorContains(t, err, "syscalls[0].names[0]")
	require.ErrorContains(t, err, "syscalls[1].errno")
	require.ErrorContains(t, err, "syscalls[2].args[0].index")
}

// A name that exists on one of the profile's architectures only is known, and on
// none is not.
func TestLoadKnowsNamesByArchitecture(t *testing.T) {
	data := strings.Replace(small, `"ptrace"`, `"arch_prctl"`, 1)
	_, err := seccomp.Load("small", []byte(data))
	require.NoError(t, err)
	_, err = seccomp.Load("small", []byte(strings.Replace(data, `"SCMP_ARCH_X86_64", `, ``, 1)))
	require.ErrorContains(t, err, `unknown system call "arch_prctl"`)
}

// Losing any one byte of a file may lose a comment's letter, and nothing else
// without an error.
func TestLoadSeesEveryLostByte(t *testing.T) {
	whole, err := seccomp.Load("small", []byte(small))
	require.NoError(t, err)
	for i := range small {
		profile, err := seccomp.Load("small", []byte(small[:i]+small[i+1:]))
		if err == nil {
			requireSameDecisions(t, whole, profile, i)
		}
	}
}

func requireSameDecisions(t *testing.T, want, got *seccomp.Profile, lost int) {
	t.Helper()
	if !equalDecisions(want, got) {
		// A shorter number is another number: the only loss that cannot be seen.
		require.Contains(t, "0123456789abcdef", small[lost:lost+1], "byte %d", lost)
	}
}

func equalDecisions(a, b *seccomp.Profile) bool {
	for number := range uint32(501) {
		for _, value := range []uint64{0, 4, 8, 0x3d0f00} {
			made := seccomp.Call{Arch: seccomp.AMD64, Number: number, Args: [6]uint64{value, value, value, value, value, value}}
			if a.Evaluate(made).Action != b.Evaluate(made).Action {
				return false
			}
		}
	}
	return true
}

func FuzzLoad(f *testing.F) {
	f.Add([]byte(small))
	f.Fuzz(func(t *testing.T, data []byte) {
		profile, err := seccomp.Load("small", data)
		if err != nil {
			require.Nil(t, profile)
			return
		}
		requireSound(t, profile)
	})
}

// requireSound checks what holds for every profile that loads.
func requireSound(t *testing.T, profile *seccomp.Profile) {
	t.Helper()
	require.NotEmpty(t, profile.Architectures())
	require.NotEmpty(t, profile.OCI().Syscalls)
	for _, arch := range profile.Architectures() {
		require.NotEqual(t, seccomp.Allow, profile.Evaluate(seccomp.Call{Arch: arch, Number: 999}).Action)
	}
	require.Equal(t, seccomp.KillProcess, profile.Evaluate(seccomp.Call{Arch: "SCMP_ARCH_X86"}).Action)
	for _, rule := range profile.Rules() {
		require.NotEmpty(t, rule.Names)
		require.NotEmpty(t, rule.Reason)
	}
}
