package main

import (
	"fmt"

	"github.com/goccy/go-yaml"

	"hotcell/internal/digest"
	"hotcell/internal/job"
	"hotcell/internal/policy"
)

// shownPolicy is a policy as it is written, and what it resolves to.
type shownPolicy struct {
	Name     string         `json:"name"`
	Origin   string         `json:"origin"`
	SHA256   digest.Hex     `json:"sha256"`
	Policy   map[string]any `json:"policy"` // the file
	Resolved resolvedPolicy `json:"resolved"`
}

type resolvedPolicy struct {
	Imports []string       `json:"imports"`
	Limits  resolvedLimits `json:"limits"`
}

// resolvedLimits has units in its names. A budget of 0 means that nothing is
// counted, and tool_calls of 0 that there are no tools.
type resolvedLimits struct {
	MemoryBytes    int64 `json:"memory_bytes"`
	PIDs           int64 `json:"pids"`
	CPUMillis      int64 `json:"cpu_millis"`
	WallClockMS    int64 `json:"wall_clock_ms"`
	CPUTimeMS      int64 `json:"cpu_time_ms"`
	OpenFiles      int64 `json:"open_files"`
	ScratchBytes   int64 `json:"scratch_bytes"`
	OutputBytes    int64 `json:"output_bytes"`
	OutputFiles    int64 `json:"output_files"`
	StdoutBytes    int64 `json:"stdout_bytes"`
	StderrBytes    int64 `json:"stderr_bytes"`
	CodeBytes      int64 `json:"code_bytes"`
	ReportBytes    int64 `json:"report_bytes"`
	InputBytes     int64 `json:"input_bytes"`
	Operations     int64 `json:"operations"`
	LoopIterations int64 `json:"loop_iterations"`
	ToolCalls      int64 `json:"tool_calls"`
}

func (a *app) showPolicy(found policy.Entry) error {
	terms, err := policy.Resolve(found.Policy, job.Overrides{})
	if err != nil {
		return usageError{err}
	}
	written := map[string]any{}
	if err := yaml.Unmarshal(found.Source, &written); err != nil {
		return fmt.Errorf("read policy %s: %w", found.Policy.Name, err)
	}
	return a.printJSON(shownPolicy{
		Name: found.Policy.Name, Origin: found.Origin, SHA256: found.Policy.SHA256, Policy: written,
		Resolved: resolvedPolicy{Imports: found.Policy.Guard.Imports, Limits: limitsOf(terms)},
	})
}

func limitsOf(terms policy.Terms) resolvedLimits {
	limits, budgets := terms.Limits, terms.Budgets
	return resolvedLimits{
		MemoryBytes: limits.MemoryBytes, PIDs: limits.PIDs, CPUMillis: limits.CPUMillis,
		WallClockMS: limits.WallClock.Milliseconds(), CPUTimeMS: limits.CPUTime.Milliseconds(),
		OpenFiles: limits.OpenFiles, ScratchBytes: limits.ScratchBytes,
		OutputBytes: limits.OutputBytes, OutputFiles: limits.OutputFiles,
		StdoutBytes: limits.StdoutBytes, StderrBytes: limits.StderrBytes, CodeBytes: limits.CodeBytes,
		ReportBytes: terms.ReportBytes, InputBytes: terms.InputBytes,
		Operations: budgets.Operations, LoopIterations: budgets.LoopIterations, ToolCalls: budgets.ToolCalls,
	}
}
