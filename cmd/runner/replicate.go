package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"hotcell/internal/digest"
	"hotcell/internal/job"
	"hotcell/internal/records"
	"hotcell/internal/replication"
	"hotcell/internal/runner"
)

// replicateFlags is what the user gave `runner replicate`.
type replicateFlags struct {
	target
	localFlags
	image, bundle, inputs  string
	relative, absolute     float64
	toolFlags, toolSchemas []string
}

// exitDiffers is the exit code of a replication whose answer is another, as diff and cmp
// have it.
const exitDiffers = 1

const replicateHelp = `Run the code of a record again in a new sandbox, with the same policy, image, bundle and
limits, and compare: status, streams, result, charts and every file. The new run has a
record of its own, which names the first.

Numbers count as the same if they differ by no more than --tolerance times the larger one
(1e-9: as Python's math.isclose has it; 0 wants every byte) or than --absolute. Whole
numbers must be equal. Pictures are compared by their pixels.

--image, --bundle and --policy run it on others, to see what an update changes. Without
them, what the run had must be there still. Inputs are not in a record: --inputs FILE
must be those that the run had. What tools answered is not, either: a run with tool calls
needs --tool.

A step of a session cannot be run again without the steps before it: it is refused, with
the steps in their order, whose code can be given to a session again.

With --local it runs here, with your own Python 3.13 and its packages, under the same
guard and without a sandbox: no limits, no other protection. Nothing is recorded. FILE is
the saved code of a record, from anywhere; nothing in it decides how it is vetted, so
--policy says that, and --bundle NAME or DIR has its data. Its exit code is runner run's.

Exit codes: 0 the same (or within the tolerance), 1 different, 2 it cannot be run again
as asked, 125 our own or the host's fault.`

func (a *app) replicateCommand() *cobra.Command {
	var flags replicateFlags
	command := &cobra.Command{
		Use:     "replicate RUN|FILE",
		Short:   "Run a recorded run again, and compare the answers",
		Long:    replicateHelp,
		Example: "  runner replicate 1795219431042-9f86d081884c7d65\n  runner replicate 1795219431042-9f86d081884c7d65 --image python-analysis --tolerance 1e-6\n  runner replicate --local run_20261121T004035Z_1795219431042-9f86d081884c7d65.py --policy study-analysis --bundle study",
		Args:    arguments(1, 1, "one run"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.checkReplicate(cmd, flags); err != nil {
				return err
			}
			if flags.local {
				return a.replicateLocal(cmd.Context(), flags, args[0])
			}
			return a.replicate(cmd.Context(), flags, args[0])
		},
	}
	set := command.Flags()
	a.addPolicy(command, &flags.policy, "", "run it under this policy, by `name` (default: that of the run, unchanged)")
	addEngine(command, &flags.engine)
	addRuntime(command, &flags.runtime)
	set.StringVar(&flags.image, "image", "", "run it in this image, by `name` or digest (default: that of the run)")
	set.StringVar(&flags.bundle, "bundle", "", "run it on this bundle, by `name`, name@version or digest (default: that of the run)")
	set.StringVar(&flags.inputs, "inputs", "", "`file` with the JSON object that the run had")
	set.Float64Var(&flags.relative, "tolerance", 1e-9, "highest relative difference of two `numbers`")
	set.Float64Var(&flags.absolute, "absolute", 0, "highest absolute difference of two `numbers`")
	set.StringArrayVar(&flags.toolFlags, "tool", nil, "program that the script may call, as `NAME=COMMAND`; can be repeated")
	set.StringArrayVar(&flags.toolSchemas, "tool-schema", nil, "JSON Schema of a tool's parameters, as `NAME=FILE`; can be repeated")
	flags.add(command)
	complete(command, "bundle", a.completeBundles)
	return command
}

// replicated is the answer to a replication.
type replicated struct {
	RunID      job.ID                 `json:"run_id"`     // of the new run
	Replicates job.ID                 `json:"replicates"` // of the first
	Comparison replication.Comparison `json:"comparison"`
	First      string                 `json:"first"`  // directory of the first run's record
	Second     string                 `json:"second"` // of the new one's
	ExitCode   int                    `json:"exit_code"`
}

func (a *app) replicate(ctx context.Context, flags replicateFlags, run string) error {
	view, first, err := a.recorded(ctx, run)
	if err != nil {
		return err
	}
	request, err := a.requestAgain(ctx, view, first, flags)
	if err != nil {
		return err
	}
	made, err := a.runnerFor(ctx, flags, first)
	if err != nil {
		return err
	}
	progress := newProgress(a.stderr)
	defer progress.close()
	ask := a.ask(request, progress)
	ask.Events.Stdout, ask.Events.Stderr, ask.Caller = nil, nil, shellUser() // the comparison is the answer
	response, err := made.Run(ctx, ask)
	progress.close()
	if err != nil {
		return err
	}
	return a.compared(ctx, view, first, response, replication.Tolerance{Relative: flags.relative, Absolute: flags.absolute})
}

