package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"sync/atomic"
	"syscall"
	"time"
)

// together is how long further signals are the same request as the first one. timeout(1)
// sends its signal to the process and then once more to its group, and whoever presses
// Ctrl-C twice wants an end, and not a sandbox that nobody removes.
const together = time.Second

// endingSignals are those of endings that this process hears. The first one cancels. One that
// comes when the clean-up takes longer than together ends the process at once.
type endingSignals struct {
	heard  []os.Signal
	came   chan os.Signal
	others atomic.Bool // somebody else decides what further ones mean
	words  atomic.Pointer[string]
}

// hearEndings leaves out what this process was started to ignore, by nohup(1) or as a shell's
// background job. It is called before anything else asks for signals.
func hearEndings() *endingSignals {
	heard := slices.DeleteFunc(slices.Clone(endings), signal.Ignored)
	s := &endingSignals{heard: heard, came: make(chan os.Signal, 4)}
	s.leaving("ended by a second signal, before it had cleaned up: the next run removes what is left of its sandbox")
	signal.Notify(s.came, heard...)
	return s
}

// leaving is what is said when a second signal ends this process.
func (s *endingSignals) leaving(words string) { s.words.Store(&words) }

// until returns a context that the first signal cancels.
func (s *endingSignals) until(stderr io.Writer) (_ context.Context, done func()) {
	ctx, cancel := context.WithCancel(context.Background())
	over := make(chan struct{})
	go func() {
		if last := s.last(over, cancel); last != nil {
			endBy(last, stderr, *s.words.Load())
		}
	}()
	return ctx, func() {
		signal.Stop(s.came)
		close(over)
		cancel()
	}
}

// last waits for the signal that ends the process at once; nil when over is closed before.
func (s *endingSignals) last(over <-chan struct{}, cancel func()) os.Signal {
	select {
	case <-s.came:
		cancel()
	case <-over:
		return nil
	}
	for first := time.Now(); ; {
		select {
		case again := <-s.came:
			if !s.others.Load() && time.Since(first) >= together {
				return again
			}
		case <-over:
			return nil
		}
	}
}

// leaveTo lets somebody else decide what further signals mean, until back is called.
func (s *endingSignals) leaveTo() (back func()) {
	s.others.Store(true)
	return func() { s.others.Store(false) }
}

// endBy ends this process as the signal does by default.
func endBy(last os.Signal, stderr io.Writer, words string) {
	fmt.Fprintln(stderr, "runner:", words)
	signal.Reset(last)
	if number, ok := last.(syscall.Signal); ok {
		_ = syscall.Kill(os.Getpid(), number)
	}
}
