package runner

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"sync"

	"hotcell/internal/wire"
)

// errOverflow ends a run whose policy says that a full stream is an end.
var errOverflow = errors.New("stream is full")

// stream keeps the first bytes of one of the code's streams and passes them on as
// they come.
type stream struct {
	limit   int64
	endFull bool
	live    io.Writer

	mu   sync.Mutex // the interpreter's own stderr and the guard's frames meet here
	kept bytes.Buffer
	full bool
}

// write keeps what fits. After the limit it drops, or fails with errOverflow.
func (s *stream) write(chunk []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	room := s.limit - int64(s.kept.Len())
	fits := chunk[:min(int64(len(chunk)), room)]
	s.kept.Write(fits)
	if len(fits) > 0 {
		if _, err := s.live.Write(fits); err != nil {
			return err
		}
	}
	if len(fits) == len(chunk) {
		return nil
	}
	s.full = true
	if s.endFull {
		return errOverflow
	}
	return nil
}

// text returns what was kept as valid UTF-8.
func (s *stream) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.ToValidUTF8(s.kept.String(), "\uFFFD")
}

// collector is what the guard's messages go to.
type collector struct {
	stdout, stderr *stream
	phase          func(Phase)
	ready          bool
	python         string
}

// Hello implements wire.Receiver.
func (c *collector) Hello(hello wire.Hello) error {
	c.python = hello.Python
	c.phase(PhaseLoading)
	return nil
}

// Ready implements wire.Receiver.
func (c *collector) Ready() error {
	c.ready = true
	c.phase(PhaseRunning)
	return nil
}

// Stdout implements wire.Receiver.
func (c *collector) Stdout(chunk []byte) error { return c.stdout.write(chunk) }

// Stderr implements wire.Receiver.
func (c *collector) Stderr(chunk []byte) error { return c.stderr.write(chunk) }

// rawStderr is the container's own descriptor 2: what the interpreter and native
// code print past the guard. It may end a run by its errOverflow only when the
// policy says so, like the guard's frames.
type rawStderr struct{ to *stream }

// Write implements io.Writer.
func (r rawStderr) Write(chunk []byte) (int, error) {
	if err := r.to.write(chunk); err != nil {
		return 0, err
	}
	return len(chunk), nil
}
