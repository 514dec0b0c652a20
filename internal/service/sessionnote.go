package service

import (
	"fmt"
	"strings"
	"time"

	"hotcell/api"
	"hotcell/internal/job"
	"hotcell/internal/strictjson"
)

// overRestart is why a session is over that a service before this one had.
const overRestart = "the service was restarted, and its sessions ended with it: open another"

// openNote is what is kept of a session while it is open, so that whose it was is told what became
// of it.
type openNote struct {
	Owner   string    `json:"owner"`
	Policy  string    `json:"policy"`
	Bundle  string    `json:"bundle"`
	Created time.Time `json:"created"`
}

func (s *Broker) noteSession(x *session) error {
	text, err := strictjson.Encode(openNote{x.owner, x.asked.Policy, x.asked.Bundle, x.created})
	if err != nil {
		return err
	}
	return s.store.Write(sessionNote+x.id.String(), string(text))
}

// forgetSession is for one whose end its owner can see. One that ends with this service is told of
// by the next.
func (s *Broker) forgetSession(x *session) {
	if s.ctx.Err() != nil {
		return
	}
	if err := s.store.Write(sessionNote+x.id.String(), ""); err != nil {
		s.options.Logger.Error("that a session has ended cannot be written", "session", x.id.String(), "error", err)
	}
}

// loadSessions tells of those that ended with the service before this one.
func (s *Broker) loadSessions() error {
	notes, err := s.store.Notes(s.ctx, sessionNote)
	if err != nil {
		return fmt.Errorf("read the sessions: %w", err)
	}
	for name, text := range notes {
		var note openNote
		id, err := job.ParseID(strings.TrimPrefix(name, sessionNote))
		if err == nil {
			err = strictjson.Decode([]byte(text), maxStored, &note)
		}
		if err != nil {
			return fmt.Errorf("read the session %.64q: %w", name, err)
		}
		x := &session{
			id: id, owner: note.Owner, asked: api.OpenSession{Policy: note.Policy, Bundle: note.Bundle}, created: note.Created, log: newLog(),
			state: api.SessionClosed, over: overRestart, ended: s.options.Now(), changed: make(chan struct{}),
		}
		x.problem = problem("interrupted", "The service ended while it had the session", overRestart)
		x.log.End()
		s.sessions[id] = x
		s.keepOver(x)
	}
	return nil
}

// stepBytes is about what a step costs without its result.
const stepBytes = 512

// keepOver keeps a session that has ended for a while, unless there is too much of them. mu is held.
func (s *Broker) keepOver(x *session) {
	bytes := x.log.Bytes() + x.results + weight(nil) + stepBytes*int64(len(x.steps))
	s.over.add(gone{x.owner, x.ended, bytes, func() {
		delete(s.sessions, x.id)
		if x.over == overRestart {
			s.keep("forget a session", func() { s.forgetSession(x) })
		}
	}}, s.options.Now())
}
