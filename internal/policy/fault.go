package policy

import (
	"errors"
	"fmt"
	"strings"

	"hotcell/internal/strictyaml"
)

// ErrInvalid is wrapped for a policy that is not as it must be.
var ErrInvalid = errors.New("policy is not valid")

// Fault is one thing that is wrong with a policy file.
type Fault = strictyaml.Fault

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

// invalid is the error for a file with faults, or nil without any.
func invalid(name string, faults []Fault) error {
	if len(faults) == 0 {
		return nil
	}
	return &InvalidError{Name: name, Faults: strictyaml.Listed(faults)}
}
