package runner

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"hotcell/internal/job"
	"hotcell/internal/panics"
	"hotcell/internal/records"
	"hotcell/internal/wire"
)

// Script is what one step of a session runs.
type Script struct {
	Code []byte
	Name string
	// WallClock tightens the policy's, or is 0.
	WallClock time.Duration
	// Interrupt is closed to interrupt the step, of which nothing is run where that was before
	// it began. It may be nil.
	Interrupt <-chan struct{}
}

// Step runs one script in the session and keeps its record. A step whose wall clock ends,
// or that is interrupted, is timed_out or cancelled and leaves the session as it is where
// its code ends within interruptGrace; else the sandbox is killed. A status such as
// failed or rejected leaves the session as it was; where the sandbox had to end,
// Over says so. The files that a step which succeeded has written or changed are verified
// while the sandbox is held, and are its own; the session's own record has all of the end.
// Ending ctx cancels the step, and the session with it. An error means that the
// session is over: it wraps ErrSessionOver when it was before, or when its sandbox
// failed and Close says how; it is one of Run's otherwise.
func (s *Session) Step(ctx context.Context, script Script) (Response, error) {
	step, err := s.beginStep(script)
	if err != nil {
		return Response{}, err
	}
	defer s.endStep()
	draft, err := step.begin(ctx)
	if err != nil {
		s.giveUp()
		return Response{}, err
	}
	said, err := s.perform(ctx, step, draft, script.Interrupt)
	if err != nil {
		s.giveUp()
	}
	return said, errors.Join(err, draft.Discard(ctx))
}

// giveUp ends the session after a failure of ours.
func (s *Session) giveUp() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hangUp(StepFailed)
}

// StepFailed is why a session is over whose step was our failure.
const StepFailed = "a step could not be carried out"

// beginStep makes the execution that one step is.
func (s *Session) beginStep(script Script) (*execution, error) {
	if err := checkScriptName(script.Name); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over != "" {
		return nil, fmt.Errorf("%w: %s", ErrSessionOver, s.over)
	}
	if s.busy {
		return nil, errStepRuns
	}
	s.busy = true
	s.idle.Stop()
	s.steps++
	step := *s.execution
	now := step.options.Now()
	step.id, step.given, step.started, step.outputDir = job.NewID(now), false, now.UTC(), ""
	if s.steps > 1 {
		step.replaced = nil // the first has said it
	}
	step.request.Code, step.request.ScriptName = slices.Clone(script.Code), script.Name
	if script.WallClock > 0 {
		step.terms.Limits.WallClock = min(script.WallClock, step.terms.Limits.WallClock)
	}
	return &step, nil
}

func (s *Session) endStep() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.busy = false
	s.idle.Reset(s.bounds.Idle)
	if s.steps >= s.bounds.MaxSteps {
		s.hangUp(fmt.Sprintf("it has had the %d steps that it may have (the policy's session.max_steps)", s.bounds.MaxSteps))
	}
}

func (s *Session) perform(ctx context.Context, step *execution, draft *records.Draft, interrupt <-chan struct{}) (Response, error) {
	unrun := step.refuse()
	if unrun == nil && isClosed(interrupt) {
		cancelled, err := classify(evidence{stopped: stoppedByCaller})
		if err != nil {
			return Response{}, err
		}
		unrun = &cancelled
	}
	if unrun != nil { // nothing of it is run
		response, err := step.commit(ctx, draft, settled{verdict: *unrun, usage: stepUsage(0)})
		return response, errors.Join(err, s.pass(ctx, step))
	}
	if err := errors.Join(s.draft.Begun(), draft.Begun()); err != nil {
		return Response{}, err
	}
	transcript := step.newTranscript(draft.Path())
	begun := time.Now()
	judged := settled{transcript: transcript}
	err := panics.Catch("judging a step", func() error { return s.judge(ctx, step, draft, &judged, interrupt) })
	transcript.seal()
	judged.usage, judged.began = stepUsage(time.Since(begun)), transcript.began()
	s.began = s.began || judged.began
	if err != nil {
		err = errors.Join(err, closeVerified(judged.verified))
		judged.verified = nil
	}
	if err != nil && !judged.began {
		if isClosed(s.dead) && !transcript.began() { // else it may begin yet
			draft.NothingRan()
		}
		return Response{}, err
	}
	if err != nil {
		judged.verdict, judged.report, judged.charts = unjudged(errors.Join(err, s.failure())), nil, nil
	}
	response, commitErr := step.commit(ctx, draft, judged)
	return response, errors.Join(err, commitErr)
}

