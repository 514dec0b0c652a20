package engineapi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"hotcell/internal/runner"
)

// session carries out a session. It has a place from its beginning to its end.
func (s *Server) session(r *http.Request, in *received) (*answer, error) {
	return s.sessionAfter(r, in, entry{s.readFirst, s.sessionTurn})
}

// entry is what comes before a session.
type entry struct {
	first func(*http.Request, *received) error // reads its request
	turn  func(ctx context.Context, caller string, work func(context.Context) error) error
}

func (s *Server) sessionTurn(ctx context.Context, caller string, work func(context.Context) error) error {
	return s.options.Sessions.Do(ctx, caller, func(ctx context.Context) error {
		return s.options.Gate.Do(ctx, caller, work)
	})
}

func (s *Server) sessionAfter(r *http.Request, in *received, by entry) (last *answer, err error) {
	// Steps are read while answers are written.
	if err := in.stream.control.EnableFullDuplex(); err != nil {
		return nil, fmt.Errorf("read request: %w", err)
	}
	if err := in.stream.soon(func() error { return by.first(r, in) }); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	steps := readSteps(in, cancel)
	defer func() { err = errors.Join(err, steps.end(in.stream)) }()
	err = by.turn(ctx, in.ask.Caller.Name, func(ctx context.Context) error {
		last = s.lead(ctx, in, steps)
		return nil
	})
	return last, err
}

// lead leads a session from its beginning to its end.
func (s *Server) lead(ctx context.Context, in *received, steps *steps) *answer {
	session, err := s.options.Service.OpenSession(ctx, in.ask)
	if err != nil {
		return &answer{Error: in.stream.fault(err)}
	}
	about := session.About()
	heard := in.stream.send(line{Opened: &about}) == nil
	defer sayReady(ctx, in.stream, session)()
	for heard {
		select {
		case <-session.Done():
			heard = false
		case next, more := <-steps.come:
			heard = more && stepped(ctx, in.stream, session, next)
		case text := <-steps.questions:
			form := session.Form(ctx, text)
			heard = in.stream.send(line{Form: &form}) == nil
		}
	}
	over := session.Over()
	last := in.stream.answer(session.Close(ctx))
	last.Over = in.stream.over(over)
	return last
}

// sayReady says at once when the session is prepared, whatever else goes on. What it
// returns waits until nothing more will be said.
func sayReady(ctx context.Context, to *stream, session Session) (wait func()) {
	ctx, cancel := context.WithCancel(ctx)
	var saying sync.WaitGroup
	saying.Go(func() {
		select {
		case <-session.Prepared():
			_ = to.send(line{Ready: true}) // the last line tells that nobody hears
		case <-session.Done():
		case <-ctx.Done():
		}
	})
	return func() {
		cancel()
		saying.Wait()
	}
}

// stepped carries out one step, and reports whether its answer was heard.
func stepped(ctx context.Context, to *stream, session Session, next runner.Script) bool {
	said := to.answer(session.Step(ctx, next))
	said.Over = to.over(session.Over())
	return to.send(line{Step: said}) == nil
}

// steps are read as they come, so that the end of the connection is met at once.
type steps struct {
	come      chan runner.Script
	questions chan []byte // texts whose form is asked for; its end nobody tells
	done      chan struct{}
}

// readSteps cancels where the body does not end in order, and where more than one step or
// more than one question waits: its owner waits for the answer of each.
func readSteps(in *received, cancel context.CancelFunc) *steps {
	s := &steps{come: make(chan runner.Script, 1), questions: make(chan []byte, 1), done: make(chan struct{})}
	// A session has at most four lines in hand: one is carried out, one step and one question wait,
	// and one is read.
	lines := bounds{most: maxStep, share: in.share, times: 4}
	if in.share != nil {
		lines.besides = in.share.Has()
	}
	go func() {
		defer close(s.done)
		defer close(s.come)
		interrupt := func() {} // the step that came last
		for {
			var next step
			err := lines.decode(in.body, &next)
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				cancel()
				return
			}
			room := true
			switch {
			case next.Interrupt:
				interrupt()
			case next.Question:
				room = offer(s.questions, next.Code)
			default:
				interrupted := make(chan struct{})
				interrupt = sync.OnceFunc(func() { close(interrupted) })
				if next.Interrupted {
					interrupt()
				}
				script := runner.Script{Code: next.Code, Name: cmp.Or(next.Name, unnamed), WallClock: time.Duration(next.WallClockNS), Interrupt: interrupted}
				room = offer(s.come, script)
			}
			if !room {
				cancel()
				return
			}
		}
	}()
	return s
}

// offer reports whether there was room.
func offer[T any](to chan<- T, next T) bool {
	select {
	case to <- next:
		return true
	default:
		return false
	}
}

// end stops the reading. The connection is not used again.
func (s *steps) end(from *stream) error {
	if err := from.control.SetReadDeadline(time.Unix(1, 0)); err != nil {
		return fmt.Errorf("end reading: %w", err)
	}
	<-s.done
	return nil
}

var _ Session = (*runner.Session)(nil)
