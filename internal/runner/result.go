package runner

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"hotcell/internal/bundle"
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
		OutputDir: container.OutputDir, Tools: e.tools.Names(), Seccomp: e.userCode, RequiredControls: e.lock.demands(),
		Rules: guardRules(e.terms.Policy.Guard), Limits: e.guardLimits(),
	}
	if e.bundle != nil && mode != wire.ModeCheck {
		start.BundleDir = container.BundleDir
		start.Tables = tables(e.bundle.Manifest.Files)
	}
	return start
}

func (e *execution) guardLimits() wire.Limits {
	limits, budgets := e.terms.Limits, e.terms.Budgets
	call, answer := e.callLimits()
	return wire.Limits{
		CodeBytes: limits.CodeBytes, StdoutBytes: limits.StdoutBytes, StderrBytes: limits.StderrBytes,
		ReportBytes: e.terms.ReportBytes, InputBytes: e.terms.InputBytes, CallBytes: call, AnswerBytes: answer,
		Operations: budgets.Operations, LoopIterations: budgets.LoopIterations,
	}
}

// result puts together the one answer.
func (e *execution) result(s settled) job.Result {
	result := job.Result{
		RunID: e.id, Status: s.verdict.status, Limit: s.verdict.limit, Error: s.verdict.failure,
		Violations: bounded(s.verdict.violations), Value: json.RawMessage("null"),
		Charts: []json.RawMessage{}, Files: []job.File{}, ToolCalls: []job.ToolCall{},
		Usage: s.usage, Provenance: e.provenance(),
	}
	if s.script != nil {
		result.Stdout, result.Stderr = s.script.stdout.text(), s.script.stderr.text()
		result.Truncated = job.Truncated{Stdout: s.script.stdout.isFull(), Stderr: s.script.stderr.isFull()}
		result.ToolCalls = orEmpty(s.script.calls.Made())
	}
	if s.report != nil {
		result.Truncated.Stdout = result.Truncated.Stdout || s.report.Truncated.Stdout
		result.Truncated.Stderr = result.Truncated.Stderr || s.report.Truncated.Stderr
	}
	// What the code gives is released like its files: only after all was verified.
	if s.verdict.status == job.Succeeded {
		result.Charts = encodeCharts(s.charts)
		if s.verified != nil {
			result.Files = orEmpty(s.verified.Files())
		}
		if s.report != nil {
			result.Value = orNull(s.report.Result)
		}
	}
	result.Output = e.outputText(result)
	return result
}

// commit keeps the record. Where a panic keeps what the code has left from being
// recorded, it records that.
func (e *execution) commit(ctx context.Context, draft *records.Draft, s settled) (answer Answer, err error) {
	caught := func(s settled) error {
		return panics.Catch("keeping the record", func() (err error) {
			answer, err = e.keep(ctx, draft, s)
			return err
		})
	}
	err = caught(s)
	if broken, ok := errors.AsType[*panics.Error](err); ok && s.began {
		err = errors.Join(err, caught(settled{verdict: unjudged(broken), usage: s.usage, began: true}))
	}
	return answer, err
}

// keep keeps the record in one step, and then hands out the files.
func (e *execution) keep(ctx context.Context, draft *records.Draft, s settled) (answer Answer, err error) {
	if s.verified != nil {
		defer func() { err = errors.Join(err, s.verified.Close()) }()
	}
	result := e.result(s)
	keep := e.terms.Policy.Record.KeepCode
	// A run that was cancelled is recorded too.
	commitCtx, cancel := container.ReleaseContext(ctx)
	defer cancel()
	succeeded := result.Status == job.Succeeded
	dir, err := draft.Commit(commitCtx, records.Entry{
		Result: result, Verified: s.verified, Code: e.request.Code, ScriptName: e.request.ScriptName,
		KeepCode: len(bytes.TrimSpace(e.request.Code)) > 0 && (keep == policy.KeepCodeAlways || keep == policy.KeepCodeOnSuccess && succeeded),
		Tables:   tableNames(e.startMessage(wire.ModeRun).Tables),
	})
	if err != nil {
		return Answer{}, err
	}
	answer = Answer{Result: result, RecordDir: dir}
	if s.script != nil {
		answer.StreamError = errors.Join(s.script.stdout.lost(), s.script.stderr.lost())
	}
	if s.quarantined {
		answer.QuarantineDir = e.options.Records.QuarantinePath(e.id)
	}
	if !succeeded || e.outputDir == "" {
		return answer, nil
	}
	if err := s.verified.Export(commitCtx, e.outputDir); err != nil {
		return answer, fmt.Errorf("%w: the run succeeded and its files are in %s, but not in the output directory: %w", ErrExport, dir, err)
	}
	return answer, nil
}

// maxViolations is of one result: as many as a guard may send. Each check has bounds
// of its own; this one holds for the next that has none.
const maxViolations = 1000

func bounded(violations []job.Violation) []job.Violation {
	if len(violations) > maxViolations {
		last := job.Violation{Rule: output.RuleMore, Message: fmt.Sprintf("there are more than %d violations; the rest is not listed", maxViolations)}
		violations = append(violations[:maxViolations:maxViolations], last)
	}
	return orEmpty(violations)
}

func tableNames(tables []wire.Table) []string {
	names := make([]string, len(tables))
	for index, table := range tables {
		names[index] = table.Name
	}
	return names
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func orNull(value json.RawMessage) json.RawMessage {
	if len(value) == 0 {
		return json.RawMessage("null")
	}
	return value
}

// tables are the bundle's files that become DataFrames.
func tables(files []bundle.File) []wire.Table {
	var found []wire.Table
	for _, file := range files {
		if file.Table != "" {
			found = append(found, wire.Table{Name: file.Table, Path: file.Path, Format: file.Format()})
		}
	}
	return found
}
