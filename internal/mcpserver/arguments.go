package mcpserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"hotcell/internal/job"
	"hotcell/internal/strictjson"
)

// argumentError is a fault of a call's arguments. Its text repeats none of their values.
type argumentError struct{ error }

func refused(format string, values ...any) error {
	return argumentError{fmt.Errorf(format, values...)}
}

// runArguments ask for a run.
type runArguments struct {
	Policy         string `json:"policy" jsonschema:"name of the policy, as list_policies has it"`
	Bundle         string `json:"bundle,omitzero" jsonschema:"the data: a name, name@version or digest, as list_bundles has it. Leave out for a run without data"`
	Code           string `json:"code" jsonschema:"the Python script"`
	TimeoutS       int64  `json:"timeout_s,omitzero" jsonschema:"stop the run after so many seconds. Leave out for the policy's own limit, which this cannot exceed"`
	MaxOutputBytes int64  `json:"max_output_bytes,omitzero" jsonschema:"show at most so many bytes of what the run says: 8192 if left out"`
	IdempotencyKey string `json:"idempotency_key,omitzero" jsonschema:"a word of your own for this run, without white space. A second call with the same key and arguments gives the first one's run, and no other one is made. The run then goes on if this call is broken off"`
}

type checkArguments struct {
	Policy string `json:"policy" jsonschema:"name of the policy, as list_policies has it"`
	Code   string `json:"code" jsonschema:"the Python script"`
}

type waitArguments struct {
	RunID          string `json:"run_id" jsonschema:"as run_python has answered it"`
	TimeoutS       int64  `json:"timeout_s,omitzero" jsonschema:"wait at most so many seconds: 45 if left out"`
	MaxOutputBytes int64  `json:"max_output_bytes,omitzero" jsonschema:"show at most so many bytes of what the run says: 8192 if left out"`
}

type idArguments struct {
	RunID string `json:"run_id" jsonschema:"as run_python has answered it"`
}

type openArguments struct {
	Policy string `json:"policy" jsonschema:"name of a policy that has sessions, as list_policies has it"`
	Bundle string `json:"bundle,omitzero" jsonschema:"the data: a name, name@version or digest, as list_bundles has it. Leave out for a session without data"`
}

type stepArguments struct {
	SessionID      string `json:"session_id" jsonschema:"as session_open has answered it"`
	Code           string `json:"code" jsonschema:"the Python script. It finds what the steps before have left in memory"`
	TimeoutS       int64  `json:"timeout_s,omitzero" jsonschema:"stop the step after so many seconds. A step is stopped after 45 in any case"`
	MaxOutputBytes int64  `json:"max_output_bytes,omitzero" jsonschema:"show at most so many bytes of what the step says: 8192 if left out"`
}

type closeArguments struct {
	SessionID string `json:"session_id" jsonschema:"as session_open has answered it"`
}

type noArguments struct{}

type policyArguments struct {
	Policy string `json:"policy" jsonschema:"name of the policy, as list_policies has it"`
}

type bundleArguments struct {
	Bundle string `json:"bundle" jsonschema:"a name, name@version or digest, as list_bundles has it"`
}

type readArguments struct {
	RunID  string `json:"run_id" jsonschema:"as run_python has answered it"`
	Path   string `json:"path" jsonschema:"as list_files has it"`
	Offset int64  `json:"offset,omitzero" jsonschema:"begin behind so many bytes of the file"`
	Limit  int64  `json:"limit,omitzero" jsonschema:"read at most so many bytes: 8192 if left out"`
}

// span is what an argument may be: a number's value, or a text's length in bytes.
type span struct{ least, most int64 }

// How much of what a run says is shown.
const (
	shownBytes    = 8 << 10
	maxShownBytes = 64 << 10
)

// spans bound each argument. A schema has them, and the decoder has them from the schema.
func spans() map[string]span {
	return map[string]span{
		"policy": {1, 128}, "bundle": {1, 256}, "code": {1, maxMessage}, "timeout_s": {1, maxTimeout},
		"max_output_bytes": {256, maxShownBytes}, "idempotency_key": {1, 255},
		"run_id": {30, 30}, "session_id": {30, 30}, "path": {1, 4096}, "offset": {0, 1 << 40}, "limit": {256, maxShownBytes},
	}
}

// maxTimeout is a week, in seconds. A policy has less.
const maxTimeout = 7 * 24 * 60 * 60

