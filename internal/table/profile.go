package table

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
)

// profile is what is known of a column whose rows are being read.
type profile struct {
	name    string
	at      int      // of the table's columns, from 0
	base    []string // missing values of all columns
	choice  Choice
	meant   []string // texts that are missing in the column
	missing map[string]bool
	met     map[string]bool // those of missing that a value was
	chosen  *field          // of the type that a person chose

	values      int64            // that are not missing, those in tokens among them
	tokens      map[string]int64 // values that mean "missing" among numbers
	tokenAt     int              // line of the first one
	first       [jsonArray + 1]int
	numeric     int64 // values that look like a number, whatever their form
	comma       int   // line of the first number with a comma
	commas      int64
	infinite    int // line of the first infinity
	otherAt     int // line of the first value that looks like no number
	whole       wholes
	decimals    decimals
	thousands   thousands
	heading     heading
	boolean     candidate
	date        candidate
	local, zone candidate // datetimes without and with a zone
	offset      candidate // datetimes of UTC, of those of a chosen type
	categories  map[string]bool
	size        int // of the categories in bytes

	short, long   extreme
	least, most   extreme // as numbers
	early, latest extreme // as moments
}

// candidate is a type that all values may have. It has the first value that has not.
type candidate struct {
	line int // 0 while there is none
	why  string
}

func (c *candidate) fail(line int, why string) {
	if c.line == 0 {
		*c = candidate{line, why}
	}
}

func (c candidate) ok() bool { return c.line == 0 }

// numbers says what some of them have.
func (c candidate) numbers() string { return fmt.Sprintf("numbers with %s (line %d)", c.why, c.line) }

// extreme is a value that none is beyond, as a person sees it.
type extreme struct {
	key  float64
	text []byte
}

func (e *extreme) keep(key float64, text []byte) {
	if e.text == nil || key < e.key {
		e.key = key
		e.text = append(e.text[:0], text[:min(maxExample, len(text))]...)
		if e.text == nil {
			e.text = []byte{}
		}
	}
}

// keepText decides between texts of one length by their order.
func (e *extreme) keepText(key int, text []byte, order int) {
	if e.text == nil || float64(key) < e.key {
		e.keep(float64(key), text)
	} else if float64(key) == e.key && bytes.Compare(text[:min(maxExample, len(text))], e.text) == order {
		e.text = append(e.text[:0], text[:min(maxExample, len(text))]...)
	}
}

// tokens are texts by which programs mark a missing number: R, pandas, Excel, databases,
// and SAS and Stata with a point.
var tokens = map[string]bool{
	"NA": true, "N/A": true, "n/a": true, "<NA>": true, "#N/A": true, "NaN": true, "nan": true, "NAN": true,
	"NULL": true, "Null": true, "null": true, "None": true, ".": true,
}

const maxToken = 4

func newProfile(name string, base []string, choice Choice) (*profile, error) {
	missing := union(base, choice.Missing)
	if choice.KeepEmpty {
		missing = without(missing, "")
	}
	made := &profile{name: name, base: base, choice: choice, meant: missing, missing: setOf(missing), met: make(map[string]bool), tokens: make(map[string]int64)}
	if choice.Categories {
		made.categories = setOf(choice.Order)
	}
	if choice.Type == "" {
		return made, nil
	}
	kind, format, err := parseType(choice.Type)
	if err != nil {
		return nil, faultAt(0, "column %s: its type %s", shown(name), err)
	}
	one := Field{Name: name, Type: kind, Format: format}
	if kind == Type(nullable) {
		one.Type = Integer
	}
	if one.Type == Integer {
		one.Pandas = PandasNullable
	}
	fields, err := Schema{Fields: []Field{one}, MissingValues: missing}.cells()
	if err != nil {
		return nil, faultAt(0, "column %s: %s", shown(name), err)
	}
	made.chosen = &fields[0]
	return made, nil
}

// see takes the next row's value.
func (p *profile) see(from cell, line int) error {
	switch {
	case from.kind == absent:
		return nil
	case p.missing[string(from.text)]:
		if !p.met[string(from.text)] {
			p.met[string(from.text)] = true
		}
		return nil
	}
	p.values++
	if p.first[from.kind] == 0 {
		p.first[from.kind] = line
	}
	if p.heading.fromCells || from.kind == plainText {
		p.heading.see(p.name, from, line, p.values == 1)
	}
	p.short.keepText(len(from.text), from.text, -1)
	p.long.keepText(-len(from.text), from.text, 1)
	if p.categories != nil {
		if err := p.category(from, line); err != nil {
			return err
		}
	}
	if from.kind == plainText && len(from.text) <= maxToken && tokens[string(from.text)] {
		if p.tokenAt == 0 {
			p.tokenAt = line
		}
		p.tokens[string(from.text)]++
	}
	if p.chosen != nil {
		if p.chosen.Type == Integer || p.chosen.Type == Number {
			p.guess(from, line) // what its type takes from a value
		}
		return p.check(from, line)
	}
	switch from.kind {
	case plainText, jsonNumber:
		p.guess(from, line)
	case jsonObject, jsonArray:
		return p.nested(from, line)
	case absent, jsonString, jsonBoolean:
	}
	return nil
}

