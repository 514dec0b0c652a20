package wire

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func call(id int) string {
	return raw(TypeCall, fmt.Sprintf(`{"id":%d,"name":"lookup","params":{"year":2020}}`, id))
}

// answers answers every call at once.
func answers(t testing.TB, conversation *Conversation) func(Call) {
	return func(call Call) {
		_, err := conversation.Reply(Reply{ID: call.ID, Result: []byte("1")})
		require.NoError(t, err)
	}
}

func requireProtocolError(t *testing.T, err error) {
	t.Helper()
	_, ok := errors.AsType[*ProtocolError](err)
	require.True(t, ok, "got %v", err)
}

func TestCallsAreAnsweredOneByOne(t *testing.T) {
	conversation := open(t, ModeRun, 1<<20)
	got := recorder{onCall: answers(t, conversation)}
	stream := hello + ready + call(1) + raw(TypeStdout, "a") + call(2) + completed
	require.NoError(t, conversation.Receive(strings.NewReader(stream), &got))
	require.Equal(t, []string{
		"hello 3.13.5", "ready", `call 1 lookup {"year":2020}`, "out a", `call 2 lookup {"year":2020}`, "report completed",
	}, got.lines)
}

func TestOtherThreadsSpeakDuringACall(t *testing.T) {
	var got recorder
	_, err := receive(t, strings.NewReader(hello+ready+call(1)+raw(TypeStdout, "a")+completed), 1<<20, &got)
	require.NoError(t, err)
	require.Equal(t, "report completed", got.lines[len(got.lines)-1])
}

func TestCallsThatTheGuardNeverMakes(t *testing.T) {
	for name, stream := range map[string]string{
		"before hello":              call(1),
		"before ready":              hello + call(1),
		"before the answer":         hello + ready + call(1) + call(2),
		"not counted from 1":        hello + ready + call(2),
		"a number twice":            hello + ready + raw(TypeCall, `{"id":1,"id":1,"name":"a","params":{}}`),
		"a negative number":         hello + ready + call(-1),
		"no object":                 hello + ready + raw(TypeCall, `{"id":1,"name":"a","params":[]}`),
		"no params":                 hello + ready + raw(TypeCall, `{"id":1,"name":"a"}`),
		"null for params":           hello + ready + raw(TypeCall, `{"id":1,"name":"a","params":null}`),
		"an unknown name":           hello + ready + raw(TypeCall, `{"id":1,"name":"a","params":{},"x":1}`),
		"a duplicate in the params": hello + ready + raw(TypeCall, `{"id":1,"name":"a","params":{"b":1,"b":2}}`),
		"a number beyond floats":    hello + ready + raw(TypeCall, `{"id":1,"name":"a","params":{"b":1e999}}`),
		"nesting without end":       hello + ready + raw(TypeCall, `{"id":1,"name":"a","params":{"b":`+strings.Repeat("[", 150)),
		"above its limit":           hello + ready + raw(TypeCall, `{"id":1,"name":"`+strings.Repeat("a", 300)+`","params":{}}`),
		"an empty frame":            hello + ready + raw(TypeCall, ""),
		"after the report":          hello + ready + completed + call(1),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := receive(t, strings.NewReader(stream), 1<<20, &recorder{})
			requireProtocolError(t, err)
		})
	}
}

