package main

import (
	"fmt"
	"io"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// openTerminal returns the two ends of a pseudo-terminal: what the runner writes to,
// and what somebody sees.
func openTerminal(t *testing.T) (terminal, seen *os.File) {
	t.Helper()
	seen, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, seen.Close()) })
	require.NoError(t, unix.IoctlSetPointerInt(int(seen.Fd()), unix.TIOCSPTLCK, 0))
	number, err := unix.IoctlGetInt(int(seen.Fd()), unix.TIOCGPTN)
	require.NoError(t, err)
	terminal, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, terminal.Close()) })
	return terminal, seen
}

func TestWhatTheRunnerSaysBeginsOnALineOfItsOwn(t *testing.T) {
	for name, test := range map[string]struct {
		printed, want string
	}{
		"after a line that the script left open": {"x", "x\r\n✓"},
		"after a line that ended":                {"x\n", "x\r\n✓"},
		"after nothing":                          {"", "✓"},
	} {
		t.Run(name, func(t *testing.T) {
			terminal, seen := openTerminal(t)
			shown := newProgress(io.Discard)
			_, err := io.WriteString(shown.show(terminal), test.printed)
			require.NoError(t, err)
			shown.endLine(terminal)
			_, err = io.WriteString(terminal, "✓")
			require.NoError(t, err)
			got := make([]byte, len(test.want))
			_, err = io.ReadFull(seen, got)
			require.NoError(t, err)
			require.Equal(t, test.want, string(got))
		})
	}
}

func TestALineLeftOpenInAFileIsLeftAlone(t *testing.T) {
	terminal, _ := openTerminal(t)
	file, err := os.CreateTemp(t.TempDir(), "")
	require.NoError(t, err)
	defer file.Close()
	shown := newProgress(io.Discard)
	_, err = io.WriteString(shown.show(file), "x")
	require.NoError(t, err)
	require.False(t, shown.midLine)
	shown.endLine(terminal)
}
