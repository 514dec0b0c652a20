package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// headerBytes is one byte of type and four of length.
const headerBytes = 5

// frame is one message as it lies on the wire.
type frame struct {
	kind    byte
	payload []byte
}

// writeFrame writes one frame in a single Write.
func writeFrame(w io.Writer, kind byte, payload []byte) error {
	buffer := make([]byte, headerBytes, headerBytes+len(payload))
	buffer[0] = kind
	binary.BigEndian.PutUint32(buffer[1:], uint32(len(payload)))
	_, err := w.Write(append(buffer, payload...))
	return err
}

// readFrame reads one frame. maximum tells for a type the largest payload that
// may follow at this point, and whether the type may come at all; it is asked
// before anything is allocated. The error is io.EOF at a clean end, and
// errTruncated when the stream ends inside a frame.
func readFrame(r io.Reader, maximum func(kind byte) (int64, error)) (frame, error) {
	var header [headerBytes]byte
	if _, err := io.ReadFull(r, header[:]); err != nil {
		return frame{}, truncated(err)
	}
	kind, length := header[0], int64(binary.BigEndian.Uint32(header[1:]))
	most, err := maximum(kind)
	if err != nil {
		return frame{}, err
	}
	if length > most {
		return frame{}, protocolError(BreachLength, "%s frame of %d bytes, at most %d are accepted", typeName(kind), length, most)
	}
	payload := make([]byte, length)
	if _, err := io.ReadFull(r, payload); err != nil && length > 0 {
		return frame{}, truncated(noEOF(err))
	}
	return frame{kind, payload}, nil
}

// errTruncated means that the stream ended inside a frame: the guard died while
// it was writing.
var errTruncated = errors.New("stream ended inside a frame")

func truncated(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return errTruncated
	}
	return err
}

// noEOF makes an end right after a header an unexpected one.
func noEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// Breach is in one word how a stream breaks the protocol. The words are stable:
// tests/vectors has conversations of each.
type Breach string

// The breaches.
const (
	BreachOrder  Breach = "order"  // a frame that may not come there, or anything where the guard has nothing to say
	BreachLength Breach = "length" // a payload that is longer than it may be, or empty where it may not
	BreachJSON   Breach = "json"   // not strict JSON, or not with the names and the types of its frame
	BreachShape  Breach = "shape"  // JSON that is too deep, holds too much, or a number that no float holds
	BreachSense  Breach = "sense"  // what is said contradicts itself, its place or the mode
)

// Breaches are all of them.
func Breaches() []Breach {
	return []Breach{BreachOrder, BreachLength, BreachJSON, BreachShape, BreachSense}
}

// ProtocolError means that the sandbox sent what the guard never sends: it is
// broken or has been taken over. Its text holds no bytes of the stream.
type ProtocolError struct {
	Breach Breach
	fault  string
}

// Error implements error.
func (e *ProtocolError) Error() string { return "guard broke the protocol: " + e.fault }

// VersionError means that the image has the guard of another version of the runner. A
// guard says so first of all, before it has read any code.
type VersionError struct{ guard int }

// Error implements error.
func (e *VersionError) Error() string {
	return fmt.Sprintf("it speaks protocol %d, this runner speaks %d: rebuild the image with `runner image build`", e.guard, Protocol)
}

func protocolError(breach Breach, format string, values ...any) error {
	return &ProtocolError{breach, fmt.Sprintf(format, values...)}
}

// withoutPlace is an error of strictjson's without the place that it tells, in which names are
// of the stream's choice.
func withoutPlace(err error) string {
	before, place, told := strings.Cut(err.Error(), `, "`)
	if !told {
		return before
	}
	quoted, fault := strconv.QuotedPrefix(`"` + place)
	if fault != nil {
		return before
	}
	return before + place[len(quoted)-1:]
}

func typeName(kind byte) string {
	switch kind {
	case TypeStart:
		return "start"
	case TypePrepare:
		return "prepare"
	case TypeGo:
		return "go"
	case TypeInputs:
		return "inputs"
	case TypeCode:
		return "code"
	case TypeReply:
		return "reply"
	case TypeQuestion:
		return "question"
	case TypeInterrupt:
		return "interrupt"
	case TypeHello:
		return "hello"
	case TypePrepared:
		return "prepared"
	case TypeReady:
		return "ready"
	case TypeStdout:
		return "stdout"
	case TypeStderr:
		return "stderr"
	case TypeCall:
		return "call"
	case TypeForm:
		return "form"
	case TypeReport:
		return "report"
	default:
		return fmt.Sprintf("unknown (0x%02x)", kind)
	}
}
