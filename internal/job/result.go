package job

import (
	"encoding/json"
	"time"

	"hotcell/internal/digest"
)

// Result is the one answer about a run, for the command's --json, the record and
// every other door. Units are in the names.
//
// Output, Stdout, Stderr, Value, Charts, Warnings, Error and the Files' paths come out of
// the sandbox and are hostile: show them, never act on them.
type Result struct {
	RunID      ID              `json:"run_id"`
	Status     Status          `json:"status"`
	Limit      Limit           `json:"limit,omitempty"` // which limit, for timed_out, out_of_memory and limit_exceeded
	Output     string          `json:"output"`          // the run's answer as text: stdout, or the policy's choice
	Stdout     string          `json:"stdout"`
	Stderr     string          `json:"stderr"`
	Truncated  Truncated       `json:"truncated"`
	Value      json.RawMessage `json:"result"` // JSON null when the code gave none
	Charts     []Chart         `json:"charts"`
	Files      []File          `json:"files"`
	Error      *Error          `json:"error"`
	Violations []Violation     `json:"violations"`
	Warnings   []Violation     `json:"warnings"` // what did not decide the status: a file that was left behind, a chart that was left out
	ToolCalls  []ToolCall      `json:"tool_calls"`
	// Review is what the disclosure checks have found, where the policy has them made of a run
	// whose code has begun.
	Review     *Review    `json:"review,omitempty"`
	Usage      Usage      `json:"usage"`
	Limits     Allowances `json:"limits"`
	Provenance Provenance `json:"provenance"`
}

// Truncated says which streams were longer than what was kept.
type Truncated struct {
	Stdout bool `json:"stdout"`
	Stderr bool `json:"stderr"`
}

// File is one file that the host has verified. Path is relative to the output
// directory, slash-separated and clean.
type File struct {
	Path      string     `json:"path"`
	Bytes     int64      `json:"bytes"`
	SHA256    digest.Hex `json:"sha256"`
	MediaType string     `json:"media_type"`
	Role      string     `json:"role"` // "figure" or "file"
	// MetadataRemoved says that the file is a picture from which the host has taken what it
	// said beside its pixels, so that it is not byte for byte what the script wrote.
	MetadataRemoved bool `json:"metadata_removed,omitempty"`
	// Encoding is "base64" where Content holds the file, in an answer that was asked for it.
	// No record has them, nor what Verify and an engine process return.
	Encoding string  `json:"encoding,omitempty"`
	Content  *string `json:"content,omitempty"`
}

// Chart is a plotly figure's plain data, which has a Spec, or a picture of
// matplotlib's among the Files, which has a Path.
type Chart struct {
	Kind ChartKind       `json:"kind"`
	Path string          `json:"path,omitzero"`
	Spec json.RawMessage `json:"spec,omitzero"` // a JSON object: data, and perhaps layout
}

// ChartKind tells the two kinds of charts apart.
type ChartKind string

// The kinds.
const (
	ChartPlotly     ChartKind = "plotly"
	ChartMatplotlib ChartKind = "matplotlib"
)

// Error tells why the code did not succeed. Line is in the script, 1-based, or 0
// where there is none.
type Error struct {
	Type      string `json:"type"`
	Message   string `json:"message"`
	Line      int    `json:"line"`
	Traceback string `json:"traceback"`
}

