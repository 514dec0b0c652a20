package wire

import (
	"encoding/json"

	"hotcell/internal/digest"
)

// Protocol is the version that both sides must speak.
const Protocol = 7

// Sizes in bytes.
const (
	MaxStart   = 1 << 20  // far above a policy's rules and a bundle's table list
	MaxPrepare = 2 << 20  // a start, and a filter
	MaxHello   = 64 << 10 // versions of a few dozen packages
	MaxReady   = 64       // one number by its name
	MaxChunk   = 64 << 10 // one pipe's capacity on Linux
	MaxReport  = 64 << 20 // upper bound for Bounds.ReportBytes
	MaxInputs  = 64 << 20 // upper bound for Bounds.InputBytes
	MaxCall    = 1 << 20  // upper bound for Bounds.CallBytes
	MaxReply   = 16 << 20 // upper bound for Bounds.AnswerBytes
	MaxForm    = 8        // above the longest word of Form
	// MaxQuestion is more than anybody types, and is parsed in less than a second.
	MaxQuestion = 256 << 10
)

// Frame types.
const (
	TypeStart     = 'S'
	TypePrepare   = 'P'
	TypeGo        = 'G'
	TypeInputs    = 'I'
	TypeCode      = 'C'
	TypeReply     = 'A'
	TypeQuestion  = 'Q'
	TypeInterrupt = 'X'
	TypeHello     = 'H'
	TypePrepared  = 'W'
	TypeReady     = 'Y'
	TypeStdout    = 'O'
	TypeStderr    = 'E'
	TypeCall      = 'T'
	TypeForm      = 'V'
	TypeReport    = 'R'
)

// Start tells the guard everything it needs; it reads no configuration.
type Start struct {
	Protocol   int      `json:"protocol"`
	Mode       Mode     `json:"mode"`
	RunID      string   `json:"run_id"`
	ScriptName string   `json:"script_name"` // shown in tracebacks
	BundleDir  string   `json:"bundle_dir"`  // "" for a run without data
	OutputDir  string   `json:"output_dir"`
	Tables     []Table  `json:"tables"` // loaded before user code, in this order
	Tools      []string `json:"tools"`  // names that context.tools.call may use, or functions by name
	// ToolParameters names, for the tools that have a schema, what they take by its place:
	// what must be there, in the schema's order. It is not nil.
	ToolParameters map[string][]string `json:"tool_parameters"`
	Seccomp        []byte              `json:"seccomp"` // stage 2: an array of struct sock_filter in host byte order; empty for none
	// RequiredControls are those of the policy's that the guard alone can bring. One that
	// it lacks, or does not know, ends it before the code.
	RequiredControls []string `json:"required_controls"`
	// Seed is what draws without a seed of the script's begins with, below 2^48; 0 for none.
	Seed   int64  `json:"seed"`
	Rules  Rules  `json:"rules"`
	Limits Bounds `json:"limits"`
}

// Prepare has a guard make ready, for any script, what the runs of one plan have in
// common, before there is a run.
type Prepare struct {
	// Start is that of such runs. What Go has is not used of it, but for which budgets
	// are counted and which are not.
	Start Start `json:"start"`
	// ContainerSeccomp is stage 1, in the form of Start.Seccomp: what is forked from a
	// template loads it by itself.
	ContainerSeccomp []byte `json:"container_seccomp"`
}

// Go tells a prepared guard what is one run's.
type Go struct {
	Mode       Mode     `json:"mode"`
	RunID      string   `json:"run_id"`
	ScriptName string   `json:"script_name"`
	Tools      []string `json:"tools"`
	// ToolParameters as in Start.
	ToolParameters map[string][]string `json:"tool_parameters"`
	Seed           int64               `json:"seed"`   // as in Start
	Limits         Bounds              `json:"limits"` // a budget is 0 exactly where it was in Prepare
}

// Mode says what the guard does with the code.
type Mode string

// The modes.
const (
	ModeRun     Mode = "run"     // vet and run one script
	ModeCheck   Mode = "check"   // vet one script; nothing runs and no table is loaded
	ModeSession Mode = "session" // vet and run one script after the other in one namespace
)

// Table is one table of the bundle that becomes a DataFrame, as the store has prepared it.
type Table struct {
	Name string `json:"name"` // a Python identifier
	Path string `json:"path"` // relative to BundleDir
}

// Rules is the policy's part for the guard. The guard's floor stands whatever it
// says.
type Rules struct {
	Imports          []string `json:"imports"`           // exact dotted names
	DeniedBuiltins   []string `json:"denied_builtins"`   // names, on top of the floor
	DeniedAttributes []string `json:"denied_attributes"` // names, on top of the floor
	DeniedSyntax     []string `json:"denied_syntax"`     // classes of Python's ast module, for example "Global"
	MaxFigures       int      `json:"max_figures"`       // matplotlib and plotly together
	Preloaded        []Module `json:"preloaded"`         // bound by name before user code
	Inputs           Inputs   `json:"inputs"`
	Answer           Answer   `json:"answer"`
	// Endings are those of files that the host may let out, for what the guard says of
	// others when they are made. It decides nothing; left out, nothing is said.
	Endings []string `json:"endings,omitempty"`
	// LeftOut are modules that the policy lists and the request does without: what the guard
	// says of them names the request. It decides nothing.
	LeftOut []string `json:"left_out,omitempty"`
	// Unguarded switches off vetting, views, curated builtins and the audit hook. It is
	// for probes of the container; left out it is false.
	Unguarded bool `json:"unguarded,omitempty"`
}

// Module is a module, or one thing of it, that the script finds under Name without an
// import.
type Module struct {
	Name   string `json:"name"`   // a Python identifier
	Module string `json:"module"` // exact dotted name, or that and :NAME; allowed by Imports or not
}

