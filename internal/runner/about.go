package runner

import (
	"hotcell/internal/digest"
	"hotcell/internal/job"
)

// About is what whoever leads a session has to know of it before the first step.
type About struct {
	Session      job.ID        `json:"session"` // the run id of its own record
	Policy       string        `json:"policy"`
	PolicySHA256 digest.Hex    `json:"policy_sha256"`
	Limits       SessionLimits `json:"limits"`
}

// SessionLimits are in force: the policy's, as the request has tightened them.
type SessionLimits struct {
	// Of each step.
	StepWallClockMS int64 `json:"step_wall_clock_ms"`
	StepCodeBytes   int64 `json:"step_code_bytes"`
	StepStdoutBytes int64 `json:"step_stdout_bytes"`
	StepStderrBytes int64 `json:"step_stderr_bytes"`
	// Of the session as a whole.
	MaxSteps    int64 `json:"max_steps"`
	WallClockMS int64 `json:"wall_clock_ms"`
	IdleMS      int64 `json:"idle_ms"`
	CPUTimeMS   int64 `json:"cpu_time_ms"`
	MemoryBytes int64 `json:"memory_bytes"`
	PIDs        int64 `json:"pids"`
	OutputBytes int64 `json:"output_bytes"`
	OutputFiles int64 `json:"output_files"`
}

// About tells what the session is.
func (s *Session) About() About {
	of, bounds := s.execution.terms.Limits, s.bounds
	return About{
		Session: s.execution.id, Policy: s.execution.terms.Policy.Name, PolicySHA256: s.execution.terms.Policy.SHA256,
		Limits: SessionLimits{
			StepWallClockMS: of.WallClock.Milliseconds(), StepCodeBytes: of.CodeBytes, StepStdoutBytes: of.StdoutBytes, StepStderrBytes: of.StderrBytes,
			MaxSteps: bounds.MaxSteps, WallClockMS: bounds.WallClock.Milliseconds(), IdleMS: bounds.Idle.Milliseconds(),
			CPUTimeMS: of.CPUTime.Milliseconds(), MemoryBytes: of.MemoryBytes, PIDs: of.PIDs,
			OutputBytes: of.OutputBytes, OutputFiles: of.OutputFiles,
		},
	}
}
