package wire

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/strictjson"
	"hotcell/tests/vectors"
)

func TestConversationsAreJudgedByEachVector(t *testing.T) {
	classes := []string{vectors.Accepted, "died", "version"}
	for _, breach := range Breaches() {
		classes = append(classes, string(breach))
	}
	vectors.Run(t, loadFrames(t), classes, func(t *testing.T, vector vectors.Vector) string {
		script := newScript(t, vector)
		var got recorder
		err := script.conversation.Receive(script, &got)
		if broken, ok := errors.AsType[*ProtocolError](err); ok {
			return string(broken.Breach)
		}
		if _, ok := errors.AsType[*VersionError](err); ok {
			require.Empty(t, got.lines, "nothing of it is passed on")
			return "version"
		}
		require.NoError(t, err)
		require.Empty(t, script.lines)
		if len(got.reports) < script.asked {
			return "died"
		}
		return vectors.Accepted
	})
}

func loadFrames(t testing.TB) []vectors.Vector {
	t.Helper()
	return vectors.Load(t, "frames", "Mode", "Call-Bytes", "Report-Bytes")
}

// script plays a vector: it is the stream that the guard's lines make, and says the host's
// when all before them has been read.
type script struct {
	t            testing.TB
	conversation *Conversation
	lines        []string
	pending      []byte // of the guard's line that is being read
	asked        int    // how much code the host has sent
}

func newScript(t testing.TB, vector vectors.Vector) *script {
	t.Helper()
	bytesOf := func(name string) int64 {
		value, err := strconv.ParseInt(vector.Fields[name], 10, 64)
		require.NoError(t, err, vector.Name)
		return value
	}
	conversation, _, err := Open(Start{Mode: Mode(vector.Fields["Mode"]), Limits: Bounds{
		CodeBytes: 100, AnswerBytes: 100, CallBytes: bytesOf("Call-Bytes"), ReportBytes: bytesOf("Report-Bytes"),
	}}, nil)
	require.NoError(t, err)
	return &script{t: t, conversation: conversation, lines: strings.Split(vector.Payload, "\n")}
}

// Read implements io.Reader.
func (s *script) Read(buffer []byte) (int, error) {
	for len(s.pending) == 0 {
		if len(s.lines) == 0 {
			return 0, io.EOF
		}
		s.next()
	}
	length := copy(buffer, s.pending)
	s.pending = s.pending[length:]
	return length, nil
}

func (s *script) next() {
	line := s.lines[0]
	s.lines = s.lines[1:]
	kind, payload := part(s.t, line)
	switch kind {
	case "C":
		s.asked++
		frame, err := s.conversation.Code(payload)
		require.NoError(s.t, err)
		require.Equal(s.t, raw(TypeCode, string(payload)), string(frame))
	case "Q":
		frame, _, err := s.conversation.Question(payload)
		require.NoError(s.t, err)
		require.Equal(s.t, raw(TypeQuestion, string(payload)), string(frame))
	case "A":
		var reply Reply
		require.NoError(s.t, strictjson.DecodeAll(payload, len(payload), &reply))
		frame, err := s.conversation.Reply(reply)
		require.NoError(s.t, err)
		require.Equal(s.t, raw(TypeReply, string(payload)), string(frame))
	default:
		s.pending = said(s.t, kind, payload)
	}
}

// part takes a line apart.
func part(t testing.TB, line string) (kind string, payload []byte) {
	t.Helper()
	kind, escaped, _ := strings.Cut(line, " ")
	payload, err := vectors.Unescape(escaped)
	require.NoError(t, err)
	return kind, payload
}

// said is what the guard sends for a line of its own.
func said(t testing.TB, kind string, payload []byte) []byte {
	t.Helper()
	if kind == "=" {
		return payload
	}
	require.Contains(t, []string{"H", "Y", "O", "E", "T", "V", "R"}, kind)
	return []byte(raw(kind[0], string(payload)))
}

// stream is what the guard says in a vector, without the host's part.
func stream(t testing.TB, vector vectors.Vector) []byte {
	t.Helper()
	var all bytes.Buffer
	for line := range strings.SplitSeq(vector.Payload, "\n") {
		if kind, payload := part(t, line); kind != "C" && kind != "A" && kind != "Q" {
			all.Write(said(t, kind, payload))
		}
	}
	return all.Bytes()
}