// Inputs says under which name the script finds the request's inputs.
type Inputs string

// The choices.
const (
	InputsNone    Inputs = "none"    // the request may have none
	InputsData    Inputs = "data"    // the dict `data`
	InputsContext Inputs = "context" // the object `context` with inputs, steps, config and tools
	InputsNames   Inputs = "names"   // each a variable, each tool a function, and final_answer
)

// Answer says what the guard makes the result of.
type Answer string

// The choices. For the first two it is the variable `result`, or the last expression.
const (
	AnswerStdout Answer = "stdout"
	AnswerResult Answer = "result"
	AnswerChart  Answer = "chart" // a sentence and charts, read from what the script gives
	AnswerLast   Answer = "last"  // the last expression, or what the last statement has assigned
)

// Bounds bounds what the guard sends. The host keeps them too.
type Bounds struct {
	CodeBytes   int64 `json:"code_bytes"`
	StdoutBytes int64 `json:"stdout_bytes"`
	StderrBytes int64 `json:"stderr_bytes"`
	ReportBytes int64 `json:"report_bytes"`
	InputBytes  int64 `json:"input_bytes"`  // of the inputs frame
	CallBytes   int64 `json:"call_bytes"`   // of one tool call's parameters
	AnswerBytes int64 `json:"answer_bytes"` // of one tool call's answer
	// Budgets of one script; 0 does not count.
	Operations     int64 `json:"operations"`
	LoopIterations int64 `json:"loop_iterations"`
	// MemoryBytes is what the run has, for the sentence about a lack of it; 0 where nobody
	// says. The kernel keeps it, not the guard.
	MemoryBytes int64 `json:"memory_bytes"`
}

// Hello is the guard's first frame.
type Hello struct {
	Protocol int    `json:"protocol"`
	Guard    string `json:"guard"`  // version
	Python   string `json:"python"` // version
}

// Ready may come with the first script of a guard, before which nothing has run but
// what the image holds.
type Ready struct {
	// Landlock is the ABI of which all is in force for every thread of the process, 0 for
	// none.
	Landlock int `json:"landlock"`
}

// maxLandlock is far above what kernels have, and the guard uses.
const maxLandlock = 99

// Outcome is how the guard says the run ended.
type Outcome string

// The outcomes.
const (
	OutcomeCompleted   Outcome = "completed"
	OutcomeRaised      Outcome = "raised"       // an exception reached the top, SystemExit with a non-zero code included
	OutcomeRejected    Outcome = "rejected"     // vetting found Violations; nothing ran
	OutcomeVetted      Outcome = "vetted"       // mode check: vetting found nothing
	OutcomeLimit       Outcome = "limit"        // a budget was used up: Limit names it. The guard has ended
	OutcomeGuardFailed Outcome = "guard_failed" // not the code's fault, for example a table that cannot be read
)

// Call is a tool call. Params is a JSON object.
type Call struct {
	ID     int64           `json:"id"` // counts from 1 in each script
	Name   string          `json:"name"`
	Params json.RawMessage `json:"params"`
}

// Reply is what the host says to a call. Error is "" when the tool answered.
type Reply struct {
	ID     int64           `json:"id"`
	Result json.RawMessage `json:"result"` // null with an error
	Error  string          `json:"error"`
}

// Form is what the guard's Python makes of a text that may not be all of a script. Nothing of the
// text is run. Code that has run may have taken the guard over: nothing may hang on the word but
// whether somebody is asked for more.
type Form string

// The forms.
const (
	FormOpen    Form = "open"    // it ends in brackets, in a text in quotes, or behind a backslash
	FormHead    Form = "head"    // it lacks a block, or what a decorator or a try belongs to
	FormBlock   Form = "block"   // a script, to whose last statement more may belong
	FormWhole   Form = "whole"   // a script
	FormInvalid Form = "invalid" // no script, whatever follows
)

// isKnown reports whether it is one of them.
func (f Form) isKnown() bool {
	switch f {
	case FormOpen, FormHead, FormBlock, FormWhole, FormInvalid:
		return true
	default:
		return false
	}
}

// Report is the guard's last frame.
type Report struct {
	Outcome    Outcome           `json:"outcome"`
	Error      *Error            `json:"error"`      // for raised and guard_failed
	Limit      string            `json:"limit"`      // for limit: a budget; for raised: what else has been met, in a session a budget, too, or ""
	Violations []Violation       `json:"violations"` // for rejected
	Result     json.RawMessage   `json:"result"`     // of the variable `result`, else of the last expression, else null
	Charts     []json.RawMessage `json:"charts"`     // JSON objects: matplotlib's figures, then plotly's as they were met
	Files      []WrittenFile     `json:"files"`      // every regular file in the output directory
	Warnings   []string          `json:"warnings"`   // what of an answer was left out, or read as something else
	Truncated  Truncated         `json:"truncated"`
}

// Error is an exception. Errno is that of an OSError, else 0.
type Error struct {
	Type      string `json:"type"`
	Message   string `json:"message"`
	Line      int    `json:"line"`
	Traceback string `json:"traceback"`
	Errno     int    `json:"errno"`
}

// Violation is one finding of the vetting.
type Violation struct {
	Rule    string `json:"rule"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Message string `json:"message"`
}

// WrittenFile is one entry of the manifest.
type WrittenFile struct {
	Path   string     `json:"path"`
	Bytes  int64      `json:"bytes"`
	SHA256 digest.Hex `json:"sha256"`
	Role   string     `json:"role"` // "figure" or "file"
}

// Truncated says which streams the guard cut.
type Truncated struct {
	Stdout bool `json:"stdout"`
	Stderr bool `json:"stderr"`
}
