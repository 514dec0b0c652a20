package main

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestMain(m *testing.M) {
	if os.Getenv("HOTCELL_TEST_REAP") == "1" {
		os.Unsetenv("HOTCELL_TEST_REAP")
		main()
	}
	os.Exit(m.Run())
}

// detached leaves a process that has nothing to do with its parent any more, and says
// its number once it is so.
const detached = `(setsid sh -c 'trap "" TERM HUP; echo $$; exec sleep 1000' &) ; `

func reaper(t *testing.T, script string) *exec.Cmd {
	t.Helper()
	command := exec.Command(os.Args[0], "sh", "-c", script)
	command.Env = append(os.Environ(), "HOTCELL_TEST_REAP=1")
	command.Stderr = t.Output()
	command.WaitDelay = time.Minute // whatever it did not end would hold stderr for good
	return command
}

func requireEnded(t *testing.T, pid string) {
	t.Helper()
	require.NoDirExists(t, filepath.Join("/proc", pid))
}

func TestWhatACommandLeavesEndsWithIt(t *testing.T) {
	command := reaper(t, detached+"exit 7")
	output, err := command.Output()
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit)
	require.Equal(t, 7, exit.ExitCode())
	// The shell may have been killed before it could say its number.
	if pid := strings.TrimSpace(string(output)); pid != "" {
		requireEnded(t, pid)
	}
}

func TestASignalEndsAllOfIt(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		command := reaper(t, `trap "" INT TERM HUP; `+detached+"sleep 1000")
		stdout, err := command.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, command.Start())
		line, err := bufio.NewReader(stdout).ReadString('\n')
		require.NoError(t, err)
		_, err = strconv.Atoi(strings.TrimSpace(line))
		require.NoError(t, err)
		require.NoError(t, command.Process.Signal(signal))
		var exit *exec.ExitError
		require.ErrorAs(t, command.Wait(), &exit)
		require.Equal(t, 128+int(signal), exit.ExitCode())
		requireEnded(t, strings.TrimSpace(line))
	}
}
