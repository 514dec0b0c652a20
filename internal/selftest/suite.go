package selftest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"hotcell/internal/container"
	"hotcell/internal/job"
	"hotcell/internal/policy"
	"hotcell/internal/runner"
)

// Options is what a self-test needs.
type Options struct {
	// Engine makes the sandboxes, and tells of the host and of what is left on it.
	Engine container.Engine
	// Sandboxes gives out the Engine's sandboxes in another way than one at a time, when they
	// are asked for; or nil.
	Sandboxes runner.Sandboxes
	// Runner is complete but for Sandboxes and Policies. Its Records should be of their
	// own: there will be one for each run.
	Runner runner.Options
	Policy policy.Policy // under test
	// AllowUnguarded accepts a policy whose guard is off. Without it such a policy is
	// refused.
	AllowUnguarded bool
	Runtime        string // "" for the engine's choice
	Bundle         string // reference of a bundle, or "" for runs without data
	Attacks        Attacks
	// Jobs is the number of runs at the same time, at least 1. As many again may run of
	// the probes that only the wall clock ends, because they wait.
	Jobs int
	// Progress is called after every run, from one goroutine at a time. It may be nil.
	Progress func(done, total int, outcome Outcome)
}

// suite is one self-test on its way.
type suite struct {
	options Options
	bait    *Bait
	runners map[Mode]*runner.Runner
}

// Run runs every attack and returns what it found. The error means that we or the
// host failed, so that nothing can be said; it wraps runner.ErrInput where the
// options ask for what cannot be.
func Run(ctx context.Context, options Options) (report Report, err error) {
	s, err := newSuite(options)
	if err != nil {
		return Report{}, err
	}
	if s.bait, err = layBait(ctx); err != nil {
		return Report{}, err
	}
	defer func() { err = errors.Join(err, s.bait.Remove()) }()
	cases, err := s.cases()
	if err != nil {
		return Report{}, err
	}
	began := options.Runner.Now()
	judgements, err := s.runAll(ctx, cases)
	if err == nil {
		err = s.runLateAgain(ctx, cases, judgements)
	}
	if err != nil {
		return Report{}, err
	}
	return s.report(ctx, began, judgements)
}

func newSuite(options Options) (*suite, error) {
	s := &suite{options: options, runners: map[Mode]*runner.Runner{}}
	if len(options.Attacks.Probes)+len(options.Attacks.Attempts) == 0 || options.Jobs < 1 {
		return nil, errors.New("self-test needs attacks and at least one run at a time")
	}
	if options.Policy.Guard.Mode == policy.GuardOff && !options.AllowUnguarded {
		return nil, fmt.Errorf("%w: policy %s switches the guard off (guard.mode: off), so its guard cannot be tested: name the policy that your runs have, or give --allow-unguarded to test the container alone",
			runner.ErrInput, options.Policy.Name)
	}
	for _, mode := range s.modes() {
		of := options.Runner
		chosen := options.Policy
		if mode == GuardOff {
			chosen.Guard.Mode = policy.GuardOff
		}
		of.Sandboxes, of.Policies = options.Sandboxes, policy.Fixed{Policy: chosen}
		if of.Sandboxes == nil {
			of.Sandboxes = container.Cold{Engine: options.Engine}
		}
		made, err := runner.New(of)
		if err != nil {
			return nil, err
		}
		s.runners[mode] = made
	}
	return s, nil
}

// modes are both, or the one that the policy leaves.
func (s *suite) modes() []Mode {
	if s.options.Policy.Guard.Mode == policy.GuardOff {
		return []Mode{GuardOff}
	}
	return []Mode{GuardOff, GuardOn}
}

// The wall clocks of probes, where the policy's is longer: those that do not end by
// themselves are not waited for, and the others get more than they ever need.
const (
	endlessClock = 5 * time.Second
	usualClock   = 60 * time.Second
)

func (s *suite) overrides(endless bool) job.Overrides {
	clock := usualClock
	if endless {
		clock = endlessClock
	}
	return job.Overrides{WallClock: min(clock, s.options.Policy.Limits.WallClock)}
}

// limits are those of a run, as its probe is told them.
func (s *suite) limits(endless bool) (job.Limits, error) {
	terms, err := policy.Resolve(s.options.Policy, s.overrides(endless))
	if err != nil {
		return job.Limits{}, fmt.Errorf("%w: %w", runner.ErrInput, err)
	}
	return terms.Limits, nil
}

// judgement is what became of one case, and the runs that show it.
type judgement struct {
	outcome Outcome
	results []job.Result
}

// runAll runs the cases, some at a time, and returns their judgements in their order.
func (s *suite) runAll(ctx context.Context, cases []testCase) ([]judgement, error) {
	judgements := make([]judgement, len(cases))
	finished := make(chan Outcome)
	var reporting sync.WaitGroup
	reporting.Go(func() { s.announce(finished, len(cases)) })
	all, ctx := errgroup.WithContext(ctx)
	for _, endless := range []bool{true, false} {
		all.Go(func() error {
			lane, ctx := errgroup.WithContext(ctx)
			lane.SetLimit(s.options.Jobs)
			for index, one := range cases {
				if one.endless == endless {
					lane.Go(func() (err error) {
						judgements[index], err = s.runOne(ctx, one, finished)
						return err
					})
				}
			}
			return lane.Wait()
		})
	}
	err := all.Wait()
	close(finished)
	reporting.Wait()
	return judgements, err
}

