package engineapi

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"sync"
)

// inbox takes the lines of an answer as soon as they come, however slowly somebody reads
// what we print: the engine waits for nobody. It holds no more than a policy lets a run
// print and answer.
type inbox struct {
	mu      sync.Mutex
	arrived sync.Cond
	lines   []line
	err     error // after the lines: why there are no more
	done    chan struct{}
}

func newInbox(from *bufio.Reader) *inbox {
	b := &inbox{done: make(chan struct{})}
	b.arrived.L = &b.mu
	go func() {
		defer close(b.done)
		for b.take(from) {
		}
		// The end of the last line is not the end of what the engine writes: who hangs up
		// between the two has not taken its answer.
		_, _ = io.Copy(io.Discard, from)
	}()
	return b
}

// take takes one line, and reports whether there may be another.
func (b *inbox) take(from *bufio.Reader) bool {
	var next line
	err := decode(from, maxLine, &next)
	b.mu.Lock()
	defer b.mu.Unlock()
	defer b.arrived.Broadcast()
	switch {
	case err == nil:
		b.lines = append(b.lines, next)
		return next.Final == nil
	case errors.Is(err, ErrMalformed):
		b.err = err
	case errors.Is(err, io.EOF):
		b.err = ErrLost
	default:
		b.err = fmt.Errorf("%w: %w", ErrLost, err)
	}
	return false
}

// next waits for a line.
func (b *inbox) next() (line, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.lines) == 0 && b.err == nil {
		b.arrived.Wait()
	}
	if len(b.lines) == 0 {
		return line{}, b.err
	}
	first := b.lines[0]
	b.lines = b.lines[1:]
	return first, nil
}

// wait returns when nothing is taken any more: after the last line, or the connection.
func (b *inbox) wait() { <-b.done }
