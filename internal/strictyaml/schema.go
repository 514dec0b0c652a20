package strictyaml

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// Schema is a JSON Schema that files are held to.
type Schema struct {
	compiled *jsonschema.Schema
	document any // the same as plain values, for its words
}

// NewSchema compiles a schema, which takes longer than to validate by it. name is its file's.
func NewSchema(name string, data []byte) (Schema, error) {
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		return Schema{}, err
	}
	compiler := jsonschema.NewCompiler()
	compiler.UseLoader(jsonschema.SchemeURLLoader{}) // it names nothing outside
	if err := compiler.AddResource(name, document); err != nil {
		return Schema{}, err
	}
	compiled, err := compiler.Compile(name)
	return Schema{compiled, document}, err
}

// Faults validates a document and says in words what the schema finds.
func (s Schema) Faults(document ast.Node) []Fault {
	var value any
	if err := yaml.NodeToValue(document, &value); err != nil {
		return []Fault{FaultOf(err)}
	}
	err := s.compiled.Validate(value)
	if err == nil {
		return nil
	}
	found, ok := errors.AsType[*jsonschema.ValidationError](err)
	if !ok {
		return wholeFile("%s", err)
	}
	return s.sentences(document, found)
}

// sentences turns the leaves of a validation error into faults.
func (s Schema) sentences(document ast.Node, found *jsonschema.ValidationError) []Fault {
	at := Place(found.InstanceLocation)
	switch what := found.ErrorKind.(type) {
	case *kind.AdditionalProperties:
		return at.each(document, what.Properties, "unknown key %s: known are "+strings.Join(s.keys(found), ", "))
	case *kind.Required:
		return at.missing(document, what.Missing)
	case *kind.UniqueItems:
		second := strconv.Itoa(what.Duplicates[1])
		return []Fault{{LineOf(document, append(at, second)), fmt.Sprintf("%s: the same stands twice", at)}}
	case *kind.PropertyNames:
		at = s.placeOf(found)
		return []Fault{{LineOf(document, append(at, what.Property)), fmt.Sprintf("%s: the name %q is not valid. %s", at, what.Property, s.causeWords(found))}}
	default:
	}
	if len(found.Causes) == 0 {
		return []Fault{s.leaf(document, found)}
	}
	var all []Fault
	for _, cause := range found.Causes {
		if len(all) > MaxFaults {
			break
		}
		all = append(all, s.sentences(document, cause)...)
	}
	return all
}

// leaf says what is wrong with one value, and in the schema's words what is not.
func (s Schema) leaf(document ast.Node, found *jsonschema.ValidationError) Fault {
	var text string
	switch what := found.ErrorKind.(type) {
	case *kind.Pattern:
		text = fmt.Sprintf("%q is not valid", what.Got)
	case *kind.Enum:
		text = fmt.Sprintf("%v is unknown", what.Got)
		if len(what.Want) <= maxListed {
			text += ": known are " + listed(what.Want)
		}
	case *kind.Minimum:
		text = fmt.Sprintf("it must be %s or more, not %s", what.Want.RatString(), what.Got.RatString())
	case *kind.Maximum:
		text = fmt.Sprintf("it must be %s or less, not %s", what.Want.RatString(), what.Got.RatString())
	case *kind.Type:
		text = fmt.Sprintf("it must be %s, not %s", typeWords(what.Want...), typeWords(what.Got))
	default:
		text = what.LocalizedString(message.NewPrinter(language.English))
	}
	if words := s.words(found); words != "" {
		text += ". " + words
	}
	return Fault{LineOf(document, found.InstanceLocation), fmt.Sprintf("%s: %s", Place(found.InstanceLocation), text)}
}

// listed is values as people write them: a, b, c.
func listed(values []any) string {
	words := make([]string, len(values))
	for index, value := range values {
		words[index] = fmt.Sprint(value)
	}
	return strings.Join(words, ", ")
}

// typeWords names types of JSON Schema as people who write YAML do.
func typeWords(types ...string) string {
	known := map[string]string{
		"array": "a list", "boolean": "true or false", "integer": "a whole number",
		"null": "nothing", "number": "a number", "object": "a mapping", "string": "text",
	}
	words := make([]string, len(types))
	for index, one := range types {
		words[index] = cmp.Or(known[one], one)
	}
	return strings.Join(words, " or ")
}

// maxListed is how many allowed values a message lists; above it the schema's
// description says what they are.
const maxListed = 16

// causeWords returns the first description among an error's causes.
func (s Schema) causeWords(found *jsonschema.ValidationError) string {
	for _, cause := range found.Causes {
		if words := cmp.Or(s.words(cause), s.causeWords(cause)); words != "" {
			return words
		}
	}
	return ""
}

// words returns the description of the schema that a value broke.
func (s Schema) words(found *jsonschema.ValidationError) string {
	words, _ := s.broken(found)["description"].(string)
	return words
}

// keys lists the keys that the object may have.
func (s Schema) keys(found *jsonschema.ValidationError) []string {
	properties, _ := s.broken(found)["properties"].(map[string]any)
	return slices.Sorted(maps.Keys(properties))
}

// broken finds the part of the schema that an error is about, by its URL's JSON
// pointer.
func (s Schema) broken(found *jsonschema.ValidationError) map[string]any {
	_, pointer, _ := strings.Cut(found.SchemaURL, "#/")
	at := s.document
	for step := range strings.SplitSeq(pointer, "/") {
		step = strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
		if object, ok := at.(map[string]any); ok && pointer != "" {
			at = object[step]
		}
	}
	object, _ := at.(map[string]any)
	return object
}

// placeOf reads an object's place out of the URL of the schema that its names broke:
// jsonschema 6.0.3 hands out, for names, a location that it writes over afterwards.
func (s Schema) placeOf(found *jsonschema.ValidationError) Place {
	_, pointer, _ := strings.Cut(found.SchemaURL, "#/")
	steps := strings.Split(pointer, "/")
	steps = steps[:len(steps)-1] // propertyNames itself
	return slices.DeleteFunc(steps, func(step string) bool { return step == "properties" })
}

// Place is where a value stands in a file: keys, and indices of lists.
type Place []string

// String is the dotted form, as docs name keys.
func (p Place) String() string {
	if len(p) == 0 {
		return "file"
	}
	return strings.Join(p, ".")
}

// each makes a fault for every key, of a format with the key's dotted name.
func (p Place) each(document ast.Node, keys []string, format string) []Fault {
	var all []Fault
	for _, key := range slices.Sorted(slices.Values(keys))[:min(len(keys), MaxFaults+1)] {
		full := append(slices.Clone(p), key)
		all = append(all, Fault{LineOf(document, full), fmt.Sprintf(format, full)})
	}
	return all
}

func (p Place) missing(document ast.Node, keys []string) []Fault {
	return p.each(document, keys, "key %s is missing")
}
