package wire

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

// recorder keeps what it receives, as one line per message.
type recorder struct {
	lines   []string
	fail    error
	reports []Report
	onCall  func(Call)
	onDone  func()
}

// report is the last one, or nil.
func (r *recorder) report() *Report {
	if len(r.reports) == 0 {
		return nil
	}
	return &r.reports[len(r.reports)-1]
}

func (r *recorder) note(line string) error { r.lines = append(r.lines, line); return r.fail }

func (r *recorder) Hello(h Hello) error { return r.note("hello " + h.Python) }
func (r *recorder) Prepared() error     { return r.note("prepared") }

func (r *recorder) Ready(said *Ready) error {
	if said != nil {
		return r.note(fmt.Sprintf("ready with Landlock %d", said.Landlock))
	}
	return r.note("ready")
}

func (r *recorder) Stdout(chunk []byte) error { return r.note("out " + string(chunk)) }
func (r *recorder) Stderr(chunk []byte) error { return r.note("err " + string(chunk)) }

func (r *recorder) Call(call Call) error {
	if r.onCall != nil {
		r.onCall(call)
	}
	return r.note(fmt.Sprintf("call %d %s %s", call.ID, call.Name, call.Params))
}

func (r *recorder) Form(number uint64, form Form) error {
	return r.note(fmt.Sprintf("form %d %s", number, form))
}

func (r *recorder) Report(report Report) error {
	r.reports = append(r.reports, report)
	if r.onDone != nil {
		r.onDone()
	}
	return r.note("report " + string(report.Outcome))
}

// open begins a conversation in which the code has been sent.
func open(t testing.TB, mode Mode, reportBytes int64) *Conversation {
	t.Helper()
	conversation, _, err := Open(Start{Mode: mode, Limits: Bounds{
		CodeBytes: 100, ReportBytes: reportBytes, InputBytes: 100, CallBytes: 200, AnswerBytes: 100,
	}}, nil)
	require.NoError(t, err)
	_, err = conversation.Code([]byte("1 + 1"))
	require.NoError(t, err)
	return conversation
}

// receive reads a stream of mode run.
func receive(t testing.TB, r io.Reader, reportBytes int64, into *recorder) (*Report, error) {
	t.Helper()
	err := open(t, ModeRun, reportBytes).Receive(r, into)
	return into.report(), err
}

func raw(kind byte, payload string) string {
	header := binary.BigEndian.AppendUint32([]byte{kind}, uint32(len(payload)))
	return string(header) + payload
}

const (
	helloJSON     = `{"protocol":7,"guard":"1","python":"3.13.5"}`
	completedJSON = `{"outcome":"completed","error":null,"limit":"","violations":[],"result":{"n":[1,2]},"charts":[{"kind":"plotly"}],"files":[{"path":"a.csv","bytes":3,"sha256":"00","role":"file"}],"truncated":{"stdout":false,"stderr":true}}`
	rejectedJSON  = `{"outcome":"rejected","error":null,"limit":"","violations":[{"rule":"import.denied","line":1,"column":8,"message":"no"}],"result":null,"charts":[],"files":[],"truncated":{"stdout":false,"stderr":false}}`
)

var (
	hello     = raw(TypeHello, helloJSON)
	ready     = raw(TypeReady, "")
	completed = raw(TypeReport, completedJSON)
	rejected  = raw(TypeReport, rejectedJSON)
)

func TestReceivePassesMessagesOnInOrder(t *testing.T) {
	var got recorder
	stream := hello + ready + raw(TypeStdout, "a") + raw(TypeStderr, "b") + raw(TypeStdout, "c") + completed
	report, err := receive(t, iotest.OneByteReader(strings.NewReader(stream)), 1<<20, &got)
	require.NoError(t, err)
	require.Equal(t, []string{"hello 3.13.5", "ready", "out a", "err b", "out c", "report completed"}, got.lines)
	require.Equal(t, OutcomeCompleted, report.Outcome)
	require.JSONEq(t, `{"n":[1,2]}`, string(report.Result))
	require.Equal(t, []WrittenFile{{Path: "a.csv", Bytes: 3, SHA256: "00", Role: "file"}}, report.Files)
	require.True(t, report.Truncated.Stderr)
}

func TestAGuardOfAnotherVersionIsNoForger(t *testing.T) {
	for _, protocol := range []string{"6", "8"} {
		other := raw(TypeHello, strings.Replace(helloJSON, "7", protocol, 1))
		got := recorder{}
		_, err := receive(t, strings.NewReader(other+ready+completed), 1<<20, &got)
		_, ok := errors.AsType[*VersionError](err)
		require.True(t, ok, "got %v", err)
		require.ErrorContains(t, err, "it speaks protocol "+protocol+", this runner speaks 7: rebuild the image with `runner image build`")
		require.Empty(t, got.lines, "nothing of it is passed on")
	}
}

