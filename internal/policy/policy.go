// Package policy reads policies strictly and resolves them, with a request, to
// terms.
//
// It decides what a run may have: a request can only tighten what its policy
// says. It does not enforce anything; the engines, the guard and internal/output
// do. Use Catalog to find a policy by name, and Resolve.
package policy

import (
	"math"
	"slices"
	"time"

	"hotcell/internal/container"
	"hotcell/internal/digest"
	"hotcell/internal/job"
	"hotcell/internal/wire"
)

// Policy is one policy file. policies/schema/policy.schema.json tells what each
// field means and which values it may have.
type Policy struct {
	Version     int       `yaml:"version"`
	Name        string    `yaml:"name"`
	Description string    `yaml:"description"`
	Image       string    `yaml:"image"`
	Limits      Ceilings  `yaml:"limits"`
	Isolation   Isolation `yaml:"isolation"`
	Guard       Guard     `yaml:"guard"`
	Output      Output    `yaml:"output"`
	Record      Record    `yaml:"record"`
	Tools       *Tools    `yaml:"tools"`   // nil: the code has no tools
	Session     *Session  `yaml:"session"` // nil: no sessions
	// Disclosure is how what leaves is looked at for what it may tell of a person; nil: it is not.
	Disclosure *Disclosure `yaml:"disclosure"`
	// Attestation is which bundles are accepted, by what is attested of them; nil: any.
	Attestation *Attestation `yaml:"attestation"`

	// SHA256 of the file's bytes and those of the import profiles that it names, 64
	// lower-case hexadecimal digits; docs/policy.md says how to compute it.
	SHA256 digest.Hex `yaml:"-"`
}

// Ceilings is job.Ceilings as people write it.
type Ceilings struct {
	Memory      Size          `yaml:"memory"`
	PIDs        int64         `yaml:"pids"`
	CPUs        float64       `yaml:"cpus"`
	WallClock   time.Duration `yaml:"wall_clock"`
	CPUTime     time.Duration `yaml:"cpu_time"`
	OpenFiles   int64         `yaml:"open_files"`
	Scratch     Size          `yaml:"scratch"`
	OutputBytes Size          `yaml:"output_bytes"`
	OutputFiles int64         `yaml:"output_files"`
	Stdout      Size          `yaml:"stdout"`
	Stderr      Size          `yaml:"stderr"`
	Code        Size          `yaml:"code"`
	Report      Size          `yaml:"report"`
	Inputs      Size          `yaml:"inputs"`
	// Budgets of the guard's; 0, by leaving them out, means that nothing is counted.
	Operations     int64 `yaml:"operations"`
	LoopIterations int64 `yaml:"loop_iterations"`
}

// Isolation is what the container must have.
type Isolation struct {
	Seccomp          string   `yaml:"seccomp"`
	OptionalControls []string `yaml:"optional_controls"`
	RequiredControls []string `yaml:"required_controls"` // of container.ExtraControls
	Warm             Warm     `yaml:"warm"`
}

// Warm says whether a run may get a sandbox that was there before it was asked for.
// Whatever is not WarmAllowed forbids it.
type Warm string

// The choices.
const (
	// WarmAllowed lets a run have a sandbox whose guard was forked from a template that
	// has imported its packages and loaded the bundle's tables. Runs of one template
	// share the layout of one address space: ASLR is the template's, and an address that
	// one of them learns is the same in the others.
	WarmAllowed Warm = "allowed"
	// WarmNever makes a sandbox for each run, with an address space laid out for it alone.
	WarmNever Warm = "never"
)

// MayLack lists the controls that a host may lack, in the order of container.Controls.
func (i Isolation) MayLack() []string {
	optional := append(without(container.ExtraControls(), i.RequiredControls), i.OptionalControls...)
	return slices.DeleteFunc(container.Controls(), func(control string) bool { return !slices.Contains(optional, control) })
}

