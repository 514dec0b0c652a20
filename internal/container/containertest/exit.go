package containertest

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
	"hotcell/internal/job"
)

func exitTests() []subtest {
	var tests []subtest
	// 125 to 127 and 137 are those that container tools use for words of their own.
	for _, code := range []int{0, 1, 3, 125, 127, 137, 255} {
		tests = append(tests, subtest{"exit code " + strconv.Itoa(code) + " is the program's", exitCode(code)})
	}
	for _, signal := range []string{"SIGSEGV", "SIGBUS", "SIGSYS"} {
		tests = append(tests, subtest{signal + " is named", endedBySignal(signal)})
	}
	return append(tests, subtest{"a SIGKILL from outside is neither ours nor a lack of memory", foreignKill})
}

func exitCode(code int) func(*testing.T, Harness) {
	return func(t *testing.T, h Harness) {
		exit, stdout := newTrial(t, h, Behaviour{Name: ExitWith, Code: code}).collect()
		require.Empty(t, stdout)
		exit.Usage, exit.PID = job.Usage{}, 0
		require.Equal(t, container.Exit{Code: code}, exit)
	}
}

func endedBySignal(signal string) func(*testing.T, Harness) {
	return func(t *testing.T, h Harness) {
		exit, stdout := newTrial(t, h, Behaviour{Name: Crash, Signal: signal}).collect()
		require.Empty(t, string(stdout))
		exit.Usage, exit.PID = job.Usage{}, 0
		require.Equal(t, container.Exit{Code: -1, Signal: signal}, exit)
	}
}

func foreignKill(t *testing.T, h Harness) {
	if h.Kill == nil {
		t.Skip("this engine's processes cannot be reached from here")
	}
	r := newTrial(t, h, Behaviour{Name: Hang})
	running := r.converse()
	running.expect("ready")
	require.NoError(t, h.Kill(r.marker))
	exit := running.wait()
	exit.Usage, exit.PID = job.Usage{}, 0
	require.Equal(t, container.Exit{Code: -1, Signal: "SIGKILL"}, exit)
}
