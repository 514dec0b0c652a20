package engineapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"hotcell/internal/admission"
	"hotcell/internal/runner"
)

// patience is how long a line may take to be taken: a caller reads at once whatever
// comes, and does with it what it likes afterwards. One that was stopped loses its
// answer, and the record has it.
const patience = time.Minute

// stream writes the lines of one answer. Its methods may be called concurrently.
type stream struct {
	audience

	mu      sync.Mutex
	to      http.ResponseWriter
	control *http.ResponseController
	begun   bool
	err     error // why nobody hears any more
	unread  *unread
}

func (s *Server) newStream(w http.ResponseWriter, to audience) *stream {
	return &stream{audience: to, to: w, control: http.NewResponseController(w), unread: &s.unread}
}

// send writes one line of an answer.
func (s *stream) send(message line) error {
	if message.Final == nil {
		return s.write(message, nil)
	}
	return s.write(message, message.Final.Error)
}

// write writes one line, which may be a refusal. Who does not take it gets none after it.
func (s *stream) write(message any, refusal *fault) error {
	text, err := encode(message)
	return s.writeText(text, refusal, err)
}

// writeText is write for lines that are encoded, unless that has failed.
func (s *stream) writeText(text []byte, refusal *fault, err error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err == nil {
		err = s.err
	}
	if err != nil {
		return err
	}
	if !s.begun {
		s.begin(refusal)
	}
	if s.err = s.control.SetWriteDeadline(time.Now().Add(patience)); s.err == nil {
		_, s.err = s.to.Write(text)
	}
	if s.err == nil {
		s.err = s.control.Flush()
	}
	if s.err != nil {
		s.err = fmt.Errorf("write answer: %w", s.err)
	}
	return s.err
}

// soon has read take what the caller sends at once, and fails where it does not come.
func (s *stream) soon(read func() error) error {
	if err := s.unread.begin(s); err != nil {
		return fmt.Errorf("read request: %w", err)
	}
	if err := s.unread.done(s, read()); err != nil {
		return err
	}
	if err := s.control.SetReadDeadline(time.Time{}); err != nil {
		return fmt.Errorf("read request: %w", err)
	}
	return nil
}

// unread are the requests that have not come whole. A server that ends waits for none of them.
type unread struct {
	mu     sync.Mutex
	ending bool
	all    map[*stream]struct{}
}

func (u *unread) begin(s *stream) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.ending { // net/http is not to wait for the body either
		return errors.Join(admission.ErrDraining, s.control.SetReadDeadline(time.Unix(1, 0)))
	}
	if u.all == nil {
		u.all = map[*stream]struct{}{}
	}
	u.all[s] = struct{}{}
	return s.control.SetReadDeadline(time.Now().Add(patience))
}

// done is why a request was not read, if it was not.
func (u *unread) done(s *stream, err error) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	delete(u.all, s)
	if err != nil && u.ending {
		return admission.ErrDraining
	}
	return err
}

func (u *unread) end() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.ending = true
	for s := range u.all {
		_ = s.control.SetReadDeadline(time.Unix(1, 0)) // one that is gone is not waited for either
	}
}

// begin writes the header: an answer that begins with its end may be a refusal. mu is held.
func (s *stream) begin(refusal *fault) {
	s.begun = true
	s.to.Header().Set("Content-Type", contentType)
	if refusal != nil {
		s.to.WriteHeader(statusOf(refusal.err()))
	}
}

const contentType = "application/x-ndjson"

// statusOf is for callers that look at the status first, such as a proxy: the class in
// the answer says more.
func statusOf(err error) int {
	switch {
	case errors.Is(err, admission.ErrFull), errors.Is(err, admission.ErrDraining):
		return http.StatusServiceUnavailable
	case errors.Is(err, runner.ErrForbidden):
		return http.StatusForbidden
	case errors.Is(err, runner.ErrInput), errors.Is(err, ErrMalformed):
		return http.StatusBadRequest
	case err != nil && !errors.Is(err, context.Canceled):
		return http.StatusInternalServerError
	default:
		return http.StatusOK
	}
}

// events passes on what a run tells, as far as somebody listens.
func (s *stream) events(asked request) runner.Events {
	events := runner.Events{Phase: func(phase runner.Phase) {
		_ = s.send(line{Phase: &phase}) // the last line tells that nobody hears
	}}
	if asked.Streams {
		events.Stdout = piece(func(chunk []byte) error { return s.send(line{Stdout: chunk}) })
		events.Stderr = piece(func(chunk []byte) error { return s.send(line{Stderr: chunk}) })
	}
	if asked.ToolStderr {
		events.ToolStderr = piece(func(chunk []byte) error { return s.send(line{ToolStderr: chunk}) })
	}
	return events
}

// piece is a writer whose every write is one line.
type piece func(chunk []byte) error

// Write implements io.Writer.
func (p piece) Write(chunk []byte) (int, error) {
	if len(chunk) == 0 {
		return 0, nil
	}
	if err := p(chunk); err != nil {
		return 0, err
	}
	return len(chunk), nil
}
