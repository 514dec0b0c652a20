package runner

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"hotcell/internal/answer"
	"hotcell/internal/container"
	"hotcell/internal/job"
	"hotcell/internal/output"
	"hotcell/internal/panics"
	"hotcell/internal/policy"
	"hotcell/internal/records"
	"hotcell/internal/wire"
)

// startMessage tells the guard what it needs.
func (e *execution) startMessage(mode wire.Mode) wire.Start {
	start := wire.Start{
		Protocol: wire.Protocol, Mode: mode, RunID: e.id.String(), ScriptName: e.request.ScriptName,
		OutputDir: container.OutputDir, Tools: e.tools.Names(), ToolParameters: e.tools.Parameters(), Seccomp: e.plan.filters.UserCode, RequiredControls: e.lock.demands(), Seed: e.seed,
		Rules: e.plan.rules, Limits: e.guardLimits(),
	}
	start.Rules.LeftOut = e.leftOut
	if e.spec.Bundle != "" {
		start.BundleDir, start.Tables = container.BundleDir, loaded(e.tables)
	}
	return start
}

// preparation is what the guard of a sandbox can do before this request was made: the
// same for all requests of a plan that count the same budgets. A policy may forbid it.
func (e *execution) preparation(mode wire.Mode) (container.Preparation, error) {
	if e.terms.Policy.Isolation.Warm != policy.WarmAllowed {
		return container.Preparation{}, nil
	}
	start := e.startMessage(mode)
	start.Mode, start.RunID, start.ScriptName, start.Tools, start.ToolParameters, start.Seed = wire.ModeRun, "", "script", nil, map[string][]string{}, 0
	policyLimits := e.plan.spec.Limits
	start.Limits = wire.Bounds{
		CodeBytes: policyLimits.CodeBytes, StdoutBytes: policyLimits.StdoutBytes, StderrBytes: policyLimits.StderrBytes,
		ReportBytes: wire.MaxHello, Operations: min(start.Limits.Operations, 1), LoopIterations: min(start.Limits.LoopIterations, 1),
	}
	words, err := wire.Prepare{Start: start, ContainerSeccomp: e.plan.filters.ContainerProgram}.Frame()
	if err != nil {
		return container.Preparation{}, err
	}
	return container.Preparation{For: e.kind(), Words: words, Await: wire.AwaitPrepared, Seccomp: e.plan.filters.Template}, nil
}

// kind names requests like this one: POLICY or POLICY:BUNDLE.
func (e *execution) kind() string {
	if e.request.Bundle == "" {
		return e.terms.Policy.Name
	}
	return e.terms.Policy.Name + ":" + e.request.Bundle
}

func (e *execution) guardLimits() wire.Bounds {
	limits, budgets := e.terms.Limits, e.terms.Budgets
	var call, answer int64
	if inputs := e.terms.Policy.Guard.Inputs; inputs == wire.InputsContext || inputs == wire.InputsNames { // a script looks for its tools, also where it has none
		call, answer = e.tools.Frames()
	}
	return wire.Bounds{
		CodeBytes: limits.CodeBytes, StdoutBytes: limits.StdoutBytes, StderrBytes: limits.StderrBytes,
		ReportBytes: e.terms.ReportBytes, InputBytes: e.terms.InputBytes, CallBytes: call, AnswerBytes: answer,
		Operations: budgets.Operations, LoopIterations: budgets.LoopIterations, MemoryBytes: limits.MemoryBytes,
	}
}

// result puts together the one answer.
func (e *execution) result(s settled) job.Result {
	result := job.Result{
		RunID: e.id, Status: s.verdict.status, Limit: s.verdict.limit, Error: s.verdict.failure,
		Violations: bounded(s.verdict.violations), Warnings: bounded(slices.Concat(e.replaced, s.warnings)), Value: json.RawMessage("null"),
		Charts: []job.Chart{}, Files: []job.File{}, ToolCalls: []job.ToolCall{},
		Usage: s.usage, Provenance: e.provenance(), Review: s.review,
	}
	if s.transcript != nil {
		result.Stdout, result.Stderr = s.transcript.stdout.text(), s.transcript.stderr.text()
		result.Truncated = job.Truncated{Stdout: s.transcript.stdout.isFull(), Stderr: s.transcript.stderr.isFull()}
		result.ToolCalls = orEmpty(s.transcript.calls.Made())
	}
	if s.report != nil {
		result.Truncated.Stdout = result.Truncated.Stdout || s.report.Truncated.Stdout
		result.Truncated.Stderr = result.Truncated.Stderr || s.report.Truncated.Stderr
		result.Warnings = bounded(append(result.Warnings, ofAnswer(s.report.Warnings)...))
	}
	// What the code gives is released like its files: only after all was verified.
	if s.verdict.status == job.Succeeded {
		result.Charts = orEmpty(s.charts)
		if s.verified != nil {
			result.Files = orEmpty(s.verified.Files())
		}
		if s.report != nil {
			result.Value = orNull(s.report.Result)
		}
	}
	result.Output = e.answers.Text(result)
	result.Limits = e.allowances(result)
	return result
}

