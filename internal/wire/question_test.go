package wire

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// idleSession is one whose first script has reported.
func idleSession(t testing.TB) *Conversation {
	t.Helper()
	c := open(t, ModeSession, 1<<20)
	require.NoError(t, c.Receive(strings.NewReader(hello+ready+completed), &recorder{}))
	return c
}

func TestAQuestionIsForASessionBetweenTwoScripts(t *testing.T) {
	for _, mode := range []Mode{ModeRun, ModeCheck} {
		c, _, err := Open(Start{Mode: mode, Limits: Bounds{CodeBytes: 100, ReportBytes: 1 << 20}}, nil)
		require.NoError(t, err)
		c.state = waiting
		_, _, err = c.Question([]byte("x"))
		require.ErrorIs(t, err, ErrTurn, "%s", mode)
	}
	c := idleSession(t)
	frame, number, err := c.Question([]byte("f("))
	require.NoError(t, err)
	require.Equal(t, raw(TypeQuestion, "f("), string(frame))
	require.EqualValues(t, 1, number)
	_, _, err = c.Question([]byte("f("))
	require.ErrorIs(t, err, ErrTurn, "the one before has no answer")
	var got recorder
	require.NoError(t, c.Receive(strings.NewReader(raw(TypeForm, "open")), &got))
	require.Equal(t, []string{"form 1 open"}, got.lines)
	_, number, err = c.Question([]byte("f()"))
	require.NoError(t, err)
	require.EqualValues(t, 2, number)
	_, err = c.Code([]byte("1"))
	require.NoError(t, err, "nobody has to wait for the answer")
	require.NoError(t, c.Receive(strings.NewReader(raw(TypeForm, "whole")), &got))
	_, _, err = c.Question([]byte("x"))
	require.ErrorIs(t, err, ErrTurn, "a script runs")
}

func TestAQuestionIsBounded(t *testing.T) {
	c := idleSession(t)
	_, _, err := c.Question(bytes.Repeat([]byte("x"), 101))
	require.ErrorContains(t, err, "the limit is 100")
	c.limits.CodeBytes = 1 << 30
	_, _, err = c.Question(bytes.Repeat([]byte("x"), MaxQuestion+1))
	require.ErrorContains(t, err, "the limit is 262144")
}

// A guard that is torn in its answer has died: it has nothing to say but that.
func TestAnAnswerThatIsTornIsADeath(t *testing.T) {
	c := idleSession(t)
	_, _, err := c.Question([]byte("f("))
	require.NoError(t, err)
	require.NoError(t, c.Receive(strings.NewReader(raw(TypeForm, "open")[:7]), &recorder{}))
	c = idleSession(t)
	err = c.Receive(strings.NewReader(raw(TypeForm, "open")[:3]), &recorder{})
	_, broken := errors.AsType[*ProtocolError](err)
	require.True(t, broken)
}

func TestWhatAnswersAQuestionIsOneOfFiveWords(t *testing.T) {
	for _, form := range []Form{FormOpen, FormHead, FormBlock, FormWhole, FormInvalid} {
		require.True(t, form.isKnown())
		require.LessOrEqual(t, len(form), MaxForm)
	}
}

// FuzzAnswers has a guard say anything where it was asked something, also with code behind that.
func FuzzAnswers(f *testing.F) {
	f.Add([]byte(raw(TypeForm, "open")), false)
	f.Add([]byte(raw(TypeForm, "whole")+ready+completed), true)
	f.Add([]byte(raw(TypeForm, "nothing")), true)
	f.Add([]byte(completed), true)
	f.Fuzz(func(t *testing.T, said []byte, code bool) {
		c := idleSession(t)
		_, _, err := c.Question([]byte("f("))
		require.NoError(t, err)
		if code {
			_, err = c.Code([]byte("1"))
			require.NoError(t, err)
		}
		got := recorder{onCall: answers(t, c)}
		_ = c.Receive(bytes.NewReader(said), &got)
		for number, line := range got.lines {
			require.Equal(t, number == 0, strings.HasPrefix(line, "form "), "one answer, and first of all")
			require.True(t, number == 0 || code, "and nothing without code")
		}
	})
}
