package wire

import (
	"errors"
	"io"
	"slices"

	"hotcell/internal/strictjson"
)

// Receiver gets the guard's messages in the order in which they came. Its methods
// are called from the goroutine that calls Receive. A non-nil error ends Receive
// with that error.
type Receiver interface {
	Hello(Hello) error
	// Prepared comes once, where the conversation was opened with OpenAhead.
	Prepared() error
	// Ready gets what the guard says of its lock, or nil where it says nothing, as it
	// must once a script has begun.
	Ready(*Ready) error
	Stdout(chunk []byte) error // valid only during the call
	Stderr(chunk []byte) error // valid only during the call
	// Call hands a call over and returns without waiting for the tool; the answer
	// goes through Conversation.Answer.
	Call(Call) error
	// Form is the answer to the question of this number.
	Form(number uint64, form Form) error
	// Report is merely well-formed: nothing of it is to be believed once user code
	// has begun.
	Report(Report) error
}

// Receive reads the guard's stream to its end. No error means that it ended where
// a stream may end or where the guard died, and how the sandbox ended says which. A
// *ProtocolError means that it was not the guard who spoke, or not only; a
// *VersionError, that the guard is not this runner's.
func (c *Conversation) Receive(r io.Reader, receiver Receiver) error {
	for {
		message, err := readFrame(r, c.maximum)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, errTruncated) && !c.idle():
			return nil
		case errors.Is(err, errTruncated):
			return protocolError(BreachOrder, "bytes after the report")
		case err != nil:
			return err
		}
		if err := c.accept(message, receiver); err != nil {
			return err
		}
	}
}

// idle reports whether the guard has nothing to say.
func (c *Conversation) idle() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return !c.questioned && (c.state == reported || c.state == waiting)
}

// accepted says which types may come in which state. A question is answered before all that
// was sent after it.
func (c *Conversation) accepted(kind byte) bool {
	if c.questioned {
		return kind == TypeForm
	}
	switch c.state {
	case awaitHello:
		return kind == TypeHello
	case awaitPrepared:
		return kind == TypePrepared || kind == TypeReport
	case awaitReady:
		return kind == TypeReport || kind == TypeReady && c.mode != ModeCheck
	case running:
		return kind == TypeStdout || kind == TypeStderr || kind == TypeCall && c.limits.CallBytes > 0 || kind == TypeReport
	case calling:
		// Other threads of the script's go on meanwhile, and its end does not wait for
		// them. In a session the answer must come first: it would be taken for the
		// next step's.
		return kind == TypeStdout || kind == TypeStderr || kind == TypeReport && c.mode == ModeRun
	case reported, waiting:
		return false
	default:
		return false
	}
}

func (c *Conversation) maximum(kind byte) (int64, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.accepted(kind) {
		return 0, protocolError(BreachOrder, "%s frame %s", typeName(kind), c.state)
	}
	switch kind {
	case TypeHello:
		return MaxHello, nil
	case TypePrepared:
		return 0, nil
	case TypeReady:
		if c.begun {
			return 0, nil
		}
		return MaxReady, nil
	case TypeStdout, TypeStderr:
		return MaxChunk, nil
	case TypeCall:
		return c.limits.CallBytes, nil
	case TypeForm:
		return MaxForm, nil
	default: // report, the only other type that accepted lets through
		return c.limits.ReportBytes, nil
	}
}

func (c *Conversation) accept(message frame, receiver Receiver) error {
	switch message.kind {
	case TypeHello:
		return c.acceptHello(message.payload, receiver)
	case TypePrepared:
		c.await()
		return receiver.Prepared()
	case TypeReady:
		return c.acceptReady(message.payload, receiver)
	case TypeCall:
		return c.acceptCall(message.payload, receiver)
	case TypeForm:
		return c.acceptForm(Form(message.payload), receiver)
	case TypeReport:
		return c.acceptReport(message.payload, receiver)
	}
	if len(message.payload) == 0 {
		return protocolError(BreachLength, "empty %s frame", typeName(message.kind))
	}
	if message.kind == TypeStdout {
		return receiver.Stdout(message.payload)
	}
	return receiver.Stderr(message.payload)
}

// advance goes to the next state and returns the one before.
func (c *Conversation) advance(next state) (before state) {
	c.mu.Lock()
	defer c.mu.Unlock()
	before, c.state = c.state, next
	return before
}

func (c *Conversation) acceptHello(payload []byte, receiver Receiver) error {
	if err := checkShape(payload, "hello"); err != nil {
		return err
	}
	var hello Hello
	if err := strictjson.DecodeChecked(payload, &hello); err != nil {
		return protocolError(BreachJSON, "hello is not what protocol %d says: %s", Protocol, withoutPlace(err))
	}
	if hello.Protocol != Protocol {
		return &VersionError{hello.Protocol}
	}
	if c.ahead {
		c.advance(awaitPrepared)
	} else {
		c.await()
	}
	return receiver.Hello(hello)
}

