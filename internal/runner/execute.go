package runner

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"hotcell/internal/answer"
	"hotcell/internal/container"
	"hotcell/internal/job"
	"hotcell/internal/output"
	"hotcell/internal/panics"
	"hotcell/internal/records"
	"hotcell/internal/tool"
	"hotcell/internal/wire"
)

// perform runs the code, or refuses it, and commits the record.
func (e *execution) perform(ctx context.Context, draft *records.Draft) (Response, error) {
	if refused := e.refuse(); refused != nil {
		return e.commit(ctx, draft, settled{verdict: *refused})
	}
	sandbox, err := e.create(ctx, wire.ModeRun)
	if cancelled(ctx, err) {
		return e.commit(ctx, draft, settled{verdict: *byRunner(evidence{stopped: stoppedByCaller})})
	}
	if err != nil {
		return Response{}, err
	}
	settled, err := e.inside(ctx, sandbox, draft)
	return e.conclude(ctx, sandbox, draft, settled, err)
}

// conclude removes the sandbox and commits the record of what was settled, or of
// code that has begun and could not be judged because of err. Only where all went well it
// is certain that nothing lives in the sandbox, and so that its removal may go on after.
func (e *execution) conclude(ctx context.Context, sandbox container.Sandbox, draft *records.Draft, settled settled, err error) (Response, error) {
	e.trace.begin(job.PartRemoving)
	var destroyed error
	if err == nil {
		destroyed = e.removals.remove(ctx, e.sandbox, sandbox)
	} else {
		destroyed = destroy(ctx, sandbox)
	}
	switch {
	case err == nil:
	case settled.began:
		settled.verdict = unjudged(err)
	case cancelled(ctx, err): // what a runtime did not finish is no fault of the host
		settled.verdict, err = *byRunner(evidence{stopped: stoppedByCaller}), nil
	default:
		if _, broken := errors.AsType[*panics.Error](err); !broken && destroyed == nil {
			draft.NothingRan()
		}
		return Response{}, errors.Join(err, destroyed)
	}
	// Code that has run on data is recorded, whatever it did to its judges, and even
	// if its sandbox could not be removed.
	response, commitErr := e.commit(ctx, draft, settled)
	return response, errors.Join(err, commitErr, destroyed)
}

func (e *execution) create(ctx context.Context, mode wire.Mode) (container.Sandbox, error) {
	preparation, err := e.preparation(mode)
	if err != nil {
		return nil, err
	}
	var acquired container.Acquired
	err = panics.Catch("creating the sandbox", func() (err error) {
		e.events.Phase(PhaseCreating)
		acquired, err = e.options.Sandboxes.Acquire(container.WhileQueued(ctx, e.tellQueued), e.spec, preparation)
		return err
	})
	e.host, e.sandbox, e.warm = acquired.Host, acquired.ID, acquired.Warm
	e.trace.acquired(acquired.Warm)
	if errors.Is(err, container.ErrUnknownRuntime) {
		return nil, input(err)
	}
	return acquired.Sandbox, err
}

// settled is all that a result is made of.
type settled struct {
	verdict     verdict
	usage       job.Usage
	transcript  *transcript // nil when no sandbox ran
	report      *wire.Report
	verified    *output.Verified
	charts      []job.Chart // checked
	review      *job.Review // nil: nobody looks
	warnings    []job.Violation
	quarantined bool
	began       bool // user code did
}

// inside uses the sandbox while it exists. Beside an error it reports whether user
// code had begun.
func (e *execution) inside(ctx context.Context, sandbox container.Sandbox, draft *records.Draft) (settled, error) {
	if err := draft.Begun(); err != nil {
		return settled{}, err
	}
	transcript := e.newTranscript(draft.Path())
	found, err := e.run(ctx, sandbox, transcript, wire.ModeRun)
	if err != nil {
		return settled{usage: found.exit.Usage, transcript: transcript, began: transcript.began()}, err
	}
	return e.settle(ctx, sandbox, draft, found, transcript)
}

// settle judges what a dead sandbox has left. Whatever that does to the judge, a
// panic included, it is known afterwards that user code had begun.
func (e *execution) settle(ctx context.Context, sandbox container.Sandbox, draft *records.Draft, found evidence, transcript *transcript) (settled, error) {
	result := settled{usage: found.exit.Usage, transcript: transcript, began: found.ready}
	err := panics.Catch("judging the output", func() error {
		e.events.Phase(PhaseVerifying)
		judged, err := e.weigh(ctx, sandbox, draft, found, result)
		if err == nil {
			result = judged
		}
		return err
	})
	return result, err
}

