package table

import (
	"fmt"
	"math"
)

// check reads a value as the type that a person chose.
func (p *profile) check(from cell, line int) error {
	isNumber := p.chosen.Type == Integer || p.chosen.Type == Number
	if isNumber && from.kind == plainText && p.tokens[string(from.text)] > 0 {
		return nil
	}
	var value Value
	if p.chosen.Type == Datetime && p.values == 1 {
		p.chosen.Pandas = PandasTime // or as the first value has it
		if p.chosen.read(from, &value) != "" {
			p.chosen.Pandas = PandasTimeUTC
		}
	}
	problem := p.chosen.read(from, &value)
	if problem != "" && p.isLarge(from, &value) {
		problem = ""
		p.whole.overInt = true
	}
	if problem != "" {
		return faultAt(line, "has in column %s %s, and this type was chosen: choose another, or say with --missing what means missing", shown(p.name), problem)
	}
	p.note(value, from, line)
	return nil
}

// isLarge tells an integer of 64 bits without a sign.
func (p *profile) isLarge(from cell, into *Value) bool {
	if p.chosen.Type != Integer {
		return false
	}
	large := *p.chosen
	large.Pandas = PandasUint64
	return large.read(from, into) == ""
}

// note keeps what the dtype depends on, and examples.
func (p *profile) note(value Value, from cell, line int) {
	switch p.chosen.Type {
	case Integer:
		p.whole.count++
		p.whole.negative = p.whole.negative || from.text[0] == '-'
		p.whole.mark(!exact(value.Int), line)
		number, _ := parseNumber(from.text)
		p.bounds(number, from.text)
	case Number:
		p.bounds(value.Float, from.text)
	case Date, Datetime:
		p.early.keep(float64(value.Time), from.text)
		p.latest.keep(-float64(value.Time), from.text)
		if p.chosen.Pandas == PandasTimeUTC && !isUTC(from.text) {
			p.offset.fail(line, "")
		}
	case String, Boolean, Object, Array:
	}
}

// asChosen is the type that a person chose, with the dtype that holds all values.
func (p *profile) asChosen(gaps int64) (verdict, error) {
	made := verdict{kind: p.chosen.Type, format: p.chosen.Format}
	switch {
	case made.kind == Integer && p.whole.overInt && (p.whole.negative || gaps > 0 || p.choice.Type == nullable):
		return verdict{}, faultAt(0, "column %s: it has integers beyond %d, and others below zero or gaps: choose string", shown(p.name), math.MaxInt64)
	case made.kind == Integer && p.whole.overInt:
		made.pandas = PandasUint64
	case p.choice.Type == nullable, made.kind == Integer && gaps > 0 && p.whole.beyond != 0:
		made.pandas = PandasNullable
	case made.kind == Boolean && gaps > 0:
		made.pandas = PandasObject
	case made.kind == Integer && gaps > 0:
		made.pandas = PandasFloat64
	case made.kind == Datetime && p.chosen.Pandas == PandasTimeUTC:
		made.pandas = PandasTimeUTC
	default:
		made.pandas = held[made.kind][0]
	}
	return made, nil
}

// losing says what the values lose by a type that was chosen: a person who chooses it is told,
// and an earlier table's type is not taken over.
func (p *profile) losing(is verdict) (verdict, error) {
	why := p.loss(is)
	switch {
	case why == "":
		return is, nil
	case p.choice.Inherited:
		return verdict{}, faultAt(0, "column %s: %s; the earlier table's type, %s, would change them: choose a type with --type", shown(p.name), why, p.choice.Type)
	}
	is.note = why + ", which the chosen type drops"
	return is, nil
}

// loss is what is written and cannot be seen in the values as a type has them, or "".
func (p *profile) loss(is verdict) string {
	switch {
	case is.kind == Integer && !p.whole.ok():
		return p.whole.numbers()
	case is.kind == Number && !p.decimals.ok():
		return p.decimals.numbers()
	case is.kind == Number && p.decimals.code() != 0:
		return p.decimals.codeNote()
	case p.choice.Pandas != "" && p.choice.Pandas != is.pandas:
		return fmt.Sprintf("it was %s, and would be %s", p.choice.Pandas, is.pandas)
	case !p.offset.ok():
		return fmt.Sprintf("times with an offset (line %d)", p.offset.line)
	}
	return ""
}