func TestAReportOfFewBytesThatBecomeManyIsRefused(t *testing.T) {
	numbered := func(count int) string {
		var text strings.Builder
		for number := range count {
			fmt.Fprintf(&text, `"%d":1,`, number)
		}
		return text.String() + `"x":1`
	}
	for name, test := range map[string]struct {
		result string
		good   bool
	}{
		"many names":                       {"{" + numbered(maxNames-10) + "}", true},
		"more names than can be held":      {"{" + numbered(maxNames) + "}", false},
		"many values":                      {"[" + strings.Repeat("1,", 1<<20) + "1]", true},
		"many values within many others":   {strings.Repeat("[", 100) + strings.Repeat("1,", 1<<20) + "1" + strings.Repeat("]", 100), false},
		"a number that no float holds":     {"1e-1000001", false},
		"a number of more digits than any": {strings.Repeat("1", 1000), false},
	} {
		t.Run(name, func(t *testing.T) {
			report := raw(TypeReport, `{"outcome":"completed","result":`+test.result+`}`)
			_, err := receive(t, strings.NewReader(hello+ready+report), 64<<20, &recorder{})
			if test.good {
				require.NoError(t, err)
			} else {
				requireProtocolError(t, err)
			}
		})
	}
}

func TestNoCallsWithoutTools(t *testing.T) {
	conversation, _, err := Open(Start{Mode: ModeRun, Limits: Bounds{CodeBytes: 9, ReportBytes: 1 << 20}}, nil)
	require.NoError(t, err)
	_, err = conversation.Code(nil)
	require.NoError(t, err)
	requireProtocolError(t, conversation.Receive(strings.NewReader(hello+ready+call(1)), &recorder{}))
}

func TestNeverBelievesACorruptedCall(t *testing.T) {
	stream := []byte(hello + ready + call(1) + completed)
	for position := len(hello) + len(ready); position < len(hello+ready+call(1)); position++ {
		corrupted := bytes.Clone(stream)
		corrupted[position] ^= 0x80
		conversation := open(t, ModeRun, 1<<20)
		got := recorder{onCall: answers(t, conversation)}
		err := conversation.Receive(bytes.NewReader(corrupted), &got)
		require.True(t, err != nil || len(got.reports) == 0, "byte %d", position)
		require.Len(t, got.lines, 2, "byte %d: the call went through", position)
	}
}

func TestAnswersAreBoundToTheirCall(t *testing.T) {
	conversation := open(t, ModeRun, 1<<20)
	_, err := conversation.Reply(Reply{ID: 1})
	require.ErrorIs(t, err, ErrTurn, "nobody has asked")
	onCall := func(Call) {
		_, err := conversation.Reply(Reply{ID: 2})
		require.ErrorIs(t, err, ErrTurn, "another call's")
		_, err = conversation.Reply(Reply{ID: 1, Result: []byte(`"` + strings.Repeat("x", 100) + `"`)})
		require.ErrorContains(t, err, "the limit is 100")
		_, err = conversation.Reply(Reply{ID: 1, Result: []byte(`{"a":1,"a":2}`)})
		require.Error(t, err)
		frame, err := conversation.Reply(Reply{ID: 1, Error: "no"})
		require.NoError(t, err)
		require.Equal(t, raw(TypeReply, `{"id":1,"result":null,"error":"no"}`), string(frame))
		_, err = conversation.Reply(Reply{ID: 1, Error: "no"})
		require.ErrorIs(t, err, ErrTurn, "twice")
	}
	require.NoError(t, conversation.Receive(strings.NewReader(hello+ready+call(1)), &recorder{onCall: onCall}))
}

func TestASessionHasOneScriptAfterTheOther(t *testing.T) {
	conversation := open(t, ModeSession, 1<<20)
	_, err := conversation.Code(nil)
	require.ErrorIs(t, err, ErrTurn, "the script before has no report yet")
	guard, host := io.Pipe()
	var got recorder
	steps := 0
	got.onCall = answers(t, conversation)
	got.onDone = func() {
		if steps++; steps < 3 {
			_, err := conversation.Code([]byte("2"))
			require.NoError(t, err)
		}
	}
	go func() {
		_, _ = io.WriteString(host, hello+ready+call(1)+completed)
		_, _ = io.WriteString(host, rejected)
		_, _ = io.WriteString(host, ready+call(1)+completed) // calls count from 1 again
		_ = host.Close()
	}()
	require.NoError(t, conversation.Receive(guard, &got))
	require.Equal(t, []string{"report completed", "report rejected", "report completed"}, []string{got.lines[3], got.lines[4], got.lines[7]})
}

