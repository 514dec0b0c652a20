package table

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// verdict is the type of a column.
type verdict struct {
	kind   Type
	pandas Pandas
	format string
	note   string
}

func (v verdict) isNumeric() bool { return v.kind == Integer || v.kind == Number }

// tell says one thing more of a column; "" is nothing.
func (c *Column) tell(what string) {
	if c.Note != "" && what != "" {
		what = c.Note + "; " + what
	}
	c.Note = cmp.Or(what, c.Note)
}

// resolve decides the type of a column of a table with so many rows.
func (p *profile) resolve(rows int64) (Field, Column, error) {
	gaps, meant := rows-p.values, int64(0)
	for _, count := range p.tokens {
		meant += count
	}
	is, err := p.decide(gaps, meant)
	if err != nil {
		return Field{}, Column{}, err
	}
	field := Field{Name: p.name, Type: is.kind, Pandas: is.pandas, Format: is.format, Disclosure: p.choice.Disclosure}
	missing := p.meant
	if is.isNumeric() && meant > 0 {
		missing = union(missing, slices.Sorted(maps.Keys(p.tokens)))
		gaps += meant
	}
	if !slices.Equal(missing, p.base) {
		field.MissingValues = missing
	}
	if p.categories != nil {
		field.Categories = union(p.choice.Order, slices.Sorted(maps.Keys(p.categories)))
	}
	column := Column{gaps, slices.Sorted(maps.Keys(p.met)), p.examples(is), is.note}
	if is.isNumeric() && p.infinite != 0 {
		column.tell(fmt.Sprintf("an infinity (line %d), by which sums and means are none: --missing would make it missing", p.infinite))
	}
	return field, column, nil
}

func (p *profile) decide(gaps, meant int64) (verdict, error) {
	switch {
	case p.categories != nil && p.choice.Type != "" && p.choice.Type != string(String):
		return verdict{}, faultAt(0, "column %s: only a column of strings has categories", shown(p.name))
	case p.categories != nil:
		return verdict{kind: String, pandas: PandasCategory}, nil
	case p.chosen != nil:
		if p.chosen.Type == Integer || p.chosen.Type == Number {
			gaps += meant
		}
		is, err := p.asChosen(gaps)
		if err != nil {
			return verdict{}, err
		}
		return p.losing(is)
	case p.values == 0:
		return verdict{kind: Number, pandas: PandasFloat64, note: "it has no value"}, nil
	case p.first[plainText] != 0:
		return p.ofText(gaps, meant)
	}
	return p.ofJSON(gaps)
}

// ofText decides by what the texts are.
func (p *profile) ofText(gaps, meant int64) (verdict, error) {
	if p.commas > 0 && p.numeric+p.commas+meant == p.values {
		return verdict{}, faultAt(p.comma, "has in column %s a number with a comma, as all its values are numbers: write a point for decimals and nothing between thousands, "+
			"or choose the type string to keep the text", shown(p.name))
	}
	if is, ok := p.ofNumbers(gaps + meant); ok {
		return is, nil
	}
	switch {
	case p.boolean.ok():
		return booleans(gaps), nil
	case p.date.ok():
		return verdict{kind: Date, pandas: PandasTime, format: isoFormat}, nil
	case p.local.ok():
		return verdict{kind: Datetime, pandas: PandasTime, format: isoFormat}, nil
	case p.zone.ok():
		return verdict{kind: Datetime, pandas: PandasTimeUTC, format: isoFormat}, nil
	}
	return p.asText(gaps+meant, p.textNote(meant)), nil
}

func booleans(gaps int64) verdict {
	if gaps > 0 {
		return verdict{kind: Boolean, pandas: PandasObject}
	}
	return verdict{kind: Boolean, pandas: PandasBool}
}

