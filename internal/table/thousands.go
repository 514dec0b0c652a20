package table

import (
	"bytes"
	"fmt"
	"regexp"
)

// thousands are numbers with three digits behind a point, which may stand between thousands:
// files with semicolons come from places where it does.
type thousands struct {
	line    int   // of the first such number
	several int64 // with more points than one, which no decimal has
	decimal bool  // another number shows that a point is a decimal one
}

// see looks at a number that float64 can have.
func (t *thousands) see(number decimal, line int) {
	whole := len(number.whole)
	switch {
	case number.exponent != nil || whole == 0 || whole > 3 || number.point && (len(number.part) != 3 || number.whole[0] == '0'):
		t.decimal = true
	case number.point && t.line == 0:
		t.line = line
	}
}

var severalPoints = regexp.MustCompile(`^[-+]?[1-9]\d{0,2}(\.\d{3}){2,}$`)

// seeText looks at what is no number: 1.234.567 is one elsewhere.
func (t *thousands) seeText(text []byte, line int) {
	if bytes.IndexByte(text, '.') < 0 || !severalPoints.Match(text) {
		return
	}
	if t.several++; t.line == 0 {
		t.line = line
	}
}

// mayBeThousands reports whether all values are numbers, and none of them says what a point is.
func (p *profile) mayBeThousands() bool {
	meant := int64(0)
	for _, count := range p.tokens {
		meant += count
	}
	points := p.thousands
	return p.chosen == nil && p.categories == nil && points.line != 0 && !points.decimal && p.numeric+points.several+meant == p.values
}

// maybeThousands is for tables of tabs and bars, which come from both kinds of places.
func (in *inference) maybeThousands(one *profile) string {
	if in.format == CSV || in.format == JSONL || !one.mayBeThousands() {
		return ""
	}
	return fmt.Sprintf("three digits behind each point (line %d): if it stands between thousands, write nothing there", one.thousands.line)
}

// checkThousands refuses them where a comma is no delimiter because it is the decimal one.
func (in *inference) checkThousands(one *profile) error {
	if in.format != Delimited("semicolon") || !one.mayBeThousands() {
		return nil
	}
	return faultAt(one.thousands.line, "has in column %s a number with three digits behind a point, as all its numbers with one: write nothing between thousands, "+
		"or choose what it is (`--type FILE:COLUMN=number` for a decimal point, `string` to keep the text)", shown(one.name))
}

var commaNumber = regexp.MustCompile(`^[-+]?(\d+,\d+|\d{1,3}(\.\d{3})+,\d+|\d{1,3}(,\d{3})+(\.\d+)?)$`)

// isCommaNumber tells a number with a comma for its point, or between thousands.
func isCommaNumber(text []byte) bool {
	return bytes.IndexByte(text, ',') > 0 && commaNumber.Match(text)
}
