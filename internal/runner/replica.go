package runner

import (
	"context"
	"encoding/json"
	"errors"
	"os"

	"hotcell/internal/answer"
	"hotcell/internal/job"
	"hotcell/internal/output"
	"hotcell/internal/policy"
	"hotcell/internal/wire"
)

// Replica is a run that somebody has made again with their own Python.
type Replica struct {
	Terms   policy.Terms // the run's policy, resolved
	Made    wire.Replica
	Output  *os.Root // what the code has written; hostile
	Staging string   // an empty directory of ours, for the files that are verified
}

// Judge says what a sandbox's run would have been said to be that left the same: by the same
// rules for outcome, files and charts, without the limits that only a sandbox has. The result
// has no provenance and no usage. verified is nil where no file is released; else it is to be
// closed once the files have been read.
func (r Replica) Judge(ctx context.Context) (result job.Result, verified *output.Verified, err error) {
	limits := r.Terms.Limits
	found := evidence{ready: r.Made.Outcome != wire.OutcomeGuardFailed, report: &r.Made.Report, limits: limits}
	if r.Made.Outcome == wire.OutcomeCompleted {
		rules := outputRules(r.Terms.Policy, limits)
		verified, found.violations, err = output.Verify(ctx, output.Options{Dir: r.Output, Manifest: declared(r.Made.Files), Staging: r.Staging, Rules: rules})
		if err != nil {
			return job.Result{}, nil, err
		}
	}
	var warnings []job.Violation
	if verified != nil {
		answers := answer.Rules{Form: r.Terms.Policy.Output.Answer, MaxFigures: r.Terms.Policy.Guard.MaxFigures, Stdout: limits.StdoutBytes}
		found.charts, found.violations = answers.Check(given(found.report, nil), verified.Files())
		warnings = verified.Dropped()
	}
	judged, err := classify(found)
	if err != nil {
		return job.Result{}, nil, errors.Join(err, closeVerified(verified))
	}
	result = job.Result{
		Status: judged.status, Limit: judged.limit, Error: judged.failure, Stdout: r.Made.Stdout, Stderr: r.Made.Stderr,
		Truncated: job.Truncated{Stdout: r.Made.Truncated.Stdout, Stderr: r.Made.Truncated.Stderr}, Value: json.RawMessage("null"),
		Violations: bounded(judged.violations), Warnings: bounded(append(warnings, ofAnswer(r.Made.Warnings)...)),
		Charts: []job.Chart{}, Files: []job.File{}, ToolCalls: []job.ToolCall{},
	}
	if judged.status != job.Succeeded {
		return result, nil, closeVerified(verified)
	}
	result.Value, result.Charts = orNull(r.Made.Result), orEmpty(found.charts)
	if verified != nil {
		result.Files = orEmpty(verified.Files())
	}
	return result, verified, nil
}
