package wire

import (
	"errors"
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

// In a session a script that has used up a budget may end without its guard.
func TestABudgetThatIsRaisedBelongsToASession(t *testing.T) {
	const spent = `{"outcome":"raised","error":{"type":"BudgetUsedUpError","message":"m","line":1,"traceback":"","errno":0},"limit":"operations",` +
		`"violations":[],"result":null,"charts":[],"files":[],"truncated":{"stdout":false,"stderr":false}}`
	for mode, fits := range map[Mode]bool{ModeSession: true, ModeRun: false} {
		c := open(t, mode, 1<<20)
		c.state = running
		err := c.acceptReport([]byte(spent), &recorder{})
		if fits {
			require.NoError(t, err)
			continue
		}
		_, broken := errors.AsType[*ProtocolError](err)
		require.True(t, broken, "got %v", err)
	}
}
