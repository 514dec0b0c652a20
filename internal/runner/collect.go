package runner

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"sync"
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
	sealed  bool
}

// seal ends the stream: what comes after is nobody's. Idempotent.
func (s *stream) seal() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sealed = true
}

func (s *stream) isSealed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sealed
}

// write keeps what fits. After the limit it drops, or fails with errOverflow.
func (s *stream) write(chunk []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.sealed {
		return nil
	}
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

// isFull reports whether something was dropped.
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

// tail keeps the end of the interpreter's own words, for our error message.
func tail(text string) string {
	const most = 400
	text = strings.TrimSpace(text)
	if text == "" {
		return "it printed nothing"
	}
	if len(text) > most {
		text = "…" + strings.ToValidUTF8(text[len(text)-most:], "")
	}
	return text
}
