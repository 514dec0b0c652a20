package disclosure

import (
	"context"
	"fmt"
	"hash/maphash"
)

// A run is some cells that stand beside each other, in the data as in the output. By its runs a
// row is known where no column has its name: in what is printed without one, and under other
// names.

// runLength is of how many cells a run is, and of a table with two columns of two.
const runLength = 3

// Rows are the runs of the data, as a filter: what is not in it is none, and what is in it may
// be one. It is made once for a bundle and may be used by several at once.
type Rows struct {
	seed   maphash.Seed
	bits   []uint64
	narrow bool // a table has two columns
}

// Bounds of the filter, in words of 64 bits: 16 MiB at the most, which in 8 million runs takes
// one of 500 for another.
const (
	leastBits = 1 << 9
	mostBits  = 1 << 21
)

// NewRows reads all of the data. bytes is about how large it is.
func NewRows(ctx context.Context, data []Table, bytes int64) (*Rows, error) {
	words := int64(leastBits)
	for words < mostBits && words*32 < bytes {
		words *= 2
	}
	r := &Rows{seed: maphash.MakeSeed(), bits: make([]uint64, words)}
	for _, table := range data {
		length := lengthIn(len(table.Columns))
		if length == 0 {
			continue
		}
		r.narrow = r.narrow || length < runLength
		err := table.Rows(ctx, inOrder(len(table.Columns)), func(cells [][]byte) error {
			eachRun(r.seed, textsOf(cells), length, r.add)
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("read the rows: %w", err)
		}
	}
	return r, nil
}

func lengthIn(columns int) int {
	if columns < 2 {
		return 0
	}
	return min(columns, runLength)
}

func textsOf(cells [][]byte) []string {
	texts := make([]string, len(cells))
	for at, cell := range cells {
		texts[at] = shortened(string(cell))
	}
	return texts
}

// eachRun hands out the hashes of the runs of a row, whose cells are as shortened writes them.
// What is missing says nothing, so that most of a run has to be there.
func eachRun(seed maphash.Seed, texts []string, length int, see func(hash uint64)) {
	for at := 0; at+length <= len(texts); at++ {
		var hash maphash.Hash
		hash.SetSeed(seed)
		there := 0
		for _, text := range texts[at : at+length] {
			if text != "" {
				there++
			}
			hash.WriteString(text)
			hash.WriteByte(0)
		}
		if there >= 2 {
			see(hash.Sum64())
		}
	}
}

const probes = 4 // bits of the filter for a run

func (r *Rows) add(hash uint64) {
	for n := range uint64(probes) {
		bit := r.bit(hash, n)
		r.bits[bit/64] |= 1 << (bit % 64)
	}
}

func (r *Rows) has(hash uint64) bool {
	for n := range uint64(probes) {
		if bit := r.bit(hash, n); r.bits[bit/64]&(1<<(bit%64)) == 0 {
			return false
		}
	}
	return true
}

func (r *Rows) bit(hash, n uint64) uint64 {
	return (hash + n*(hash>>32|1)) % uint64(len(r.bits)*64)
}

// runs are those of the output that may be the data's.
type runs struct {
	l       *looker
	waiting []waitingRow // until there are enough for the data to be asked for
	rows    *Rows
	asked   bool
	lost    bool

	known map[uint64]*run
	next  int // row, of all parts together
}

type waitingRow struct {
	part, row int
	texts     []string
}

// run is one that the output has.
type run struct {
	times int64      // in the data
	in    []sighting // once for a part
}

type sighting struct{ part, row int32 }

// row takes the cells of a row of the output.
func (r *runs) row(cells []string) {
	r.next++
	r.again(cells)
}

// again takes the cells of the same row, split in another way.
func (r *runs) again(cells []string) {
	const maxWaiting = 16 // rows of 1 MiB
	if r.l.options.Rows == nil || r.lost || len(cells) < 2 {
		return
	}
	one := waitingRow{r.l.at, r.next, make([]string, len(cells))}
	there := 0
	for at, cell := range cells {
		if one.texts[at] = shortened(value(cell)); one.texts[at] != "" {
			there++
		}
	}
	if there < 2 {
		return
	}
	if r.asked {
		r.look(one)
		return
	}
	r.waiting = append(r.waiting, one)
	if int64(len(r.waiting)) < min(r.l.options.Criteria.CopiedRows, maxWaiting) {
		return
	}
	r.asked = true
	r.rows, r.l.failed = r.l.options.Rows(r.l.ctx)
	for _, each := range r.waiting {
		r.look(each)
	}
	r.waiting = nil
}

func (r *runs) look(row waitingRow) {
	if r.rows == nil {
		return
	}
	see := func(hash uint64) { r.sight(hash, row) }
	eachRun(r.rows.seed, row.texts, runLength, see)
	if r.rows.narrow {
		eachRun(r.rows.seed, row.texts, runLength-1, see)
	}
}

// sight notes a run that may be the data's, once for a part.
func (r *runs) sight(hash uint64, row waitingRow) {
	if !r.rows.has(hash) || r.lost {
		return
	}
	one := r.known[hash]
	if one != nil && one.in[len(one.in)-1].part == int32(row.part) { // parts come one after the other
		return
	}
	if !r.l.hold() {
		r.lost = true
		return
	}
	if one == nil {
		one = &run{}
		r.known[hash] = one
	}
	one.in = append(one.in, sighting{int32(row.part), int32(row.row)})
}

// promising says whether the data has to be read: so many rows of the output may be of it.
func (r *runs) promising() bool {
	rows := map[int32]bool{}
	for _, each := range r.known {
		for _, where := range each.in {
			if rows[where.row] = true; int64(len(rows)) >= r.l.options.Criteria.CopiedRows {
				return true
			}
		}
	}
	return false
}

// theirs counts the runs of a row of the data, if the output has them.
func (r *runs) theirs(cells [][]byte, _ []int) {
	if length := lengthIn(len(cells)); length > 0 {
		eachRun(r.rows.seed, textsOf(cells), length, func(hash uint64) {
			if one := r.known[hash]; one != nil {
				one.times++
			}
		})
	}
}

// endTable is for what is known by the columns' names.
func (r *runs) endTable() {}

// end counts the rows of each part that have a run of the data's, one that too few persons
// share for it to be a group's.
func (r *runs) end() {
	rows := map[sighting]bool{}
	for _, each := range r.known {
		if each.times == 0 || each.times >= r.l.options.Criteria.MinCell {
			continue
		}
		for _, where := range each.in {
			rows[where] = true
		}
	}
	same := make([]int64, len(r.l.options.Parts))
	for where := range rows {
		same[where.part]++
	}
	for part, count := range same {
		told := r.l.told(RuleCopiedRows, part, 0) // by the columns' names
		if count >= r.l.options.Criteria.CopiedRows && !told {
			r.l.at = part
			r.l.find(RuleCopiedRows, 0, 0, count, "rows have values of the bundle's in a row of as many columns, whatever these are called, and fewer than %d rows there are the same", r.l.options.Criteria.MinCell)
		}
	}
}
