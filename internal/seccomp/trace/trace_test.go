//go:build linux

package trace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/seccomp"
)

// helperVariable makes the test binary what Options.Helper names.
const helperVariable = "HOTCELL_TEST_TRACED"

func TestMain(m *testing.M) {
	if os.Getenv(helperVariable) != "" {
		fmt.Fprintln(os.Stderr, Exec(os.Args[1:]))
		os.Exit(99)
	}
	os.Exit(m.Run())
}

func profile(t *testing.T, name string) *seccomp.Profile {
	t.Helper()
	data, err := os.ReadFile("../../../policies/seccomp/" + name + ".json")
	require.NoError(t, err)
	loaded, err := seccomp.Load(name, data)
	require.NoError(t, err)
	return loaded
}

func traced(t *testing.T, command ...string) (Report, string, error) {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	t.Setenv(helperVariable, "1")
	var said strings.Builder
	report, err := Run(t.Context(), Options{
		Helper: []string{self}, Command: command, Profile: profile(t, "python-analysis.user"),
		Stdout: &said, Stderr: &said,
	})
	return report, said.String(), err
}

func calls(report Report) map[string]Call {
	named := map[string]Call{}
	for _, call := range report.Calls {
		named[strings.TrimSpace(call.Name+" "+call.Args)] = call
	}
	return named
}

func TestListsTheCallsOfACommand(t *testing.T) {
	report, said, err := traced(t, "sh", "-c", "echo hello; umask 077")
	require.NoError(t, err)
	require.Equal(t, "hello\n", said)
	require.Zero(t, report.ExitCode)
	require.False(t, report.Locked)
	found := calls(report)
	require.Equal(t, seccomp.Allow, found["write"].Decision.Action)
	require.Equal(t, 1, found["execve"].Count)
	require.Equal(t, seccomp.Deny, found["execve"].Decision.Action)
	require.Equal(t, seccomp.Deny, found["umask"].Decision.Action)
	require.Contains(t, found, "mmap arg2=0x3")
	require.NotEmpty(t, report.Refused())
}

func TestFollowsProcessesAndThreads(t *testing.T) {
	report, said, err := traced(t, "sh", "-c", "(umask 077; echo inner) & wait; sync")
	require.NoError(t, err)
	require.Equal(t, "inner\n", said)
	found := calls(report)
	require.Contains(t, found, "umask")
	require.Contains(t, found, "sync")
}

// What the guard does before it loads stage 2 is not counted.
func TestCountsOnlyWhatFollowsTheLock(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("this test needs python3")
	}
	const script = "import ctypes, os; os.umask(7); ctypes.CDLL(None).prctl(4, 0, 0, 0, 0); os.getppid(); open('/dev/null').close()"
	report, said, err := traced(t, "python3", "-c", script)
	require.NoError(t, err)
	require.Empty(t, said)
	require.True(t, report.Locked)
	found := calls(report)
	require.NotContains(t, found, "umask")
	require.NotContains(t, found, "execve")
	require.Equal(t, seccomp.Deny, found["getppid"].Decision.Action)
	require.Equal(t, seccomp.Allow, found["openat"].Decision.Action)
}

func TestTellsHowTheCommandEnded(t *testing.T) {
	report, _, err := traced(t, "sh", "-c", "exit 3")
	require.NoError(t, err)
	require.Equal(t, 3, report.ExitCode)
}

func TestSaysWhatCannotBeTraced(t *testing.T) {
	_, said, err := traced(t, "no-such-command")
	require.Error(t, err)
	require.Contains(t, said, "find command")
}

func TestEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	self, err := os.Executable()
	require.NoError(t, err)
	t.Setenv(helperVariable, "1")
	reader, writer, err := os.Pipe()
	require.NoError(t, err)
	defer reader.Close()
	go func() {
		_, _ = reader.Read(make([]byte, 1)) // the command runs
		cancel(errors.New("enough"))
	}()
	_, err = Run(ctx, Options{
		Helper: []string{self}, Command: []string{"sh", "-c", "echo; exec sleep 1000"},
		Profile: profile(t, "python-analysis.user"), Stdout: writer,
	})
	writer.Close()
	require.ErrorContains(t, err, "enough")
}

func TestArgumentsThatAFilterCanCompare(t *testing.T) {
	for want, given := range map[string]struct {
		name string
		args [6]uint64
	}{
		"arg1=0x5401":           {"ioctl", [6]uint64{1, 0xffffffff00005401, 7}},
		"arg0=0x0 arg2=pointer": {"prlimit64", [6]uint64{0, 3, 0x7fff0000}},
		"arg0=0x0 arg2=0x0":     {"prlimit64", [6]uint64{0, 3, 0}},
		"":                      {"read", [6]uint64{1, 2, 3}},
	} {
		require.Equal(t, want, compared(given.name, given.args), given.name)
	}
}
