package tool

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"hotcell/internal/strictjson"
)

// schemaName is what the schema is called where it refers to itself.
const schemaName = "hotcell:params"

// compileSchema returns nil for a tool that takes any object.
func compileSchema(schema json.RawMessage) (*checker, error) {
	if schema == nil {
		return nil, nil
	}
	if err := strictjson.CheckValue(schema, maxDepth); err != nil {
		return nil, fmt.Errorf("the schema is not acceptable: %w", err)
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		return nil, fmt.Errorf("the schema is not valid JSON: %w", err)
	}
	checker := &checker{}
	compiler := jsonschema.NewCompiler()
	compiler.UseLoader(noLoader{})
	compiler.UseRegexpEngine(checker.pattern)
	if err := compiler.AddResource(schemaName, document); err != nil {
		return nil, fmt.Errorf("read schema: %w", err)
	}
	compiled, err := compiler.Compile(schemaName)
	if err != nil {
		return nil, fmt.Errorf("compile schema: %w", schemaFault(err))
	}
	if err := checker.prepare(compiled); err != nil {
		return nil, fmt.Errorf("compile schema: %w", err)
	}
	return checker, nil
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

// checkParams holds parameters to the tool's schema. The error is a *refusal, or the
// cause of ctx's end.
func (e *entry) checkParams(ctx context.Context, params json.RawMessage) error {
	if e.checker == nil {
		return nil
	}
	// The wire has refused such values already. What is handed to a library is looked
	// at beside the library, for whoever calls.
	if err := strictjson.CheckValue(params, maxDepth); err != nil {
		return refuse("the parameters are not acceptable JSON")
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(params))
	if err != nil {
		return refuse("the parameters are not valid JSON")
	}
	err = e.checker.check(ctx, document, len(params))
	const kept = "the parameters do not fit the tool's schema"
	invalid, ok := errors.AsType[*jsonschema.ValidationError](err)
	switch {
	case err == nil:
		return nil
	case ok && invalid.ErrorKind == nil:
		return refuse(kept)
	case ok:
		return &refusal{told: kept + ": " + explain(invalid), kept: kept}
	case errors.Is(err, errTooComplex) || errors.Is(err, errTooLong):
		return refuse("%s", err)
	default:
		return err
	}
}

// maxExplanation bounds what a script is told of its own parameters.
const maxExplanation = 1000

// explain lists what is wrong, by its place in the parameters, as far as that is
// told.
func explain(invalid *jsonschema.ValidationError) string {
	english := message.NewPrinter(language.English)
	var text strings.Builder
	for leaf := range leaves(invalid) {
		if text.Len() > 0 {
			text.WriteString("; ")
		}
		text.WriteString("/" + strings.Join(leaf.InstanceLocation, "/") + " " + leaf.ErrorKind.LocalizedString(english))
		if text.Len() > maxExplanation {
			return strings.ToValidUTF8(text.String()[:maxExplanation], "") + "…"
		}
	}
	return strings.ToValidUTF8(text.String(), "?")
}

// leaves are the faults that have no cause of their own.
func leaves(invalid *jsonschema.ValidationError) iter.Seq[*jsonschema.ValidationError] {
	return func(yield func(*jsonschema.ValidationError) bool) { visitLeaves(invalid, yield) }
}

func visitLeaves(invalid *jsonschema.ValidationError, yield func(*jsonschema.ValidationError) bool) bool {
	if len(invalid.Causes) == 0 {
		return yield(invalid)
	}
	for _, cause := range invalid.Causes {
		if !visitLeaves(cause, yield) {
			return false
		}
	}
	return true
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
