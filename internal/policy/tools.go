package policy

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"hotcell/internal/durable"
	"hotcell/internal/job"
)

// Programs are the tools that the policy itself brings, as a request would bring them. One that
// somebody else than the administrator could have written is a *SiteError: whoever may ask for
// the policy has it run with the rights of the runner.
func (t *Tools) Programs() ([]job.Tool, error) {
	programs := make([]job.Tool, len(t.Registry))
	for index, each := range t.Registry {
		if err := trusted(each.Command); err != nil {
			return nil, &SiteError{"tool " + each.Name, err}
		}
		programs[index] = job.Tool{Name: each.Name, Command: slices.Clone(each.Command)}
		if each.Schema == nil {
			continue
		}
		schema, err := json.Marshal(each.Schema)
		if err != nil {
			return nil, fmt.Errorf("encode schema of tool %s: %w", each.Name, err)
		}
		programs[index].Schema = schema
	}
	return programs, nil
}

// trusted looks at a command, and at each file that its arguments name: that may be the script
// of an interpreter.
func trusted(command []string) error {
	for index, each := range command {
		if index > 0 && !namesFile(each) {
			continue
		}
		if err := durable.TrustedProgram(each); err != nil {
			return err
		}
	}
	return nil
}

func namesFile(argument string) bool {
	if !filepath.IsAbs(argument) {
		return false // a tool's directory is its call's own, and empty
	}
	info, err := os.Stat(argument)
	return err == nil && info.Mode().IsRegular()
}
