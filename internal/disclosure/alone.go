package disclosure

import (
	"math"
	"slices"
)

// A column alone makes no row of somebody: under its name stand counts, quantiles and the steps of
// a curve, of which the data has some by chance. What tells persons is an order of values that is
// the data's.

func newAlone() *sequence { return &sequence{column8: column8{named: true}} }

// dataAlone is a column of the data whose name a table of the output has, and no other one.
type dataAlone struct {
	below  column8
	rows   float64
	values map[uint64]bool // some that differ
}

// next takes a value of the data.
func (d *dataAlone) next(hash uint64, text string) (sum uint64, whole bool) {
	const enough = 1000 // no chance is left with so many
	if d.rows++; len(d.values) < enough {
		d.values[hash] = true
	}
	return d.below.add(hash, text)
}

// covered counts the values of the output in runs that end at these. In many rows of few values
// the data has any run by chance.
func (d *dataAlone) covered(ends []uint32) (values int64) {
	const chance = 1000 // one run of so many
	if d.rows*chance > math.Pow(float64(len(d.values)), runNamed) {
		return 0
	}
	slices.Sort(ends)
	last := uint32(0)
	for _, end := range ends {
		values += int64(min(end-last, runNamed))
		last = end
	}
	return values
}
