package kubernetes

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"

	"k8s.io/client-go/tools/remotecommand"
)

// greeting goes ahead of all that a sandbox's command is sent, and comes back ahead of all that
// it writes (programs/enter.py).
const greeting = '\n'

// greeted are streams whose stdin has no end before the greeting has come back, or over is
// closed. containerd opens what it passes stdin on by in the background, and closes the other
// side of it when it hears of the end: where that is sooner, the command waits for it for good.
func greeted(streams remotecommand.StreamOptions, over <-chan struct{}) remotecommand.StreamOptions {
	entered := make(chan struct{})
	streams.Stdin = io.MultiReader(bytes.NewReader([]byte{greeting}), &opened{streams.Stdin, entered, over})
	streams.Stdout = &answered{to: streams.Stdout, enter: sync.OnceFunc(func() { close(entered) })}
	return streams
}

// opened is a stdin whose end waits until somebody reads it.
type opened struct {
	from          io.Reader
	entered, over <-chan struct{}
}

// Read implements io.Reader.
func (o *opened) Read(chunk []byte) (int, error) {
	count, err := o.from.Read(chunk)
	if err == nil || count > 0 { // an error comes again
		return count, nil
	}
	select {
	case <-o.entered:
	case <-o.over:
	}
	return 0, err
}

// answered is a stdout that begins with a greeting.
type answered struct {
	to    io.Writer
	enter func()
	begun bool
}

// Write implements io.Writer.
func (a *answered) Write(chunk []byte) (int, error) {
	if a.begun || len(chunk) == 0 {
		return a.to.Write(chunk)
	}
	if chunk[0] != greeting {
		return 0, fmt.Errorf("what exec started begins with %q, which is not from the sandbox's command", chunk[:min(len(chunk), 100)])
	}
	a.begun = true
	a.enter()
	if len(chunk) == 1 {
		return 1, nil
	}
	count, err := a.to.Write(chunk[1:])
	return 1 + count, err
}

// reading is a run's stdin. What fails is no end of it.
type reading struct {
	of   *running
	from io.Reader
}

// Read implements io.Reader.
func (r *reading) Read(chunk []byte) (int, error) {
	count, err := r.from.Read(chunk)
	if err != nil && !errors.Is(err, io.EOF) {
		r.of.mu.Lock()
		r.of.stdin = fmt.Errorf("read stdin of the sandbox: %w", err)
		r.of.mu.Unlock()
		r.of.fail()
		err = io.EOF
	}
	return count, err
}

func (x *running) readFault() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.stdin
}

// writing is one of what a run writes. Where its reader fails, the rest goes nowhere: what
// writes must not be held until it is killed.
type writing struct {
	to     io.Writer
	fail   func()
	broken bool
}

// Write implements io.Writer. It never fails.
func (w *writing) Write(chunk []byte) (int, error) {
	if !w.broken {
		if _, err := w.to.Write(chunk); err != nil {
			w.broken = true
			w.fail()
		}
	}
	return len(chunk), nil
}