// weigh is settle without its net.
func (e *execution) weigh(ctx context.Context, sandbox container.Sandbox, draft *records.Draft, found evidence, began settled) (settled, error) {
	dir, err := sandbox.Output(context.WithoutCancel(ctx)) // what a cancelled run has left is looked at, too
	if err != nil {
		return began, err
	}
	defer dir.Close()
	// A caller who cancels has cancelled the code; what it left is still judged.
	verified, err := e.verifyOutput(context.WithoutCancel(ctx), dir, draft, &found, nil)
	if err != nil {
		return began, err
	}
	result := began
	if began.began {
		verified, result.review, err = e.lookAt(context.WithoutCancel(ctx), &found, verified, began.transcript)
		if err != nil {
			return began, err
		}
	}
	verdict, err := classify(found)
	if err != nil {
		return began, errors.Join(err, closeVerified(verified))
	}
	result.verdict, result.report, result.charts = verdict, found.report, found.charts
	if verdict.status == job.Succeeded {
		result.verified = verified
		return e.leaveBehind(ctx, dir, draft, result)
	}
	// Good files of a run that, say, met pids.max are not released.
	if err := closeVerified(verified); err != nil {
		return began, err
	}
	ctx, cancel := container.ReleaseContext(ctx) // whatever became of the clock
	defer cancel()
	result.quarantined, err = e.quarantine(ctx, dir, draft, verdict)
	if err != nil {
		return began, err
	}
	return result, nil
}

// leaveBehind keeps in quarantine what a run that has succeeded may not take with it.
func (e *execution) leaveBehind(ctx context.Context, dir *os.Root, draft *records.Draft, result settled) (settled, error) {
	if result.verified == nil {
		return result, nil
	}
	result.warnings = result.verified.Dropped()
	if len(result.warnings) == 0 {
		return result, nil
	}
	limits := e.quarantineLimits()
	limits.Only = map[string]bool{}
	for _, warning := range result.warnings {
		limits.Only[warning.Path] = true
	}
	ctx, cancel := container.ReleaseContext(ctx)
	defer cancel()
	if err := draft.Quarantine(ctx, dir, result.warnings, limits); err != nil {
		return result, errors.Join(err, closeVerified(result.verified))
	}
	result.quarantined = true
	return result, nil
}

func closeVerified(verified *output.Verified) error {
	if verified == nil {
		return nil
	}
	return verified.Close()
}

// quarantine keeps what a run left that did not succeed, unread, with the
// reasons.
func (e *execution) quarantine(ctx context.Context, dir *os.Root, draft *records.Draft, v verdict) (bool, error) {
	first, err := fs.ReadDir(dir.FS(), ".")
	if err != nil || len(first) == 0 {
		return false, err
	}
	reasons := v.violations
	if len(reasons) == 0 {
		reasons = []job.Violation{{Rule: "run." + string(v.status), Message: "the run did not succeed, so its output was not verified"}}
	}
	return true, draft.Quarantine(ctx, dir, reasons, e.quarantineLimits())
}

func (e *execution) quarantineLimits() output.QuarantineLimits {
	return output.QuarantineLimits{
		MaxEntries: int(e.terms.Limits.OutputFiles), MaxBytes: e.terms.Limits.OutputBytes, MaxDepth: quarantineDepth,
	}
}

// quarantineDepth is more than any policy lets out.
const quarantineDepth = 32

// run has the guard vet, or vet and run, the request's code, and listens to it until
// the sandbox is dead. Who panics meanwhile leaves it to be destroyed, and recorded.
func (e *execution) run(ctx context.Context, sandbox container.Sandbox, transcript *transcript, mode wire.Mode) (found evidence, err error) {
	err = panics.Catch("running the code", func() (err error) {
		found, err = e.listen(ctx, sandbox, transcript, mode)
		return err
	})
	return found, err
}

