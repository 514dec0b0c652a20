package killlog

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const (
	kernelLine = `6,1540,13324825192,-;audit: type=1326 audit(1795233912.246:1540): auid=4294967295 uid=0 gid=0 ses=4294967295 pid=6061 comm="python3" exe="/usr/bin/python3.13" sig=31 arch=c000003e syscall=272 compat=0 ip=0x7fe7cc61c6a7 code=0x80000000`
	auditdLine = `type=SECCOMP msg=audit(1795233912.246:77): auid=4294967295 uid=0 gid=0 ses=4294967295 subj=unconfined pid=6061 comm="python3" exe="/usr/bin/python3.13" sig=31 arch=c00000b7 syscall=40 compat=0 ip=0x7fe7cc61c6a7 code=0x80000000`
)

func moment(unixMillis int64) time.Time { return time.UnixMilli(unixMillis) }

func log(name string, lines ...string) source {
	return func() (string, []byte, error) { return name, []byte(strings.Join(lines, "\n")), nil }
}

func unreadable(name string) source {
	return func() (string, []byte, error) { return name, nil, os.ErrPermission }
}

func TestFindsTheCall(t *testing.T) {
	changed := func(old, replacement string) string { return strings.Replace(kernelLine, old, replacement, 1) }
	tests := []struct {
		behaviour, line string
		want            string // "" for none
	}{
		{"in the kernel log", kernelLine, "unshare"},
		{"in auditd's form, on aarch64", auditdLine, "mount"},
		{"with a name in hexadecimal", changed(`comm="python3"`, `comm=707974686F6E2033`), "unshare"},
		{"of a number without a name", changed("syscall=272", "syscall=499"), "number 499"},
		{"of a foreign architecture, which has other numbers", changed("c000003e", "40000003"), "number 272"},
		{"behind a line of any length", strings.Repeat("x", 1<<17) + "\n" + kernelLine, "unshare"},
		{"not of another process", changed("pid=6061", "pid=606"), ""},
		{"not of a process that had the number before", changed("1795233912.246", "1795233911.246"), ""},
		{"not of a call that was only refused", changed("sig=31", "sig=0"), ""},
		{"not of a record of another type", changed("type=1326", "type=1327"), ""},
		{"not from a name that looks like a record", changed(`pid=6061 comm="python3"`, `pid=1 comm="pid=6061"`), ""},
	}
	for _, test := range tests {
		t.Run(test.behaviour, func(t *testing.T) {
			found, err := look(6061, moment(1795233912246), []source{log("a log", "x", test.line, "y")})
			if test.want == "" {
				require.ErrorIs(t, err, errNoRecord)
				return
			}
			require.NoError(t, err)
			require.Equal(t, test.want, found.String())
			require.Equal(t, "a log", found.Source)
		})
	}
}

func TestTakesTheNewestRecord(t *testing.T) {
	newer := strings.NewReplacer("912.246", "913.000", "syscall=272", "syscall=165").Replace(kernelLine)
	found, err := look(6061, moment(1795233912000), []source{log("a", kernelLine, newer)})
	require.NoError(t, err)
	require.Equal(t, "mount", found.String())
}

func TestSaysWhyThereIsNone(t *testing.T) {
	_, err := look(1, time.Now(), []source{unreadable("the kernel log"), unreadable("the audit log")})
	require.ErrorContains(t, err, "read the kernel log: permission denied")
	require.ErrorContains(t, err, "read the audit log: permission denied")
	require.NotErrorIs(t, err, errNoRecord)

	_, err = look(1, time.Now(), []source{unreadable("the kernel log"), log("the audit log", kernelLine)})
	require.ErrorIs(t, err, errNoRecord)
}

func TestAnotherLogIsAskedWhenOneCannotBeRead(t *testing.T) {
	found, err := look(6061, moment(1795233912246), []source{unreadable("the kernel log"), log("the audit log", auditdLine)})
	require.NoError(t, err)
	require.Equal(t, "the audit log", found.Source)
}

func TestWaitsForALateRecord(t *testing.T) {
	asked := 0
	late := func() (string, []byte, error) {
		if asked++; asked < 3 {
			return "a", nil, nil
		}
		return "a", []byte(kernelLine), nil
	}
	found, err := find(t.Context(), 6061, moment(1795233912246), []source{late})
	require.NoError(t, err)
	require.Equal(t, "unshare", found.Name)
}

func TestStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("no time"))
	_, err := find(ctx, 6061, time.Now(), []source{log("a")})
	require.ErrorContains(t, err, "no time")
}

// This machine's own log has this machine's own kill.
func TestFindsAKillOfThisMachine(t *testing.T) {
	if _, _, err := kernelLog(); err != nil {
		if os.Getenv("HOTCELL_REQUIRE_ALL") == "1" {
			require.NoError(t, err)
		}
		t.Skip("this test needs to read /dev/kmsg")
	}
	began := time.Now()
	const script = `
import ctypes, struct
libc = ctypes.CDLL(None)
class Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_char_p)]
code = b"".join(struct.pack("=HBBI", *i) for i in ((32, 0, 0, 0), (21, 0, 1, 153), (6, 0, 0, 0x80000000), (6, 0, 0, 0x7fff0000)))
libc.prctl(38, 1, 0, 0, 0)
assert libc.prctl(22, 2, ctypes.byref(Program(4, code)), 0, 0) == 0
libc.syscall(153)
`
	// 153 is vhangup on x86_64 and times on aarch64: Python makes neither.
	child := exec.CommandContext(t.Context(), "python3", "-c", script)
	output, err := child.CombinedOutput()
	require.ErrorContains(t, err, "bad system call", "%s", output)
	found, err := Find(t.Context(), child.Process.Pid, began)
	require.NoError(t, err, "pid %s", strconv.Itoa(child.Process.Pid))
	require.EqualValues(t, 153, found.Number)
}

func FuzzSearch(f *testing.F) {
	f.Add([]byte(kernelLine))
	f.Add([]byte(auditdLine))
	f.Fuzz(func(t *testing.T, lines []byte) {
		if found, ok := search(lines, 6061, time.Unix(0, 0)); ok {
			require.NotEmpty(t, found.String())
		}
	})
}
