package policy

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// maxFaults of one file are listed. Each is looked up in the document and compared with
// what is known: tens of thousands, which fit into a file, took minutes.
const maxFaults = 100

// ErrInvalid is wrapped for a policy that is not as it must be.
var ErrInvalid = errors.New("policy is not valid")

// Fault is one thing that is wrong with a policy file. Line is 1-based, or 0 for
// what concerns the file as a whole.
type Fault struct {
	Line    int    `json:"line"`
	Message string `json:"message"`
}

// String is the sentence with its line.
func (f Fault) String() string {
	if f.Line == 0 {
		return f.Message
	}
	return fmt.Sprintf("line %d: %s", f.Line, f.Message)
}

// InvalidError is the faults of one file, by line, but no more than 100
// and a line that says so. It is ErrInvalid.
type InvalidError struct {
	Name   string
	Faults []Fault
}

// Error lists the faults, one to a line.
func (e *InvalidError) Error() string {
	lines := make([]string, len(e.Faults))
	for index, fault := range e.Faults {
		lines[index] = fault.String()
	}
	return fmt.Sprintf("load policy %s: %s: %s", e.Name, ErrInvalid, strings.Join(lines, "\n"))
}

// Unwrap returns ErrInvalid.
func (e *InvalidError) Unwrap() error { return ErrInvalid }

// invalid sorts faults by line and leaves out repetitions, or returns nil without
// any.
func invalid(name string, faults []Fault) error {
	if len(faults) == 0 {
		return nil
	}
	slices.SortStableFunc(faults, func(a, b Fault) int { return cmp.Compare(a.Line, b.Line) })
	faults = slices.Compact(faults)
	if len(faults) > maxFaults {
		faults = append(faults[:maxFaults:maxFaults], Fault{Message: fmt.Sprintf("there are more than these %d faults: correct them first", maxFaults)})
	}
	return &InvalidError{Name: name, Faults: faults}
}

func wholeFile(format string, args ...any) []Fault {
	return []Fault{{Message: fmt.Sprintf(format, args...)}}
}
