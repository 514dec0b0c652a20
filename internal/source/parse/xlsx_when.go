package parse

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// shown is what a number's format makes of it.
type shown int

const (
	asNumber shown = iota
	asDate
	asDatetime
	asTime
	asDuration // hours or minutes that go on beyond a day
	asZeros    // zeros in front
)

func (s shown) isMoment() bool { return s == asDate || s == asDatetime || s == asTime }

// styles are the formats of cells, by their number.
type styles []shown

func (s styles) of(index int) shown {
	if index < 0 || index >= len(s) {
		return asNumber
	}
	return s[index]
}

func (b *workbook) readStyles(name string) error {
	var read struct {
		Formats []struct {
			ID   int    `xml:"numFmtId,attr"`
			Code string `xml:"formatCode,attr"`
		} `xml:"numFmts>numFmt"`
		Cells []struct {
			Format int `xml:"numFmtId,attr"`
		} `xml:"cellXfs>xf"`
	}
	if err := b.decode(name, &read); err != nil {
		return err
	}
	own := make(map[int]shown, len(read.Formats))
	for _, one := range read.Formats {
		own[one.ID] = shownBy(one.Code)
	}
	for _, one := range read.Cells {
		is, has := own[one.Format]
		if !has {
			is = builtIn(one.Format)
		}
		b.styles = append(b.styles, is)
	}
	return nil
}

// builtIn are the formats that have no code in the file (ECMA-376 part 1, 18.8.30).
func builtIn(id int) shown {
	switch {
	case id >= 14 && id <= 17, id >= 27 && id <= 31, id == 36, id >= 50 && id <= 54, id == 57, id == 58:
		return asDate
	case id >= 18 && id <= 21, id >= 32 && id <= 35, id == 45, id == 47, id == 55, id == 56:
		return asTime
	case id == 22:
		return asDatetime
	case id == 46:
		return asDuration
	}
	return asNumber
}

var (
	literals  = regexp.MustCompile(`"[^"]*"|\\.|_.|\*.|(?i:AM/PM|A/P)`)
	durations = regexp.MustCompile(`(?i)\[(h+|m+|s+)\]`)
	brackets  = regexp.MustCompile(`\[[^\]]*\]`)
	onlyZeros = regexp.MustCompile(`^0{2,}$`)
)

// shownBy reads a format's code: that of positive numbers.
func shownBy(code string) shown {
	code, _, _ = strings.Cut(literals.ReplaceAllString(code, ""), ";")
	if durations.MatchString(code) {
		return asDuration
	}
	code = strings.ToLower(brackets.ReplaceAllString(code, ""))
	isTime := strings.ContainsAny(code, "hs")
	isDate := strings.ContainsAny(code, "yd") || strings.Contains(code, "m") && !isTime
	switch {
	case code == "general":
		return asNumber
	case isDate && isTime:
		return asDatetime
	case isDate:
		return asDate
	case isTime:
		return asTime
	case onlyZeros.MatchString(code):
		return asZeros
	}
	return asNumber
}

const (
	secondsOfDay = 24 * 60 * 60
	firstSure    = 61      // 1900-03-01: before it, programs disagree, as 1900 was no leap year
	endOfTime    = 2958466 // 10000-01-01
	until1904    = 1462    // days from the one epoch to the other
)

// doubt is by how many microseconds a number of days may be wrong by how it was written: half
// of its last digit, of which programs write 15 in all, or the step of a double.
func doubt(written string) float64 {
	mantissa, exponent, _ := strings.Cut(strings.ToUpper(written), "E")
	_, part, _ := strings.Cut(mantissa, ".")
	power, err := strconv.Atoi(exponent)
	if exponent != "" && err != nil {
		power = 0
	}
	const ofDouble, ofDigits = 1, 5 // the last digit of a day of this time is 8.64
	return min(max(math.Pow10(power-len(part))/2*secondsOfDay*1e6, ofDouble), ofDigits)
}

// moment makes the ISO text of a number of days. It has a time where the number or its format
// has one. Milliseconds are what people write there; what is none of them, beyond doubt, has
// microseconds.
func (b *workbook) moment(days, doubt float64, as shown) (written string, is shown, err error) {
	first, end := float64(firstSure), float64(endOfTime)
	epoch := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	if b.is1904 {
		first, end, epoch = 0, endOfTime-until1904, time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	if as == asTime {
		if days < 0 || days >= 1 {
			return "", asDuration, nil
		}
		first, epoch = 0, time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	if math.IsNaN(days) || days < first || days >= end {
		return "", 0, fmt.Errorf("has a date that programs read as different days, or none (day %g): write it as a text", days)
	}
	whole, part := math.Modf(days)
	micros := part * secondsOfDay * 1e6
	if near := math.Round(micros/1000) * 1000; math.Abs(near-micros) < doubt {
		micros = near
	}
	at := epoch.AddDate(0, 0, int(whole)).Add(time.Duration(math.Round(micros)) * time.Microsecond)
	switch {
	case at.Year() > 9999:
		return "", 0, fmt.Errorf("has a date that is so close to the year 10000 that it is in it (day %g): write it as a text", days)
	case as == asTime && at.Day() != 1:
		return "", asDuration, nil // so close to midnight that it is the next one
	case as == asTime:
		return at.Format("15:04:05.999999"), asTime, nil
	case as == asDate && part == 0:
		return at.Format(time.DateOnly), asDate, nil
	}
	return at.Format("2006-01-02T15:04:05.999999"), asDatetime, nil
}
