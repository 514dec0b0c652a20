package wire

import (
	"errors"
	"fmt"
	"io"
)

// UnpreparedError means that a guard could not prepare: a table that cannot be read, a
// control that the policy requires.
type UnpreparedError struct{ reason string }

// Error implements error.
func (e *UnpreparedError) Error() string { return "the guard could not prepare: " + e.reason }

// errPrepared ends the listening.
var errPrepared = errors.New("prepared")

// AwaitPrepared reads what a guard says that has been sent a Prepare, and no byte more. It
// returns nil once the guard is ready for a conversation as OpenPrepared begins it; else
// what Receive would, or an *UnpreparedError. That the stream ends before is an error, too.
func AwaitPrepared(r io.Reader) error {
	conversation := &Conversation{mode: ModeSession, limits: Bounds{ReportBytes: MaxHello}, state: awaitHello, ahead: true}
	var heard preparing
	err := conversation.Receive(r, &heard)
	switch {
	case errors.Is(err, errPrepared):
		return nil
	case err != nil:
		return err
	case heard.failure != nil:
		return &UnpreparedError{fmt.Sprintf("%.300q: %.1000q", heard.failure.Type, heard.failure.Message)}
	default:
		return errors.New("the guard ended before it was prepared")
	}
}

// preparing hears a guard prepare.
type preparing struct{ failure *Error }

// Hello implements Receiver.
func (*preparing) Hello(Hello) error { return nil }

// Prepared implements Receiver.
func (*preparing) Prepared() error { return errPrepared }

// Report implements Receiver.
func (p *preparing) Report(report Report) error {
	p.failure = report.Error
	return nil
}

// Ready implements Receiver. The conversation lets none through, nor what follows.
func (*preparing) Ready(*Ready) error { return errPrepared }

// Stdout implements Receiver.
func (*preparing) Stdout([]byte) error { return errPrepared }

// Stderr implements Receiver.
func (*preparing) Stderr([]byte) error { return errPrepared }

// Call implements Receiver.
func (*preparing) Call(Call) error { return errPrepared }

// Form implements Receiver.
func (*preparing) Form(uint64, Form) error { return errPrepared }
