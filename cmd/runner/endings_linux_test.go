package main

import (
	"io"
	"os"
	"os/exec"
	"slices"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/job"
)

// TestNoSignalEndsTheRunnerWithoutAnAnswer sends each signal of the system to a command
// that waits. What does not cancel it must do nothing.
func TestNoSignalEndsTheRunnerWithoutAnAnswer(t *testing.T) {
	for number := syscall.Signal(1); number <= syscall.SIGSYS; number++ {
		if number == syscall.SIGKILL || number == syscall.SIGSTOP {
			continue
		}
		t.Run(number.String(), func(t *testing.T) {
			command := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestChildThatWaits$")
			command.Env = []string{"HOTCELL_WAITS=1"}
			never, err := command.StdinPipe()
			require.NoError(t, err)
			defer never.Close()
			says, err := command.StdoutPipe()
			require.NoError(t, err)
			require.NoError(t, command.Start())
			_, err = io.ReadFull(says, make([]byte, 1))
			require.NoError(t, err)
			require.NoError(t, command.Process.Signal(number))
			if !slices.Contains(slices.Concat(endings, stops), os.Signal(number)) {
				require.NoError(t, command.Process.Signal(syscall.SIGTERM))
			}
			_ = command.Wait() // told by the state
			require.Equal(t, job.Cancelled.ExitCode(), command.ProcessState.ExitCode(), command.ProcessState)
		})
	}
}

// TestChildThatWaits is the other process.
func TestChildThatWaits(*testing.T) {
	if os.Getenv("HOTCELL_WAITS") != "" {
		os.Exit(execute([]string{"check", "--policy", "interpreter", "-"}, &announced{}, io.Discard, io.Discard))
	}
}

// announced says when it is read for the first time: by then all signals are caught.
type announced struct{ told bool }

func (a *announced) Read(into []byte) (int, error) {
	if !a.told {
		a.told = true
		if _, err := os.Stdout.WriteString("."); err != nil {
			return 0, err
		}
	}
	return os.Stdin.Read(into)
}