// checkReplicate refuses flags that mean nothing.
func (a *app) checkReplicate(cmd *cobra.Command, flags replicateFlags) error {
	if err := refuseInTool(); err != nil {
		return err
	}
	faults := &flagFaults{command: cmd}
	for _, number := range []struct {
		flag  string
		value float64
	}{{"tolerance", flags.relative}, {"absolute", flags.absolute}} {
		faults.refuse(number.flag, number.value < 0 || math.IsNaN(number.value) || math.IsInf(number.value, 0), "a number of at least 0")
	}
	flags.check(cmd, faults)
	for _, name := range []string{"policy", "image", "bundle", "inputs"} {
		faults.refuse(name, cmd.Flags().Lookup(name).Value.String() == "", "a name; leave the flag out for what the run had")
	}
	return faults.usage()
}

// requestAgain is what was asked for, as far as the record and the user's flags have it.
func (a *app) requestAgain(ctx context.Context, view *records.View, first records.Record, flags replicateFlags) (job.Request, error) {
	code, err := a.codeAgain(ctx, view, first)
	if err != nil {
		return job.Request{}, err
	}
	was := first.Result.Provenance
	request := job.Request{
		Policy: flags.policy, Bundle: flags.bundle, Runtime: flags.runtime, Code: code, ScriptName: was.Script, Imports: was.Imports, Tables: tablesAgain(was),
		Replicates: first.Result.RunID.String(), Seed: was.Seed,
	}
	if request.ScriptName == "" { // a record of an earlier version
		request.ScriptName = "script.py"
	}
	if request.Bundle == "" {
		request.Bundle = was.Bundle.String()
	}
	if request.Policy == "" {
		request.Overrides = limitsAgain(first.Result.Limits)
		if request.Policy, err = a.policyAgain(was); err != nil {
			return job.Request{}, err
		}
	}
	if request.Tools, err = toolsAgain(first.Result, flags); err != nil {
		return job.Request{}, usageError{err}
	}
	request.Inputs, err = a.inputsAgain(ctx, was, flags)
	return request, err
}

// codeAgain is the code of a run that can be run again, and compared with what it has left.
func (a *app) codeAgain(ctx context.Context, view *records.View, first records.Record) ([]byte, error) {
	was := first.Result.Provenance
	if was.Session != "" {
		return nil, notAlone(ctx, view, first)
	}
	if was.Guard == job.GuardOff {
		return nil, usageError{fmt.Errorf("run %s had no guard: such runs probe a container, and are not run again", first.Result.RunID)}
	}
	code, err := view.Code(ctx, first)
	if errors.Is(err, records.ErrNoCode) {
		return nil, usageError{fmt.Errorf("the code of run %s is not kept: its policy, %s, says so (record.keep_code), or it was deleted since", first.Result.RunID, was.Policy)}
	}
	if err != nil {
		return nil, err
	}
	_, closed, err := releasedBy(ctx, view, first.Result) // what it is compared with: before anything runs
	if err != nil {
		return nil, err
	}
	return code, closed()
}

// maxSteps is how many steps of a session are named to a person.
const maxSteps = 20

// notAlone says what can be done about a session, or a step of one.
func notAlone(ctx context.Context, view *records.View, first records.Record) error {
	was := first.Result.Provenance.Session
	what := "is a step of session " + was
	if first.Result.RunID.String() == was {
		what = "is a session"
	}
	steps, more, damaged := stepsOf(ctx, view, was)
	text := "none of its steps has a record"
	if len(steps) > 0 {
		text = "its steps were " + strings.Join(steps, ", ")
		if more > 0 {
			text += fmt.Sprintf(" and %d more", more)
		}
		text += ", in this order. Give their code to `runner session` again, and compare: docs/replication.md says how"
	}
	return errors.Join(usageError{fmt.Errorf("run %s %s, and what a step finds depends on those before it: %s", first.Result.RunID, what, text)}, damaged)
}

// stepsOf are the first steps of a session that have records, in their order, and how many more
// there are. What cannot be read is an error beside them.
func stepsOf(ctx context.Context, view *records.View, session string) (steps []string, more int, damaged error) {
	ids, damaged := view.IDs()
	for _, id := range ids {
		record, err := view.Get(ctx, id)
		switch {
		case err != nil:
			damaged = errors.Join(damaged, err)
		case record.Result.Provenance.Session != session || id.String() == session:
		case len(steps) == maxSteps:
			more++
		default:
			steps = append(steps, id.String())
		}
	}
	return steps, more, damaged
}