// pass has the guard count a step of which nothing is run, by a script that has nothing in it:
// guard and host call the steps by their numbers.
func (s *Session) pass(ctx context.Context, step *execution) error {
	empty := *step
	empty.request.Code = nil
	transcript := empty.newTranscript("")
	defer transcript.seal()
	_, err := s.submit(ctx, &empty, transcript, nil)
	return err
}

func isClosed(channel <-chan struct{}) bool {
	select {
	case <-channel:
		return true
	default:
		return false
	}
}

// failure is why the sandbox failed, if it has.
func (s *Session) failure() error {
	select {
	case <-s.dead:
		return s.fault
	default:
		return nil
	}
}

// judge submits the code and fills in what became of the step.
func (s *Session) judge(ctx context.Context, step *execution, draft *records.Draft, judged *settled, interrupt <-chan struct{}) error {
	found, err := s.submit(ctx, step, judged.transcript, interrupt)
	if err != nil {
		return err
	}
	if judged.transcript.ready.Load() && found.report != nil {
		// Not its result and its charts: a session is no longer than its longest report.
		s.last = &wire.Report{Outcome: found.report.Outcome, Error: found.report.Error, Limit: found.report.Limit, Files: found.report.Files}
	}
	if found.report != nil && found.report.Outcome == wire.OutcomeCompleted && found.stopped == notStopped {
		if err := s.judgeOutput(ctx, step, draft, &found, judged, interrupt); err != nil {
			return err
		}
	}
	if err := s.look(ctx, step, &found, judged); err != nil {
		return err
	}
	if judged.verdict, err = classify(found); err != nil {
		return err
	}
	if judged.verdict.status != job.Succeeded && judged.verified != nil {
		err, judged.verified = judged.verified.Close(), nil
		if err != nil {
			return err
		}
	}
	if found.report != nil {
		s.endAfter(found.report.Outcome)
	}
	if found.stopped == notStopped { // else what it says of itself is of no use: it did not end as it should
		judged.report, judged.charts = found.report, found.charts
	}
	return nil
}

// endAfter ends a session whose guard goes no further.
func (s *Session) endAfter(outcome wire.Outcome) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch outcome {
	case wire.OutcomeLimit:
		s.hangUp("a step used up a budget and could not be interrupted, so its sandbox was ended")
	case wire.OutcomeGuardFailed:
		s.hangUp("its guard could not run a step")
	default:
	}
}

// submit hands the code to the guard and returns when it has reported or is dead.
func (s *Session) submit(ctx context.Context, step *execution, transcript *transcript, interrupt <-chan struct{}) (evidence, error) {
	s.dialogue.begin(transcript)
	frame, err := s.dialogue.conversation.Code(step.request.Code)
	if err != nil {
		return evidence{}, err
	}
	watch := s.watch(transcript, step.terms.Limits.WallClock, interrupt)
	stop := context.AfterFunc(ctx, func() { s.end(context.Cause(ctx)) })
	defer stop()
	s.dialogue.tellCode(frame)
	select {
	case <-transcript.reported:
	case <-s.dead:
	}
	asked := watch.end()
	select {
	case <-transcript.reported:
		return evidence{
			ready: transcript.began(), report: transcript.report, limits: step.terms.Limits, budgets: step.terms.Budgets, step: true,
			stopped: interrupted(asked, transcript.report),
		}, nil
	default:
	}
	if report := s.dialogue.unprepared; report != nil {
		return evidence{report: report, limits: step.terms.Limits, budgets: step.terms.Budgets}, nil
	}
	if s.fault != nil { // Close returns it
		return evidence{}, fmt.Errorf("%w: its sandbox has failed", ErrSessionOver)
	}
	found := s.found
	found.limits, found.step = step.terms.Limits, true
	found.ready, found.report = transcript.began(), nil
	return found, nil
}

// stepUsage tells what is counted of a single step: how long it took. The kernel
// counts the rest for the sandbox, and the session's own record has it.
func stepUsage(took time.Duration) job.Usage {
	return job.Usage{WallMS: took.Milliseconds(), CPUMS: -1, MemoryPeakBytes: -1, PIDsPeak: -1}
}
