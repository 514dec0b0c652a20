package disclosure

import (
	"strconv"
	"strings"
)

// runs are those of the output that may be the data's.
type runs struct {
	l       *looker
	waiting []waitingRow // until there are enough for the data to be asked for
	rows    *Rows
	asked   bool
	lost    bool

	known   map[uint64]*run
	next    int      // row, of all parts together
	reading *reading // of the data's table that is compared
}

// waitingRow is a row of the output, or a value in a column of it.
type waitingRow struct {
	part, row int
	texts     []string
	below     *sequence
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
	if r.l.options.Rows == nil || r.lost || len(cells) < 2 {
		return
	}
	one := waitingRow{r.l.at, r.next, make([]string, len(cells)), nil}
	there := 0
	for at, cell := range cells {
		if one.texts[at] = shortened(value(cell)); one.texts[at] != "" {
			there++
		}
	}
	if there > 1 {
		r.wait(one)
	}
}

// below takes the next value of a column of the output, or of a list.
func (r *runs) below(column *sequence, cell string) {
	if r.l.options.Rows == nil || r.lost {
		return
	}
	r.next++
	text := shortened(value(cell))
	if r.asked && column.first == nil {
		r.seeBelow(column, text, waitingRow{part: r.l.at, row: r.next})
		return
	}
	column.first = append(column.first, strings.Clone(text))
	if column.begun = column.begun || len(column.first) >= runBelow; column.begun || r.asked {
		texts := column.first
		column.first = nil
		r.wait(waitingRow{r.l.at, r.next, texts, column})
	}
}

func (r *runs) seeBelow(column *sequence, text string, row waitingRow) {
	if r.rows == nil {
		return
	}
	if hash, whole := column.next(hashOf(r.rows.seed, text), text); whole {
		r.sight(hash, row)
	}
}

// sequence is a column of the output.
type sequence struct {
	column8
	first      []string // values, until there are as many as a run has
	begun      bool     // there were
	last, step float64
	even       int // steps that were the same
}

// next takes a value. Numbers in even steps are those of an axis, of years, of rows; under the
// name of a column, whole ones are.
func (s *sequence) next(hash uint64, text string) (sum uint64, whole bool) {
	number, err := strconv.ParseFloat(text, 64)
	step := number - s.last
	if s.even++; err != nil || step != s.step {
		s.even = 0
	}
	s.last, s.step = number, step
	sum, whole = s.add(hash, text)
	isStepping := s.even >= s.length()/2 && (!s.named || !strings.Contains(text, "."))
	return sum, whole && !isStepping
}

// within takes a text that may have a row in it.
func (r *runs) within(text string) {
	if strings.ContainsAny(text, " ,;|/\t") {
		r.row(fieldsOf(text))
	}
}

// wait asks for the data once there is something to compare with it.
func (r *runs) wait(one waitingRow) {
	const maxWaiting = 16 // rows of 1 MiB
	if r.asked {
		r.look(one)
		return
	}
	r.waiting = append(r.waiting, one)
	if int64(len(r.waiting)) < min(r.l.options.Criteria.CopiedRows, maxWaiting) {
		return
	}
	r.asked = true
	rows, err := r.l.options.Rows(r.l.ctx)
	r.rows = rows
	r.l.fail(err)
	r.lost = r.rows == nil // nothing to compare with
	for _, each := range r.waiting {
		r.look(each)
	}
	r.waiting = nil
}

func (r *runs) look(row waitingRow) {
	if r.rows == nil {
		return
	}
	if row.below != nil {
		for _, text := range row.texts {
			r.seeBelow(row.below, text, row)
		}
		return
	}
	see := func(hash uint64) { r.sight(hash, row) }
	hashes := make([]uint64, len(row.texts))
	for at, text := range row.texts {
		hashes[at] = hashOf(r.rows.seed, text)
	}
	eachRun(hashes, runLength, see)
	if r.rows.narrow {
		eachRun(hashes, runLength-1, see)
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
	if r.reading == nil {
		r.reading = newReading(r.rows.seed, len(cells), func(hash uint64) {
			if one := r.known[hash]; one != nil {
				one.times++
			}
		})
	}
	r.reading.row(cells)
}

// endTable is for what is known by the columns' names.
func (r *runs) endTable() { r.reading = nil }

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
			r.l.find(RuleCopiedRows, 0, 0, count, "values stand beside or below each other as in rows of the bundle, whatever their columns are called, and fewer than %d rows there are the same", r.l.options.Criteria.MinCell)
		}
	}
}