func TestReceiveEndsWithTheReceiversError(t *testing.T) {
	full := errors.New("disk full")
	_, err := receive(t, strings.NewReader(hello+ready), 1<<20, &recorder{fail: full})
	require.ErrorIs(t, err, full)
}

func TestReceiveEndsWithTheReadersError(t *testing.T) {
	broken := errors.New("connection reset")
	_, err := receive(t, iotest.ErrReader(broken), 1<<20, &recorder{})
	require.ErrorIs(t, err, broken)
}

func TestReceiveNeverBelievesACorruptedStream(t *testing.T) {
	stream := []byte(hello + ready + raw(TypeStdout, "abc") + completed)
	for position := range stream {
		corrupted := bytes.Clone(stream)
		corrupted[position] ^= 0x80 // never valid UTF-8, a wrong type, or a length beyond every limit
		report, err := receive(t, bytes.NewReader(corrupted), 1<<20, &recorder{})
		if err == nil {
			// Only a byte of stdout, or a length's low byte that now reaches past
			// the end, goes unnoticed; the second yields no report.
			inStdout := position >= len(hello)+len(ready)+headerBytes && position < len(hello)+len(ready)+headerBytes+3
			require.True(t, inStdout || report == nil, "byte %d", position)
		}
	}
}

func TestOpenMakesTheFramesThatTheGuardReads(t *testing.T) {
	start := Start{Protocol: Protocol, RunID: "r", OutputDir: "/output", RequiredControls: []string{"landlock"}, Limits: Bounds{CodeBytes: 5, InputBytes: 7, ReportBytes: 1}}
	conversation, opening, err := Open(start, []byte(`{"a":1}`))
	require.NoError(t, err)
	code, err := conversation.Code([]byte("1 + 1"))
	require.NoError(t, err)
	reader := bytes.NewReader(append(opening, code...))
	all := func(byte) (int64, error) { return MaxStart, nil }
	first, err := readFrame(reader, all)
	require.NoError(t, err)
	require.Equal(t, byte(TypeStart), first.kind)
	require.Contains(t, string(first.payload), `"tables":[]`)
	require.Contains(t, string(first.payload), `"seccomp":""`)
	require.Contains(t, string(first.payload), `"required_controls":["landlock"]`)
	for _, want := range []frame{{TypeInputs, []byte(`{"a":1}`)}, {TypeCode, []byte("1 + 1")}} {
		got, err := readFrame(reader, all)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	require.Zero(t, reader.Len())
}

func TestOpenRefuses(t *testing.T) {
	for name, test := range map[string]struct {
		start  Start
		inputs string
		want   string
	}{
		"inputs above their limit": {Start{Limits: Bounds{InputBytes: 1}}, "{}", "the limit is 1"},
		"a report limit too high":  {Start{Limits: Bounds{ReportBytes: MaxReport + 1}}, "", "report limit"},
		"a reply limit too high":   {Start{Limits: Bounds{AnswerBytes: MaxReply + 1}}, "", "reply limit"},
		"a call limit below zero":  {Start{Limits: Bounds{CallBytes: -1}}, "", "call limit"},
		"rules without end":        {Start{RunID: strings.Repeat("x", MaxStart)}, "", "rules and tables"},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := Open(test.start, []byte(test.inputs))
			require.ErrorContains(t, err, test.want)
		})
	}
}

func FuzzReceive(f *testing.F) {
	for _, vector := range loadFrames(f) {
		f.Add(stream(f, vector))
	}
	f.Fuzz(func(t *testing.T, stream []byte) {
		for _, mode := range []Mode{ModeRun, ModeSession, ModeCheck} {
			conversation := open(t, mode, 1<<16)
			got := recorder{onCall: answers(t, conversation)}
			err := conversation.Receive(bytes.NewReader(stream), &got)
			if len(got.reports) == 0 {
				continue
			}
			require.Len(t, got.reports, 1)
			require.Equal(t, "hello", strings.Fields(got.lines[0])[0], "a report without hello")
			ran := len(got.lines) > 1 && strings.HasPrefix(got.lines[1], "ready")
			require.False(t, ran && mode == ModeCheck)
			switch outcome := got.reports[0].Outcome; outcome {
			case OutcomeCompleted, OutcomeRaised, OutcomeLimit:
				require.True(t, ran)
			default:
				require.False(t, ran)
			}
			_ = err // what follows the report may be anything
		}
	})
}

func TestOnlyTheFirstReadySaysAnything(t *testing.T) {
	said := raw(TypeReady, `{"landlock":6}`)
	var got recorder
	_, err := receive(t, strings.NewReader(hello+said+completed), 1<<20, &got)
	require.NoError(t, err)
	require.Equal(t, "ready with Landlock 6", got.lines[1])

	conversation := open(t, ModeSession, 1<<20)
	onDone := func() { _, _ = conversation.Code([]byte("2")) }
	err = conversation.Receive(strings.NewReader(hello+said+completed+said), &recorder{onDone: onDone})
	_, ok := errors.AsType[*ProtocolError](err)
	require.True(t, ok, "a script has run: got %v", err)
}
