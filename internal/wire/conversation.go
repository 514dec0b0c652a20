package wire

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"

	"hotcell/internal/strictjson"
)

// Conversation is the host's side of the talk with one guard. Receive is called
// once; Code and Answer may be called from other goroutines while it works.
type Conversation struct {
	mode   Mode
	limits Bounds
	ahead  bool // the guard prepares before there is code

	mu    sync.Mutex
	state state
	begun bool   // some script has
	asked bool   // code has been sent of which no report has come
	calls int64  // of the script that runs: the id of the last one
	codes uint64 // scripts sent so far

	questions  uint64 // sent so far
	questioned bool   // the last one has no answer yet
}

// state is what the guard may do next.
type state string

const (
	awaitHello    state = "before hello"
	awaitPrepared state = "before prepared"
	awaitReady    state = "before ready"
	running       state = "while user code runs"
	calling       state = "before the answer to its call"
	reported      state = "after the report"
	waiting       state = "before there is code"
)

// Open begins a conversation and returns what the host sends first: the start
// and inputs frames. Inputs is a JSON object, or empty for none.
func Open(start Start, inputs []byte) (*Conversation, []byte, error) {
	frame, err := encode(TypeStart, start, MaxStart)
	if err != nil {
		return nil, nil, err
	}
	return begin(start, frame, inputs)
}

// OpenAhead is Open for a guard that is to prepare at once, before there is code: it says
// prepared, and waits.
func OpenAhead(prepare Prepare, inputs []byte) (*Conversation, []byte, error) {
	first, err := prepare.Frame()
	if err != nil {
		return nil, nil, err
	}
	conversation, rest, err := OpenPrepared(prepare.Start, inputs)
	if err != nil {
		return nil, nil, err
	}
	conversation.state, conversation.ahead = awaitHello, true
	return conversation, append(first, rest...), nil
}

// OpenPrepared is Open for a guard that has been prepared, as AwaitPrepared has heard,
// with a start that differs from this one in what Go has.
func OpenPrepared(start Start, inputs []byte) (*Conversation, []byte, error) {
	frame, err := encode(TypeGo, Go{start.Mode, start.RunID, start.ScriptName, start.Tools, start.ToolParameters, start.Seed, start.Limits}, MaxStart)
	if err != nil {
		return nil, nil, err
	}
	conversation, opening, err := begin(start, frame, inputs)
	if err == nil {
		conversation.state = waiting
	}
	return conversation, opening, err
}

// Frame is the prepare frame.
func (p Prepare) Frame() ([]byte, error) { return encode(TypePrepare, p, MaxPrepare) }

func encode(kind byte, message any, most int) ([]byte, error) {
	encoded, err := strictjson.Encode(message)
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", typeName(kind), err)
	}
	if len(encoded) > most {
		return nil, fmt.Errorf("encode %s: %d bytes of rules and tables, at most %d fit", typeName(kind), len(encoded), most)
	}
	return oneFrame(kind, encoded)
}

// begin adds the inputs to what comes first.
func begin(start Start, first, inputs []byte) (*Conversation, []byte, error) {
	if err := start.Limits.check(); err != nil {
		return nil, nil, fmt.Errorf("encode start: %w", err)
	}
	if int64(len(inputs)) > start.Limits.InputBytes {
		return nil, nil, fmt.Errorf("encode inputs: %d bytes, the limit is %d", len(inputs), start.Limits.InputBytes)
	}
	second, err := oneFrame(TypeInputs, inputs)
	if err != nil {
		return nil, nil, err
	}
	return &Conversation{mode: start.Mode, limits: start.Limits, state: awaitHello}, append(first, second...), nil
}

// check holds the limits to what the protocol carries.
func (l Bounds) check() error {
	for _, bound := range []struct {
		name        string
		value, most int64
	}{
		{"report", l.ReportBytes, MaxReport}, {"input", l.InputBytes, MaxInputs},
		{"call", l.CallBytes, MaxCall}, {"reply", l.AnswerBytes, MaxReply},
	} {
		if bound.value < 0 || bound.value > bound.most {
			return fmt.Errorf("%s limit %d is not between 0 and %d", bound.name, bound.value, bound.most)
		}
	}
	return nil
}

// ErrTurn means that it is not the host's turn to send that frame. It is a
// mistake of the caller's, never the guard's.
var ErrTurn = errors.New("not the host's turn")

// Code returns the frame of a script: in a session one after the report of the
// script before, else one in all.
func (c *Conversation) Code(code []byte) ([]byte, error) {
	if int64(len(code)) > c.limits.CodeBytes {
		return nil, fmt.Errorf("encode code: %d bytes, the limit is %d", len(code), c.limits.CodeBytes)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.asked || c.state == reported {
		return nil, fmt.Errorf("encode code: %w", ErrTurn)
	}
	c.asked, c.calls = true, 0
	c.codes++
	if c.state == waiting {
		c.state = awaitReady
	}
	return oneFrame(TypeCode, code)
}

// Question returns the frame that asks for a text's form, between two scripts of a session, and
// the number that the answer will come with. Until then another one is not the host's turn.
func (c *Conversation) Question(text []byte) (frame []byte, number uint64, err error) {
	if most := min(MaxQuestion, c.limits.CodeBytes); int64(len(text)) > most {
		return nil, 0, fmt.Errorf("encode question: %d bytes, the limit is %d", len(text), most)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.mode != ModeSession || c.state != waiting || c.questioned {
		return nil, 0, fmt.Errorf("encode question: %w", ErrTurn)
	}
	c.questioned = true
	c.questions++
	frame, err = oneFrame(TypeQuestion, text)
	return frame, c.questions, err
}

// Interrupt returns the frame that interrupts the script which runs. It may be sent again
// and again: a script can catch what becomes of it.
func (c *Conversation) Interrupt() ([]byte, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.mode != ModeSession || !c.asked {
		return nil, fmt.Errorf("encode interrupt: %w", ErrTurn)
	}
	return oneFrame(TypeInterrupt, binary.BigEndian.AppendUint64(nil, c.codes))
}

// Reply returns the frame that answers the call before, and lets the guard go
// on. It is for one goroutine at a time.
func (c *Conversation) Reply(answer Reply) ([]byte, error) {
	if answer.Result == nil {
		answer.Result = []byte("null")
	}
	encoded, err := strictjson.Encode(answer)
	if err != nil {
		return nil, fmt.Errorf("encode answer: %w", err)
	}
	if int64(len(encoded)) > c.limits.AnswerBytes {
		return nil, fmt.Errorf("encode answer: %d bytes, the limit is %d", len(encoded), c.limits.AnswerBytes)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state != calling || answer.ID != c.calls {
		return nil, fmt.Errorf("encode answer %d: %w", answer.ID, ErrTurn)
	}
	c.state = running
	return oneFrame(TypeReply, encoded)
}

func oneFrame(kind byte, payload []byte) ([]byte, error) {
	var buffer bytes.Buffer
	err := writeFrame(&buffer, kind, payload)
	return buffer.Bytes(), err
}
