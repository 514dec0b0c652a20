package runner

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"hotcell/internal/container"
	"hotcell/internal/panics"
	"hotcell/internal/policy"
	"hotcell/internal/records"
	"hotcell/internal/wire"
)

// Session is one sandbox that runs one script after the other in one namespace, for
// one owner. Step and Close are for one goroutine at a time: during a Step both are an
// error that changes nothing. The owner must call Close, whatever happened before.
//
// Memory, processes, CPU time and the output file system are bounded for the session
// as a whole, because they are the sandbox's; the wall clock, the streams, the budgets
// and the tool calls for each step.
type Session struct {
	execution *execution // its id is the session's
	bounds    policy.Session
	sandbox   container.Sandbox
	draft     *records.Draft
	dialogue  *dialogue
	end       context.CancelCauseFunc // kills the sandbox
	release   func() error            // of the bundle

	dead  chan struct{} // closed when the sandbox is; what follows may then be read
	found evidence
	fault error // ours

	steps    int64
	began    bool         // user code did, in any step
	last     *wire.Report // of the last script that ran, without its result and charts
	shelf    shelf
	pictures []string // paths of charts that are files, at most as many as there may be files

	mu          sync.Mutex
	busy        bool          // a step is running
	over        string        // why no step may follow
	hungUp      bool          // the host has ended the session in order
	closed      bool          // Close was called
	late        time.Duration // the time of the step that had to be killed, else 0
	clock, idle *time.Timer
	grace       *time.Timer
}

// ErrSessionOver is wrapped by the error of a Step after the session's end.
var ErrSessionOver = errors.New("the session is over")

var (
	errSessionClock = errors.New("session's wall clock")
	errNoEnd        = errors.New("guard did not end with its stream")
	// errStepRuns keeps the words of one step's guard, and its files, from another's.
	errStepRuns = errors.New("a step is running in this session: wait for its end")
)

// closeGrace is how long an idle guard may take to end. All that it has to do is to
// leave a loop.
const closeGrace = 10 * time.Second

// OpenSession makes the sandbox of a session and begins to start its guard. The
// request's Code is not used; its inputs and tools are every step's, and so are the
// events. The session ends with Close, at its policy's bounds, or with ctx, which
// cancels it. After a Close in order, verified files are copied to ask.OutputDir.
// Errors are those of Run.
func (r *Runner) OpenSession(ctx context.Context, ask Ask) (*Session, error) {
	ask.Request.Code = nil
	e, err := r.prepare(ctx, ask, wire.ModeSession)
	if err != nil {
		return nil, r.refused(ctx, ask, err)
	}
	bounds := e.terms.Policy.Session // there is one, else prepare would have refused
	if int64(len(ask.Request.Inputs)) > e.terms.InputBytes {
		return nil, r.refused(ctx, ask, input(errors.New(e.refuse().failure.Message)))
	}
	if err := CheckOutput(ctx, ask.OutputDir); err != nil {
		return nil, r.refused(ctx, ask, err)
	}
	e.spec.Limits.WallClock = bounds.WallClock // of the sandbox; a step's stays in the terms
	if bounds.CPUTime != 0 {                   // of all steps together: one run's may not do
		e.terms.Limits.CPUTime, e.spec.Limits.CPUTime = bounds.CPUTime, bounds.CPUTime
	}
	e.session = e.id
	release, err := e.holdBundle(ctx)
	if err != nil {
		return nil, err
	}
	draft, err := e.begin(ctx)
	if err != nil {
		return nil, errors.Join(err, release())
	}
	s := &Session{execution: e, bounds: *bounds, draft: draft, release: release, dead: make(chan struct{})}
	if err := s.start(ctx); err != nil {
		return nil, errors.Join(err, draft.Discard(ctx), release())
	}
	return s, nil
}

// withoutSessions is the error of a policy without a session section, and names those
// that have one.
func (r *Runner) withoutSessions(name string) error {
	names, err := r.options.Policies.Names()
	if err != nil {
		return err
	}
	var with []string
	for _, each := range names {
		if other, err := r.options.Policies.Get(each); err == nil && other.Session != nil {
			with = append(with, each)
		}
	}
	return input(fmt.Errorf("policy %s has no session section: use `runner run`, or choose a policy that has one: %s", name, strings.Join(with, ", ")))
}

