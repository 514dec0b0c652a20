package table

import (
	"bytes"
	"math"
	"strconv"
)

// isDigits reports whether text is a sign, perhaps, and digits.
func isDigits(text []byte) bool {
	if len(text) > 0 && (text[0] == '-' || text[0] == '+') {
		text = text[1:]
	}
	return len(text) > 0 && len(digitsOf(text)) == len(text)
}

func digitsOf(text []byte) []byte {
	for at, char := range text {
		if char < '0' || char > '9' {
			return text[:at]
		}
	}
	return text
}

// decimal is a number as it is written.
type decimal struct {
	negative    bool
	whole, part []byte // digits before and behind the point
	point       bool
	exponent    []byte // with its sign; nil for none
}

// splitDecimal reads [-+]digits[.digits][e[-+]digits], with at least one digit before or
// behind the point.
func splitDecimal(text []byte) (number decimal, ok bool) {
	if len(text) > 0 && (text[0] == '-' || text[0] == '+') {
		number.negative = text[0] == '-'
		text = text[1:]
	}
	number.whole = digitsOf(text)
	text = text[len(number.whole):]
	if len(text) > 0 && text[0] == '.' {
		number.point = true
		number.part = digitsOf(text[1:])
		text = text[1+len(number.part):]
	}
	if len(number.whole)+len(number.part) == 0 {
		return decimal{}, false
	}
	if len(text) > 0 && (text[0] == 'e' || text[0] == 'E') {
		number.exponent = text[1:]
		if !isDigits(number.exponent) {
			return decimal{}, false
		}
		text = nil
	}
	return number, len(text) == 0
}

// infinities are the spellings of Frictionless, Python and R.
var infinities = map[string]float64{
	"inf": math.Inf(1), "Inf": math.Inf(1), "INF": math.Inf(1),
	"-inf": math.Inf(-1), "-Inf": math.Inf(-1), "-INF": math.Inf(-1),
}

// parseNumber reads a decimal number, rounded to the nearest float64, or an infinity. One so
// small that zero is the nearest is none.
func parseNumber(text []byte) (float64, bool) {
	written, ok := splitDecimal(text)
	if !ok {
		number, known := infinities[string(text)]
		return number, known
	}
	number, err := strconv.ParseFloat(string(text), 64)
	return number, err == nil && (number != 0 || len(significant(written)) == 0)
}

// moves reports whether a number is so large that rounding it makes another integer of it, as
// of an id: below 2^53 only digits behind the point are rounded.
func moves(text []byte, value float64) bool {
	if math.Abs(value) < maxExact {
		return false
	}
	number, ok := splitDecimal(text)
	if !ok || keeps(number, value) {
		return false
	}
	all := strconv.AppendFloat(nil, math.Abs(value), 'f', 0, 64)
	return !bytes.Equal(significant(number), bytes.Trim(all, "0"))
}

// keeps reports whether float64 has a decimal's value: printed with as many digits as the
// decimal has it is the same. Below 16 digits that is so but at the ends of the range, beyond
// 17 never.
func keeps(number decimal, value float64) bool {
	const surely, most = 15, 17
	digits := significant(number)
	switch {
	case len(digits) == 0:
		return value == 0
	case len(digits) <= surely && math.Abs(value) > 1e-290:
		return !math.IsInf(value, 0)
	case len(digits) > most:
		return false
	}
	printed := strconv.AppendFloat(nil, math.Abs(value), 'e', len(digits)-1, 64)
	mantissa, _, _ := bytes.Cut(printed, []byte{'e'})
	if !bytes.Equal(bytes.Replace(mantissa, []byte{'.'}, nil, 1), digits) {
		return false
	}
	again, err := strconv.ParseFloat(string(printed), 64)
	return err == nil && again == math.Abs(value) && value != 0
}

// significant are the digits of a decimal without zeros at either end; those behind the
// point at its end do not change the value.
func significant(number decimal) []byte {
	digits := append(bytes.Clone(number.whole), number.part...)
	return bytes.Trim(digits, "0")
}
