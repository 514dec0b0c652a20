package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"hotcell/internal/digest"
	"hotcell/internal/job"
	"hotcell/internal/policy"
)

func (a *app) policyValidate() *cobra.Command {
	return &cobra.Command{
		Use:   "validate FILE...",
		Short: "Check policy files, and name every fault with its line",
		Long: `Check policy files as a run would: against the schema, against the guard's floor, and
for contradictions. Each fault is one line, FILE:LINE: what is wrong. The exit code
is 2 if there is one.`,
		Example: "  runner policy validate " + policyDir + "/*.yaml",
		Args:    arguments(1, 1000, "at least one file"),
		RunE:    func(_ *cobra.Command, args []string) error { return a.validatePolicies(args) },
	}
}

// validated is what has been found in one file.
type validated struct {
	File   string         `json:"file"`
	Valid  bool           `json:"valid"`
	SHA256 digest.Hex     `json:"sha256,omitempty"`
	Faults []policy.Fault `json:"faults"`
}

func (a *app) validatePolicies(files []string) error {
	all := make([]validated, 0, len(files))
	good := true
	for _, file := range files {
		one, err := validatePolicy(file)
		if err != nil {
			return err
		}
		good = good && one.Valid
		all = append(all, one)
	}
	if err := a.showValidated(all); err != nil {
		return err
	}
	if !good {
		return exitError(job.ExitUsage)
	}
	return nil
}

// validatePolicy finds what is wrong with one file. Its error is ours.
func validatePolicy(file string) (validated, error) {
	found, err := policy.LoadFile(file)
	if err == nil {
		_, err = policy.Resolve(found.Policy, job.Overrides{}) // limits in which nothing starts
		err = wrongFile(err)
	}
	if err == nil {
		err = wrongProfile(found.Policy.Isolation.Seccomp)
	}
	if err == nil {
		return validated{File: file, Valid: true, SHA256: found.Policy.SHA256, Faults: []policy.Fault{}}, nil
	}
	if invalid, ok := errors.AsType[*policy.InvalidError](err); ok {
		return validated{File: file, Faults: invalid.Faults}, nil
	}
	if errors.Is(err, policy.ErrNotAFile) {
		return validated{File: file, Faults: []policy.Fault{{Message: err.Error()}}}, nil
	}
	return validated{}, err
}

// wrongFile makes a fault of the file as a whole of what Resolve refuses.
func wrongFile(err error) error {
	if err == nil {
		return nil
	}
	return &policy.InvalidError{Faults: []policy.Fault{{Message: err.Error()}}}
}

// wrongProfile loads and compiles the seccomp profile, as a run would.
func wrongProfile(name string) error {
	found, err := profile(name)
	if err == nil {
		_, err = found.Compile()
	}
	if unknown, ok := errors.AsType[usageError](err); ok {
		return &policy.InvalidError{Faults: []policy.Fault{{Message: "isolation.seccomp: " + unknown.Error()}}}
	}
	return err
}

func (a *app) showValidated(all []validated) error {
	if a.json {
		return a.printJSON(map[string]any{"files": all})
	}
	for _, one := range all {
		if one.Valid {
			fmt.Fprintf(a.stdout, "%s: valid, sha256 %s\n", inLine(one.File), one.SHA256)
		}
		for _, fault := range one.Faults {
			place := one.File
			if fault.Line > 0 {
				place = fmt.Sprintf("%s:%d", one.File, fault.Line)
			}
			fmt.Fprintln(a.stdout, inLine(place+": "+fault.Message))
		}
	}
	return nil
}
