package table

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
)

// A file without a line of names has its first row taken for one: a row is gone, and a script
// finds no column. heading is what tells such a line: a name that is of its column's own kind.
type heading struct {
	again     int  // line of the first value that is the name itself
	shape     bool // all values have the name's shape, which has a digit
	is        func(cell) bool
	fromCells bool  // see Choices
	json      bool  // the values are of JSON Lines
	alike     int64 // of those, such as are what the name is: a number, a time, a boolean
}

// see compares a value with the name.
func (h *heading) see(name string, value cell, line int, first bool) {
	if h.again == 0 && string(value.text) == name {
		h.again = line
	}
	if first {
		h.shape, h.is, h.json = strings.ContainsFunc(name, unicode.IsDigit), kindOfName(name), value.kind != plainText
	}
	h.shape = h.shape && sameShape(name, value.text)
	if h.json && h.is != nil && h.is(value) {
		h.alike++
	}
}

// kindOfName tells values of JSON Lines that are what a name is, or is nil. There a number may
// be a text: that of a cell.
func kindOfName(name string) func(cell) bool {
	_, isBoolean := parseBoolean([]byte(name))
	switch {
	case isNumberName(name):
		return func(value cell) bool { return value.kind == jsonNumber || isNumberText(value.text) }
	case isTimeName(name):
		return func(value cell) bool { return isTimeText(value.text) }
	case isBoolean:
		return func(value cell) bool { _, ok := parseBoolean(value.text); return ok }
	}
	return nil
}

// sameShape reports whether two texts have digits and letters in the same places, and all
// else in common.
func sameShape(name string, text []byte) bool {
	if len(name) != len(text) {
		return false
	}
	for at := range text {
		if shapeOf(name[at]) != shapeOf(text[at]) {
			return false
		}
	}
	return true
}

func shapeOf(char byte) byte {
	switch {
	case '0' <= char && char <= '9':
		return '0'
	case 'a' <= char && char <= 'z', 'A' <= char && char <= 'Z':
		return 'a'
	}
	return char
}

// isNumberName and isTimeName tell names that are values of other files.
func isNumberName(name string) bool { return isNumberText([]byte(name)) }
func isTimeName(name string) bool   { return isTimeText([]byte(name)) }

func isNumberText(text []byte) bool { _, ok := splitDecimal(text); return ok }

func isTimeText(text []byte) bool {
	for _, form := range []layout{{isDate: true}, {}} {
		for _, zone := range []bool{false, true} {
			if _, ok := form.read(text, zone); ok {
				return true
			}
		}
	}
	return false
}

// likeItsValues reports whether a column's name may be one of its values. A table without a
// row has nothing that says otherwise.
func (p *profile) likeItsValues(rows int64) bool {
	_, isBoolean := parseBoolean([]byte(p.name))
	switch {
	case p.values == 0 && rows > 0:
		return false
	case p.heading.json && isNumberName(p.name):
		return 2*p.heading.alike >= p.values
	case p.heading.json && p.heading.is != nil:
		return p.heading.alike == p.values
	case isNumberName(p.name):
		return 2*p.numeric >= p.values
	case isTimeName(p.name):
		return p.date.ok() || p.local.ok() || p.zone.ok() || p.heading.shape
	case isBoolean:
		return p.boolean.ok()
	}
	return p.values > 0 && p.heading.shape
}

// checkHeading refuses a first line that has values. Columns that a person has named are
// names. A wide table has years for names, or numbers in steps: that is a note.
func (in *inference) checkHeading() (note string, at int, err error) {
	if in.format == JSONL && !in.choices.FromCells || in.choices.Header {
		return "", 0, nil
	}
	var found []*profile
	var places []string
	repeated := in.rows > 0
	for at, one := range in.columns {
		_, named := in.choices.Columns[one.name]
		named = named && !in.choices.Declared[one.name]
		repeated = repeated && !named && one.heading.again != 0
		if !named && one.likeItsValues(in.rows) {
			found, places = append(found, one), append(places, strconv.Itoa(at+1))
		}
	}
	const way = "put a line of names above it, or say that it has the names (`--header FILE`)"
	noun := plural(len(places), "column")
	switch {
	case repeated && in.format == JSONL:
		return "", 0, faultAt(in.columns[0].heading.again, "has in its first column the name of the column, and so has each column: if the names are values, %s; if they are there twice, remove one", way)
	case repeated:
		return "", 0, faultAt(in.columns[0].heading.again, "has in its first column what line 1 has, and so has each column: if line 1 has values, %s; if it is there twice, remove one", way)
	case len(found) == 0:
		return "", 0, nil
	case (areYears(found) || areSteps(found)) && in.format == JSONL:
		return "its name is a number: if the names are values, put a line of names above them", found[0].at, nil
	case areYears(found) || areSteps(found):
		return "its name is a number: if line 1 has values, put a line of names above it", found[0].at, nil
	case in.format == JSONL:
		return "", 0, faultAt(0, "its names are values, as it looks: in %s %s the name is like what the rows below have: %s", noun, listed(places), way)
	}
	return "", 0, faultAt(1, "has values and no names, as it looks: in %s %s it has what the rows below have: %s", noun, listed(places), way)
}

// areYears tells names that are years above values that are none.
func areYears(columns []*profile) bool {
	const first, last = 1800, 2199
	for _, one := range columns {
		year, ok := parseNumber([]byte(one.name))
		if !ok || len(one.name) != 4 || year < first || year > last {
			return false
		}
		if one.values > 0 && one.least.key >= first && -one.most.key <= last {
			return false
		}
	}
	return true
}

// areSteps tells three names and more that are numbers with one step between them, as
// programs number columns.
func areSteps(columns []*profile) bool {
	const few, nearly = 3, 1e-9
	if len(columns) < few {
		return false
	}
	step, before := 0.0, 0.0
	for at, one := range columns {
		number, ok := parseNumber([]byte(one.name))
		switch next := number - before; {
		case !ok || isTimeName(one.name):
			return false
		case at == 1:
			step = next
		case at > 1 && math.Abs(next-step) > nearly*math.Abs(number):
			return false
		}
		before = number
	}
	return step != 0
}

// listed is a list of numbers as far as a sentence can have it.
func listed(places []string) string {
	const most = 8
	if len(places) > most {
		return strings.Join(places[:most], ", ") + fmt.Sprintf(" and %d more", len(places)-most)
	}
	return strings.Join(places, ", ")
}