// commit keeps the record. Where a panic keeps what the code has left from being
// recorded, it records that.
func (e *execution) commit(ctx context.Context, draft *records.Draft, s settled) (response Response, err error) {
	caught := func(s settled) error {
		return panics.Catch("keeping the record", func() (err error) {
			response, err = e.keep(ctx, draft, s)
			return err
		})
	}
	err = caught(s)
	if broken, ok := errors.AsType[*panics.Error](err); ok && s.began {
		err = errors.Join(err, caught(settled{verdict: unjudged(broken), usage: s.usage, began: true}))
	}
	return response, err
}

// keep keeps the record in one step, and then hands out the files.
func (e *execution) keep(ctx context.Context, draft *records.Draft, s settled) (response Response, err error) {
	if s.verified != nil {
		defer func() { err = errors.Join(err, s.verified.Close()) }()
	}
	e.trace.begin(job.PartCommitting)
	result := e.result(s)
	keep := e.terms.Policy.Record.KeepCode
	// A run that was cancelled is recorded too.
	commitCtx, cancel := container.ReleaseContext(ctx)
	defer cancel()
	succeeded := result.Status == job.Succeeded
	kept := len(bytes.TrimSpace(e.request.Code)) > 0 && result.Limit != job.LimitCode && (keep == policy.KeepCodeAlways || keep == policy.KeepCodeOnSuccess && succeeded)
	dir, err := draft.Commit(commitCtx, records.Entry{
		Result: result, Verified: s.verified, Code: e.request.Code, ScriptName: e.request.ScriptName,
		KeepCode: kept,
		Tables:   tableNames(e.tables),
		Trace:    e.trace.upTo(false),
		Actor:    e.actor,
	})
	if err != nil {
		return Response{}, err
	}
	response = Response{Result: result, RecordDir: dir, RecordBytes: draft.Bytes(), Trace: e.trace.upTo(true)}
	if kept {
		response.CodeFile = filepath.Join(dir, records.CodeName(result))
	}
	if s.transcript != nil {
		response.StreamError = errors.Join(s.transcript.stdout.lost(), s.transcript.stderr.lost())
	}
	if s.quarantined {
		response.QuarantineDir = e.options.Records.QuarantinePath(e.id)
	}
	if !succeeded || e.outputDir == "" {
		return response, nil
	}
	event := ExportEvent(result, e.outputDir)
	event.Actor = e.actor
	if err := e.options.Records.Append(commitCtx, event); err != nil {
		return response, exported(err, dir)
	}
	return response, exported(s.verified.Export(commitCtx, e.outputDir), dir)
}

// bounded keeps as many violations as a guard may send. Each check has bounds of its
// own; this one holds for the next that has none.
func bounded(violations []job.Violation) []job.Violation {
	if len(violations) > wire.MaxViolations {
		last := job.Violation{Rule: output.RuleMore, Message: fmt.Sprintf("there are more than %d violations; the rest is not listed", wire.MaxViolations)}
		violations = append(violations[:wire.MaxViolations:wire.MaxViolations], last)
	}
	return orEmpty(violations)
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// ofAnswer puts each of the guard's warnings into one bounded line. The protocol bounds their
// number.
func ofAnswer(words []string) []job.Violation {
	warnings := make([]job.Violation, len(words))
	for index, one := range words {
		warnings[index] = job.Violation{Rule: answer.RuleAnswer, Message: cut(strings.Join(strings.Fields(one), " "))}
	}
	return warnings
}

func orNull(value json.RawMessage) json.RawMessage {
	if len(value) == 0 {
		return json.RawMessage("null")
	}
	return value
}
