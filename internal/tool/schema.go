package tool

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"hotcell/internal/strictjson"
)

// schemaName is what the schema is called where it refers to itself.
const schemaName = "hotcell:params"

// compileSchema returns nil for a tool that takes any object. Patterns are Go's
// regular expressions, which take time linear in their input: a hostile parameter
// cannot make the check hang.
func compileSchema(schema json.RawMessage) (*jsonschema.Schema, error) {
	if schema == nil {
		return nil, nil
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		return nil, fmt.Errorf("the schema is not valid JSON: %w", err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.UseLoader(noLoader{})
	if err := compiler.AddResource(schemaName, document); err != nil {
		return nil, fmt.Errorf("read schema: %w", err)
	}
	compiled, err := compiler.Compile(schemaName)
	if err != nil {
		return nil, fmt.Errorf("compile schema: %w", schemaFault(err))
	}
	return compiled, nil
}

// schemaFault says in one line where a schema is not one.
func schemaFault(err error) error {
	broken, ok := errors.AsType[*jsonschema.SchemaValidationError](err)
	if !ok {
		return err
	}
	invalid, ok := errors.AsType[*jsonschema.ValidationError](broken.Err)
	if !ok {
		return err
	}
	return errors.New("it is not a JSON Schema: " + explain(invalid))
}

// noLoader refuses to fetch what a schema refers to: the library would open
// file:///etc/shadow for a $ref.
type noLoader struct{}

// Load implements jsonschema.URLLoader.
func (noLoader) Load(url string) (any, error) {
	return nil, fmt.Errorf("%q lies outside the schema: write it into the schema itself", url)
}

// checkParams holds parameters to the tool's schema. The error is a *refusal.
func (e *entry) checkParams(params json.RawMessage) error {
	if e.schema == nil {
		return nil
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(params))
	if err != nil {
		return refuse("the parameters are not valid JSON")
	}
	err = e.schema.Validate(document)
	if err == nil {
		return nil
	}
	const kept = "the parameters do not fit the tool's schema"
	invalid, ok := errors.AsType[*jsonschema.ValidationError](err)
	if !ok {
		return refuse(kept)
	}
	return &refusal{told: kept + ": " + explain(invalid), kept: kept}
}

// maxExplanation bounds what a script is told of its own parameters.
const maxExplanation = 1000

// explain lists what is wrong, by its place in the parameters.
func explain(invalid *jsonschema.ValidationError) string {
	english := message.NewPrinter(language.English)
	var parts []string
	for _, leaf := range leaves(invalid) {
		place := "/" + strings.Join(leaf.InstanceLocation, "/")
		parts = append(parts, place+" "+leaf.ErrorKind.LocalizedString(english))
	}
	text := strings.ToValidUTF8(strings.Join(parts, "; "), "?")
	if len(text) > maxExplanation {
		text = strings.ToValidUTF8(text[:maxExplanation], "") + "…"
	}
	return text
}

func leaves(invalid *jsonschema.ValidationError) []*jsonschema.ValidationError {
	if len(invalid.Causes) == 0 {
		return []*jsonschema.ValidationError{invalid}
	}
	var found []*jsonschema.ValidationError
	for _, cause := range invalid.Causes {
		found = append(found, leaves(cause)...)
	}
	return found
}

// maxDepth of an answer: Python's own reader gives up at about a thousand.
const maxDepth = 128

// checkAnswer refuses what a reader in the sandbox would stumble over: broken or
// ambiguous JSON, and nesting without end.
func checkAnswer(answer json.RawMessage) error {
	if err := strictjson.CheckValue(answer, maxDepth); err != nil {
		return &refusal{told: "the tool's answer is not acceptable JSON", kept: "the tool's answer is not acceptable: " + err.Error()}
	}
	return nil
}
