package table

import (
	"fmt"
	"math"
	"strconv"
)

// wholes are integers without a sign or zeros in front.
type wholes struct {
	candidate
	count    int64
	negative bool
	low      int64
	high     uint64 // of those that are not negative
	beyond   int    // line of one beyond 2^53, either way
	overInt  bool   // one is beyond int64
}

func (w *wholes) see(text []byte, line int) {
	if !w.ok() {
		return
	}
	w.count++
	if text[0] == '-' {
		number, err := strconv.ParseInt(string(text), 10, 64)
		if err != nil {
			w.fail(line, longDigits)
			return
		}
		w.negative = true
		w.low = min(w.low, number)
		w.mark(!exact(number), line)
		return
	}
	number, err := strconv.ParseUint(string(text), 10, 64)
	if err != nil {
		w.fail(line, longDigits)
		return
	}
	w.high = max(w.high, number)
	w.mark(number > maxExact, line)
	w.overInt = w.overInt || number > math.MaxInt64
}

func (w *wholes) mark(beyond bool, line int) {
	if beyond && w.beyond == 0 {
		w.beyond = line
	}
}

// decimals are numbers whose value float64 keeps.
type decimals struct {
	candidate
	count  int64
	places int // behind the point; the same for all unless mixed
	mixed  bool
	zeros  int  // line of one with a zero at its end that shortest form has not
	whole  int  // line of one that ends in .0, as programs write a float
	bare   bool // one has no point, as none that programs write as a float
}

func (d *decimals) see(number decimal, line int) {
	places := len(number.part)
	if d.count == 0 {
		d.places = places
	}
	d.count++
	d.mixed = d.mixed || d.places != places
	d.bare = d.bare || places == 0
	switch {
	case places == 0 || number.part[places-1] != '0':
	case string(number.part) == "0" && d.whole == 0:
		d.whole = line
	case string(number.part) != "0" && d.zeros == 0:
		d.zeros = line
	}
}

// code is the line of a number whose zero at the end tells it from another that is written
// without, or 0.
func (d *decimals) code() int {
	switch {
	case d.mixed && d.zeros != 0:
		return d.zeros
	case d.bare && d.whole != 0:
		return d.whole
	}
	return 0
}

func (d *decimals) codeNote() string {
	return fmt.Sprintf("zeros at the end of some numbers (line %d), as codes have: the type number drops them", d.code())
}
