package runner

import (
	"context"
	"errors"

	"hotcell/internal/container"
	"hotcell/internal/digest"
	"hotcell/internal/job"
	"hotcell/internal/panics"
	"hotcell/internal/wire"
)

// Checked is what the guard says to a script.
type Checked struct {
	Violations []job.Violation // nothing where it would run
	// Policy and PolicySHA256 name the very policy that the script was vetted under.
	Policy       string
	PolicySHA256 digest.Hex
}

// Check has the guard vet the request's code in a sandbox of its own, without
// running it. No bundle is mounted, no file comes out and no record is kept, but for the
// verdict in the audit chain; bundle, inputs and tools of the request are not used. The error means that we or the host
// failed, that the sandbox did not live to answer, or wraps ErrInput; nothing is then
// claimed about the code.
func (r *Runner) Check(ctx context.Context, ask Ask) (Checked, error) {
	ask.Request.Bundle, ask.Request.Inputs, ask.Request.Tools, ask.Tools = "", nil, nil, nil
	e, err := r.prepare(ctx, ask, wire.ModeCheck)
	if err != nil {
		return Checked{}, r.refused(ctx, ask, err)
	}
	found, err := e.vet(ctx)
	if err != nil {
		return Checked{}, err
	}
	if err := e.noteCheck(ctx, found); err != nil {
		return Checked{}, err
	}
	return Checked{Violations: found, Policy: e.terms.Policy.Name, PolicySHA256: e.terms.Policy.SHA256}, nil
}

// vet is Check, once the request is one that can be carried out.
func (e *execution) vet(ctx context.Context) (found []job.Violation, err error) {
	if refused := e.refuse(); refused != nil {
		return refused.asViolations(), nil
	}
	sandbox, err := e.create(ctx, wire.ModeCheck)
	if err != nil {
		return nil, err
	}
	evidence, err := e.run(ctx, sandbox, e.newTranscript(""), wire.ModeCheck)
	if err != nil {
		return nil, errors.Join(err, destroy(ctx, sandbox))
	}
	destroyed := e.removals.remove(ctx, e.sandbox, sandbox)
	found, err = checked(evidence)
	return found, errors.Join(err, destroyed)
}

func destroy(ctx context.Context, sandbox container.Sandbox) error {
	ctx, cancel := container.ReleaseContext(ctx)
	defer cancel()
	return panics.Catch("removing the sandbox", func() error { return sandbox.Destroy(ctx) })
}

// checked reads the answer of a guard that ran no code. Whatever is not its answer
// is an error: there is no code whose status could be told.
func checked(e evidence) ([]job.Violation, error) {
	if e.stopped == stoppedByCaller {
		return nil, context.Canceled
	}
	verdict, err := classify(e)
	switch {
	case err != nil:
		return nil, err
	case verdict.status == job.Rejected:
		return verdict.violations, nil
	case verdict.status == job.Succeeded:
		return nil, nil
	case verdict.failure != nil:
		return nil, &GuardError{verdict.failure.Message}
	default:
		return nil, &GuardError{verdict.violations[0].Message}
	}
}

// asViolations words a refusal without a guard for those who ask for findings only.
func (v *verdict) asViolations() []job.Violation {
	if v.failure == nil {
		return v.violations
	}
	return []job.Violation{{Rule: "source.size", Line: 1, Column: 1, Message: v.failure.Message}}
}