// listen is run without its net.
func (e *execution) listen(ctx context.Context, sandbox container.Sandbox, transcript *transcript, mode wire.Mode) (evidence, error) {
	dialogue, err := e.newDialogue(mode, transcript)
	if err == nil {
		err = dialogue.openWith(e.request.Code)
	}
	if err != nil {
		return evidence{}, err
	}
	e.events.Phase(PhaseStarting)
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	clock, cancel := context.WithTimeoutCause(ctx, e.terms.Limits.WallClock, errWallClock)
	defer cancel()
	exit, received, err := dialogue.run(clock, end, sandbox)
	if err != nil {
		return evidence{exit: exit}, err
	}
	return e.gather(clock, dialogue, exit, received)
}

// gather collects what is known of the dialogue's last script once the sandbox is
// dead.
func (e *execution) gather(clock context.Context, dialogue *dialogue, exit container.Exit, received error) (evidence, error) {
	transcript := dialogue.current()
	boot := dialogue.boot.take() + dialogue.between.take()
	found := evidence{
		exit: exit, limits: e.terms.Limits, budgets: e.terms.Budgets,
		ready: transcript.began(), report: transcript.report, boot: tail(boot),
	}
	if exit.Signal == "SIGSYS" {
		found.forbidden = forbidden(clock, exit.PID, e.started)
	}
	if found.ready {
		// The ready frame takes a longer way than stderr: this may be the code's.
		if err := transcript.stderr.write([]byte(boot)); err != nil && received == nil {
			received = err
		}
	}
	var err error
	found.stopped, found.protocol, err = stopped(clock, exit, received, transcript)
	return found, err
}

var errWallClock = errors.New("wall clock")

// stopped tells why the runner itself stopped the sandbox, if it did. What is neither
// the guard's breach of protocol nor an overflow is our own failure.
func stopped(clock context.Context, exit container.Exit, received error, transcript *transcript) (stop, error, error) {
	if errors.Is(received, errOverflow) || (transcript.stderr.endFull && transcript.stderr.isFull()) {
		if transcript.stdout.isFull() {
			return stoppedByStdout, nil, nil
		}
		return stoppedByStderr, nil, nil
	}
	if errors.Is(context.Cause(clock), tool.ErrFlood) {
		// Its last call stays unanswered. The guard may end of that before our signal.
		return stoppedByCalls, nil, nil
	}
	broken, forged := errors.AsType[*wire.ProtocolError](received)
	first := forged && errors.Is(context.Cause(clock), received) // before any clock ended
	if exit.KilledByUs && exit.Limit == "" && clock.Err() != nil && !first {
		return stopOf(clock), nil, nil
	}
	if forged {
		return notStopped, broken, nil
	}
	return notStopped, nil, received
}

func stopOf(clock context.Context) stop {
	cause := context.Cause(clock)
	switch {
	case errors.Is(cause, errNoEnd):
		return stoppedAsMute
	case errors.Is(cause, errWallClock):
		return stoppedByClock
	case errors.Is(cause, errSessionClock):
		return stoppedBySession
	default:
		return stoppedByCaller
	}
}

var errJudgeTime = errors.New("time to check the output")

// verifyOutput verifies the output of a run that says it completed, and finds which
// limit a full file system means. known are the files that steps before have released.
func (e *execution) verifyOutput(ctx context.Context, dir *os.Root, draft *records.Draft, found *evidence, known []output.Known) (*output.Verified, error) {
	if found.report == nil {
		return nil, nil
	}
	ctx, cancel := context.WithTimeoutCause(ctx, e.options.judgeTime, errJudgeTime)
	defer cancel()
	if found.report.Outcome == wire.OutcomeRaised {
		var err error
		found.fullLimit, err = fullLimit(ctx, dir, e.terms.Limits)
		return nil, err
	}
	if found.report.Outcome != wire.OutcomeCompleted {
		return nil, nil
	}
	verified, violations, err := output.Verify(ctx, output.Options{
		Dir: dir, Manifest: declared(found.report.Files), Staging: draft.Staging(),
		Rules: e.outputRules(), Known: known,
	})
	if errors.Is(err, errJudgeTime) {
		found.violations = []job.Violation{{Rule: "output.check_time", Message: fmt.Sprintf(
			"the output could not be checked within %s: write fewer or smaller files", e.options.judgeTime)}}
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	found.violations = violations
	if verified != nil {
		given := answer.Given{Result: found.report.Result, Charts: found.report.Charts, Pictures: found.pictures, Earlier: verified.Unchanged()}
		found.charts, found.violations = e.answers.Check(given, verified.Files())
	}
	return verified, nil
}
