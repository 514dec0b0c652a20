package strictjson

import (
	"errors"
	"math"
	"strconv"
	"strings"
)

// What a number may need, by the types that its readers have. JSON itself bounds
// nothing: "1e-1000001" is ten bytes, and a library that computes exactly makes
// millions of digits of it, or none and a nil pointer.
const (
	// maxDigits is one before the point and the 324 places of 5e-324, the smallest
	// float64. The largest, 1.8e308, has 309, and an int64 has 19.
	maxDigits = 325
	// maxExponent is that of the smallest float64.
	maxExponent = 324
	// exponentText is maxExponent with a sign and one leading zero.
	exponentText = len("-0324")
)

// CheckNumber holds the text of a JSON number to what a float64 can hold: at most
// maxDigits digits, an exponent of at most maxExponent, and no infinity. Whoever
// hands a number to a library asks here first. The error names no digit of it.
func CheckNumber(number string) error {
	mantissa, exponent := number, ""
	if at := strings.IndexAny(number, "eE"); at >= 0 {
		mantissa, exponent = number[:at], number[at+1:]
	}
	if len(strings.TrimPrefix(mantissa, "-")) > maxDigits+len(".") {
		return errors.New("the number has more digits than any float needs")
	}
	if exponent != "" {
		power, err := strconv.Atoi(exponent)
		if err != nil || len(exponent) > exponentText || max(power, -power) > maxExponent {
			return errors.New("the number's exponent is beyond every float")
		}
	}
	if value, err := strconv.ParseFloat(number, 64); err != nil || math.IsInf(value, 0) {
		return errors.New("the number is beyond every float")
	}
	return nil
}
