package api

import (
	"encoding/json"
	"time"

	"hotcell/internal/job"
)

// OpenSession asks for a session: as CreateRun, without code.
type OpenSession struct {
	Policy  string    `json:"policy"`
	Bundle  string    `json:"bundle,omitzero"`
	Limits  Tightened `json:"limits,omitzero"`
	Imports []string  `json:"imports,omitzero"`
	Tables  []string  `json:"tables,omitzero"`
	Seed    int64     `json:"seed,omitzero"`
	// Inputs is an object, for policies whose scripts take some: every step finds it.
	Inputs  json.RawMessage `json:"inputs,omitzero"`
	IdleMS  int64           `json:"idle_ms,omitzero"`  // it is closed after so long without a step; 0 for the service's own
	TotalMS int64           `json:"total_ms,omitzero"` // and after so long whatever happens
}

// SessionState says whether a session takes steps.
type SessionState string

// The states.
const (
	SessionOpening SessionState = "opening" // it waits for a place, or imports and loads what its steps need
	SessionOpen    SessionState = "open"    // it takes a step. A StateEvent says when that is so for the first time
	SessionBusy    SessionState = "busy"    // a step is carried out
	SessionClosed  SessionState = "closed"
)

// SessionStates are all of them.
func SessionStates() []SessionState {
	return []SessionState{SessionOpening, SessionOpen, SessionBusy, SessionClosed}
}

// Session is a session of a service. Its id is the run id of its own record.
type Session struct {
	SessionID job.ID       `json:"session_id"`
	Status    SessionState `json:"status"`
	Policy    string       `json:"policy"`
	Bundle    string       `json:"bundle,omitzero"`
	Principal string       `json:"principal"` // whose it is
	CreatedAt time.Time    `json:"created_at"`
	IdleUntil time.Time    `json:"idle_until,omitzero"` // while it is open
	Until     time.Time    `json:"until,omitzero"`
	Steps     int          `json:"steps"`
	// PolicySHA256 and Limits are there once an engine has it. A service fills them in from its
	// engine's runner.About.
	PolicySHA256 string         `json:"policy_sha256,omitzero"`
	Limits       *SessionLimits `json:"limits,omitempty"`
	Over         string         `json:"over,omitzero"`    // why no step may follow
	Result       *RunResult     `json:"result,omitempty"` // its own, once it is closed
	Error        *Problem       `json:"error,omitempty"`
}

// Sessions is a page of a list, the newest first. It has no results.
type Sessions struct {
	Sessions   []Session `json:"sessions"`
	NextCursor string    `json:"next_cursor,omitzero"` // "" on the last page
}

// SessionLimits are in force: the policy's, as the request has tightened them. It is
// runner.SessionLimits, to which it converts.
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

// CreateStep is one script of a session. One that is given while the session opens waits for that.
type CreateStep struct {
	Code        string `json:"code"`
	ScriptName  string `json:"script_name,omitzero"`
	WallClockMS int64  `json:"wall_clock_ms,omitzero"`
}

// Step is what became of one. Number begins at 1.
type Step struct {
	Number int        `json:"step"`
	Status State      `json:"status"` // running, a job.Status, or error
	Result *RunResult `json:"result,omitempty"`
	Error  *Problem   `json:"error,omitempty"`
}

// NotBegun reports whether it was cancelled, or its session ended, before anything of it was run:
// there is no result of it.
func (s Step) NotBegun() bool { return s.Status == State(job.Cancelled) && s.Result == nil }

// StepEvent says that a step has begun, or what became of it.
type StepEvent = Step