// Violation is one broken rule. Rule is stable, for example "import.denied" or
// "output.symlink"; Line and Column are 1-based in the script, and 0 for a rule
// about output, whose Path then names the file.
type Violation struct {
	Rule    string `json:"rule"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Path    string `json:"path,omitempty"`
	Message string `json:"message"`
}

// ToolCall is one call of a tool by the code.
type ToolCall struct {
	Name       string `json:"name"`
	OK         bool   `json:"ok"`
	DurationMS int64  `json:"duration_ms"`
	// Error says why a call was refused or failed, in the host's words; "" with OK.
	Error string `json:"error,omitempty"`
}

// Usage is what the run consumed, read from the sandbox's cgroup by the host.
// A peak is -1 where this kernel does not count it. In a step of a session all but
// WallMS is -1: the kernel counts for the session as a whole.
type Usage struct {
	WallMS          int64 `json:"wall_ms"`
	CPUMS           int64 `json:"cpu_ms"`
	MemoryPeakBytes int64 `json:"memory_peak_bytes"`
	PIDsPeak        int64 `json:"pids_peak"`
}

// Provenance is what an auditor needs to repeat the run.
type Provenance struct {
	Runner       string        `json:"runner"` // version of the program that made the run and its record
	Policy       string        `json:"policy"`
	PolicySHA256 digest.Hex    `json:"policy_sha256"`
	Image        digest.Digest `json:"image"`
	Bundle       digest.Digest `json:"bundle"`         // or "" for a run without data
	Data         *Data         `json:"data,omitempty"` // what the bundle says of itself; nil for a run without data
	CodeSHA256   digest.Hex    `json:"code_sha256"`
	Engine       string        `json:"engine"`
	Runtime      string        `json:"runtime"` // name and version
	Kernel       string        `json:"kernel"`
	// CPU is the processor of the host. Libraries choose by it how they compute: between two
	// of them, the last digits of the same sums may differ.
	CPU       CPU       `json:"cpu"`
	Controls  []Control `json:"controls"`
	StartedAt time.Time `json:"started_at"`
	Guard     Guard     `json:"guard"`
	// InputsSHA256 is of the inputs as they came, which are not kept: they may hold
	// data. "" for a run without inputs.
	InputsSHA256 digest.Hex `json:"inputs_sha256,omitempty"`
	// Tables are those of the bundle that the script found loaded, in their prepared form.
	Tables []Table `json:"tables,omitzero"`
	// TablesSHA256 is of the store's list of all prepared tables of the bundle, by which these
	// were held. The audit chain has the same for the bundle. "" for a run without data.
	TablesSHA256 digest.Hex `json:"tables_sha256,omitempty"`
	// Imports are those to which the request narrowed the policy's; nil where it did not.
	Imports []string `json:"imports,omitzero"`
	// Session is the run id of the session that the script was a step of, or "".
	Session string `json:"session,omitempty"`
	// Actor is who asked for the run, as the audit chain has it; nil in records of versions
	// that did not say so.
	Actor *Actor `json:"actor,omitempty"`
	// Script is the name that the script had; without a path. Hostile.
	Script string `json:"script,omitempty"`
	// Seed is what random and numpy's own generator began with, for a script that gives them
	// none: the same one draws the same. 0 in records of versions that had none.
	Seed int64 `json:"seed,omitzero"`
	// Replicates is the run id of the run that this one repeats, or "".
	Replicates string `json:"replicates,omitempty"`
	// Sandbox is the id of the sandbox, by which the host's and the daemon's logs name
	// it; "" where none was made.
	Sandbox string `json:"sandbox,omitempty"`
}

// Table is a table as a run gets it: the store has prepared it from the bundle's file.
type Table struct {
	Name    string     `json:"name"`
	Rows    int64      `json:"rows"`
	Columns int        `json:"columns"`
	SHA256  digest.Hex `json:"sha256"` // of the prepared form
}

// Data is what a bundle's manifest says of it. The digest beside it holds all of that.
type Data struct {
	Name             string           `json:"name"`
	Version          string           `json:"version"`
	Study            string           `json:"study"`
	Deidentification Deidentification `json:"deidentification"`
}

// Deidentification is who has attested that the data may be analysed.
type Deidentification struct {
	Method     string `json:"method"` // as in bundle.json
	AttestedBy string `json:"attested_by"`
	AttestedOn string `json:"attested_on"` // YYYY-MM-DD
	Tool       string `json:"tool,omitempty"`
	ValidUntil string `json:"valid_until,omitempty"` // YYYY-MM-DD
	Protocol   string `json:"protocol,omitempty"`
	// SignedBy are the SHA-256s of the public keys whose signatures of it were there, and held.
	SignedBy []digest.Digest `json:"signed_by,omitempty"`
}

// CPU is a processor, by what changes the results of arithmetic.
type CPU struct {
	Model    string   `json:"model"`    // as the kernel names it; "" where it is not known
	Features []string `json:"features"` // its vector instructions, as the kernel spells them, sorted
}

// Guard says whether the guard vetted and confined the code.
type Guard string

// The two ways.
const (
	GuardEnforced Guard = "enforced"
	GuardOff      Guard = "off" // for probes of the container: a policy and its caller both asked for it
)

// Control is one means of isolation and whether this run had it.
type Control struct {
	Name   string `json:"name"`   // for example "user_namespace"
	Active bool   `json:"active"` // false only where the policy allows its absence
	Detail string `json:"detail,omitempty"`
}
