package runner

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"hotcell/internal/answer"
	"hotcell/internal/bundle"
	"hotcell/internal/container"
	"hotcell/internal/digest"
	"hotcell/internal/job"
	"hotcell/internal/policy"
	"hotcell/internal/records"
	"hotcell/internal/tool"
	"hotcell/internal/wire"
)

// execution is one request being carried out: a run, a check, a session or a step of
// one. What other runs share is its plan.
type execution struct {
	options Options
	request job.Request
	actor   job.Actor // who asked
	events  Events    // none of it nil but ToolStderr
	id      job.ID
	given   bool // by the caller
	seed    int64
	started time.Time
	// outputDir gets a copy of the verified files, unless it is "".
	outputDir string
	terms     policy.Terms
	answers   answer.Rules
	tools     *tool.Set
	replaced  []job.Violation        // what the answer says of the bundle's text
	plan      *plan                  // nobody writes to it
	tables    []bundle.PreparedTable // that are loaded
	index     digest.Hex             // of all that the bundle has, or ""
	leftOut   []string               // modules of the policy that the request does without
	session   job.ID                 // of the session that this is a step of, or the zero ID
	spec      container.Spec
	warm      bool         // the sandbox was there before the request, and its guard is prepared
	sandbox   container.ID // of the sandbox, or the zero ID when none was made
	host      container.Host
	removals  *removals
	trace     *trace     // or nil
	lock      *guardLock // what the sandbox's guard said of its own, also to a session's steps
}

// prepare looks up everything that the request names. It costs no container.
func (r *Runner) prepare(ctx context.Context, ask Ask, mode wire.Mode) (*execution, error) {
	if err := ask.Caller.check(ask.Request); err != nil {
		return nil, err
	}
	if err := checkForm(ask.Request); err != nil {
		return nil, err
	}
	ask.Request = ownCopy(ask.Request)
	now := r.options.Now()
	traced := newTrace()
	e := &execution{
		options: r.options, request: ask.Request, actor: ask.Caller.Actor, events: ask.Events.orNobody(), outputDir: ask.OutputDir,
		id: cmp.Or(ask.ID, job.NewID(now)), given: ask.ID != job.ID{}, seed: cmp.Or(ask.Request.Seed, newSeed()), started: now.UTC(), removals: r.removals,
	}
	if mode == wire.ModeRun {
		e.trace, e.events = traced, traced.told(e.events)
	}
	chosen, err := r.options.Policies.Get(ask.Request.Policy)
	if err != nil {
		return nil, faulty(err)
	}
	chosen = chosen.Clone() // a plan, which others have in common, is found by what this one says now
	if err := r.checkMode(chosen, ask.Request, mode); err != nil {
		return nil, err
	}
	whole := chosen.Guard.Imports
	if chosen, err = chosen.Narrowed(ask.Request.Imports); err != nil {
		return nil, input(err)
	}
	e.leftOut = leftOut(whole, chosen.Guard.Imports)
	if err := e.resolve(ctx, chosen); err != nil {
		return nil, err
	}
	if err := errors.Join(e.checkInputs(), e.openTools(ask.Tools)); err != nil {
		return nil, err
	}
	data, err := r.dataFor(ctx, e, chosen, mode)
	if err != nil {
		return nil, err
	}
	if err := e.checkBound(tableNames(e.tables)); err != nil {
		return nil, err
	}
	if e.plan, err = r.planFor(chosen, data, ask.Request.Runtime); err != nil {
		return nil, err
	}
	e.spec, e.answers, e.replaced = e.plan.spec, e.plan.answers, replaced(data)
	e.spec.Tightened = container.TightenedTo(e.terms.Limits)
	e.lock = &guardLock{required: e.plan.requires(container.ControlLandlock)}
	return e, nil
}

// ownCopy is one that nobody else changes: what is checked, run and recorded is one thing, whatever
// becomes of it in the caller's hands.
func ownCopy(request job.Request) job.Request {
	request.Code, request.Inputs = slices.Clone(request.Code), slices.Clone(request.Inputs)
	request.Imports, request.Tables = slices.Clone(request.Imports), slices.Clone(request.Tables)
	return request
}

// resolve joins policy and request. That the policy is another than the last time is in the
// audit chain before anything is begun under it.
func (e *execution) resolve(ctx context.Context, chosen policy.Policy) (err error) {
	if e.terms, err = policy.Resolve(chosen, e.request.Overrides); err != nil {
		return input(err)
	}
	return e.options.Records.NotePolicy(ctx, e.actor, e.terms.Policy.Name, e.terms.Policy.SHA256)
}

// leftOut are the modules of a policy that are not among those that are left.
func leftOut(whole, left []string) []string {
	if len(left) == len(whole) {
		return nil
	}
	stays := make(map[string]bool, len(left))
	for _, module := range left {
		stays[module] = true
	}
	return slices.DeleteFunc(slices.Clone(whole), func(module string) bool { return stays[module] })
}

// checkMode refuses a policy that is not for what is asked.
func (r *Runner) checkMode(chosen policy.Policy, request job.Request, mode wire.Mode) error {
	if err := checkGuardMode(chosen, request, mode); err != nil {
		return input(err)
	}
	if mode == wire.ModeSession && chosen.Session == nil {
		return r.withoutSessions(chosen.Name)
	}
	return nil
}

