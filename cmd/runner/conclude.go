package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"syscall"

	"hotcell/internal/job"
	"hotcell/internal/runner"
)

// answered is a result as --json prints it: what became of the code, and how the
// command ends, which is the same in every answer.
type answered struct {
	ID json.RawMessage `json:"id,omitempty"` // of a session's step
	job.Result
	Trace    *job.Trace `json:"trace,omitempty"` // where --trace asks for it
	Paths    paths      `json:"paths"`
	ExitCode int        `json:"exit_code"`
}

// paths are where the host keeps what a run left, on this machine; "" for what there is
// not.
type paths struct {
	Record     string `json:"record"`
	Script     string `json:"script"`     // as it ran, where the policy keeps it
	Quarantine string `json:"quarantine"` // unverified
	Output     string `json:"output"`     // of --output, once the verified files are there
}

// hostError is a failure beside an answer: exit code 125, whatever it wraps. The
// code has run, so that it is nobody's mistake and no cancelling before a run.
type hostError struct{ error }

// Unwrap lets errors.Is and errors.As see the cause.
func (e hostError) Unwrap() error { return e.error }

// printed is how a command ends after its answer was printed, or was not: an answer
// that nobody could read is our failure.
func printed(broken, err error) error {
	if broken == nil {
		return err
	}
	if _, code := errors.AsType[exitError](err); code {
		err = nil // it has no words
	}
	return hostError{errors.Join(broken, err)}
}

// The types of an answer's error when not the code but we have failed.
const (
	exportFailed = "export.failed" // the verified files are in the record alone
	hostFailed   = "runner.failed"
)

// outcome is a command's end as its answer says it, and as its exit code does: both
// are made here, from one error, so that they cannot differ.
func outcome(response runner.Response, err error) (answered, error) {
	if err == nil && !errors.Is(response.StreamError, syscall.EPIPE) {
		err = response.StreamError // an output that is full, not one that nobody wants any more
	}
	said := answered{ExitCode: response.Result.Status.ExitCode(), Result: response.Result}
	said.Paths = paths{Record: response.RecordDir, Script: response.CodeFile, Quarantine: response.QuarantineDir}
	switch {
	case err != nil:
		said.ExitCode, said.Error = job.ExitInternal, ours(response, err)
		return said, hostError{err}
	case said.ExitCode != 0:
		return said, exitError(said.ExitCode)
	default:
		return said, nil
	}
}

// ours tells of our own failure in the place of the code's. What the code raised is
// in the record, and is named.
func ours(response runner.Response, err error) *job.Error {
	failure := &job.Error{Type: hostFailed, Message: err.Error()}
	if errors.Is(err, runner.ErrExport) {
		failure.Type = exportFailed
		failure.Message += "; " + instead(response)
	}
	if code := response.Result.Error; code != nil {
		failure.Message += fmt.Sprintf("; the code itself ended with %s: %s", code.Type, code.Message)
	}
	return failure
}

// instead is how to get files that could not be delivered.
func instead(response runner.Response) string {
	if response.Elsewhere != nil {
		return fmt.Sprintf("get them with `runner runs wait %s --output DIR`", response.Result.RunID)
	}
	return "copy them from " + filepath.Join(response.RecordDir, "files")
}

// delivered is the absolute path of the output directory, once it has the files.
func (a answered) delivered(dir string) string {
	if dir == "" || a.ExitCode != 0 {
		return ""
	}
	full, err := filepath.Abs(dir)
	if err != nil { // the current directory is gone
		return dir
	}
	return full
}
