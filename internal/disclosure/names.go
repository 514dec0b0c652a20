package disclosure

import (
	"strconv"
	"strings"
	"unicode"
)

// normal is a column's name without what people change of one: case, and what is neither letter
// nor digit. "Patient ID" and "patient_id" are the same.
func normal(name string) string {
	const longest = 256
	if len(name) > longest {
		return ""
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}

// words are the parts of a name, in lower case: n_patients, nPatients and "n patients" have
// the same.
func words(name string) []string {
	const longest, most = 256, 8
	if len(name) > longest {
		return nil
	}
	var all []string
	start, lower := -1, false
	for at, r := range name {
		part := unicode.IsLetter(r) || unicode.IsDigit(r)
		if start >= 0 && (!part || lower && unicode.IsUpper(r)) {
			all, start = append(all, strings.ToLower(name[start:at])), -1
		}
		if part && start < 0 {
			start = at
		}
		if lower = unicode.IsLower(r); len(all) > most {
			return all
		}
	}
	if start >= 0 {
		all = append(all, strings.ToLower(name[start:]))
	}
	return all
}

// counts are the words by which a name says that its column counts.
var counts = set("n", "no", "num", "number", "nobs", "count", "counts", "freq", "frequency", "frequencies", "size", "cases", "events", "deaths",
	"patients", "subjects", "participants", "persons", "people", "individuals", "respondents", "observations", "obs")

// isCount tells a name of a count: n, n_patients, count, value_counts, Number of cases.
func isCount(name string) bool {
	if len(name) == 0 || name[0] < 'A' && (name[0] != '(' && name[0] != ' ' && name[0] != '#') {
		return false // a number
	}
	all := words(name)
	if len(all) == 0 || len(all) > 6 {
		return false
	}
	first, last := all[0], all[len(all)-1]
	return counts[first] && first != "no" && first != "size" || counts[last] && last != "no"
}

var extremes = set("min", "max", "minimum", "maximum", "lowest", "highest")

// isExtreme tells the name of a least or a greatest value.
func isExtreme(name string) bool {
	for _, word := range words(name) {
		if extremes[word] {
			return true
		}
	}
	return false
}

var statistics = set("count", "mean", "std", "min", "max", "median", "sum", "var", "sem")

// isStatistic tells the label of a row that says what its values are of, as describe writes one:
// that row is nobody's.
func isStatistic(label string) bool {
	percent, found := strings.CutSuffix(label, "%")
	if _, err := strconv.ParseFloat(percent, 64); found && err == nil {
		return true
	}
	return statistics[label]
}

func set(words ...string) map[string]bool {
	all := make(map[string]bool, len(words))
	for _, word := range words {
		all[word] = true
	}
	return all
}

// whole reads a cell that is a whole number, also as pandas writes one beside a gap: 7.0.
func whole(cell string) (number int64, ok bool) {
	cell = strings.TrimSpace(cell)
	if len(cell) == 0 || len(cell) > 20 {
		return 0, false
	}
	if before, after, found := strings.Cut(cell, "."); found && strings.Trim(after, "0") == "" {
		cell = before
	}
	for at := range len(cell) {
		if !isDigit(cell[at]) && (at > 0 || cell[at] != '-') {
			return 0, false // an error of strconv's costs more than the rest
		}
	}
	number, err := strconv.ParseInt(cell, 10, 64)
	return number, err == nil
}

// missing are the texts for a value that is none.
var missing = set("", "na", "nan", "none", "null", "nat", "<na>", "n/a")

func isMissing(cell string) bool {
	const longest = 4
	cell = strings.TrimSpace(cell)
	return cell == "" || len(cell) <= longest && missing[strings.ToLower(cell)]
}

// value is a cell without what writing it again may change of it: 7 and 7.0, a day and its
// midnight. "" stands for a missing one.
func value(cell string) string {
	cell = strings.TrimSpace(cell)
	if isMissing(cell) {
		return ""
	}
	switch cell {
	case "True", "TRUE":
		return "true"
	case "False", "FALSE":
		return "false"
	}
	first := cell[0]
	if first != '-' && (first < '0' || first > '9') || len(cell) > 32 {
		return cell
	}
	if !plainNumber(cell) {
		return moment(cell)
	}
	if !strings.ContainsAny(cell, ".eE") {
		return cell
	}
	number, err := strconv.ParseFloat(cell, 64)
	if err != nil {
		return cell
	}
	return string(AppendNumber(nil, number))
}

// AppendNumber writes a number as the rows of a Table have it: a whole one without a point.
func AppendNumber(to []byte, number float64) []byte {
	const exact = 1e15
	if whole := int64(number); number > -exact && number < exact && float64(whole) == number {
		return strconv.AppendInt(to, whole, 10)
	}
	return strconv.AppendFloat(to, number, 'g', -1, 64)
}

// AppendText writes a text as the rows of a Table have it.
func AppendText(to, text []byte) []byte {
	const special = 5 // bytes of the longest text that stands for something else
	if len(text) > special && (text[0]|0x20 >= 'a' && text[0]|0x20 <= 'z') && text[len(text)-1] > ' ' && text[len(text)-1] < 0x80 {
		return append(to, text...)
	}
	return append(to, value(string(text))...)
}

// shortened is a value with the six significant digits of a fraction that libraries print. A
// whole number has all of its own, or is a moment, as dates are written into JSON.
func shortened(value string) string {
	const digits = 6
	if len(value) <= digits+1 || len(value) > 32 || value[0] != '-' && !isDigit(value[0]) {
		return value
	}
	if date, ok := dated(value); ok {
		return date
	}
	if moment, ok := inMilliseconds(value); ok {
		return moment
	}
	if !strings.ContainsAny(value, ".eE") || !plainNumber(value) {
		return value
	}
	number, err := strconv.ParseFloat(value, 64)
	if err != nil {
		return value
	}
	return strconv.FormatFloat(number, 'g', digits, 64)
}

// moment is a date with its time, of which some forms are the same. That of midnight is the day.
func moment(cell string) string {
	const form = "2006-01-02T15:04:05"
	if len(cell) < len(form) || cell[4] != '-' || cell[7] != '-' || cell[10] != 'T' && cell[10] != ' ' || cell[13] != ':' {
		return cell
	}
	cell = strings.TrimSuffix(strings.TrimSuffix(cell, "Z"), "+00:00")
	if whole, fraction, found := strings.Cut(cell, "."); found && strings.Trim(fraction, "0") == "" {
		cell = whole
	}
	return strings.TrimSuffix(cell[:10]+" "+cell[11:], midnight)
}

const midnight = " 00:00:00"

// plainNumber tells what float64 holds exactly as it is written, or nearly: not 007, and no
// longer number than that.
func plainNumber(cell string) bool {
	digits := strings.TrimPrefix(cell, "-")
	if len(digits) > 1 && digits[0] == '0' && digits[1] != '.' {
		return false
	}
	whole := true
	for at := range len(digits) {
		switch c := digits[at]; {
		case c >= '0' && c <= '9':
		case c == '.', c == 'e', c == 'E', c == '+', c == '-':
			whole = false
		default:
			return false
		}
	}
	return !whole || len(digits) <= 15
}
