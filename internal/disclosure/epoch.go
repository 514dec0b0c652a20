package disclosure

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// dated is a whole number that may be a moment since 1970 as the date that it stands for: pandas
// writes dates into JSON in milliseconds. How many digits it has tells its unit, but near 1970
// and after 2286. A number of the data that is no date becomes one, too, so that both stay the
// same.
func dated(value string) (date string, ok bool) {
	digits := strings.TrimPrefix(value, "-")
	const least, most = 9, 19
	if len(digits) < least || len(digits) > most || digits[0] == '0' || strings.Trim(digits, "0123456789") != "" {
		return "", false
	}
	number, err := strconv.ParseInt(value, 10, 64)
	if err != nil {
		return "", false
	}
	var moment time.Time
	switch len(digits) {
	case 9, 10:
		moment = time.Unix(number, 0)
	case 11, 12, 13:
		moment = time.UnixMilli(number)
	case 14, 15, 16:
		moment = time.UnixMicro(number)
	default:
		moment = time.Unix(0, number)
	}
	return strings.TrimSuffix(moment.UTC().Format("2006-01-02 15:04:05.999"), midnight), true
}

// constructors are dates as Python shows them: datetime.datetime(2020, 1, 2, 10, 11).
var constructors = regexp.MustCompile(`\bdatetime\.date(?:time)?\((\d{4}(?:, \d{1,6}){2,6})(?:, tzinfo=[^()]{1,40}(?:\([^()]*\))?)?\)`)

// constructed writes dates of Python as texts.
func constructed(line string) string {
	if !strings.Contains(line, "datetime.") {
		return line
	}
	return constructors.ReplaceAllStringFunc(line, func(found string) string {
		var parts [7]int // year, month, day, hour, minute, second, microsecond
		for at, part := range strings.Split(constructors.FindStringSubmatch(found)[1], ", ") {
			if number, err := strconv.Atoi(part); err == nil {
				parts[at] = number
			}
		}
		moment := time.Date(parts[0], time.Month(parts[1]), parts[2], parts[3], parts[4], parts[5], parts[6]*1000, time.UTC)
		return moment.Format("'2006-01-02 15:04:05.999999'")
	})
}

// inMilliseconds is a moment with no more of its fraction than JSON of pandas has.
func inMilliseconds(value string) (moment string, ok bool) {
	const seconds, most = len("2006-01-02 15:04:05"), len("2006-01-02 15:04:05.999")
	if len(value) <= seconds || value[seconds] != '.' || value[4] != '-' || value[10] != ' ' {
		return "", false
	}
	return strings.TrimRight(strings.TrimRight(value[:min(len(value), most)], "0"), "."), true
}
