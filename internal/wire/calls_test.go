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
		"many names":                     {"{" + numbered(maxNames-10) + "}", true},
		"more names than can be held":    {"{" + numbered(maxNames) + "}", false},
		"many values":                    {"[" + strings.Repeat("1,", 1<<20) + "1]", true},
		"many values within many others": {strings.Repeat("[", 100) + strings.Repeat("1,", 1<<20) + "1" + strings.Repeat("]", 100), false},
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

// What is said of a breach goes into records and onto terminals: nobody writes there by it.
func TestABreachIsToldWithoutWordsOfTheStream(t *testing.T) {
	for _, name := range []string{"patient 4711", `4711\", \"x`, `\u00e9 4711`, strings.Repeat("4711", 100), `4711: , `} {
		for kind, stream := range map[string]string{
			"hello":  raw(TypeHello, `{"protocol":7,"`+name+`":1}`),
			"ready":  hello + raw(TypeReady, `{"`+name[:min(len(name), 20)]+`":1}`),
			"call":   hello + ready + raw(TypeCall, `{"id":1,"`+name+`":1}`),
			"report": hello + ready + raw(TypeReport, `{"outcome":"completed","`+name+`":1}`),
			"within": hello + ready + raw(TypeReport, `{"outcome":"completed","files":[{"`+name+`":1}]}`),
			"twice":  hello + ready + raw(TypeReport, `{"outcome":"completed","result":{"`+name+`":1,"`+name+`":1}}`),
			"kind":   hello + ready + raw(TypeReport, `{"outcome":4711}`),
		} {
			_, err := receive(t, strings.NewReader(stream), 1<<20, &recorder{})
			requireProtocolError(t, err)
			require.NotContains(t, err.Error(), "4711", kind)
		}
	}
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
