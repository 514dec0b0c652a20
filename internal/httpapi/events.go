package httpapi

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"sync"
	"time"

	"hotcell/api"
	"hotcell/internal/access"
	"hotcell/internal/job"
)

// follow is a method of a Backend's that hands on events.
type follow func(ctx context.Context, by access.Principal, id job.ID, after int64, take func(api.Event) error) error

func (c *call) runEvents() error {
	id, err := c.runID()
	if err != nil {
		return err
	}
	b := c.door.Backend
	last := func(ctx context.Context) (any, error) { return b.Run(ctx, c.by, id) }
	return c.events(id, last, b.Follow)
}

func (c *call) sessionEvents() error {
	id, err := c.runID()
	if err != nil {
		return err
	}
	b := c.door.Backend
	last := func(ctx context.Context) (any, error) { return b.Session(ctx, c.by, id) }
	return c.events(id, last, b.FollowSession)
}

// isOver asks for a run or a session, and keeps nothing of it but whether it has ended.
func (c *call) isOver(look find) (over bool, err error) {
	err = c.inTurn(look, func(value any) error {
		over = nameOf(value) != ""
		return nil
	})
	return over, err
}

// events answers with a stream. It begins at once, but for what has ended: there may be
// nothing behind what the follower has seen, and 204 is what ends an EventSource. last finds what
// the last event has.
func (c *call) events(id job.ID, last find, following follow) error {
	ended, err := c.isOver(last)
	if err != nil {
		return err
	}
	after, err := c.after()
	if err != nil {
		return err
	}
	place, ok := c.door.streams.Take(c.by.Name, 1)
	if !ok {
		return busy("event streams")
	}
	defer place.Free()
	c.place.Free() // a stream has its own places
	ctx, end := c.door.long.begin(c.r.Context())
	defer end(nil)
	s := &stream{call: c, id: id, last: last, end: end}
	defer s.stop()
	if !ended || c.r.Method == http.MethodHead {
		if err := s.begin(); err != nil || c.r.Method == http.MethodHead {
			return err
		}
	}
	err = following(ctx, c.by, id, after, s.take)
	switch {
	case err == nil && !s.begun:
		c.w.WriteHeader(http.StatusNoContent)
		return nil
	case ctx.Err() != nil && (s.begun || c.r.Context().Err() != nil):
		return nil // it was ended: by its reader, or with the server
	case ctx.Err() != nil:
		return &problem{word: wordDraining, detail: "the events can be followed again in a while", after: patience}
	}
	return err
}

// stream is one follower's. Events and signs of life come from two goroutines.
type stream struct {
	call  *call
	id    job.ID
	last  find
	end   context.CancelCauseFunc
	begun bool // of the one goroutine that follows

	mu      sync.Mutex // of all that is written
	timer   *time.Timer
	stopped bool
}

// retry is how many milliseconds an EventSource waits before it connects again.
const retry = "retry: 2000\n\n"

func (s *stream) begin() error {
	s.begun = true
	header := s.call.w.Header()
	header.Set("Content-Type", "text/event-stream")
	header.Set("X-Accel-Buffering", "no") // a proxy is not to collect
	s.call.w.WriteHeader(http.StatusOK)
	if s.call.r.Method == http.MethodHead {
		return nil
	}
	s.mu.Lock()
	s.timer = time.AfterFunc(s.call.door.Limits.KeepAlive, s.alive)
	s.mu.Unlock()
	return s.write(retry)
}

// alive tells proxies and readers that the stream is there.
func (s *stream) alive() {
	if err := s.write(": keep-alive\n\n"); err != nil {
		s.end(fmt.Errorf("write a sign of life: %w", err))
	}
}

// write sends a whole event, or what is none, or ends with an error that no write follows. A line
// is JSON, which is not copied: many write the same one.
func (s *stream) write(head string, line ...[]byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped {
		return errStopped
	}
	for _, part := range append([][]byte{[]byte(head)}, line...) {
		if _, err := s.call.w.Write(part); err != nil {
			return err
		}
	}
	s.timer.Reset(s.call.door.Limits.KeepAlive)
	return s.call.w.flush()
}

var errStopped = errors.New("the stream has ended")

// stop returns when nothing is written any more: the response is not ours afterwards.
func (s *stream) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stopped = true
	if s.timer != nil {
		s.timer.Stop()
	}
}

// eventType is what an event's line can name. Types are ours.
var eventType = regexp.MustCompile(`^[a-z_]{1,32}$`)

func (s *stream) take(event api.Event) error {
	if !eventType.MatchString(string(event.Type)) {
		return errors.New("an event has a type that is none")
	}
	line, err := s.lineOf(event)
	if err != nil {
		return err
	}
	defer line.free()
	if !s.begun {
		if err := s.begin(); err != nil {
			return err
		}
	}
	head := "event: " + string(event.Type) + "\ndata: "
	if event.Seq > 0 {
		head = "id: " + strconv.FormatInt(event.Seq, 10) + "\n" + head
	}
	return s.write(head, oneLine(line.line), []byte("\n\n"))
}

// lineOf is what an event has. Where there is no place for it the stream ends, and whoever follows
// comes again, for what is missing.
func (s *stream) lineOf(event api.Event) (*text, error) {
	if event.Type == api.EventResult {
		return s.call.look(s.last)
	}
	name := ""
	if event.Seq > 0 {
		name = fmt.Sprintf("%s/events/%d", s.id, event.Seq)
	}
	return s.call.door.texts.hold(s.call.by.Name, name, event.Data)
}

// oneLine is JSON without ends of lines, which in JSON stand between tokens only: one would
// end the event, and what follows could be another.
func oneLine(data []byte) []byte {
	data = bytes.TrimRight(data, "\n") // of an answer
	if !bytes.ContainsAny(data, "\r\n") {
		return data
	}
	return bytes.Map(func(letter rune) rune {
		if letter == '\n' || letter == '\r' {
			return ' '
		}
		return letter
	}, data)
}
