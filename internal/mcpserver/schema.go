package mcpserver

import (
	"fmt"
	"reflect"

	"github.com/google/jsonschema-go/jsonschema"

	"hotcell/internal/job"
)

// schemaOf is the schema of one of our own types. It names every member, and admits no other.
func schemaOf[T any]() *jsonschema.Schema {
	schema, err := jsonschema.For[T](&jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[job.ID](): {Type: "string"},
	}})
	if err != nil {
		panic(fmt.Errorf("make the schema of %v: %w", reflect.TypeFor[T](), err)) // a test makes each
	}
	withoutNull(schema)
	return schema
}

// withoutNull takes out that lists may be null: ours are not, and some clients do not take
// schemas that have several types.
func withoutNull(schema *jsonschema.Schema) {
	if len(schema.Types) == 2 && schema.Types[0] == "null" {
		schema.Type, schema.Types = schema.Types[1], nil
	}
	if schema.Items != nil {
		withoutNull(schema.Items)
	}
	for _, property := range schema.Properties {
		withoutNull(property)
	}
}