// nested refuses what a script would have otherwise, unless it is to be text.
func (p *profile) nested(from cell, line int) error {
	if problem := inexact(from.text); problem != "" && p.categories == nil {
		return faultAt(line, "has in column %s %s, or choose the type string to keep each as it is written (`--type FILE:COLUMN=string`)", shown(p.name), problem)
	}
	return nil
}

// maxCategoryBytes keeps a list of categories within a manifest.
const maxCategoryBytes = 1 << 20

func (p *profile) category(from cell, line int) error {
	if p.categories[string(from.text)] {
		return nil
	}
	p.categories[string(from.text)] = true
	if p.size += len(from.text); p.size > maxCategoryBytes || len(p.categories) > MaxCategories {
		return faultAt(line, "has in column %s a value more than a list of categories can have: leave it a string", shown(p.name))
	}
	return nil
}

// guess looks which types a value can have.
func (p *profile) guess(from cell, line int) {
	if p.tokens[string(from.text)] > 0 && from.kind == plainText {
		p.boolean.fail(line, "")
		p.date.fail(line, "")
		p.local.fail(line, "")
		p.zone.fail(line, "")
		return
	}
	if p.whole.ok() || p.decimals.ok() || p.numeric+p.commas+p.thousands.several > 0 {
		p.guessNumber(from, line)
	}
	if p.boolean.ok() {
		if _, ok := parseBoolean(from.text); !ok {
			p.boolean.fail(line, "")
		}
	}
	if p.date.ok() {
		p.guessTime(&p.date, layout{isDate: true}, from.text, false, line)
	}
	if p.local.ok() {
		p.guessTime(&p.local, layout{}, from.text, false, line)
	}
	if p.zone.ok() {
		p.guessTime(&p.zone, layout{}, from.text, true, line)
	}
}

func (p *profile) guessTime(into *candidate, form layout, text []byte, zone bool, line int) {
	moment, ok := form.read(text, zone)
	if !ok || zone && !isUTC(text) {
		into.fail(line, "")
		return
	}
	p.early.keep(float64(moment), text)
	p.latest.keep(-float64(moment), text)
}

// Why a number is kept as a string.
const (
	leadingZeros = "zeros in front"
	plusSign     = "a plus sign"
	blanks       = "blanks around it"
	longDigits   = "more digits than a number keeps"
	codes        = "an exponent that may be part of a code"
	endPoint     = "a point at its end"
	noNumber     = "what is no number"
)

func (p *profile) guessNumber(from cell, line int) {
	text := from.text
	if value, ok := infinities[string(text)]; ok && (from.kind == plainText || p.chosen != nil) {
		p.numeric++
		if p.infinite == 0 {
			p.infinite = line
		}
		p.whole.fail(line, noNumber)
		p.bounds(value, text)
		return
	}
	number, ok := splitDecimal(bytes.TrimSpace(text))
	if !ok {
		p.thousands.seeText(text, line)
		if isCommaNumber(text) {
			if p.commas++; p.comma == 0 {
				p.comma = line
			}
		} else if p.otherAt == 0 {
			p.otherAt = line
		}
		p.whole.fail(line, noNumber)
		p.decimals.fail(line, noNumber)
		return
	}
	p.numeric++
	p.thousands.see(number, line)
	if why := unplain(text, number); why != "" {
		p.whole.fail(line, why)
		p.decimals.fail(line, why)
		return
	}
	if number.point || number.exponent != nil || string(text) == "-0" {
		p.whole.fail(line, noNumber)
	} else {
		p.whole.see(text, line)
	}
	p.guessDecimal(from, number, line)
}

// guessDecimal looks whether float64 keeps a number, and how it is written.
func (p *profile) guessDecimal(from cell, number decimal, line int) {
	value, err := strconv.ParseFloat(string(from.text), 64)
	p.bounds(value, from.text)
	if !p.decimals.ok() {
		return
	}
	if err != nil || !keeps(number, value) {
		p.decimals.fail(line, longDigits)
		return
	}
	if from.kind == jsonNumber {
		p.decimals.count++
		return
	}
	p.decimals.see(number, line)
}

func (p *profile) bounds(value float64, text []byte) {
	if !math.IsNaN(value) {
		p.least.keep(value, text)
		p.most.keep(-value, text)
	}
}

// unplain says what a number has that a code may have and a number would lose.
func unplain(text []byte, number decimal) string {
	switch {
	case len(bytes.TrimSpace(text)) != len(text):
		return blanks
	case text[0] == '+':
		return plusSign
	case len(number.whole) > 1 && number.whole[0] == '0':
		return leadingZeros
	case number.point && len(number.part) == 0:
		return endPoint
	case number.exponent != nil && !number.point && number.exponent[0] != '-' && number.exponent[0] != '+':
		return codes
	}
	return ""
}