// limitsAgain are those that the run had. What a policy cannot tighten is the policy's.
func limitsAgain(had job.Allowances) job.Overrides {
	return job.Overrides{
		WallClock: time.Duration(had.WallClockMS.Limit) * time.Millisecond, MemoryBytes: had.MemoryBytes.Limit, CPUMillis: had.CPUMillis.Limit, PIDs: had.PIDs.Limit,
		Budgets: job.Budgets{Operations: had.Operations.Limit, LoopIterations: had.LoopIterations.Limit, ToolCalls: had.ToolCalls.Limit},
	}
}

// policyAgain is the run's policy, if it says today what it said then.
func (a *app) policyAgain(was job.Provenance) (string, error) {
	today, err := a.policies().Get(was.Policy)
	if err != nil {
		return "", usageError{fmt.Errorf("the policy of the run: %w; --policy NAME runs it under another", err)}
	}
	if today.SHA256 != was.PolicySHA256 {
		return "", usageError{fmt.Errorf("policy %s is not what it was (sha256 %.12s then, %.12s now): --policy %s runs it under that of today", was.Policy, was.PolicySHA256, today.SHA256, was.Policy)}
	}
	return was.Policy, nil
}

func toolsAgain(result job.Result, flags replicateFlags) ([]job.Tool, error) {
	if len(result.ToolCalls) > 0 && len(flags.toolFlags) == 0 {
		return nil, fmt.Errorf("run %s has called %s of its caller's or its policy's, and a record has no answers: bring them with --tool", result.RunID, counted(len(result.ToolCalls), "tool"))
	}
	return parseTools(flags.toolFlags, flags.toolSchemas)
}

func (a *app) inputsAgain(ctx context.Context, was job.Provenance, flags replicateFlags) ([]byte, error) {
	inputs, err := a.readInputs(ctx, flags.inputs)
	if err != nil {
		return nil, err
	}
	sum := digest.Hex("")
	if inputs != nil {
		sum = digest.Of(inputs).Hex()
	}
	switch {
	case sum == was.InputsSHA256:
		return inputs, nil
	case was.InputsSHA256 == "":
		return nil, usageError{errors.New("the run had no inputs: leave --inputs out")}
	case inputs == nil:
		return nil, usageError{fmt.Errorf("the run had inputs (sha256 %s), which a record does not keep: give them with --inputs FILE", was.InputsSHA256)}
	default:
		return nil, usageError{fmt.Errorf("the inputs are not those of the run: their sha256 is %.12s, and that of the run's was %.12s", sum, was.InputsSHA256)}
	}
}

// runnerFor makes a runner whose policies get the run's image, or the one that was asked for.
func (a *app) runnerFor(ctx context.Context, flags replicateFlags, first records.Record) (*runner.Runner, error) {
	images, err := a.images()
	if err != nil {
		return nil, err
	}
	wanted := flags.image
	if wanted == "" {
		wanted = first.Result.Provenance.Image.String()
	}
	image, err := images.Resolve(wanted)
	if err != nil && flags.image == "" {
		err = fmt.Errorf("the image of the run: %w; --image NAME runs it in another", err)
	}
	if err != nil {
		return nil, usageError{err}
	}
	engine, err := a.engine(ctx, flags.engine, flags.runtime)
	if err != nil {
		return nil, err
	}
	options, err := a.runnerOptions(ctx, engine)
	if err != nil {
		return nil, err
	}
	options.Image = func(string) (digest.Digest, error) { return image.Digest, nil }
	return runner.New(options)
}

// compared compares, notes it in the audit chain, and tells.
func (a *app) compared(ctx context.Context, view *records.View, first records.Record, second runner.Response, tolerance replication.Tolerance) (err error) {
	before, closeBefore, err := releasedBy(ctx, view, first.Result)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeBefore()) }()
	after, closeAfter, err := releasedBy(ctx, view, second.Result)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeAfter()) }()
	found, err := replication.Compare(ctx, before, after, tolerance)
	if err != nil {
		return err
	}
	if err := a.note(ctx, records.Event{
		Kind: records.KindReplication, RunID: second.Result.RunID, Name: first.Result.RunID.String(), OK: new(found.Agreement != replication.Different),
		Reason: string(found.Agreement), Count: int64(len(found.Differences)),
	}); err != nil {
		return err
	}
	answer := replicated{
		RunID: second.Result.RunID, Replicates: first.Result.RunID, Comparison: found,
		First: view.Path(first.Result.RunID), Second: second.RecordDir,
	}
	if found.Agreement == replication.Different {
		answer.ExitCode = exitDiffers
	}
	return a.tellReplication(answer)
}