// await expects what the guard says to code, if there is any.
func (c *Conversation) await() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.state = waiting
	if c.asked {
		c.state = awaitReady
	}
}

func (c *Conversation) acceptReady(payload []byte, receiver Receiver) error {
	var ready *Ready
	if len(payload) > 0 {
		ready = new(Ready)
		if err := strictjson.DecodeChecked(payload, ready); err != nil {
			return protocolError(BreachJSON, "ready is not what protocol %d says: %s", Protocol, withoutPlace(err))
		}
		if ready.Landlock < 0 || ready.Landlock > maxLandlock {
			return protocolError(BreachSense, "ready names ABI %d of Landlock", ready.Landlock)
		}
	}
	c.mu.Lock()
	c.state, c.begun = running, true
	c.mu.Unlock()
	return receiver.Ready(ready)
}

func (c *Conversation) acceptCall(payload []byte, receiver Receiver) error {
	if err := checkShape(payload, "call"); err != nil {
		return err
	}
	var call Call
	if err := strictjson.DecodeChecked(payload, &call); err != nil {
		return protocolError(BreachJSON, "call is not what protocol %d says: %s", Protocol, withoutPlace(err))
	}
	if len(call.Params) == 0 || call.Params[0] != '{' {
		return protocolError(BreachSense, "call whose params are no object")
	}
	c.mu.Lock()
	c.state = calling
	c.calls++
	next := c.calls
	c.mu.Unlock()
	if call.ID != next {
		return protocolError(BreachSense, "call %d where call %d is next", call.ID, next)
	}
	return receiver.Call(call)
}

func (c *Conversation) acceptForm(form Form, receiver Receiver) error {
	if !form.isKnown() {
		return protocolError(BreachSense, "form that is none of a text's")
	}
	c.mu.Lock()
	c.questioned = false
	number := c.questions
	c.mu.Unlock()
	return receiver.Form(number, form)
}

func (c *Conversation) acceptReport(payload []byte, receiver Receiver) error {
	before := c.advance(reported)
	if err := checkShape(payload, "report"); err != nil {
		return err
	}
	var report Report
	if err := strictjson.DecodeChecked(payload, &report); err != nil {
		return protocolError(BreachJSON, "report is not what protocol %d says: %s", Protocol, withoutPlace(err))
	}
	if before == awaitPrepared && report.Outcome != OutcomeGuardFailed {
		return protocolError(BreachSense, "report on a script before there is one")
	}
	if !report.fits(before == running || before == calling, c.mode) {
		return protocolError(BreachSense, "report with an outcome that does not fit its place or its fields")
	}
	if c.mode == ModeSession {
		c.mu.Lock()
		c.state, c.asked = waiting, false
		c.mu.Unlock()
	}
	return receiver.Report(report)
}

// fits holds the outcome to what may be said before and after ready.
func (r *Report) fits(afterReady bool, mode Mode) bool {
	if !r.limitFits(mode) || (r.Outcome == OutcomeRejected) != (len(r.Violations) > 0) {
		return false
	}
	if !afterReady && len(r.Files)+len(r.Charts) > 0 {
		return false
	}
	switch r.Outcome {
	case OutcomeCompleted:
		return afterReady && r.Error == nil
	case OutcomeRaised:
		return afterReady && r.Error != nil
	case OutcomeLimit:
		return afterReady
	case OutcomeRejected:
		return !afterReady
	case OutcomeVetted:
		return !afterReady && r.Error == nil && mode == ModeCheck
	case OutcomeGuardFailed:
		return !afterReady && r.Error != nil
	default:
		return false
	}
}

func (r *Report) limitFits(mode Mode) bool {
	budget := r.Limit == LimitOperations || r.Limit == LimitLoopIterations
	switch r.Outcome {
	case OutcomeLimit:
		return budget
	case OutcomeRaised:
		return budget && mode == ModeSession || slices.Contains([]string{"", LimitReport, LimitFiles, LimitScratch, LimitOpenFiles}, r.Limit)
	default:
		return r.Limit == ""
	}
}

// What Report.Limit may name: a budget that was used up, that the script's result, or the list
// of the files that it has left, is larger than a report may be, or a limit that the script's exception speaks of and that is met.
const (
	LimitOperations     = "operations"
	LimitLoopIterations = "loop_iterations"
	LimitReport         = "report"
	LimitFiles          = "files"
	LimitScratch        = "scratch"
	LimitOpenFiles      = "open_files"
)
