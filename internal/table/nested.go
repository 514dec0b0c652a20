package table

import (
	"fmt"
	"strconv"
	"strings"
)

// maxPythonDigits is how many digits of an integer Python reads (sys.int_info): one more, and
// none of its column could be made.
const maxPythonDigits = 4300

// inexact finds a number within an object or array of valid JSON that a script would have
// otherwise than it is written: Python makes an int of digits, and a float64 of all else.
func inexact(value []byte) (problem string) {
	for at := 0; at < len(value); {
		switch char := value[at]; {
		case char == '"':
			at = behindString(value, at)
		case char == '-' || '0' <= char && char <= '9':
			end := at + 1
			for end < len(value) && strings.IndexByte("+-.eE0123456789", value[end]) >= 0 {
				end++
			}
			if why := changed(value[at:end]); why != "" {
				return fmt.Sprintf("a value with a number in it %s: write that as a string", why)
			}
			at = end
		default:
			at++
		}
	}
	return ""
}

// behindString returns the place behind the string that begins at one.
func behindString(value []byte, at int) int {
	for at++; at < len(value); at++ {
		switch value[at] {
		case '\\':
			at++
		case '"':
			return at + 1
		}
	}
	return at
}

// changed says how Python would change a number, or "".
func changed(text []byte) string {
	number, ok := splitDecimal(text)
	switch {
	case !ok:
		return "that is none"
	case string(text) == "-0":
		return "that is -0, which would lose its sign"
	case !number.point && number.exponent == nil && len(number.whole) > maxPythonDigits:
		return fmt.Sprintf("of more than %d digits, which Python does not read", maxPythonDigits)
	case !number.point && number.exponent == nil:
		return ""
	}
	value, err := strconv.ParseFloat(string(text), 64)
	if err != nil || !keeps(number, value) {
		return "that no float64 keeps"
	}
	return ""
}