// ofNumbers decides for a type of numbers where each value stays what it is.
func (p *profile) ofNumbers(gaps int64) (verdict, bool) {
	whole := p.whole
	switch {
	case !whole.ok() || whole.count == 0:
		isNumber := p.decimals.ok() && p.decimals.count > 0 && p.decimals.code() == 0
		return verdict{kind: Number, pandas: PandasFloat64}, isNumber
	case gaps > 0:
		return verdict{kind: Integer, pandas: PandasFloat64}, whole.beyond == 0
	case !whole.overInt:
		return verdict{kind: Integer, pandas: PandasInt64}, true
	}
	return verdict{kind: Integer, pandas: PandasUint64}, !whole.negative
}

// asText is for what no other type keeps. What is more to say is in the note already.
func (p *profile) asText(gaps int64, note string) verdict {
	whole := p.whole
	switch {
	case whole.ok() && whole.count > 0 && gaps > 0 && !whole.overInt:
		note = fmt.Sprintf("integers beyond 2^53 (line %d) beside gaps: the type Int64 has them as integers", whole.beyond)
	case whole.ok() && whole.count > 0:
		note = "integers beyond 64 bits"
	}
	return verdict{kind: String, pandas: PandasObject, note: note}
}

// textNote says why a column is not one of numbers, where most of it is.
func (p *profile) textNote(meant int64) string {
	number := p.decimals
	switch {
	case p.numeric > 0 && p.numeric+meant == p.values && number.ok() && number.code() != 0:
		return number.codeNote()
	case p.numeric > 0 && p.numeric+meant == p.values && number.why != noNumber && !number.ok():
		return number.numbers()
	case p.otherAt != 0 && 2*p.numeric >= p.values:
		return fmt.Sprintf("numbers, but for line %d and perhaps others", p.otherAt)
	case meant > 0:
		names := slices.Sorted(maps.Keys(p.tokens))
		are := map[bool]string{true: "is a value", false: "are values"}[len(names) == 1]
		return fmt.Sprintf("%s (line %d) %s: --missing would make it missing", strings.Join(names, ", "), p.tokenAt, are)
	}
	return ""
}

// jsonNames are the kinds of JSON values, for sentences.
var jsonNames = []struct {
	kind kind
	name string
}{{jsonString, "a string"}, {jsonNumber, "a number"}, {jsonBoolean, "a boolean"}, {jsonObject, "an object"}, {jsonArray, "an array"}}

// ofJSON decides by what the values say that they are.
func (p *profile) ofJSON(gaps int64) (verdict, error) {
	var kinds []kind
	var places []string
	for _, each := range jsonNames {
		if line := p.first[each.kind]; line != 0 {
			kinds = append(kinds, each.kind)
			places = append(places, fmt.Sprintf("%s (line %d)", each.name, line))
		}
	}
	if len(kinds) > 1 {
		if p.first[jsonObject]+p.first[jsonArray] != 0 {
			return verdict{}, faultAt(0, "column %s has %s: choose the type string to keep each as it is written", shown(p.name), strings.Join(places, " and "))
		}
		return verdict{kind: String, pandas: PandasObject, note: strings.Join(places, " and ") + ": each as it is written"}, nil
	}
	switch kinds[0] {
	case jsonNumber:
		if is, ok := p.ofNumbers(gaps); ok {
			return is, nil
		}
		return p.asText(gaps, p.textNote(0)), nil
	case jsonBoolean:
		return booleans(gaps), nil
	case jsonObject:
		return verdict{kind: Object, pandas: PandasObject}, nil
	case jsonArray:
		return verdict{kind: Array, pandas: PandasObject}, nil
	case absent, plainText, jsonString:
	}
	return verdict{kind: String, pandas: PandasObject}, nil
}

// examples are the values at both ends.
func (p *profile) examples(is verdict) []string {
	ends := []extreme{p.short, p.long}
	switch is.kind {
	case Integer, Number:
		ends = []extreme{p.least, p.most}
	case Date, Datetime:
		ends = []extreme{p.early, p.latest}
	case String, Boolean, Object, Array:
	}
	found := []string{}
	for _, end := range ends {
		text := strings.ToValidUTF8(string(end.text), "")
		if end.text != nil && !slices.Contains(found, text) {
			found = append(found, text)
		}
	}
	return found
}
