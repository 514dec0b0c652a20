package policy

import (
	"encoding/json"
	"fmt"
	"slices"

	"hotcell/internal/job"
)

// Programs are the tools that the policy itself brings, as a request would bring them.
func (t *Tools) Programs() ([]job.Tool, error) {
	programs := make([]job.Tool, len(t.Registry))
	for index, each := range t.Registry {
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
