package main

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNothingThatDrivesATerminalIsWritten(t *testing.T) {
	hostile := "✓ run\t\x1b[2J\u009b\u202e\r\x07\x00\x7fé…\n\xff"
	for size := 1; size <= len(hostile); size++ {
		var seen bytes.Buffer
		to := &cleaned{to: &seen}
		for rest := []byte(hostile); len(rest) > 0; {
			part := rest[:min(size, len(rest))]
			written, err := to.Write(part)
			require.NoError(t, err)
			require.Equal(t, len(part), written)
			rest = rest[len(part):]
		}
		require.Equal(t, "✓ run\t\\x1b[2J\\u009b\\u202e\\r\\a\\x00\\x7fé…\n\ufffd", seen.String(), "%d bytes at a time", size)
	}
}

func TestTheCommandsThatShowTheStateWriteCleaned(t *testing.T) {
	root := (&app{}).rootCommand()
	for _, line := range [][]string{{"records", "show"}, {"records", "ls"}, {"quarantine", "show"}, {"gc"}, {"bundle", "ls"}, {"image", "ls"}} {
		found, _, err := root.Find(line)
		require.NoError(t, err)
		require.True(t, showsState(found), "%v", line)
	}
	for _, line := range [][]string{{"run"}, {"session"}} { // a script's output comes as it is meant
		found, _, err := root.Find(line)
		require.NoError(t, err)
		require.False(t, showsState(found), "%v", line)
	}
}
