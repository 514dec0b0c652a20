package runner

import (
	"context"
	"errors"
	"slices"

	"hotcell/internal/container"
	"hotcell/internal/digest"
	"hotcell/internal/job"
	"hotcell/internal/panics"
	"hotcell/internal/policy"
	"hotcell/internal/records"
)

// refused notes that a request was not begun, where that is the request's own fault. It
// returns err, and what else went wrong.
func (r *Runner) refused(ctx context.Context, ask Ask, err error) error {
	if !errors.Is(err, ErrInput) {
		return err
	}
	if !r.refusals.take(ask.Caller.Actor, r.options.Now(), r.tellRest) {
		return err
	}
	event := records.Event{
		Kind: records.KindRefused, Actor: ask.Caller.Actor, Name: records.Brief(ask.Request.Policy), Reason: whyRefused(err),
	}
	if len(ask.Request.Code) > 0 {
		event.Subjects = []records.Subject{{Role: records.RoleScript, SHA256: digest.Of(ask.Request.Code).Hex()}}
	}
	return errors.Join(err, note(ctx, r.options, event))
}

// tellRest tells how many refusals of a minute have no event of their own. Where that cannot be
// written, nobody is left to be told: the chain takes no run either.
func (r *Runner) tellRest() {
	_ = panics.Catch("counting refusals", func() error { return note(context.Background(), r.options, r.refusals.over()) })
}

// whyRefused is a word: the error's own text may repeat what the request has.
func whyRefused(err error) string {
	switch {
	case errors.Is(err, ErrForbidden):
		return "the caller has no right to it"
	case errors.Is(err, policy.ErrUnknown):
		return "there is no such policy"
	case errors.Is(err, policy.ErrInvalid):
		return "the policy is invalid"
	default:
		return "the request does not fit the policy, the bundle or this host"
	}
}

// ExportEvent says that the files of a run are copied to a directory. It belongs into the
// chain before that happens, so that no file leaves unnoticed; who asks is left out.
func ExportEvent(result job.Result, dir string) records.Event {
	event := records.Event{Kind: records.KindExport, RunID: result.RunID, Name: records.Brief(dir), Count: int64(len(result.Files))}
	for _, file := range result.Files {
		event.Bytes += file.Bytes
	}
	return event
}

// note adds an event whatever became of ctx: what it tells of has happened.
func note(ctx context.Context, options Options, event records.Event) error {
	ctx, cancel := container.ReleaseContext(ctx)
	defer cancel()
	return options.Records.Append(ctx, event)
}

// noteCall adds one call of a tool. Its parameters and its answer may be data, and so may
// the name of a tool that there is not.
func (e *execution) noteCall(ctx context.Context, call job.ToolCall) error {
	event := records.Event{Kind: records.KindToolCall, Actor: e.actor, RunID: e.id, OK: new(call.OK)}
	if slices.Contains(e.tools.Names(), call.Name) {
		event.Name = records.Brief(call.Name)
	} else {
		event.Reason = "there is no such tool"
	}
	return note(ctx, e.options, event)
}

// noteCheck adds the verdict on code that was vetted only.
func (e *execution) noteCheck(ctx context.Context, found []job.Violation) error {
	subjects := []records.Subject{{Role: records.RoleScript, SHA256: digest.Of(e.request.Code).Hex()}}
	subjects = append(subjects, records.Subject{Role: records.RolePolicy, Name: records.Brief(e.terms.Policy.Name), SHA256: e.terms.Policy.SHA256})
	return note(ctx, e.options, records.Event{
		Kind: records.KindCheck, Actor: e.actor, OK: new(len(found) == 0), Count: int64(len(found)), Subjects: subjects,
	})
}