func (s *Session) start(ctx context.Context) error {
	e := s.execution
	var err error
	if s.sandbox, err = e.create(ctx, wire.ModeSession); err != nil {
		return err
	}
	if s.dialogue, err = e.newDialogue(wire.ModeSession, e.newTranscript(s.draft.Path())); err != nil {
		return errors.Join(err, destroy(ctx, s.sandbox))
	}
	ctx, s.end = context.WithCancelCause(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clock = time.AfterFunc(s.bounds.WallClock, s.expire)
	s.idle = time.AfterFunc(s.bounds.Idle, s.tire)
	go s.live(ctx)
	return nil
}

// live is the sandbox's life.
func (s *Session) live(ctx context.Context) {
	defer close(s.dead)
	s.fault = panics.Catch("running the session", func() error {
		exit, received, err := s.dialogue.run(ctx, s.end, s.sandbox)
		if err == nil {
			s.found, err = s.execution.gather(ctx, s.dialogue, exit, received)
		}
		return err
	})
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over == "" && s.dialogue.unprepared == nil { // else the first step, or Close, tells why
		s.over = s.ending()
	}
}

// ending says why the sandbox has ended by itself, as far as that is known.
func (s *Session) ending() string {
	const ended = "its sandbox has ended"
	found := s.found
	found.ready, found.report = true, nil
	if why, err := classify(found); s.fault == nil && err == nil && why.failure != nil {
		return ended + ": " + why.failure.Message
	}
	return ended
}

// expire ends a session whose time is over: in order between two steps, so that its
// files can be verified, else by killing it.
func (s *Session) expire() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.busy {
		s.end(errSessionClock)
		return
	}
	s.hangUp(fmt.Sprintf("it has lasted the %s that it may (the policy's session.wall_clock)", s.bounds.WallClock))
}

// tire ends a session that nobody uses.
func (s *Session) tire() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.busy {
		s.hangUp(fmt.Sprintf("nothing was asked of it for %s (the policy's session.idle)", s.bounds.Idle))
	}
}

// hangUp ends the session in order, by ending the guard's stream. mu is held.
func (s *Session) hangUp(reason string) {
	if s.over == "" {
		s.over = reason
	}
	select {
	case <-s.dead:
		return // it ended by itself
	default:
	}
	if s.hungUp {
		return
	}
	s.hungUp = true
	s.dialogue.hangUp()
	s.grace = time.AfterFunc(closeGrace, func() { s.end(errNoEnd) })
}

// Prepared is closed when all is ready for the first step: packages imported, tables
// loaded. Where that failed, Done is closed instead, and Close says why.
func (s *Session) Prepared() <-chan struct{} { return s.dialogue.prepared }

// Done is closed when the session's sandbox is dead.
func (s *Session) Done() <-chan struct{} { return s.dead }

// Over says why no step may follow, or "" while one may.
func (s *Session) Over() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.over
}

// Close ends the session, judges what it has written, removes the sandbox and keeps
// the session's own record, whose result has the files. Where ctx has ended the session is
// cancelled: it does not end in order, and has no files. The error is as Run's, and wraps
// ErrSessionOver for a second Close.
func (s *Session) Close(ctx context.Context) (Response, error) {
	if err := s.beginClose(ctx); err != nil {
		return Response{}, err
	}
	<-s.dead
	s.mu.Lock()
	for _, timer := range []*time.Timer{s.clock, s.idle, s.grace} {
		if timer != nil {
			timer.Stop()
		}
	}
	s.mu.Unlock()
	defer s.end(nil)
	e := s.execution
	// Every step may have had as many.
	e.answers.MaxFigures *= int(max(1, s.steps))
	settled, err := settled{began: s.began}, s.fault
	if err == nil {
		settled, err = e.settle(ctx, s.sandbox, s.draft, s.closing(), nil)
	}
	response, err := e.conclude(ctx, s.sandbox, s.draft, settled, err)
	return response, errors.Join(err, s.draft.Discard(ctx), s.release())
}

func (s *Session) beginClose(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closed:
		return fmt.Errorf("%w: it has been closed", ErrSessionOver)
	case s.busy:
		return errStepRuns
	}
	s.closed = true
	if ctx.Err() != nil { // a guard that is told of the end could be quicker than its death
		s.end(context.Cause(ctx))
		return nil
	}
	s.hangUp("it has been closed")
	return nil
}

// closing is the evidence of the whole session. A session that ended in order has
// completed, with the files that its last script's report lists.
func (s *Session) closing() evidence {
	found := s.found
	found.ready = s.began
	inOrder := s.hungUp && (s.began || found.exit.Code == 0)
	found.report = nil
	if found.stopped == stoppedByClock && s.late > 0 {
		found.limits.WallClock, found.outlived = s.late, true
	}
	switch {
	case s.dialogue.unprepared != nil:
		found.report = s.dialogue.unprepared
	case s.last != nil && s.last.Outcome == wire.OutcomeLimit:
		found.report = s.last
	case inOrder:
		found.report = &wire.Report{Outcome: wire.OutcomeCompleted}
		if s.last != nil {
			found.report.Files = s.last.Files
			found.pictures = listed(s.pictures, s.last.Files)
		}
	}
	return found
}

// listed leaves out the charts whose files are not there any more: a later step may remove
// what an earlier one has drawn.
func listed(pictures []string, files []wire.WrittenFile) []string {
	return slices.DeleteFunc(slices.Clone(pictures), func(path string) bool {
		return !slices.ContainsFunc(files, func(file wire.WrittenFile) bool { return file.Path == path })
	})
}
