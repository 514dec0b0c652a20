// Package policy reads policies strictly and resolves them, with a request, to
// terms.
//
// It decides what a run may have: a request can only tighten what its policy
// says. It does not enforce anything; the engines, the guard and internal/output
// do. Use Catalog to find a policy by name, and Resolve.
package policy

import (
	"fmt"
	"math"
	"time"

	"hotcell/internal/job"
)

// Policy is one policy file. policies/schema/policy.schema.json tells what each
// field means and which values it may have.
type Policy struct {
	Version     int       `yaml:"version"`
	Name        string    `yaml:"name"`
	Description string    `yaml:"description"`
	Image       string    `yaml:"image"`
	Limits      Limits    `yaml:"limits"`
	Isolation   Isolation `yaml:"isolation"`
	Guard       Guard     `yaml:"guard"`
	Output      Output    `yaml:"output"`
	Record      Record    `yaml:"record"`

	// SHA256 of the file's bytes, 64 lower-case hexadecimal digits.
	SHA256 string `yaml:"-"`
}

// Limits is job.Limits as people write it.
type Limits struct {
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
}

// Isolation is what the container must have.
type Isolation struct {
	Seccomp          string   `yaml:"seccomp"`
	OptionalControls []string `yaml:"optional_controls"`
}

// Guard is what the guard allows, above its own floor.
type Guard struct {
	Imports          []string `yaml:"imports"`
	DeniedBuiltins   []string `yaml:"denied_builtins"`
	DeniedAttributes []string `yaml:"denied_attributes"`
	MaxFigures       int      `yaml:"max_figures"`
}

// Output is what may leave.
type Output struct {
	MediaTypes       []string `yaml:"media_types"`
	MaxDepth         int      `yaml:"max_depth"`
	WhenStdoutIsFull Overflow `yaml:"when_stdout_is_full"`
}

// Overflow says what happens to a run that prints more than is kept.
type Overflow string

// The two ways. Either way no more than the limit is kept.
const (
	OverflowTruncate Overflow = "truncate"
	OverflowEnd      Overflow = "end"
)

// Record is what is kept.
type Record struct {
	KeepCode KeepCode `yaml:"keep_code"`
}

// KeepCode says when the executed code is saved beside the record.
type KeepCode string

// The choices.
const (
	KeepCodeOnSuccess KeepCode = "on_success"
	KeepCodeAlways    KeepCode = "always"
	KeepCodeNever     KeepCode = "never"
)

// Terms is a policy and a request, resolved: what one run may have.
type Terms struct {
	Policy      Policy
	Limits      job.Limits
	ReportBytes int64
}

// resolved returns the policy's own limits.
func (l Limits) resolved() job.Limits {
	return job.Limits{
		MemoryBytes: int64(l.Memory), PIDs: l.PIDs, CPUMillis: int64(math.Round(l.CPUs * 1000)),
		WallClock: l.WallClock, CPUTime: l.CPUTime, OpenFiles: l.OpenFiles, ScratchBytes: int64(l.Scratch),
		OutputBytes: int64(l.OutputBytes), OutputFiles: l.OutputFiles,
		StdoutBytes: int64(l.Stdout), StderrBytes: int64(l.Stderr), CodeBytes: int64(l.Code),
	}
}

// maxReport is the most that the protocol between host and guard carries.
const maxReport Size = 64 << 20

// check finds what the schema's patterns cannot say.
func (l Limits) check() error {
	if l.Report > maxReport {
		return fmt.Errorf("limits.report of %s is above %s", l.Report, maxReport)
	}
	return l.resolved().Validate()
}
