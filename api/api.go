// Package api is what is written between a service (runner serve) and its clients: the
// bodies of requests and answers as JSON, the events of a run, and problems.
//
// It holds shapes and no behaviour. openapi.yaml beside it says the same to other languages,
// and a test holds both together. What a run's result has is of internal/job, as the command
// prints it and the record keeps it.
package api

import (
	"encoding/json"
	"time"

	"hotcell/internal/job"
)

// RunResult is a run's answer, as docs/result.md has it. Hostile: see job.Result.
type RunResult = job.Result

// MaxListed is how many names a list of a request may have: far above what a policy imports, or a
// bundle has.
const MaxListed = 4096

// CreateRun asks for a run. What it leaves out is as the policy says; it can only tighten.
type CreateRun struct {
	Policy     string          `json:"policy"`
	Bundle     string          `json:"bundle,omitzero"`      // name, name@version or digest; "" for a run without data
	Code       string          `json:"code"`                 // the script
	ScriptName string          `json:"script_name,omitzero"` // a base name for tracebacks; "" for script.py
	Limits     Tightened       `json:"limits,omitzero"`
	Imports    []string        `json:"imports,omitzero"` // null for all that the policy lists
	Tables     []string        `json:"tables,omitzero"`  // null for all that the bundle has
	Inputs     json.RawMessage `json:"inputs,omitzero"`  // a JSON object for the script
	Seed       int64           `json:"seed,omitzero"`    // below 2^48; 0 for one that is drawn
	// Priority orders the runs of one principal that wait: a higher one goes first, from -100
	// to 100. It takes no place from another principal.
	Priority int `json:"priority,omitzero"`
}

// Tightened are limits below the policy's. Zero leaves the policy's.
type Tightened struct {
	WallClockMS    int64 `json:"wall_clock_ms,omitzero"`
	MemoryBytes    int64 `json:"memory_bytes,omitzero"`
	CPUMillis      int64 `json:"cpu_millis,omitzero"` // thousandths of a CPU
	PIDs           int64 `json:"pids,omitzero"`
	Operations     int64 `json:"operations,omitzero"`
	LoopIterations int64 `json:"loop_iterations,omitzero"`
	ToolCalls      int64 `json:"tool_calls,omitzero"`
}

// State says how far a run of a service is. One that has ended has its job.Status, or StateError.
type State string

// The states of a run that has no status.
const (
	StateQueued  State = "queued"  // durable, and not begun: no engine has it, or it waits in a queue of the engine's (Run.Queue)
	StateRunning State = "running" // an engine has it
	StateError   State = "error"   // we failed, or the host did: nothing is claimed about the code. Run.Error says why
)

// Run is a run of a service.
type Run struct {
	RunID  job.ID `json:"run_id"`
	Status State  `json:"status"` // or a job.Status
	Policy string `json:"policy"`
	Bundle string `json:"bundle,omitzero"`
	// Principal is whose it is: who has asked for it.
	Principal string `json:"principal"`
	// Position is how many runs go before it, while it is queued; 0 for the next one.
	Position *int `json:"position,omitempty"`
	// Queue is where it waits while it is queued and an engine has it: a queue of the engine's
	// cluster. No code of it has begun.
	Queue     string    `json:"queue,omitzero"`
	CreatedAt time.Time `json:"created_at"`
	StartedAt time.Time `json:"started_at,omitzero"` // an engine took it
	EndedAt   time.Time `json:"ended_at,omitzero"`
	QueuedMS  int64     `json:"queued_ms"` // how long it waited, or has waited, for an engine
	// Attempt counts how often it was given to an engine. Only a run whose code had not begun is
	// given again.
	Attempt int        `json:"attempt"`
	Result  *RunResult `json:"result,omitempty"` // once it has ended with a status; lists leave it out
	Error   *Problem   `json:"error,omitempty"`  // with StateError
}

// Ended reports whether nothing of the run changes any more.
func (r Run) Ended() bool { return r.Status != StateQueued && r.Status != StateRunning }

// Runs is a page of a list, the newest first.
type Runs struct {
	Runs       []Run  `json:"runs"`
	NextCursor string `json:"next_cursor,omitzero"` // "" on the last page
}

// Checked is what the guard says of code that it has vetted and not run.
type Checked struct {
	Policy       string          `json:"policy"`
	PolicySHA256 string          `json:"policy_sha256"`
	Violations   []job.Violation `json:"violations"` // empty: it would be run
}

// EventType names an event of a run.
type EventType string

// The types. Each has its own data.
const (
	EventState     EventType = "state"     // StateEvent
	EventStdout    EventType = "stdout"    // TextEvent
	EventStderr    EventType = "stderr"    // TextEvent
	EventToolCall  EventType = "tool_call" // ToolCallEvent
	EventViolation EventType = "violation" // job.Violation
	EventGap       EventType = "gap"       // GapEvent: what was between is not kept any more
	EventStep      EventType = "step"      // StepEvent: of a session
	EventResult    EventType = "result"    // Run, ended: the last one
)

// Event is one of a run's or a session's. Seq begins at 1 and counts on; an event of 0 has no
// number, is not kept and says only how things are just now.
type Event struct {
	Seq  int64           `json:"seq"`
	Type EventType       `json:"type"`
	Data json.RawMessage `json:"data"`
}

// StateEvent is how far a run is.
type StateEvent struct {
	State    State  `json:"state"` // queued or running, or of a session SessionOpen: it takes steps now
	Position *int   `json:"position,omitempty"`
	Queue    string `json:"queue,omitzero"` // of the engine's cluster, where it waits
	Phase    string `json:"phase,omitzero"` // while it runs: one of runner.Phase, or a tool call. Hostile only there
}

// TextEvent is a piece of what the code printed: valid UTF-8. Hostile.
type TextEvent struct {
	Text string `json:"text"`
}

// ToolCallEvent says that the code calls a tool of the policy.
type ToolCallEvent struct {
	Name string `json:"name"` // the script's own word. Hostile
}

// GapEvent names the events that are missing, both ends included.
type GapEvent struct {
	From int64 `json:"from"`
	To   int64 `json:"to"`
}

// Problem is what went wrong with a request, as RFC 9457 has it. What code did is none, and
// neither is what the guard says of it: that is in the answer of a check, or in a run's result.
type Problem struct { //nolint:errname // the word of RFC 9457
	Type       string `json:"type"` // urn:hotcell:problem:… of docs/service.md
	Title      string `json:"title"`
	Status     int    `json:"status"`
	Detail     string `json:"detail,omitzero"`
	Instance   string `json:"instance,omitzero"` // the id of the request, as in the log
	RunID      string `json:"run_id,omitzero"`
	RetryAfter int    `json:"retry_after_s,omitzero"`
	Quota      string `json:"quota,omitzero"` // which is used up, as GET /v1/me names them
}

// Error implements error. A detail says more of the title, and nothing without it.
func (p *Problem) Error() string {
	if p.Detail != "" {
		return p.Title + ": " + p.Detail
	}
	return p.Title
}