func TestBetweenTwoStepsTheGuardIsSilent(t *testing.T) {
	for name, late := range map[string]string{
		"output": raw(TypeStdout, "x"), "a call": call(1), "a report": completed, "ready": ready, "a stray byte": "x",
	} {
		t.Run(name, func(t *testing.T) {
			conversation := open(t, ModeSession, 1<<20)
			requireProtocolError(t, conversation.Receive(strings.NewReader(hello+ready+completed+late), &recorder{}))
		})
	}
	t.Run("a report before the answer to a call", func(t *testing.T) {
		conversation := open(t, ModeSession, 1<<20)
		requireProtocolError(t, conversation.Receive(strings.NewReader(hello+ready+call(1)+completed), &recorder{}))
	})
}

func TestCodeBeforeHelloBelongsToTheFirstStep(t *testing.T) {
	conversation, _, err := Open(Start{Mode: ModeSession, Limits: Bounds{CodeBytes: 9, ReportBytes: 1 << 20}}, nil)
	require.NoError(t, err)
	requireProtocolError(t, conversation.Receive(strings.NewReader(hello+ready), &recorder{}))

	conversation, _, err = Open(Start{Mode: ModeSession, Limits: Bounds{CodeBytes: 9, ReportBytes: 1 << 20}}, nil)
	require.NoError(t, err)
	_, err = conversation.Code(nil)
	require.NoError(t, err)
	require.NoError(t, conversation.Receive(strings.NewReader(hello+ready+completed), &recorder{}))
}

func TestOutcomesStandWhereTheyBelong(t *testing.T) {
	report := func(outcome, fields string) string {
		return raw(TypeReport, `{"outcome":"`+outcome+`"`+fields+`}`)
	}
	const fault = `,"error":{"type":"E","message":"m"}`
	for name, test := range map[string]struct {
		mode   Mode
		stream string
		good   bool
	}{
		"vetted in a check":          {ModeCheck, hello + report("vetted", ""), true},
		"rejected in a check":        {ModeCheck, hello + rejected, true},
		"failed in a check":          {ModeCheck, hello + report("guard_failed", fault), true},
		"vetted in a run":            {ModeRun, hello + report("vetted", ""), false},
		"vetted after ready":         {ModeRun, hello + ready + report("vetted", ""), false},
		"ready in a check":           {ModeCheck, hello + ready, false},
		"vetted with findings":       {ModeCheck, hello + report("vetted", `,"violations":[{"rule":"a"}]`), false},
		"vetted with files":          {ModeCheck, hello + report("vetted", `,"files":[{"path":"a"}]`), false},
		"operations used up":         {ModeRun, hello + ready + report("limit", `,"limit":"operations"`+fault), true},
		"iterations used up":         {ModeRun, hello + ready + report("limit", `,"limit":"loop_iterations"`), true},
		"another limit":              {ModeRun, hello + ready + report("limit", `,"limit":"memory.max"`), false},
		"no limit":                   {ModeRun, hello + ready + report("limit", ""), false},
		"a limit of what completed":  {ModeRun, hello + ready + report("completed", `,"limit":"operations"`), false},
		"a limit before ready":       {ModeRun, hello + report("limit", `,"limit":"operations"`), false},
		"completed with a violation": {ModeRun, hello + ready + report("completed", `,"violations":[{"rule":"a"}]`), false},
	} {
		t.Run(name, func(t *testing.T) {
			var got recorder
			err := open(t, test.mode, 1<<20).Receive(strings.NewReader(test.stream), &got)
			if test.good {
				require.NoError(t, err)
				require.Len(t, got.reports, 1)
				return
			}
			requireProtocolError(t, err)
			require.Empty(t, got.reports)
		})
	}
}
