package table

import (
	"bytes"
	"errors"
	"fmt"
	"time"
)

// isoFormat is Frictionless' name of ISO 8601's form, as RFC 3339 has it.
const isoFormat = "default"

// layout is how a date or datetime is written: steps for strptime's directives and for what
// stands between them. It is empty for ISO 8601.
type layout struct {
	steps  []byte // a directive, or literal
	chars  []byte // of a literal step
	isDate bool
}

const literal = 0

// parseLayout reads a format. It must say year, month and day, in digits that leave nothing
// to guess; a datetime's hour also.
func parseLayout(of Type, format string) (layout, error) {
	made := layout{isDate: of == Date}
	if format == isoFormat {
		return made, nil
	}
	seen := make(map[byte]bool)
	for at := 0; at < len(format); at++ {
		step, char := byte(literal), format[at]
		if char == '%' {
			at++
			if at == len(format) {
				return layout{}, errors.New("its format ends with a %")
			}
			if step = format[at]; step == '%' {
				step = literal
			}
		}
		if step != literal {
			if size(step) == 0 {
				return layout{}, fmt.Errorf("its format has %%%c, which is none of %%Y %%m %%d %%H %%M %%S %%f", step)
			}
			if seen[step] {
				return layout{}, fmt.Errorf("its format has %%%c twice", step)
			}
			seen[step] = true
		}
		made.steps, made.chars = append(made.steps, step), append(made.chars, char)
	}
	hours := seen['H'] || seen['M'] || seen['S'] || seen['f']
	if !seen['Y'] || !seen['m'] || !seen['d'] || hours == made.isDate {
		return layout{}, errors.New(`its format must be "default" or have %Y, %m and %d, for a datetime %H also, for a date no time`)
	}
	return made, nil
}

// size is how many digits a directive has at most.
func size(directive byte) int {
	switch directive {
	case 'Y':
		return 4
	case 'm', 'd', 'H', 'M', 'S':
		return 2
	case 'f':
		return 6
	}
	return 0
}

// read returns the microseconds since 1970. Whether there is a zone must be as wanted.
func (l layout) read(text []byte, zone bool) (int64, bool) {
	if l.steps == nil {
		return readISO(text, l.isDate, zone)
	}
	var parts moment
	for at, step := range l.steps {
		if step == literal {
			if len(text) == 0 || text[0] != l.chars[at] {
				return 0, false
			}
			text = text[1:]
			continue
		}
		digits := digitsOf(text[:min(size(step), len(text))])
		if len(digits) == 0 || len(digits) < size(step) && l.isTight(at) {
			return 0, false
		}
		text = text[len(digits):]
		parts.set(step, digits)
	}
	micros, ok := parts.micros()
	return micros, ok && len(text) == 0 && !zone
}

// isTight reports whether a step has all its digits: with nothing that divides it from its
// neighbours, 2024111 is two days. A fraction of a second ends where it likes.
func (l layout) isTight(at int) bool {
	isDigit := func(at int) bool {
		return at >= 0 && at < len(l.steps) && (l.steps[at] != literal || '0' <= l.chars[at] && l.chars[at] <= '9')
	}
	return l.steps[at] == 'Y' || isDigit(at+1) || isDigit(at-1) && l.steps[at] != 'f'
}

// moment is a date and a time of day.
type moment struct{ year, month, day, hour, minute, second, micro int }

func (m *moment) set(directive byte, digits []byte) {
	switch directive {
	case 'Y':
		m.year = number(digits)
	case 'm':
		m.month = number(digits)
	case 'd':
		m.day = number(digits)
	case 'H':
		m.hour = number(digits)
	case 'M':
		m.minute = number(digits)
	case 'S':
		m.second = number(digits)
	case 'f':
		m.micro = fraction(digits)
	}
}

func number(digits []byte) int {
	sum := 0
	for _, digit := range digits {
		sum = 10*sum + int(digit-'0')
	}
	return sum
}

