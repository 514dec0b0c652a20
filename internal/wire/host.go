package wire

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json"
)

// Encode returns what the host sends: the start frame and the code frame.
func Encode(start Start, code []byte) ([]byte, error) {
	if int64(len(code)) > start.Limits.CodeBytes {
		return nil, fmt.Errorf("encode code: %d bytes, the limit is %d", len(code), start.Limits.CodeBytes)
	}
	if start.Limits.ReportBytes > MaxReport {
		return nil, fmt.Errorf("encode start: report limit %d is above %d", start.Limits.ReportBytes, MaxReport)
	}
	encoded, err := json.Marshal(start)
	if err != nil {
		return nil, fmt.Errorf("encode start: %w", err)
	}
	if len(encoded) > MaxStart {
		return nil, fmt.Errorf("encode start: %d bytes of rules and tables, at most %d fit", len(encoded), MaxStart)
	}
	var buffer bytes.Buffer
	if err := errors.Join(writeFrame(&buffer, TypeStart, encoded), writeFrame(&buffer, TypeCode, code)); err != nil {
		return nil, err
	}
	return buffer.Bytes(), nil
}

// Receiver gets the guard's messages in the order in which they came. Its methods
// are called from the goroutine that calls Receive. A non-nil error ends Receive
// with that error.
type Receiver interface {
	Hello(Hello) error
	Ready() error
	Stdout(chunk []byte) error // valid only during the call
	Stderr(chunk []byte) error // valid only during the call
}

// Receive reads the guard's stream to its end and returns its report.
//
// A nil report with a nil error means that the stream ended before a report: the
// guard died, and how the sandbox ended says why. A *ProtocolError means that it
// was not the guard who spoke, or not only. Nothing of a report is to be believed
// once user code has begun; it is merely well-formed.
func Receive(r io.Reader, reportBytes int64, receiver Receiver) (*Report, error) {
	host := host{receiver: receiver, reportBytes: reportBytes, state: awaitHello}
	for {
		message, err := readFrame(r, host.maximum)
		switch {
		case errors.Is(err, io.EOF):
			return host.report, nil
		case errors.Is(err, ErrTruncated) && host.state != reported:
			return nil, nil
		case errors.Is(err, ErrTruncated):
			return nil, protocolError("bytes after the report")
		case err != nil:
			return nil, err
		}
		if err := host.accept(message); err != nil {
			return nil, err
		}
	}
}

type state string

const (
	awaitHello state = "before hello"
	awaitReady state = "before ready"
	running    state = "while user code runs"
	reported   state = "after the report"
)

// host is the state machine.
type host struct {
	receiver    Receiver
	reportBytes int64
	state       state
	report      *Report
}

// accepted says which types may come in which state.
func (h *host) accepted(kind byte) bool {
	switch h.state {
	case awaitHello:
		return kind == TypeHello
	case awaitReady:
		return kind == TypeReady || kind == TypeReport
	case running:
		return kind == TypeStdout || kind == TypeStderr || kind == TypeReport
	case reported:
		return false
	default:
		return false
	}
}

func (h *host) maximum(kind byte) (int64, error) {
	if !h.accepted(kind) {
		return 0, protocolError("%s frame %s", typeName(kind), h.state)
	}
	switch kind {
	case TypeHello:
		return MaxHello, nil
	case TypeReady:
		return 0, nil
	case TypeStdout, TypeStderr:
		return MaxChunk, nil
	default: // report, the only other type that accepted lets through
		return min(h.reportBytes, MaxReport), nil
	}
}

func (h *host) accept(message frame) error {
	switch message.kind {
	case TypeHello:
		h.state = awaitReady
		return h.acceptHello(message.payload)
	case TypeReady:
		h.state = running
		return h.receiver.Ready()
	case TypeReport:
		before := h.state
		h.state = reported
		return h.acceptReport(message.payload, before)
	}
	if len(message.payload) == 0 {
		return protocolError("empty %s frame", typeName(message.kind))
	}
	if message.kind == TypeStdout {
		return h.receiver.Stdout(message.payload)
	}
	return h.receiver.Stderr(message.payload)
}

func (h *host) acceptHello(payload []byte) error {
	var hello Hello
	if err := decodeStrict(payload, &hello); err != nil {
		return protocolError("hello is not what protocol %d says: %s", Protocol, err)
	}
	if hello.Protocol != Protocol {
		return protocolError("it speaks protocol %d, this runner speaks %d: rebuild the image with `runner image build`", hello.Protocol, Protocol)
	}
	return h.receiver.Hello(hello)
}

func (h *host) acceptReport(payload []byte, before state) error {
	if err := checkShape(payload); err != nil {
		return err
	}
	var report Report
	if err := decodeStrict(payload, &report); err != nil {
		return protocolError("report is not what protocol %d says: %s", Protocol, err)
	}
	if err := report.validate(before); err != nil {
		return err
	}
	h.report = &report
	return nil
}

// validate holds the outcome to what may be said before and after ready.
func (r *Report) validate(before state) error {
	afterReady := before == running
	switch r.Outcome {
	case OutcomeCompleted:
		if afterReady && r.Error == nil && len(r.Violations) == 0 {
			return nil
		}
	case OutcomeRaised:
		if afterReady && r.Error != nil && len(r.Violations) == 0 {
			return nil
		}
	case OutcomeRejected:
		if !afterReady && len(r.Violations) > 0 && len(r.Files) == 0 {
			return nil
		}
	case OutcomeGuardFailed:
		if !afterReady && r.Error != nil && len(r.Files) == 0 {
			return nil
		}
	}
	return protocolError("report with an outcome that does not fit its place or its fields")
}

// decodeStrict refuses unknown, duplicate and case-variant names, invalid UTF-8
// and trailing bytes. The error names the place, never the value.
func decodeStrict(payload []byte, into any) error {
	err := json.Unmarshal(payload, into, json.RejectUnknownMembers(true))
	if err == nil {
		return nil
	}
	if semantic, ok := errors.AsType[*json.SemanticError](err); ok {
		return fmt.Errorf("value at %q is not acceptable", bounded(string(semantic.JSONPointer)))
	}
	return errors.New("not valid JSON")
}

// bounded keeps a name from the sandbox short enough for a message.
func bounded(text string) string {
	const most = 80
	if len(text) > most {
		return text[:most] + "…"
	}
	return text
}
