// Package table decides what the columns of a table are.
//
// A Schema gives each column one type, in the terms of Frictionless Table Schema. It is
// made once, when a bundle is made, and shown to a person; nothing guesses a type after
// that. The package does not decide where tables are kept (internal/bundle) or in which
// form a run gets them (internal/table/prepared).
package table

import (
	"errors"
	"fmt"
	"slices"
	"unicode"
	"unicode/utf8"
)

// Schema is a table's columns in the terms of Frictionless Table Schema (version 2), as
// bundle.json has it.
type Schema struct {
	Fields []Field `json:"fields"` // in the order of the columns
	// MissingValues are the texts that stand for a missing value in a column that lists
	// none of its own. An empty cell is missing only where "" is one of them.
	MissingValues []string `json:"missingValues"`
}

// Field is one column.
type Field struct {
	Name string `json:"name"`
	Type Type   `json:"type"`
	// Pandas is what a run finds the column as.
	Pandas Pandas `json:"pandas"`
	// Format is that of a date or datetime: "default" for ISO 8601 (RFC 3339, with a zone where
	// Pandas has one, else without), else a pattern of strptime's directives, as Frictionless
	// has it, of %Y %m %d %H %M %S %f. "" for others.
	Format string `json:"format,omitzero"`
	// MissingValues are the column's own, in place of the schema's. nil for none of its own.
	MissingValues []string `json:"missingValues,omitzero"`
	// Categories are all values that a column of categories may have, in their order; nil
	// where it has none. They are of a string field only.
	Categories []string `json:"categories,omitzero"`
	// Disclosure says what the column may tell of a person; "" where nobody has said so.
	Disclosure Disclosure `json:"disclosure,omitzero"`
}

// Type is a field's type, as Frictionless Table Schema spells it.
type Type string

// The types.
const (
	String   Type = "string"
	Integer  Type = "integer"
	Number   Type = "number"
	Boolean  Type = "boolean"
	Date     Type = "date"
	Datetime Type = "datetime"
	Object   Type = "object" // of JSON
	Array    Type = "array"  // of JSON
)

// Pandas is the dtype of a column as a run has it.
type Pandas string

// The dtypes, with the types that each can hold without changing a value.
const (
	PandasObject   Pandas = "object"         // str, bool, dict or list; NaN where a value is missing
	PandasCategory Pandas = "category"       // of string
	PandasInt64    Pandas = "int64"          // of integer, with no gap
	PandasUint64   Pandas = "uint64"         // of integer, with no gap and none below zero
	PandasNullable Pandas = "Int64"          // of integer, with gaps
	PandasFloat64  Pandas = "float64"        // of number; of integer with gaps where float64 holds each exactly
	PandasBool     Pandas = "bool"           // of boolean, with no gap
	PandasTime     Pandas = "datetime64[us]" // of date and datetime
	PandasTimeUTC  Pandas = "datetime64[us, UTC]"
)

// held are the dtypes of each type; the first is what it is without gaps.
var held = map[Type][]Pandas{
	String:   {PandasObject, PandasCategory},
	Integer:  {PandasInt64, PandasUint64, PandasFloat64, PandasNullable},
	Number:   {PandasFloat64},
	Boolean:  {PandasBool, PandasObject},
	Date:     {PandasTime},
	Datetime: {PandasTime, PandasTimeUTC},
	Object:   {PandasObject},
	Array:    {PandasObject},
}

// Disclosure says what a column may tell of a person.
type Disclosure string

// The kinds. The names are those of statistical disclosure control.
const (
	Identifier      Disclosure = "identifier"       // names one person, a pseudonym also
	QuasiIdentifier Disclosure = "quasi_identifier" // may, together with others
	Sensitive       Disclosure = "sensitive"        // what must not be learnt of a person
)

// Known reports whether it is one of the kinds.
func (d Disclosure) Known() bool { return d == Identifier || d == QuasiIdentifier || d == Sensitive }

// Bounds of a schema.
const (
	MaxFields     = 10_000
	MaxName       = 1024      // bytes of a field's name
	MaxCategories = 1_000_000 // of a field
	MaxMissing    = 64        // missing values of a field
)

// Value is one cell, of which only the member of its field's type counts.
type Value struct {
	Missing bool
	Bool    bool
	Int     int64   // of an integer; the bits of a uint64 where the field is PandasUint64
	Float   float64 // of a number, never NaN
	Time    int64   // microseconds since 1970-01-01T00:00:00Z, without leap seconds; of a date its midnight
	Text    []byte  // UTF-8 of a string, JSON of an object or array; the owner's until the next row
}

// Validate finds all that is wrong with a schema.
func (s Schema) Validate() error {
	if len(s.Fields) == 0 || len(s.Fields) > MaxFields {
		return fmt.Errorf("it has %d fields: between 1 and %d are possible", len(s.Fields), MaxFields)
	}
	found := []error{checkMissing("missingValues", s.MissingValues)}
	names := make(map[string]bool, len(s.Fields))
	for at, field := range s.Fields {
		if names[field.Name] {
			found = append(found, fmt.Errorf("field %d has the name of an earlier one", at+1))
		}
		names[field.Name] = true
		if err := field.validate(); err != nil {
			found = append(found, fmt.Errorf("field %d: %w", at+1, err))
		}
	}
	return errors.Join(found...)
}

func (f Field) validate() error {
	dtypes, known := held[f.Type]
	isTime := f.Type == Date || f.Type == Datetime
	for _, rule := range []struct {
		ok    bool
		fault string
	}{
		{isText(f.Name) && f.Name != "", "its name is empty, too long or not printable"},
		{known, "its type is unknown"},
		{!known || slices.Contains(dtypes, f.Pandas), fmt.Sprintf("pandas cannot have a %s as %q", f.Type, f.Pandas)},
		{isTime == (f.Format != ""), "a date or datetime has a format, and nothing else has"},
		{isText(f.Format), "its format is too long or not printable"},
		{(f.Pandas == PandasCategory) == (f.Categories != nil), "a column of categories lists them, and nothing else does"},
		{isSet(f.Categories, MaxCategories), "its categories are too many, or one is there twice"},
		{slices.Contains([]Disclosure{"", Identifier, QuasiIdentifier, Sensitive}, f.Disclosure), "its disclosure is unknown"},
	} {
		if !rule.ok {
			return errors.New(rule.fault)
		}
	}
	if isTime {
		if _, err := parseLayout(f.Type, f.Format); err != nil {
			return err
		}
	}
	return checkMissing("its missingValues", f.MissingValues)
}

func checkMissing(what string, values []string) error {
	if !isSet(values, MaxMissing) {
		return fmt.Errorf("%s are more than %d, or one is there twice", what, MaxMissing)
	}
	for _, value := range values {
		if len(value) > MaxName || !utf8.ValidString(value) {
			return fmt.Errorf("%s have one that is too long or no UTF-8", what)
		}
	}
	return nil
}

func isSet(values []string, most int) bool {
	if len(values) > most {
		return false
	}
	seen := make(map[string]bool, len(values))
	for _, value := range values {
		if seen[value] {
			return false
		}
		seen[value] = true
	}
	return true
}

func isText(text string) bool {
	if len(text) > MaxName || !utf8.ValidString(text) {
		return false
	}
	for _, r := range text {
		if !unicode.IsPrint(r) {
			return false
		}
	}
	return true
}

// Missing are the texts that stand for a missing value in a field.
func (s Schema) Missing(field Field) []string {
	if field.MissingValues != nil {
		return field.MissingValues
	}
	return s.MissingValues
}
