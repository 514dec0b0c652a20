package policy

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"hotcell/policies"
)

// ErrInvalid is wrapped by Load for a policy that is not as it must be.
var ErrInvalid = errors.New("policy is not valid")

// maxPolicyBytes is many times the largest built-in policy.
const maxPolicyBytes = 256 << 10

// Load reads one policy file, strictly: one YAML document without anchors,
// aliases or tags, every key of the schema once and no other. name is the file's
// name without ".yaml". The error names file and line, and every fault that the
// schema finds.
func Load(name string, data []byte) (Policy, error) {
	policy, err := load(name, data)
	if err != nil {
		return Policy{}, fmt.Errorf("load policy %s: %w: %w", name, ErrInvalid, err)
	}
	return policy, nil
}

func load(name string, data []byte) (Policy, error) {
	if len(data) > maxPolicyBytes {
		return Policy{}, fmt.Errorf("file has %d bytes, at most %d are accepted", len(data), maxPolicyBytes)
	}
	if !utf8.Valid(data) {
		return Policy{}, errors.New("file is not valid UTF-8")
	}
	document, err := parse(data)
	if err != nil {
		return Policy{}, err
	}
	if err := validate(document); err != nil {
		return Policy{}, err
	}
	var policy Policy
	if err := yaml.NodeToValue(document, &policy, yaml.Strict()); err != nil {
		return Policy{}, errors.New(firstLine(err))
	}
	if policy.Name != name {
		return Policy{}, fmt.Errorf("its name is %q: a policy is named like its file", policy.Name)
	}
	if err := policy.Limits.check(); err != nil {
		return Policy{}, err
	}
	sum := sha256.Sum256(data)
	policy.SHA256 = hex.EncodeToString(sum[:])
	return policy, nil
}

// parse returns the only document's root.
func parse(data []byte) (ast.Node, error) {
	file, err := parser.ParseBytes(data, 0)
	if err != nil {
		return nil, errors.New(firstLine(err))
	}
	if len(file.Docs) != 1 || file.Docs[0].Body == nil {
		return nil, errors.New("file must hold exactly one YAML document")
	}
	forbidden := &indirections{}
	ast.Walk(forbidden, file.Docs[0].Body)
	return file.Docs[0].Body, errors.Join(forbidden.found...)
}

// indirections finds what makes a file mean something else than it shows.
type indirections struct{ found []error }

// Visit implements ast.Visitor.
func (v *indirections) Visit(node ast.Node) ast.Visitor {
	switch node.Type() {
	case ast.AnchorType, ast.AliasType, ast.TagType, ast.MergeKeyType, ast.DirectiveType:
		v.found = append(v.found, fmt.Errorf("line %d: anchors, aliases, merges, tags and directives are not accepted", line(node)))
	default:
	}
	return v
}

func line(node ast.Node) int { return node.GetToken().Position.Line }

// compiledSchema is made once: compiling takes longer than validating.
var compiledSchema = sync.OnceValues(func() (*jsonschema.Schema, error) {
	const location = "schema/policy.schema.json"
	file, err := policies.Files.Open(location)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	document, err := jsonschema.UnmarshalJSON(file)
	if err != nil {
		return nil, err
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource(location, document); err != nil {
		return nil, err
	}
	return compiler.Compile(location)
})

func validate(document ast.Node) error {
	schema, err := compiledSchema()
	if err != nil {
		return fmt.Errorf("compile policy schema: %w", err)
	}
	var value any
	if err := yaml.NodeToValue(document, &value); err != nil {
		return errors.New(firstLine(err))
	}
	err = schema.Validate(value)
	if fault, ok := errors.AsType[*jsonschema.ValidationError](err); ok {
		return errors.Join(faults(document, fault)...)
	}
	return err
}

// faults turns the leaves of a validation error into one sentence each.
func faults(document ast.Node, fault *jsonschema.ValidationError) []error {
	if len(fault.Causes) > 0 {
		var all []error
		for _, cause := range fault.Causes {
			all = append(all, faults(document, cause)...)
		}
		return all
	}
	if extra, ok := fault.ErrorKind.(*kind.AdditionalProperties); ok {
		var all []error
		for _, key := range extra.Properties {
			place := append(append([]string{}, fault.InstanceLocation...), key)
			all = append(all, fmt.Errorf("line %d: unknown key %s", lineOf(document, place), strings.Join(place, ".")))
		}
		return all
	}
	text := fault.ErrorKind.LocalizedString(message.NewPrinter(language.English))
	place := strings.Join(fault.InstanceLocation, ".")
	if place == "" {
		place = "policy"
	}
	return []error{fmt.Errorf("line %d: %s: %s", lineOf(document, fault.InstanceLocation), place, text)}
}

// lineOf returns the line of the deepest node on the way to place.
func lineOf(node ast.Node, place []string) int {
	at := line(node)
	for _, step := range place {
		next := child(node, step)
		if next == nil {
			return at
		}
		node, at = next.value, next.line
	}
	return at
}

type entry struct {
	value ast.Node
	line  int
}

func child(node ast.Node, step string) *entry {
	switch node := node.(type) {
	case *ast.MappingNode:
		for _, pair := range node.Values {
			if pair.Key.GetToken().Value == step {
				return &entry{pair.Value, line(pair.Key)}
			}
		}
	case *ast.SequenceNode:
		for index, value := range node.Values {
			if fmt.Sprint(index) == step {
				return &entry{value, line(value)}
			}
		}
	}
	return nil
}

// firstLine drops the excerpt of the source that the YAML library appends, and
// keeps its position, "[line:column] message".
func firstLine(err error) string {
	text, _, _ := strings.Cut(yaml.FormatError(err, false, false), "\n")
	return text
}