// checkGuardMode keeps a policy whose guard is off from whoever has not asked for
// that by name. A session and a check have no use for it.
func checkGuardMode(chosen policy.Policy, request job.Request, mode wire.Mode) error {
	const means = "policy %s switches the guard off (guard.mode: off): the code is neither vetted nor confined inside its container, which alone holds it; "
	switch {
	case chosen.Guard.Mode != policy.GuardOff:
		return nil
	case mode == wire.ModeSession:
		return fmt.Errorf(means+"a session needs the guard: choose another policy", chosen.Name)
	case mode == wire.ModeCheck:
		return fmt.Errorf(means+"there would be nothing to check: choose another policy", chosen.Name)
	case !request.AllowUnguarded:
		return fmt.Errorf(means+"choose another policy, or give --allow-unguarded to probe the container with it", chosen.Name)
	default:
		return nil
	}
}

// dataFor looks up the bundle and its tables, and holds them to what the policy wants to
// find. A check has no use for them.
func (r *Runner) dataFor(ctx context.Context, e *execution, chosen policy.Policy, mode wire.Mode) (*bundle.Bundle, error) {
	if mode == wire.ModeCheck {
		return nil, nil
	}
	data, err := r.findBundle(ctx, e.request.Bundle, chosen)
	if err != nil {
		return nil, err
	}
	if e.tables, err = chosenTables(e.request, data); err != nil {
		return nil, input(err)
	}
	if data != nil {
		if _, e.index, err = data.TablesIndex(); err != nil {
			return nil, err
		}
	}
	return data, input(checkTables(chosen, tableNames(e.tables)))
}

// findBundle looks up the bundle, and checks it. Each run checks: the disk may have changed since the last one.
// It is nil for a run without data.
func (r *Runner) findBundle(ctx context.Context, reference string, chosen policy.Policy) (*bundle.Bundle, error) {
	var data *bundle.Bundle
	if reference != "" {
		found, err := r.options.Bundles.Lookup(ctx, reference)
		if err == nil {
			err = r.options.Bundles.Check(ctx, found.Digest)
		}
		if err == nil {
			found.SignedBy, err = r.options.Bundles.SignedBy(ctx, found)
		}
		if err != nil {
			return nil, faulty(err)
		}
		data = &found
	}
	return data, input(checkAttestation(chosen, data, r.options.Now().Format(time.DateOnly)))
}

// holdBundle keeps the run's bundle in the store until release is called: what removed it would
// take the files from under the sandbox.
func (e *execution) holdBundle(ctx context.Context) (release func() error, err error) {
	if e.spec.Bundle == "" {
		return func() error { return nil }, nil
	}
	release, err = e.options.Bundles.Hold(ctx, e.spec.Bundle)
	return release, faulty(err)
}

// checkTables refuses a bundle without a table that the policy needs, and one with a
// table where the policy preloads a module: the guard binds each name once.
func checkTables(chosen policy.Policy, there []string) error {
	for _, name := range chosen.Guard.RequiredTables {
		if !slices.Contains(there, name) {
			return fmt.Errorf("policy %s needs a bundle with a table named %s: name such a bundle with --bundle", chosen.Name, name)
		}
	}
	for _, name := range there {
		if module, taken := chosen.Guard.Preloaded[name]; taken {
			return fmt.Errorf("policy %s preloads the module %s as %s, and the bundle has a table of that name: choose another policy, or rename the table", chosen.Name, module, name)
		}
	}
	return nil
}

// begin makes the draft of a run, a session or a step.
func (e *execution) begin(ctx context.Context) (*records.Draft, error) {
	asked := records.Asked{
		Actor: e.actor, Policy: e.terms.Policy.Name, PolicySHA256: e.terms.Policy.SHA256,
		Image: e.spec.Image, Bundle: e.spec.Bundle, Given: e.given,
	}
	if len(e.request.Code) > 0 {
		asked.CodeSHA256 = digest.Of(e.request.Code).Hex()
	}
	return e.options.Records.Begin(ctx, e.id, asked)
}

func (e *execution) provenance() job.Provenance {
	provenance := job.Provenance{
		Runner: e.options.Version,
		Policy: e.terms.Policy.Name, PolicySHA256: e.terms.Policy.SHA256,
		Image: e.spec.Image, Bundle: e.spec.Bundle, CodeSHA256: digest.Of(e.request.Code).Hex(),
		Engine: e.options.Sandboxes.EngineName(), Runtime: e.host.Runtime, Kernel: e.host.Kernel,
		Controls: orEmpty(e.lock.amend(e.host.Controls)), StartedAt: e.started, Session: e.session.String(),
		Sandbox: e.sandbox.String(), Tables: recordedTables(e.tables), TablesSHA256: e.index, Imports: e.request.Imports,
		Guard: job.GuardEnforced, Data: e.plan.data, CPU: job.CPU{Model: e.host.CPU.Model, Features: orEmpty(e.host.CPU.Features)}, Script: e.request.ScriptName, Replicates: e.request.Replicates, Seed: e.seed, Actor: &e.actor,
	}
	if e.terms.Policy.Guard.Mode == policy.GuardOff {
		provenance.Guard = job.GuardOff
	}
	if e.request.Inputs != nil {
		provenance.InputsSHA256 = digest.Of(e.request.Inputs).Hex()
	}
	return provenance
}