// Guard is what the guard allows, above its own floor.
type Guard struct {
	Mode             GuardMode         `yaml:"mode"`
	ImportProfiles   []string          `yaml:"import_profiles"` // files of policies/imports
	Imports          []string          `yaml:"imports"`         // once loaded, the profiles' too: sorted, each once
	Preloaded        map[string]string `yaml:"preloaded"`       // name in the script → module, or module:name
	DeniedBuiltins   []string          `yaml:"denied_builtins"`
	DeniedAttributes []string          `yaml:"denied_attributes"`
	DeniedSyntax     []string          `yaml:"denied_syntax"`   // classes of Python's ast module
	RequiredTables   []string          `yaml:"required_tables"` // of the bundle
	Inputs           wire.Inputs       `yaml:"inputs"`
	MaxFigures       int               `yaml:"max_figures"`
}

// GuardMode says whether the guard guards. Whatever is not GuardOff enforces.
type GuardMode string

// The choices.
const (
	GuardEnforce GuardMode = "enforce"
	// GuardOff lets the code do in its process what it likes: nothing is vetted, and
	// no import, builtin or file is kept from it. The container, both stages of seccomp
	// and the host's checks hold. It is for probes of these.
	GuardOff GuardMode = "off"
)

// Tools is what the code may call on the host.
type Tools struct {
	// Allowed names the tools that may be called, whether of Registry or of the
	// caller's; "*" allows every tool that the caller brings.
	Allowed     []string      `yaml:"allowed"`
	MaxCalls    int64         `yaml:"max_calls"` // in one script, refused ones included
	CallTimeout time.Duration `yaml:"call_timeout"`
	Params      Size          `yaml:"params"` // of one call
	Answer      Size          `yaml:"answer"` // of one call
	Registry    []Tool        `yaml:"registry"`
}

// Tool is a tool that the policy itself brings. Command is an argument vector whose
// first element is an absolute path; Schema is the JSON Schema of the parameters.
type Tool struct {
	Name    string         `yaml:"name"`
	Command []string       `yaml:"command"`
	Schema  map[string]any `yaml:"schema"`
}

// Session bounds a sandbox that runs one script after the other.
type Session struct {
	MaxSteps  int64         `yaml:"max_steps"`
	WallClock time.Duration `yaml:"wall_clock"` // from start to end, whatever it does
	Idle      time.Duration `yaml:"idle"`       // between two steps
	CPUTime   time.Duration `yaml:"cpu_time"`   // of all its scripts together; 0 for Limits.CPUTime
}

// Attestation is what must be attested of a bundle's de-identification, and by whom.
type Attestation struct {
	Methods []string      `yaml:"methods"` // as in bundle.json, of which it must have one
	Studies []string      `yaml:"studies"` // of which it must be one's; none: any study's
	Signers []string      `yaml:"signers"` // SHA-256s of public keys, of which one must have signed; none: no signature is needed
	Expired ExpiredAnswer `yaml:"expired"`
	// ValidUntil is ValidUntilRequired where a bundle's attestation must say when it ends, or "".
	ValidUntil string `yaml:"valid_until"`
}

// ValidUntilRequired is the one choice of Attestation.ValidUntil.
const ValidUntilRequired = "required"

// ExpiredAnswer says what becomes of a bundle whose attestation has ended. Whatever is not
// ExpiredAccept refuses it.
type ExpiredAnswer string

// The choices.
const (
	ExpiredRefuse ExpiredAnswer = "refuse"
	ExpiredAccept ExpiredAnswer = "accept"
)

// Disclosure is how what leaves is looked at for what it may tell of a person, and what becomes
// of what is found.
type Disclosure struct {
	Mode       DisclosureMode `yaml:"mode"`
	MinCell    int64          `yaml:"min_cell"`    // fewest persons that a count may stand for
	MaxRows    int64          `yaml:"max_rows"`    // of a table
	CopiedRows int64          `yaml:"copied_rows"` // how many rows of the bundle are too many in a table
}

// DisclosureMode says what becomes of a finding. Whatever is not DisclosureFlag refuses.
type DisclosureMode string

// The choices.
const (
	DisclosureFlag   DisclosureMode = "flag"   // the result says that somebody should look
	DisclosureRefuse DisclosureMode = "refuse" // the run is output_rejected
)

// AnswerForm says what Result.Output is made of.
type AnswerForm string

