package service

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"hotcell/api"
	"hotcell/internal/engineapi"
	"hotcell/internal/job"
	"hotcell/internal/runner"
	"hotcell/internal/service/store"
)

// holdSession opens a session at the engine, and has it until its end.
func (s *Broker) holdSession(x *session, wanted job.Request) {
	ctx, cancel := context.WithCancel(s.ctx)
	defer cancel()
	stdout, stderr := &textWriter{log: x.log, kind: api.EventStdout}, &textWriter{log: x.log, kind: api.EventStderr}
	ask := runner.Ask{Request: wanted, Events: runner.Events{
		Stdout: stdout, Stderr: stderr,
		Phase: func(phase runner.Phase) {
			x.tell(api.EventState, engineapi.StateIn(phase))
		},
		ToolCall: func(name string) {
			x.tell(api.EventToolCall, api.ToolCallEvent{Name: strings.ToValidUTF8(name[:min(len(name), maxToolName)], "\ufffd")})
		},
	}}
	opened := make(chan struct{})
	s.keep("end a session that opens", func() {
		select {
		case <-x.closing: // it may wait for a place
			cancel()
		case <-opened:
		}
	})
	held, err := s.options.Engine.OpenSession(ctx, x.id, engineapi.Principal(x.owner), ask)
	close(opened)
	if err != nil {
		s.sessionRefused(x, err)
		return
	}
	s.sessionBegun(x, held.About())
	why := s.ready(ctx, x, held)
	if why == "" {
		why = s.steps(ctx, x, held, func() { stdout.flush(); stderr.flush() })
	}
	s.mu.Lock()
	x.end(why)
	s.mu.Unlock()
	closing, stop := context.WithTimeout(ctx, closeTime)
	defer stop()
	response, err := held.Close(closing)
	s.sessionEnded(x, response, err)
}

// sessionBegun is when an engine has a session, and loads what it needs.
func (s *Broker) sessionBegun(x *session, about runner.About) {
	s.mu.Lock()
	defer s.mu.Unlock()
	x.about, x.begun = &about, s.options.Now().UTC()
	if end := x.begun.Add(inMS(about.Limits.WallClockMS)); end.Before(x.until) {
		x.until = end
	}
	x.change()
}

func inMS(ms int64) time.Duration { return time.Duration(ms) * time.Millisecond }

// ready waits until a session takes steps, and says why it does not, or "". A step that came
// sooner is begun then: its time is the script's.
func (s *Broker) ready(ctx context.Context, x *session, held engineapi.Session) (why string) {
	life := time.NewTimer(x.life.Sub(s.options.Now()))
	defer life.Stop()
	select {
	case <-held.Prepared():
	case <-held.Done():
		return cmp.Or(held.Over(), "it did not become ready")
	case <-x.closing:
		return overClosed
	case <-life.C:
		return overTotal
	case <-ctx.Done():
		return overService
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	x.opens(s.options.Now().UTC(), x.begun)
	x.tell(api.EventState, api.StateEvent{State: api.State(api.SessionOpen)})
	x.change()
	return ""
}

// opens has a session wait for a step. Its engine has counted since then how long nobody has used
// it. Broker.mu is held.
func (x *session) opens(now, since time.Time) {
	x.state, x.idleUntil = api.SessionOpen, now.Add(x.idle)
	for _, sooner := range []time.Time{since.Add(inMS(x.about.Limits.IdleMS)), x.until} {
		if sooner.Before(x.idleUntil) {
			x.idleUntil = sooner
		}
	}
}

// Why sessions end that the service itself ends.
const (
	overClosed  = "it was closed"
	overOther   = "an administrator of the service closed it"
	overService = "the service ends"
	overTotal   = "its time is over (total_ms)"
	overIdle    = "it had no step for too long (idle_ms)"
)

// sessionRefused is the end of one that no engine has taken. Who waits for it is told why, and nobody
// else knows of it.
func (s *Broker) sessionRefused(x *session, err error) {
	s.forgetSession(x)
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case errors.Is(err, runner.ErrInput):
		x.refused, x.problem = err, problem("refused", "The session cannot be opened", words(err))
	case s.ctx.Err() != nil: // which has ended the opening
		x.refused, x.over = ErrDraining, overService
	case x.isClosing: // by its principal: no fault of the engine's, and nothing that was refused
	default:
		x.refused, x.problem = err, problem("engine-failed", "The engine did not open the session", words(err))
		s.options.Logger.Warn("a session was not opened", "session", x.id.String(), "error", err)
	}
	if x.over == "" {
		x.over = "it was not opened"
	}
	s.sessionOver(x)
	if x.refused != nil && x.awaited {
		delete(s.sessions, x.id)
		return
	}
	s.keepOver(x)
}

// sessionEnded keeps what became of one.
func (s *Broker) sessionEnded(x *session, response runner.Response, err error) {
	row := store.Row{
		ID: x.id, Principal: x.owner, Policy: x.asked.Policy, Bundle: x.asked.Bundle, State: store.Done, Attempt: 1, Created: x.created,
		Started: x.begun, Ended: s.options.Now().UTC(), Last: store.LastUnknown,
	}
	end := ending{}
	if result := response.Result; result.Status != "" {
		end.result, end.bytes, row.Recorded, row.Status = &result, response.RecordBytes, true, api.State(result.Status)
	} else {
		detail := ""
		if err != nil {
			detail = words(err)
			if isAway(err) {
				s.suspect()
			}
			s.options.Logger.Warn("a session has ended without a result", "session", x.id.String(), "error", err)
		}
		end.problem = problem("interrupted", "The engine ended while it had the session", detail)
		row.Status, row.Problem = api.StateError, end.problem
	}
	row.Used = end.used()
	s.index(row)
	s.forgetSession(x)
	heavy := weight(end.result)
	s.mu.Lock()
	defer s.mu.Unlock()
	x.result, x.problem, x.results = end.result, end.problem, x.results+heavy
	s.sessionOver(x)
	s.keepOver(x)
}

// sessionOver gives the place of a session free. mu is held.
func (s *Broker) sessionOver(x *session) {
	x.state, x.ended = api.SessionClosed, s.options.Now()
	x.dropStep()
	s.open--
	s.land(x.owner)
	x.log.End()
	x.change()
}

// dropStep ends the step that waits, of which nothing was run. Broker.mu is held.
func (x *session) dropStep() {
	last := x.current()
	if last == nil {
		return
	}
	select {
	case <-x.todo:
	default:
	}
	last.shown.Status = api.State(job.Cancelled)
	x.tell(api.EventStep, last.shown)
	last.script = runner.Script{}
	close(last.done)
}

// index makes a record of a session, or of one of its steps, one that its principal finds.
func (s *Broker) index(row store.Row) {
	if err := s.add([]store.Row{row}, "", ""); err != nil {
		s.options.Logger.Error("a record is not in the index, which will be completed", "run", row.ID.String(), "error", err)
		s.mu.Lock()
		defer s.mu.Unlock()
		s.spend(row.Principal, store.Use{CPU: row.Used.CPU}, row.Ended) // its bytes count with the index
	}
}