// inputSchema is that of an arguments' type, without those that are decided already.
func inputSchema[In any](without ...string) *jsonschema.Schema {
	schema := schemaOf[In]()
	for name, property := range schema.Properties {
		if slices.Contains(without, name) {
			delete(schema.Properties, name)
			continue
		}
		bound(property, spans()[name])
	}
	if key := schema.Properties["idempotency_key"]; key != nil {
		key.Pattern = wordPattern
	}
	decided := func(name string) bool { return slices.Contains(without, name) }
	schema.Required = slices.DeleteFunc(schema.Required, decided)
	schema.PropertyOrder = slices.DeleteFunc(schema.PropertyOrder, decided)
	return schema
}

func bound(property *jsonschema.Schema, within span) {
	if property.Type == "integer" {
		property.Minimum, property.Maximum = new(float64(within.least)), new(float64(within.most))
		return
	}
	property.MinLength, property.MaxLength = new(int(within.least)), new(int(within.most))
}

// wordPattern is what a header of HTTP can carry, in which a key goes to a service.
const wordPattern = "^[!-~]+$"

var saneWord = regexp.MustCompile(wordPattern)

// decode reads a call's arguments as their schema has them, and refuses every other one: a name
// that is misspelt would leave out what the caller meant to ask for.
func decode(raw json.RawMessage, schema *jsonschema.Schema, into any) error {
	if len(raw) == 0 || string(raw) == "null" { // which some clients send for none
		raw = json.RawMessage("{}")
	}
	if err := strictjson.CheckValue(raw, maxDepth); err != nil {
		return argumentError{err}
	}
	if !strictjson.IsObject(raw) {
		return refused("the arguments are no JSON object")
	}
	members := strictjson.Members(raw)
	var faults []error
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if schema.Properties[name] == nil {
			faults = append(faults, refused("there is no argument %q here%s", short(name, 64), known(schema)))
		}
	}
	for _, name := range schema.Required {
		if members[name] == nil {
			faults = append(faults, refused("the argument %q is missing", name))
		}
	}
	if len(faults) > 0 {
		return argumentError{errors.Join(faults[:min(len(faults), maxFaults)]...)}
	}
	if err := strictjson.Decode(raw, len(raw), into); err != nil {
		return argumentError{err}
	}
	return within(members, schema)
}

// maxFaults is how many faults of a call are told.
const maxFaults = 8

// within holds arguments that have been decoded, and so are of their types, to what their schema
// says of numbers and of lengths. Lengths are in bytes: there are never fewer of them than characters.
func within(members map[string]json.RawMessage, schema *jsonschema.Schema) error {
	var faults []error
	for _, name := range slices.Sorted(maps.Keys(members)) {
		property := schema.Properties[name]
		if string(bytes.TrimSpace(members[name])) == "null" { // which would be 0, or ""
			faults = append(faults, refused("the argument %q is null: leave it out", name))
			continue
		}
		if property.Type == "integer" {
			var value int64
			err := strictjson.Decode(members[name], len(members[name]), &value)
			if least, most := int64(*property.Minimum), int64(*property.Maximum); err != nil || value < least || value > most {
				faults = append(faults, refused("the argument %q must be a whole number from %d to %d", name, least, most))
			}
			continue
		}
		var text string
		err := strictjson.Decode(members[name], len(members[name]), &text)
		if least, most := *property.MinLength, *property.MaxLength; err != nil || len(text) < least || len(text) > most {
			faults = append(faults, refused("the argument %q must be a text of %s", name, bytesFrom(least, most)))
		} else if property.Pattern != "" && !saneWord.MatchString(text) {
			faults = append(faults, refused("the argument %q must be letters, digits and signs of ASCII, without white space", name))
		}
	}
	if len(faults) > 0 {
		return argumentError{errors.Join(faults...)}
	}
	return nil
}

// known lists the arguments that there are, or says that there is none.
func known(schema *jsonschema.Schema) string {
	if len(schema.Properties) == 0 {
		return ": this tool has none"
	}
	return ": known are " + strings.Join(slices.Sorted(maps.Keys(schema.Properties)), ", ")
}

func bytesFrom(least, most int) string {
	if least == most {
		return fmt.Sprintf("%d bytes", most)
	}
	return fmt.Sprintf("%d to %d bytes", least, most)
}

func parseID(text, name string) (job.ID, error) {
	id, err := job.ParseID(text)
	if err != nil {
		return job.ID{}, refused("the argument %q is no id: 13 digits, a hyphen and 16 hexadecimal digits", name)
	}
	return id, nil
}