// The choices.
const (
	AnswerStdout AnswerForm = "stdout" // what the code printed
	AnswerResult AnswerForm = "result" // the result as text: itself when it is a string, else JSON
	AnswerChart  AnswerForm = "chart"  // result = {"output": …, "chart": …}, or what the code printed
	AnswerLast   AnswerForm = "last"   // the value of the last statement, as text like result's
)

// Output is what may leave.
type Output struct {
	MediaTypes       []string   `yaml:"media_types"`
	MaxDepth         int        `yaml:"max_depth"`
	WhenStdoutIsFull Overflow   `yaml:"when_stdout_is_full"`
	Answer           AnswerForm `yaml:"answer"`
	// OnUnacceptedFile is what a file of no accepted ending, or of content that cannot leave,
	// does to the others. Whatever is not UnacceptedDrop rejects them all.
	OnUnacceptedFile Unaccepted `yaml:"on_unaccepted_file"`
	// PictureMetadata is what becomes of a PNG or JPEG picture that says something beside its
	// pixels. Whatever is not PictureMetadataRefuse takes that out.
	PictureMetadata PictureMetadata `yaml:"picture_metadata"`
}

// Unaccepted says what a file costs that cannot leave by its ending or its content.
type Unaccepted string

// The choices.
const (
	UnacceptedReject Unaccepted = "reject" // the run's whole output, as any other fault does
	UnacceptedDrop   Unaccepted = "drop"   // itself: it goes to quarantine, with a warning
)

// PictureMetadata says what becomes of what a picture says beside its pixels.
type PictureMetadata string

// The choices. Under either nothing of it leaves.
const (
	PictureMetadataRemove PictureMetadata = "remove" // it is taken out
	PictureMetadataRefuse PictureMetadata = "refuse" // the picture is a file that cannot leave
)

// Overflow says what happens to a run that prints more than is kept.
type Overflow string

// The two ways. Either way no more than the limit is kept.
const (
	OverflowTruncate Overflow = "truncate"
	OverflowEnd      Overflow = "end"
)

// Record is what is kept.
type Record struct {
	KeepCode  KeepCode   `yaml:"keep_code"`
	Retention *Retention `yaml:"retention"` // nil: all is kept until somebody removes it
}

// Retention is how long what is kept of this policy's runs is kept. What has no Keep is kept
// until somebody removes it. Nothing is deleted but by `runner gc`, and nothing that is held.
type Retention struct {
	Records    *Keep `yaml:"records"`     // all of a run
	Code       *Keep `yaml:"code"`        // the saved code, of runs that succeeded
	FailedCode *Keep `yaml:"failed_code"` // the saved code, of all others
	Quarantine *Keep `yaml:"quarantine"`
	Bundles    *Keep `yaml:"bundles"` // since a run had it last
	Images     *Keep `yaml:"images"`  // since a run had it last
}

// Keep bounds what is kept: what is older than Days, what is beyond the newest Count, and
// what is beyond the newest that together have Bytes. 0 bounds nothing.
type Keep struct {
	Days  int64 `yaml:"days"`
	Count int64 `yaml:"count"`
	Bytes Size  `yaml:"bytes"`
}

// KeepCode says when the executed code is saved beside the record.
type KeepCode string

// The choices.
const (
	KeepCodeOnSuccess KeepCode = "on_success"
	KeepCodeAlways    KeepCode = "always"
	KeepCodeNever     KeepCode = "never"
)

// Terms is a policy and a request, resolved: what one run may have. ReportBytes
// bounds the guard's report, InputBytes the request's inputs as JSON.
type Terms struct {
	Policy      Policy
	Limits      job.Limits
	Budgets     job.Budgets
	ReportBytes int64
	InputBytes  int64
}

// resolved returns the policy's own limits.
func (l Ceilings) resolved() job.Limits {
	return job.Limits{
		MemoryBytes: int64(l.Memory), PIDs: l.PIDs, CPUMillis: int64(math.Round(l.CPUs * 1000)),
		WallClock: l.WallClock, CPUTime: l.CPUTime, OpenFiles: l.OpenFiles, ScratchBytes: int64(l.Scratch),
		OutputBytes: int64(l.OutputBytes), OutputFiles: l.OutputFiles,
		StdoutBytes: int64(l.Stdout), StderrBytes: int64(l.Stderr), CodeBytes: int64(l.Code),
	}
}
