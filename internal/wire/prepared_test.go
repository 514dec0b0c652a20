package wire

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

var (
	prepared   = raw(TypePrepared, "")
	unprepared = raw(TypeReport, `{"outcome":"guard_failed","error":{"type":"TableFault","message":"table 't' cannot be loaded","line":0,"traceback":"","errno":0},"limit":"","violations":[],"result":null,"charts":[],"files":[],"truncated":{"stdout":false,"stderr":false}}`)
)

func TestAwaitPreparedReadsNotAByteMore(t *testing.T) {
	const following = "of the run"
	stream := strings.NewReader(hello + prepared + following)
	require.NoError(t, AwaitPrepared(iotest.OneByteReader(stream)))
	rest, err := io.ReadAll(stream)
	require.NoError(t, err)
	require.Equal(t, following, string(rest))
}

func TestAwaitPreparedRefuses(t *testing.T) {
	for name, test := range map[string]struct{ stream, want string }{
		"nothing":                         {"", "ended before it was prepared"},
		"an end after hello":              {hello, "ended before it was prepared"},
		"an end inside a frame":           {hello + prepared[:3], "ended before it was prepared"},
		"prepared before hello":           {prepared, "prepared frame before hello"},
		"ready in its place":              {hello + ready, "ready frame before prepared"},
		"output in its place":             {hello + raw(TypeStdout, "x"), "stdout frame before prepared"},
		"a prepared that says something":  {hello + raw(TypePrepared, "x"), "of 1 bytes, at most 0"},
		"a script's end":                  {hello + completed, "before there is one"},
		"a script's refusal":              {hello + rejected, "before there is one"},
		"a report that is too long":       {hello + raw(TypeReport, strings.Repeat("x", MaxHello+1)), "at most 65536"},
		"another version of the protocol": {strings.Replace(hello, `:7`, `:9`, 1), "it speaks protocol 9"},
		"why it could not":                {hello + unprepared, `could not prepare: "TableFault": "table 't' cannot be loaded"`},
	} {
		t.Run(name, func(t *testing.T) {
			require.ErrorContains(t, AwaitPrepared(strings.NewReader(test.stream)), test.want)
		})
	}
	err := AwaitPrepared(strings.NewReader(hello + unprepared))
	_, told := errors.AsType[*UnpreparedError](err)
	require.True(t, told)
}

// frames splits what the host sends.
func frames(t *testing.T, sent []byte) (kinds string, payloads []string) {
	t.Helper()
	var seen []byte
	for len(sent) > 0 {
		end := headerBytes + int(binary.BigEndian.Uint32(sent[1:headerBytes]))
		seen = append(seen, sent[0])
		payloads = append(payloads, string(sent[headerBytes:end]))
		sent = sent[end:]
	}
	return string(seen), payloads
}

func ownStart() Start {
	return Start{
		Protocol: Protocol, Mode: ModeSession, RunID: "r", ScriptName: "s.py", Tools: []string{"t"}, OutputDir: "/output",
		Limits: Bounds{CodeBytes: 100, ReportBytes: 1000, InputBytes: 100},
	}
}

func TestAPreparedGuardIsToldWhatIsTheRunsAlone(t *testing.T) {
	conversation, sent, err := OpenPrepared(ownStart(), []byte(`{"a":1}`))
	require.NoError(t, err)
	kinds, payloads := frames(t, sent)
	require.Equal(t, "GI", kinds)
	var own map[string]any
	require.NoError(t, json.Unmarshal([]byte(payloads[0]), &own))
	require.Len(t, own, 7, "mode, run, script, tools, their parameters, seed, limits")
	require.Equal(t, `{"a":1}`, payloads[1])
	_, err = conversation.Code([]byte("1"))
	require.NoError(t, err)
	var got recorder
	require.NoError(t, conversation.Receive(strings.NewReader(ready+completed), &got))
	require.Equal(t, []string{"ready", "report completed"}, got.lines, "its hello has been heard")

	conversation, _, err = OpenPrepared(ownStart(), nil)
	require.NoError(t, err)
	for _, early := range []string{hello, prepared, ready, completed} {
		err := conversation.Receive(strings.NewReader(early), &got)
		_, broken := errors.AsType[*ProtocolError](err)
		require.True(t, broken, "it has nothing to say before there is code")
	}
}

func TestAGuardThatPreparesAheadSaysSo(t *testing.T) {
	conversation, sent, err := OpenAhead(Prepare{Start: ownStart(), ContainerSeccomp: []byte{1}}, nil)
	require.NoError(t, err)
	kinds, payloads := frames(t, sent)
	require.Equal(t, "PGI", kinds)
	words, err := Prepare{Start: ownStart(), ContainerSeccomp: []byte{1}}.Frame()
	require.NoError(t, err)
	require.True(t, bytes.HasSuffix(words, []byte(payloads[0])))
	var got recorder
	got.onDone = func() {
		_, err := conversation.Code([]byte("2"))
		require.NoError(t, err)
	}
	_, err = conversation.Code([]byte("1")) // before it is prepared
	require.NoError(t, err)
	require.NoError(t, conversation.Receive(strings.NewReader(hello+prepared+ready+completed+ready+completed), &got))
	require.Equal(t, []string{"hello 3.13.5", "prepared", "ready", "report completed", "ready", "report completed"}, got.lines)
}

func TestAGuardThatCouldNotPrepareHasSpokenLast(t *testing.T) {
	for _, more := range []string{ready, prepared, completed} {
		conversation, _, err := OpenAhead(Prepare{Start: ownStart()}, nil)
		require.NoError(t, err)
		var got recorder
		err = conversation.Receive(strings.NewReader(hello+unprepared+more), &got)
		require.Error(t, err)
		require.Equal(t, []string{"hello 3.13.5", "report guard_failed"}, got.lines)
	}
}

func FuzzAwaitPrepared(f *testing.F) {
	for _, seed := range []string{hello + prepared, hello + unprepared, hello + ready, "", prepared} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, stream []byte) {
		source := bytes.NewReader(stream)
		if AwaitPrepared(source) == nil {
			read := stream[:len(stream)-source.Len()]
			require.True(t, bytes.HasSuffix(read, []byte(prepared)), "it says so in its last frame")
		}
	})
}
