// Package strictjson reads JSON that somebody else wrote, and says where it is
// wrong.
//
// It refuses duplicate, unknown and case-variant names, trailing bytes, invalid
// UTF-8, numbers that no float holds and, with DecodeAll, absent names.
// encoding/json accepts the first three of these even when told not to. It does not
// decide whether values make sense. Only this package uses the JSON library.
// Use Decode for a whole value, DecodeKnown where a newer program may have written it, NewDecoder for tokens, Form for writing.
package strictjson

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Decode reads one JSON value of at most limit bytes into a pointer. An error
// names the line and the place, and never repeats a value.
func Decode(data []byte, limit int, into any) error {
	if len(data) > limit {
		return fmt.Errorf("JSON is larger than %d bytes", limit)
	}
	if err := checkNumbers(data); err != nil {
		return err
	}
	return DecodeChecked(data, into)
}

// DecodeKnown is Decode for what a newer program may have written: names that the pointer's
// type does not have are passed over, in any case, and nothing else is.
func DecodeKnown(data []byte, limit int, into any) error {
	if len(data) > limit {
		return fmt.Errorf("JSON is larger than %d bytes", limit)
	}
	if err := checkNumbers(data); err != nil {
		return err
	}
	if err := json.Unmarshal(data, into); err != nil {
		return explain(data, err)
	}
	return nil
}

// DecodeChecked is Decode for who has bounded the value's bytes and numbers already,
// token by token.
func DecodeChecked(data []byte, into any) error {
	if err := json.Unmarshal(data, into, json.RejectUnknownMembers(true)); err != nil {
		return explain(data, err)
	}
	return nil
}

// DecodeAll is Decode for a value whose every name is required but those that
// its type marks omitzero or omitempty.
func DecodeAll(data []byte, limit int, into any) error {
	if err := Decode(data, limit, into); err != nil {
		return err
	}
	encoded, err := json.Marshal(into)
	if err != nil {
		return fmt.Errorf("compare JSON with its type: %w", err)
	}
	var given, wanted any
	if err := errors.Join(json.Unmarshal(data, &given), json.Unmarshal(encoded, &wanted)); err != nil {
		return fmt.Errorf("compare JSON with its type: %w", err)
	}
	var absent absences
	absent.value(given, wanted, "")
	return absent.err()
}

// maxAbsent is how many absent names are told: a value of a million empty objects lacks millions.
const maxAbsent = 20

// absences are the places of required names that are not there, as many as are told, and one more.
type absences struct{ places []string }

func (a *absences) err() error {
	switch {
	case len(a.places) == 0:
		return nil
	case len(a.places) > maxAbsent:
		return fmt.Errorf("JSON lacks %s and more", strings.Join(a.places[:maxAbsent], ", "))
	}
	return fmt.Errorf("JSON lacks %s", strings.Join(a.places, ", "))
}

func (a *absences) add(place jsontext.Pointer) { a.places = append(a.places, showPlace(place)) }

func (a *absences) enough() bool { return len(a.places) > maxAbsent }

// value compares what was given with its own decoded form encoded again, which has every
// required name.
func (a *absences) value(given, wanted any, place jsontext.Pointer) {
	switch wanted := wanted.(type) {
	case map[string]any:
		a.members(given, wanted, place)
	case []any:
		items, ok := given.([]any)
		if !ok && len(wanted) == 0 {
			a.add(place) // null where an array belongs
			return
		}
		for i := range min(len(items), len(wanted)) {
			if a.enough() {
				return
			}
			a.value(items[i], wanted[i], place+jsontext.Pointer(fmt.Sprintf("/%d", i)))
		}
	default:
		if given == nil && wanted != nil {
			a.add(place) // null where a value belongs
		}
	}
}

func (a *absences) members(given any, wanted map[string]any, place jsontext.Pointer) {
	members, ok := given.(map[string]any)
	if !ok {
		a.add(place)
		return
	}
	for _, name := range slices.Sorted(maps.Keys(wanted)) {
		inner := place.AppendToken(name)
		if a.enough() {
			return
		}
		if _, ok := members[name]; !ok {
			a.add(inner)
			continue
		}
		a.value(members[name], wanted[name], inner)
	}
}

// Explain turns an error of a Decoder's, which reads data, into one that names the line and
// the place, and repeats no value.
func Explain(data []byte, err error) error { return explain(data, err) }

// explain turns the library's error into one that has a line and no value.
func explain(data []byte, err error) error {
	if syntax, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		if reason := encodingReason(data); reason != "" {
			return errors.New(reason)
		}
		return at(data, syntax.ByteOffset, syntax.JSONPointer, syntaxReason(syntax))
	}
	if meaning, ok := errors.AsType[*json.SemanticError](err); ok {
		return at(data, meaning.ByteOffset, meaning.JSONPointer, semanticReason(meaning))
	}
	return err
}

// encodingReason says of data that begins otherwise than JSON does how it is written, or "".
func encodingReason(data []byte) string {
	begins := append(bytes.Clone(data[:min(3, len(data))]), "   "...)
	switch {
	case string(begins[:3]) == "\xef\xbb\xbf":
		return "JSON begins with a byte order mark: save it as UTF-8 without one"
	case string(begins[:2]) == "\xff\xfe", string(begins[:2]) == "\xfe\xff", bytes.IndexByte(begins, 0) >= 0:
		return "JSON is UTF-16 or UTF-32, as it looks: save it as UTF-8"
	}
	return ""
}

func syntaxReason(err *jsontext.SyntacticError) string {
	if errors.Is(err, jsontext.ErrDuplicateName) {
		return "the name appears twice: keep the one that is meant"
	}
	return "it is not valid JSON"
}

func semanticReason(err *json.SemanticError) string {
	switch {
	case errors.Is(err, json.ErrUnknownName):
		return "the name is unknown"
	case err.GoType != nil:
		return fmt.Sprintf("%s does not belong there: want %s", kindName(err.JSONKind), typeName(err.GoType))
	default:
		return "the value does not belong there"
	}
}

func at(data []byte, offset int64, place jsontext.Pointer, reason string) error {
	offset = min(max(offset, 0), int64(len(data)))
	line := 1 + bytes.Count(data[:offset], []byte("\n"))
	if place == "" {
		return fmt.Errorf("JSON line %d: %s", line, reason)
	}
	return fmt.Errorf("JSON line %d, %s: %s", line, showPlace(place), reason)
}

// showPlace writes "/files/0/path" as "files[0].path" would be read, bounded,
// because names are foreign too.
func showPlace(place jsontext.Pointer) string {
	const limit = 120
	text := strings.TrimPrefix(string(place), "/")
	if len(text) > limit {
		text = text[:limit] + "…"
	}
	return fmt.Sprintf("%q", text)
}

func kindName(kind jsontext.Kind) string {
	switch kind {
	case 'n':
		return "null"
	case 't', 'f':
		return "true or false"
	case '"':
		return "a string"
	case '0':
		return "a number"
	case '{':
		return "an object"
	case '[':
		return "an array"
	default:
		return "this value"
	}
}

func typeName(kind reflect.Type) string {
	switch kind.Kind() {
	case reflect.Struct, reflect.Map:
		return "an object"
	case reflect.Slice, reflect.Array:
		return "an array"
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int64, reflect.Uint64:
		return "a whole number"
	default:
		return kind.String()
	}
}
