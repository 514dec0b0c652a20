package table

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"

	"hotcell/internal/strictjson"
)

// cell is one value of a source, before its type is known.
type cell struct {
	kind kind
	text []byte // a string's text, else as it is written
}

type kind byte

const (
	absent    kind = iota // null, or not in its object
	plainText             // of a table of lines and fields
	jsonString
	jsonNumber
	jsonBoolean
	jsonObject
	jsonArray
)

// field reads cells of one column.
type field struct {
	Field
	missing    map[string]bool
	categories map[string]bool
	layout     layout
}

// cells prepares the fields of a schema.
func (s Schema) cells() ([]field, error) {
	fields := make([]field, len(s.Fields))
	for at, one := range s.Fields {
		made := field{Field: one, missing: setOf(s.Missing(one))}
		if one.Pandas == PandasCategory {
			made.categories = setOf(one.Categories)
		}
		if one.Format != "" {
			var err error
			if made.layout, err = parseLayout(one.Type, one.Format); err != nil {
				return nil, fmt.Errorf("field %d: %w", at+1, err)
			}
		}
		fields[at] = made
	}
	return fields, nil
}

func setOf(values []string) map[string]bool {
	set := make(map[string]bool, len(values))
	for _, value := range values {
		set[value] = true
	}
	return set
}

// read makes a value of a cell, or says what the cell has instead.
func (f *field) read(from cell, into *Value) (problem string) {
	*into = Value{}
	if from.kind == absent || f.missing[string(from.text)] { // as it is written, of whatever kind
		into.Missing = true
		return f.gap()
	}
	switch f.Type {
	case String:
		return f.text(from, into)
	case Integer:
		return f.integer(from, into)
	case Number:
		return f.number(from, into)
	case Boolean:
		return f.boolean(from, into)
	case Date, Datetime:
		return f.time(from, into)
	case Object:
		return f.nested(from, into, jsonObject, '{')
	case Array:
		return f.nested(from, into, jsonArray, '[')
	}
	return "a value of an unknown type"
}

// gap says why a value cannot be missing.
func (f *field) gap() string {
	if slices.Contains([]Pandas{PandasInt64, PandasUint64, PandasBool}, f.Pandas) {
		return fmt.Sprintf("no value, and %s has no gaps: write Int64, float64 or object for its pandas", f.Pandas)
	}
	return ""
}

func (f *field) text(from cell, into *Value) string {
	into.Text = from.text
	if f.categories != nil && !f.categories[string(from.text)] {
		return "a value that is none of its categories"
	}
	return ""
}

func (f *field) integer(from cell, into *Value) string {
	if !from.may(jsonNumber) || !isDigits(from.text) {
		return "a value that is no integer"
	}
	if from.text[0] == '-' && len(bytes.Trim(from.text[1:], "0")) == 0 {
		return "a zero with a minus, which no integer has: make it a number, or keep the column as a string"
	}
	if f.Pandas == PandasUint64 {
		number, err := strconv.ParseUint(string(from.text), 10, 64)
		if err != nil {
			return "a value below zero or beyond 64 bits"
		}
		into.Int = int64(number) // its bits, as Value has them
		return ""
	}
	number, err := strconv.ParseInt(string(from.text), 10, 64)
	if err != nil {
		return "a value beyond 64 bits: keep the column as a string"
	}
	if f.Pandas == PandasFloat64 && !exact(number) {
		return "a value beyond 2^53, which float64 would change: write Int64 for its pandas, or keep the column as a string"
	}
	into.Int = number
	return ""
}

// maxExact is the end of the integers that float64 can tell from their neighbours.
const maxExact = 1 << 53

func exact(number int64) bool { return -maxExact <= number && number <= maxExact }

func (f *field) number(from cell, into *Value) string {
	if !from.may(jsonNumber) {
		return "a value that is no number"
	}
	number, ok := parseNumber(from.text)
	if !ok {
		return "a value that is no number which float64 can hold, with a point and without thousands separators"
	}
	if moves(from.text, number) {
		return "a value beyond 2^53, which float64 would change: make it an integer, or keep the column as a string"
	}
	into.Float = number
	return ""
}

func (f *field) boolean(from cell, into *Value) string {
	value, ok := parseBoolean(from.text)
	if !ok || !from.may(jsonBoolean) {
		return "a value that is neither true nor false"
	}
	into.Bool = value
	return ""
}

// parseBoolean knows the spellings of JSON, Python and R.
func parseBoolean(text []byte) (value, ok bool) {
	switch string(text) {
	case "true", "True", "TRUE":
		return true, true
	case "false", "False", "FALSE":
		return false, true
	}
	return false, false
}

func (f *field) time(from cell, into *Value) string {
	moment, ok := f.layout.read(from.text, f.Pandas == PandasTimeUTC)
	if ok && !withinYears(moment) {
		return "an instant before the year 1 or after 9999 once its offset is applied, as Python has none"
	}
	if !ok || !from.may() {
		return fmt.Sprintf("a value that is no %s of the format %q", f.Type, f.Format)
	}
	into.Time = moment
	return ""
}

func (f *field) nested(from cell, into *Value, want kind, begins byte) string {
	into.Text = from.text
	switch {
	case from.kind == want:
		return inexact(from.text)
	case from.kind == plainText && len(from.text) > 0 && from.text[0] == begins && strictjson.CheckValue(from.text, MaxDepth) == nil:
		return inexact(from.text)
	}
	return fmt.Sprintf("a value that is no JSON %s", f.Type)
}

// may reports whether a cell is text, or of one of some kinds of JSON.
func (c cell) may(kinds ...kind) bool {
	return c.kind == plainText || c.kind == jsonString || slices.Contains(kinds, c.kind)
}
