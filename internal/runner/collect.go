package runner

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"sync"
	"sync/atomic"

	"hotcell/internal/wire"
)

// errOverflow ends a run whose policy says that a full stream is an end.
var errOverflow = errors.New("stream is full")

// stream keeps the first bytes of one of the code's streams and passes them on as
// they come.
type stream struct {
	limit   int64
	endFull bool

	mu      sync.Mutex // the interpreter's own stderr and the guard's frames meet here
	live    io.Writer
	liveErr error // why live gets no more; the run goes on, for its record
	kept    bytes.Buffer
	full    bool
}

// write keeps what fits. After the limit it drops, or fails with errOverflow.
func (s *stream) write(chunk []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	room := s.limit - int64(s.kept.Len())
	fits := chunk[:min(int64(len(chunk)), room)]
	s.kept.Write(fits)
	if len(fits) > 0 && s.liveErr == nil {
		_, s.liveErr = s.live.Write(fits)
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

// isFull tells whether something was dropped.
func (s *stream) isFull() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.full
}

func (s *stream) lost() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.liveErr
}

// collector is what the guard's messages go to.
type collector struct {
	stdout, stderr *stream
	phase          func(Phase)
	ready          atomic.Bool
	boot           boot
}

// Hello implements wire.Receiver.
func (c *collector) Hello(wire.Hello) error {
	c.phase(PhaseLoading)
	return nil
}

// Ready implements wire.Receiver.
func (c *collector) Ready() error {
	c.ready.Store(true)
	c.phase(PhaseRunning)
	return nil
}

// Stdout implements wire.Receiver.
func (c *collector) Stdout(chunk []byte) error { return c.stdout.write(chunk) }

// Stderr implements wire.Receiver.
func (c *collector) Stderr(chunk []byte) error { return c.stderr.write(chunk) }

// rawStderr is the container's own descriptor 2: what the interpreter and native
// code print past the guard. Before user code begins it is the guard's own trouble
// and goes to boot; afterwards it is part of the run's stderr.
type rawStderr struct{ to *collector }

// Write implements io.Writer.
func (r rawStderr) Write(chunk []byte) (int, error) {
	if !r.to.ready.Load() {
		r.to.boot.add(chunk)
		return len(chunk), nil
	}
	if err := r.to.stderr.write(chunk); err != nil {
		return 0, err
	}
	return len(chunk), nil
}

// boot keeps the end of what was printed before user code began.
type boot struct {
	mu   sync.Mutex
	last []byte
}

// bootBytes is enough for the last lines of a traceback.
const bootBytes = 4096

func (b *boot) add(chunk []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.last = append(b.last, chunk...)
	b.last = b.last[max(0, len(b.last)-bootBytes):]
}

func (b *boot) text() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return strings.ToValidUTF8(string(b.last), "\uFFFD")
}
