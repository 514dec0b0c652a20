package kubernetes

import (
	"errors"
	"fmt"
	"io"
)

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
