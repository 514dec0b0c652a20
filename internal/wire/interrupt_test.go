package wire

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAnInterruptNamesTheScriptThatRuns(t *testing.T) {
	c, _, err := Open(Start{Mode: ModeSession, Limits: Bounds{CodeBytes: 100, ReportBytes: 1 << 20}}, nil)
	require.NoError(t, err)
	_, err = c.Interrupt()
	require.ErrorIs(t, err, ErrTurn, "there is no script yet")
	for number := range 2 {
		_, err = c.Code([]byte("1"))
		require.NoError(t, err)
		for range 2 {
			frame, err := c.Interrupt()
			require.NoError(t, err)
			require.Equal(t, raw(TypeInterrupt, "\x00\x00\x00\x00\x00\x00\x00"+string(rune(number+1))), string(frame))
		}
		c.state = running
		require.NoError(t, c.acceptReport([]byte(completedJSON), &recorder{}))
		_, err = c.Interrupt()
		require.ErrorIs(t, err, ErrTurn, "it has reported")
	}
}

func TestOnlyASessionsScriptIsInterrupted(t *testing.T) {
	c := open(t, ModeRun, 1<<20)
	_, err := c.Interrupt()
	require.ErrorIs(t, err, ErrTurn)
}
