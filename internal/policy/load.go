package policy

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"

	"hotcell/internal/digest"
	"hotcell/internal/strictyaml"
	"hotcell/policies"
)

const schemaFile = "schema/policy.schema.json"

// Schema returns the JSON Schema of policies, as it is published in
// policies/schema.
func Schema() ([]byte, error) { return policies.Files.ReadFile(schemaFile) }

// loadedSchema is made once.
var loadedSchema = sync.OnceValues(func() (strictyaml.Schema, error) {
	data, err := Schema()
	if err != nil {
		return strictyaml.Schema{}, err
	}
	return strictyaml.NewSchema(schemaFile, data)
})

// load reads one policy file, strictly: one YAML document without anchors,
// aliases or tags, every key of the schema once and no other. name is the file's
// name without ".yaml". What is wrong with the file is an *InvalidError, with every
// fault and its line.
func load(name string, data []byte) (Policy, error) {
	document, faults := strictyaml.Parse(data)
	if faults != nil {
		return Policy{}, invalid(name, faults)
	}
	policy, faults, err := decode(name, document)
	if err != nil {
		return Policy{}, fmt.Errorf("load policy %s: %w", name, err)
	}
	if faults != nil {
		return Policy{}, invalid(name, faults)
	}
	profiles, err := importProfiles(policy.Guard.ImportProfiles)
	if err != nil {
		return Policy{}, fmt.Errorf("load policy %s: %w", name, err)
	}
	policy.Guard.Imports = joinImports(profiles, policy.Guard.Imports)
	policy.SHA256 = sumOf(data, profiles)
	return policy, nil
}

// decode finds all faults at once: the schema's, and those of what could be
// decoded in spite of them.
func decode(name string, document ast.Node) (Policy, []Fault, error) {
	schema, err := loadedSchema()
	if err != nil {
		return Policy{}, nil, fmt.Errorf("compile policy schema: %w", err)
	}
	floor, err := loadedFloor()
	if err != nil {
		return Policy{}, nil, err
	}
	known, err := loadedNames()
	if err != nil {
		return Policy{}, nil, err
	}
	faults := schema.Faults(document)
	var options []yaml.DecodeOption
	if faults == nil {
		options = append(options, yaml.Strict())
	}
	var policy Policy
	if err := yaml.NodeToValue(document, &policy, options...); err != nil {
		if faults == nil {
			faults = []Fault{strictyaml.FaultOf(err)}
		}
		return Policy{}, faults, nil
	}
	check := checker{policy: policy, document: document, floor: floor, known: known}
	if policy.Name != name {
		check.add(strictyaml.Place{"name"}, "it is %q: a policy is named like its file, %s", policy.Name, name)
	}
	if err := policy.Limits.resolved().Validate(); faults == nil && err != nil {
		check.add(strictyaml.Place{"limits"}, "%s", err)
	}
	return policy, append(faults, check.run()...), nil
}

// sumOf covers what the policy says by naming it, too: the bytes of the file, then
// those of every import profile that it names or that these include, by name.
func sumOf(data []byte, profiles map[string]ImportProfile) digest.Hex {
	sum := digest.New()
	_, _ = sum.Write(data) // never an error
	for _, name := range slices.Sorted(maps.Keys(profiles)) {
		_, _ = sum.Write(profiles[name].source)
	}
	return sum.Digest().Hex()
}