// fraction is that of a second in microseconds.
func fraction(digits []byte) int {
	sum := number(digits)
	for range 6 - len(digits) {
		sum *= 10
	}
	return sum
}

// micros refuses a day or a time that is none. There is no year 0, for Python has none.
func (m moment) micros() (int64, bool) {
	if m.year < 1 || m.month < 1 || m.month > 12 || m.day < 1 || m.hour > 23 || m.minute > 59 || m.second > 59 {
		return 0, false
	}
	day := time.Date(m.year, time.Month(m.month), m.day, m.hour, m.minute, m.second, 0, time.UTC)
	return day.UnixMicro() + int64(m.micro), day.Day() == m.day
}

// readISO reads YYYY-MM-DD, and for a datetime T or a blank, HH:MM, perhaps seconds with up to
// six digits behind the point, and a zone where there is to be one.
func readISO(text []byte, isDate, zone bool) (int64, bool) {
	var parts moment
	text, ok := take(text, "YYYY-mm-dd", &parts)
	if !ok {
		return 0, false
	}
	if isDate {
		micros, ok := parts.micros()
		return micros, ok && len(text) == 0 && !zone
	}
	if len(text) == 0 || text[0] != 'T' && text[0] != ' ' {
		return 0, false
	}
	if text, ok = take(text[1:], "HH:MM", &parts); !ok {
		return 0, false
	}
	if len(text) > 0 && text[0] == ':' {
		if text, ok = takeSeconds(text[1:], &parts); !ok {
			return 0, false
		}
	}
	micros, ok := parts.micros()
	if !zone {
		return micros, ok && len(text) == 0
	}
	offset, isZone := readZone(text)
	return micros - offset, ok && isZone
}

// The first and the last moment that Python's datetime has, in UTC.
var (
	firstMoment = time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC).UnixMicro()
	endOfTime   = time.Date(10_000, 1, 1, 0, 0, 0, 0, time.UTC).UnixMicro()
)

// withinYears reports whether Python has a moment, which an offset may have moved out.
func withinYears(micros int64) bool { return firstMoment <= micros && micros < endOfTime }

// take reads what a pattern of directives, each as often as it has digits, says.
func take(text []byte, pattern string, into *moment) (rest []byte, ok bool) {
	if len(text) < len(pattern) {
		return nil, false
	}
	for at := 0; at < len(pattern); {
		char := pattern[at]
		if size(char) == 0 {
			if text[at] != char {
				return nil, false
			}
			at++
			continue
		}
		end := at + size(char)
		if len(digitsOf(text[at:end])) != end-at {
			return nil, false
		}
		into.set(char, text[at:end])
		at = end
	}
	return text[len(pattern):], true
}

func takeSeconds(text []byte, into *moment) (rest []byte, ok bool) {
	text, ok = take(text, "SS", into)
	if !ok || len(text) == 0 || text[0] != '.' {
		return text, ok
	}
	digits := digitsOf(text[1:])
	if len(digits) == 0 || len(digits) > size('f') {
		return nil, false
	}
	into.set('f', digits)
	return text[1+len(digits):], true
}

// isUTC reports whether a moment with a zone is written as one of UTC.
func isUTC(text []byte) bool {
	return bytes.HasSuffix(text, []byte("Z")) || bytes.HasSuffix(text, []byte("+00:00"))
}

// readZone reads Z or an offset such as +02:00, in microseconds.
func readZone(text []byte) (int64, bool) {
	if string(text) == "Z" {
		return 0, true
	}
	if len(text) != len("+HH:MM") || text[0] != '+' && text[0] != '-' {
		return 0, false
	}
	var parts moment
	if _, ok := take(text[1:], "HH:MM", &parts); !ok || parts.hour > 23 || parts.minute > 59 {
		return 0, false
	}
	offset := int64(parts.hour*60+parts.minute) * time.Minute.Microseconds()
	if text[0] == '-' {
		offset = -offset
	}
	return offset, true
}
