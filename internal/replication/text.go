package replication

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
)

// textDifference is what two texts differ in; of no kind where they are the same.
type textDifference struct {
	kind    Kind
	line    int // of the first difference
	numbers int
	largest float64
	counts  bool
}

// compareText compares two texts token by token: a token is a number, or one byte that is
// part of none.
func compareText(first, second []byte, tolerance Tolerance) textDifference {
	if bytes.Equal(first, second) {
		return textDifference{}
	}
	found := textDifference{kind: KindNumbers}
	line := 1
	for len(first) > 0 && len(second) > 0 {
		a, b := numberLength(first), numberLength(second)
		if a == 0 || b == 0 {
			if first[0] != second[0] {
				return found.text(line)
			}
			if first[0] == '\n' {
				line++
			}
			first, second = first[1:], second[1:]
			continue
		}
		found.number(first[:a], second[:b], tolerance, line)
		first, second = first[a:], second[b:]
	}
	if len(first) != len(second) {
		return found.text(line)
	}
	return found
}

// text makes of the difference one of more than numbers.
func (d textDifference) text(line int) textDifference {
	if d.line == 0 {
		d.line = line
	}
	return textDifference{kind: KindText, line: d.line, counts: true}
}

// number takes two numbers that stand in the same place.
func (d *textDifference) number(first, second []byte, tolerance Tolerance, line int) {
	if bytes.Equal(first, second) {
		return
	}
	if d.line == 0 {
		d.line = line
	}
	d.numbers++
	a, aErr := strconv.ParseFloat(string(first), 64)
	b, bErr := strconv.ParseFloat(string(second), 64)
	if aErr != nil || bErr != nil { // beyond all numbers
		d.counts = true
		return
	}
	larger := max(math.Abs(a), math.Abs(b))
	apart := math.Abs(a - b)
	if larger > 0 {
		d.largest = max(d.largest, math.Abs(a/larger-b/larger))
	}
	near := apart <= max(tolerance.Absolute, tolerance.Relative*larger)
	if !near || isInteger(first) && isInteger(second) || tolerance == (Tolerance{}) {
		d.counts = true
	}
}

func isInteger(text []byte) bool { return !bytes.ContainsAny(text, ".eE") }

// numberLength is how many bytes of a decimal number the text begins with, its exponent and a
// minus sign included; 0 for none.
func numberLength(text []byte) int {
	at := 0
	if at < len(text) && text[at] == '-' {
		at++
	}
	whole := digits(text[at:])
	at += whole
	fraction := 0
	if at < len(text) && text[at] == '.' {
		if fraction = digits(text[at+1:]); fraction > 0 {
			at += 1 + fraction
		}
	}
	if whole+fraction == 0 {
		return 0
	}
	return at + exponent(text[at:])
}

func exponent(text []byte) int {
	at := 1
	if len(text) == 0 || text[0] != 'e' && text[0] != 'E' {
		return 0
	}
	if at < len(text) && (text[at] == '-' || text[at] == '+') {
		at++
	}
	if size := digits(text[at:]); size > 0 {
		return at + size
	}
	return 0
}

func digits(text []byte) int {
	for at, char := range text {
		if char < '0' || char > '9' {
			return at
		}
	}
	return len(text)
}

// json compares two JSON values as they are written; how the same value is written counts
// for nothing.
func (c *comparison) json(part string, first, second json.RawMessage) {
	found := compareText(first, second, c.tolerance)
	if found.kind == KindText {
		a, aErr := canonical(first)
		b, bErr := canonical(second)
		if aErr == nil && bErr == nil {
			if again := compareText(a, b, c.tolerance); again.kind == "" {
				found = textDifference{kind: KindWriting}
			} else {
				found = again
			}
		}
	}
	found.line = 0 // nobody sees JSON's lines
	c.told(Difference{Part: part}, found)
}

// canonical writes JSON with sorted members, and numbers as they came.
func canonical(value json.RawMessage) ([]byte, error) {
	decoder := json.NewDecoder(bytes.NewReader(value)) //nolint:forbidigo // what a record holds, to be compared: it is decoded into nothing of ours
	decoder.UseNumber()
	var decoded any
	if err := decoder.Decode(&decoded); err != nil {
		return nil, err
	}
	return json.Marshal(decoded)
}
