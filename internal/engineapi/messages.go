package engineapi

import (
	"time"

	"hotcell/internal/digest"
	"hotcell/internal/job"
	"hotcell/internal/runner"
)

const (
	// maxRequest is above the largest script and the largest inputs together, as base64.
	maxRequest = 160 << 20
	// maxLine is above the largest answer: a report of 64 MiB, which the result may have
	// twice, and both streams, with each byte escaped.
	maxLine = 1 << 30
	// maxStep is above the largest script, as base64.
	maxStep = 32 << 20
)

// request is a job.Request, and who listens. Nothing of rights is in it. What must not
// change by a byte is base64.
type request struct {
	Policy         string    `json:"policy"`
	Bundle         string    `json:"bundle"`
	Code           []byte    `json:"code"`
	ScriptName     string    `json:"script_name"`
	Runtime        string    `json:"runtime"`
	Overrides      overrides `json:"overrides"`
	AllowUnguarded bool      `json:"allow_unguarded"`
	Imports        []string  `json:"imports"` // or null
	Tables         []string  `json:"tables"`  // or null
	Seed           int64     `json:"seed"`    // or 0
	Inputs         []byte    `json:"inputs"`  // or null
	Tools          []tool    `json:"tools"`
	Streams        bool      `json:"streams"`     // stdout and stderr are wanted as they come
	ToolStderr     bool      `json:"tool_stderr"` // so is what tools print
}

type overrides struct {
	WallClockNS    int64 `json:"wall_clock_ns"`
	MemoryBytes    int64 `json:"memory_bytes"`
	CPUMillis      int64 `json:"cpu_millis"`
	PIDs           int64 `json:"pids"`
	Operations     int64 `json:"operations"`
	LoopIterations int64 `json:"loop_iterations"`
	ToolCalls      int64 `json:"tool_calls"`
}

type tool struct {
	Name    string   `json:"name"`
	Command []string `json:"command"`
	Schema  []byte   `json:"schema"` // or null
}

func requestOf(ask runner.Ask) request {
	from, tightened := ask.Request, ask.Request.Overrides
	to := request{
		Policy: from.Policy, Bundle: from.Bundle, Code: from.Code, ScriptName: from.ScriptName, Runtime: from.Runtime,
		Overrides: overrides{
			WallClockNS: int64(tightened.WallClock), MemoryBytes: tightened.MemoryBytes, CPUMillis: tightened.CPUMillis, PIDs: tightened.PIDs,
			Operations: tightened.Budgets.Operations, LoopIterations: tightened.Budgets.LoopIterations, ToolCalls: tightened.Budgets.ToolCalls,
		},
		AllowUnguarded: from.AllowUnguarded, Imports: from.Imports, Tables: from.Tables, Seed: from.Seed, Inputs: from.Inputs, Tools: []tool{},
		Streams: ask.Events.Stdout != nil || ask.Events.Stderr != nil, ToolStderr: ask.Events.ToolStderr != nil,
	}
	for _, one := range from.Tools {
		to.Tools = append(to.Tools, tool{one.Name, one.Command, one.Schema})
	}
	return to
}

func (r request) job() job.Request {
	to := job.Request{
		Policy: r.Policy, Bundle: r.Bundle, Code: r.Code, ScriptName: r.ScriptName, Runtime: r.Runtime,
		Overrides: job.Overrides{
			WallClock: time.Duration(r.Overrides.WallClockNS), MemoryBytes: r.Overrides.MemoryBytes, CPUMillis: r.Overrides.CPUMillis, PIDs: r.Overrides.PIDs,
			Budgets: job.Budgets{Operations: r.Overrides.Operations, LoopIterations: r.Overrides.LoopIterations, ToolCalls: r.Overrides.ToolCalls},
		},
		AllowUnguarded: r.AllowUnguarded, Imports: r.Imports, Tables: r.Tables, Seed: r.Seed, Inputs: r.Inputs,
	}
	for _, one := range r.Tools {
		to.Tools = append(to.Tools, job.Tool{Name: one.Name, Command: one.Command, Schema: one.Schema})
	}
	return to
}

// step is a line of a session's request, after the first one: one that is to be carried
// out, the interrupt of the one that was sent last, or a text whose form is asked for.
// One that was interrupted before it was sent says so itself: nothing of it is run.
type step struct {
	Code        []byte `json:"code"`
	Name        string `json:"name"`
	WallClockNS int64  `json:"wall_clock_ns"`
	Interrupted bool   `json:"interrupted"`
	Interrupt   bool   `json:"interrupt"`
	Question    bool   `json:"question"`
}

// line is one of an answer. One member is there.
type line struct {
	Phase      *runner.Phase `json:"phase,omitempty"`
	Stdout     []byte        `json:"stdout,omitempty"`
	Stderr     []byte        `json:"stderr,omitempty"`
	ToolStderr []byte        `json:"tool_stderr,omitempty"`
	Opened     *runner.About `json:"opened,omitempty"` // a session takes steps
	Ready      bool          `json:"ready,omitempty"`  // it is prepared for the first one
	Step       *answer       `json:"step,omitempty"`   // what became of one
	Form       *runner.Form  `json:"form,omitzero"`    // the answer to a question, also an empty one
	Final      *answer       `json:"final,omitempty"`  // the last line
}

// answer is what became of a request, or of a step.
type answer struct {
	Run   *response `json:"run,omitempty"`
	Check *checked  `json:"check,omitempty"`
	Error *fault    `json:"error,omitempty"`
	Over  string    `json:"over,omitempty"` // why the session takes no more steps
}

type response struct {
	Result        job.Result `json:"result"`
	RecordDir     string     `json:"record_dir"`
	QuarantineDir string     `json:"quarantine_dir"`
	CodeFile      string     `json:"code_file"` // or ""
	RecordBytes   int64      `json:"record_bytes"`
	Trace         *job.Trace `json:"trace"` // or null
}

type checked struct {
	Violations   []job.Violation `json:"violations"`
	Policy       string          `json:"policy"`
	PolicySHA256 digest.Hex      `json:"policy_sha256"`
}

// response takes it apart again. One that says neither how a run ended nor why there was none
// is no answer.
func (a *answer) response() (runner.Response, error) {
	if a.Run == nil && a.Error == nil {
		return runner.Response{}, ErrMalformed
	}
	var to runner.Response
	if a.Run != nil {
		to = runner.Response{
			Result: a.Run.Result, RecordDir: a.Run.RecordDir, QuarantineDir: a.Run.QuarantineDir, CodeFile: a.Run.CodeFile,
			RecordBytes: a.Run.RecordBytes, Trace: a.Run.Trace,
		}
	}
	return to, a.Error.err()
}
