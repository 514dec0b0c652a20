package main

import (
	"context"
	"os"
	"os/signal"
	"sync"
)

// presses are those of Ctrl-C by somebody who types the steps of a session. The first one
// interrupts the step that runs, the next one ends the session.
type presses struct {
	end context.CancelFunc
	say func(string)

	mu      sync.Mutex
	step    chan struct{} // closed to interrupt the step that runs; nil between two steps
	pressed bool          // since then
}

// untilPressedTwice returns a context that ends at the second Ctrl-C, or at the first of the
// other signals that end or stop this process. The one that it is made of ends at each of them,
// and is not looked at any more.
func untilPressedTwice(ctx context.Context, signals *endingSignals, say func(string)) (inner context.Context, pressed *presses, done func()) {
	inner, cancel := context.WithCancel(context.WithoutCancel(ctx))
	p := &presses{end: cancel, say: say}
	came := make(chan os.Signal, 4)
	back := signals.leaveTo()
	signal.Notify(came, signals.heard...)
	for _, stop := range stops {
		if !signal.Ignored(stop) {
			signal.Notify(came, stop)
		}
	}
	if ctx.Err() != nil { // it came before anybody listened here
		cancel()
	}
	var listening sync.WaitGroup
	listening.Go(func() {
		for {
			select {
			case which := <-came:
				p.take(which)
			case <-inner.Done():
				return
			}
		}
	})
	return inner, p, func() {
		cancel()
		listening.Wait()
		signal.Stop(came)
		back()
	}
}

func (p *presses) take(which os.Signal) {
	p.mu.Lock()
	defer p.mu.Unlock()
	again := p.pressed
	p.pressed = true
	switch {
	case which != os.Interrupt, again:
		p.end()
	case p.step != nil:
		close(p.step)
		p.say("the step is interrupted; Ctrl-C again ends the session")
	default:
		p.say("Ctrl-C again ends the session, and so does Ctrl-D")
	}
}

// begin is called with each step before it begins; nil is the end of one.
func (p *presses) begin(step chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.step, p.pressed = step, false
}