// runLateAgain gives those that the clock ended before they could say anything one
// more run, alone: a busy host must not make a probe look broken. What is defective
// then stays so.
func (s *suite) runLateAgain(ctx context.Context, cases []testCase, judgements []judgement) error {
	for index, late := range cases {
		first := judgements[index]
		if first.outcome.Verdict != Defective || first.outcome.Status != job.TimedOut {
			continue
		}
		outcome, result, err := s.try(ctx, late)
		if err != nil {
			return fmt.Errorf("run %s (%s) again: %w", late.name, late.mode, err)
		}
		judgements[index] = judgement{outcome, append(first.results, result)}
	}
	return nil
}

func (s *suite) announce(finished <-chan Outcome, total int) {
	done := 0
	for outcome := range finished {
		done++
		if s.options.Progress != nil {
			s.options.Progress(done, total, outcome)
		}
	}
}

func (s *suite) runOne(ctx context.Context, c testCase, finished chan<- Outcome) (judgement, error) {
	if ctx.Err() != nil {
		return judgement{}, context.Cause(ctx)
	}
	var found judgement
	for range c.runs {
		outcome, result, err := s.try(ctx, c)
		if err != nil {
			return judgement{}, fmt.Errorf("run %s (%s): %w", c.name, c.mode, err)
		}
		found.outcome, found.results = outcome, append(found.results, result)
		if !outcome.Verdict.Good() {
			break
		}
	}
	finished <- found.outcome
	return found, nil
}

func (s *suite) try(ctx context.Context, c testCase) (Outcome, job.Result, error) {
	request := job.Request{
		Policy: s.options.Policy.Name, Bundle: s.options.Bundle, Code: c.code, ScriptName: c.name + ".py",
		Runtime: s.options.Runtime, Overrides: s.overrides(c.endless), AllowUnguarded: c.mode == GuardOff,
	}
	ran, err := s.runners[c.mode].Run(ctx, runner.Ask{
		Caller:  runner.Caller{Name: "self-test", Rights: runner.Rights{RunUnguarded: true, ChooseRuntime: true}},
		Request: request,
	})
	if err != nil && !disowned(err, ran.Result) {
		return Outcome{}, job.Result{}, err
	}
	if ctx.Err() != nil { // what it was cancelled in proves nothing
		return Outcome{}, job.Result{}, context.Cause(ctx)
	}
	outcome := Outcome{
		Attack: c.name, Title: c.title, Suite: c.suite, Threats: c.threats, Mode: c.mode,
		Status: ran.Result.Status, WallMS: ran.Result.Usage.WallMS,
	}
	outcome.Verdict, outcome.Detail = c.judge(ran.Result, s.bait.Token())
	carried, err := carries(ran.RecordDir, s.bait.Token())
	if err != nil {
		return Outcome{}, job.Result{}, err
	}
	if carried {
		outcome.Verdict, outcome.Detail = Escaped, "a secret of the host is in the released files"
	}
	return outcome, ran.Result, nil
}

// disowned reports whether the error is that the guard's own report was unbelievable,
// after code had begun that could have written it. The record then has the run as
// not to be judged, and nothing of it is released.
func disowned(err error, result job.Result) bool {
	_, guard := errors.AsType[*runner.GuardError](err)
	return guard && result.RunID != job.ID{} && result.Status == job.OutputRejected
}

// report puts together what was found, once nothing of it should live any more.
func (s *suite) report(ctx context.Context, began time.Time, judgements []judgement) (Report, error) {
	host, err := s.options.Engine.Probe(ctx, s.options.Runtime)
	if err != nil {
		return Report{}, err
	}
	report := Report{
		Policy: s.options.Policy.Name, PolicySHA256: s.options.Policy.SHA256,
		Engine: s.options.Engine.Name(), Runtime: host.Runtime, Kernel: host.Kernel,
		Controls: s.controls(host, judgements), Optional: s.options.Policy.Isolation.MayLack(),
		StartedAt: began.UTC(), Canaries: s.bait.Canaries(),
	}
	var ids []string
	for _, one := range judgements {
		report.Outcomes = append(report.Outcomes, one.outcome)
		for _, result := range one.results {
			if id := result.Provenance.Sandbox; id != "" {
				ids = append(ids, id)
			}
			report.Image = cmp.Or(report.Image, result.Provenance.Image)
		}
	}
	report.Canaries = append(report.Canaries, leftovers(ids)...)
	swept, err := s.options.Engine.Sweep(ctx)
	if err != nil {
		return Report{}, err
	}
	fault := ""
	if swept > 0 {
		fault = fmt.Sprintf("%d were left, and have now been removed", swept)
	}
	report.Canaries = append(report.Canaries, intact("no_sandbox_left", fault))
	report.WallMS = s.options.Runner.Now().Sub(began).Milliseconds()
	return report, nil
}

// controls are those of the runs, which may know more than the host's probe: one
// that any run lacked is lacking.
func (s *suite) controls(host container.Host, judgements []judgement) []job.Control {
	all := slices.Clone(host.Controls)
	for _, one := range judgements {
		for _, result := range one.results {
			markAbsent(all, result.Provenance.Controls)
		}
	}
	return all
}

func markAbsent(all, of []job.Control) {
	for _, control := range of {
		index := slices.IndexFunc(all, func(c job.Control) bool { return c.Name == control.Name })
		if index >= 0 && !control.Active {
			all[index] = control
		}
	}
}
