package main

import (
	"bytes"
	"encoding/json"
	"slices"
	"sync"
)

// running are the steps that have come and have no answer yet.
type running struct {
	mu    sync.Mutex
	steps []waitingStep
}

type waitingStep struct {
	received // its id and its interrupt

	cancelled bool
}

func (r *running) add(next *received) {
	if next.err != nil || next.id == nil {
		return
	}
	next.interrupt = make(chan struct{})
	r.mu.Lock()
	defer r.mu.Unlock()
	r.steps = append(r.steps, waitingStep{received: received{id: next.id, interrupt: next.interrupt}})
}

// cancelling is what a line that cancels has met.
type cancelling struct {
	found   bool // a step of this id without an answer
	already bool // and it had been cancelled before
}

// interrupt interrupts the first step of this id that nobody has cancelled.
func (r *running) interrupt(id json.RawMessage) (met cancelling) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for at := range r.steps {
		step := &r.steps[at]
		switch {
		case !bytes.Equal(step.id, id):
		case step.cancelled:
			met = cancelling{found: true, already: true}
		default:
			step.cancelled = true
			close(step.interrupt)
			return cancelling{found: true}
		}
	}
	return met
}

// answered forgets a step.
func (r *running) answered(step received) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.steps = slices.DeleteFunc(r.steps, func(each waitingStep) bool { return each.interrupt == step.interrupt })
}

// cancelAnswers are the answers to lines that cancel. They are held until the session has
// said its first line, though what they are about has been done by then.
type cancelAnswers struct {
	say   func(id json.RawMessage, met cancelling)
	begun chan struct{} // closed by begin

	mu   sync.Mutex
	held []func()
}

func newCancelAnswers(say func(id json.RawMessage, met cancelling)) *cancelAnswers {
	return &cancelAnswers{say: say, begun: make(chan struct{})}
}

// add says an answer, now or when begin is called. Who sends more than may wait does so
// itself.
func (c *cancelAnswers) add(id json.RawMessage, met cancelling) {
	if c.hold(func() { c.say(id, met) }) {
		return
	}
	<-c.begun
	c.say(id, met)
}

func (c *cancelAnswers) hold(say func()) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if isClosed(c.begun) || len(c.held) >= maxWaiting {
		return false
	}
	c.held = append(c.held, say)
	return true
}

// begin says what was held, once the session's first line has been said or never will be.
func (c *cancelAnswers) begin() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, say := range c.held {
		say()
	}
	c.held = nil
	close(c.begun)
}

func isClosed(channel <-chan struct{}) bool {
	select {
	case <-channel:
		return true
	default:
		return false
	}
}
