package disclosure

import (
	"context"
	"fmt"
	"hash/maphash"
	"maps"
	"slices"
)

// copied are the rows of one part of the output, in the columns that they share with one of the
// data's tables, whether they came in one table or in several.
type copied struct {
	l     *looker
	part  int
	table int   // of Options.Data
	ours  []int // its columns
	rows  map[uint64]met
	next  uint32     // row of the output
	alone *dataAlone // a single column is compared in another way
	lost  bool       // there was no room for all
}

// met is a row of the output, or the last one of a run, and how often the data has it.
type met struct{ at, times uint32 }

// taker takes the rows of one table of the output.
type taker interface{ released(cells []string) }

// placed is where a table of the output has the columns.
type placed struct {
	*copied
	place []int
	below *sequence // of a column alone
	label bool      // a column without a name stands first: it says what its rows are
}

// Bounds of what is compared: of the data's tables, those that share most columns; and the
// combinations of a part, a table and columns.
const (
	maxCompared = 64
	maxCopies   = 4096
)

// spot is a column of the data.
type spot struct{ table, column int }

// compared finds with what the rows of a table of the output, of these columns, are to be
// compared.
func (l *looker) compared(names []string) []taker {
	names = names[:min(len(names), maxColumns)]
	all := l.copiesOf(names)
	takers := make([]taker, 0, len(all))
	for _, each := range all {
		takers = append(takers, each)
	}
	return append(takers, l.groupsOf(names)...)
}

// copiesOf finds the tables of the data with which one of the output, of these columns, is to
// be compared.
func (l *looker) copiesOf(names []string) []placed {
	var all []placed
	label := len(names) > 0 && names[0] == ""
	tables := map[int]int{} // index of all
	for at, name := range names {
		for _, there := range l.spots[normal(name)] {
			index, known := tables[there.table]
			if !known {
				index, tables[there.table] = len(all), len(all)
				all = append(all, placed{&copied{l: l, part: l.at, table: there.table}, nil, newAlone(), label})
			}
			if one := &all[index]; !slices.Contains(one.ours, there.column) { // the first one of that name
				one.ours, one.place = append(one.ours, there.column), append(one.place, at)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b placed) int { return len(b.ours) - len(a.ours) })
	if len(all) > maxCompared {
		l.unchecked()
		all = all[:maxCompared]
	}
	for at, each := range all {
		all[at].copied = l.together(each.copied)
	}
	return slices.DeleteFunc(all, func(each placed) bool { return each.copied == nil })
}

// together finds the rows of the same part in the same columns, or nil where there is no room.
func (l *looker) together(one *copied) *copied {
	key := fmt.Sprintf("%06d %d %v", one.part, one.table, one.ours)
	if known := l.copies[key]; known != nil {
		return known
	}
	if len(l.copies) == maxCopies {
		l.unchecked()
		return nil
	}
	one.rows = map[uint64]met{}
	if len(one.ours) == 1 && l.options.Data[one.table].Columns[one.ours[0]].Kind != Identifier {
		one.alone = &dataAlone{below: column8{named: true}, values: map[uint64]bool{}}
	}
	l.copies[key] = one
	return one
}

// released takes a row of the output.
func (p placed) released(cells []string) {
	c := p.copied
	if c.lost || p.label && len(cells) > 0 && isStatistic(cells[0]) {
		return
	}
	c.next++
	hash, something := c.l.row(cells, p.place)
	if c.alone != nil {
		hash, something = p.below.next(hash, cellAt(cells, p.place[0]))
	}
	if !something {
		return
	}
	if _, there := c.rows[hash]; there {
		return
	}
	if !c.l.hold() {
		c.lost = true
		return
	}
	c.rows[hash] = met{at: c.next}
}

// hold makes room for one more hash of a row, or says that there is none.
func (l *looker) hold() bool {
	if l.held == maxHashes {
		l.unchecked()
		return false
	}
	l.held++
	return true
}

// row is the hash of some cells of a row. Rows that have nothing in them are none.
func (l *looker) row(cells []string, places []int) (sum uint64, something bool) {
	var hash maphash.Hash
	hash.SetSeed(l.seed)
	for _, at := range places {
		text := cellAt(cells, at)
		something = something || text != ""
		hash.WriteString(text)
		hash.WriteByte(0)
	}
	return hash.Sum64(), something
}

func cellAt(cells []string, at int) string {
	if at >= len(cells) {
		return ""
	}
	return shortened(value(cells[at]))
}

// theirRow is row for cells of the data.
func theirRow(seed maphash.Seed, cells [][]byte, places []int) (sum uint64, something bool) {
	var hash maphash.Hash
	hash.SetSeed(seed)
	for _, at := range places {
		something = something || len(cells[at]) > 0
		hash.WriteString(shortened(string(cells[at])))
		hash.WriteByte(0)
	}
	return hash.Sum64(), something
}

// compare reads the data, as far as something of the output may be of it.
func (l *looker) compare(ctx context.Context) error {
	runs := l.runs.promising()
	for index, table := range l.options.Data {
		var wanted []comparison
		for _, each := range inOrderOf(l.copies) {
			if each.table == index && each.enough() {
				wanted = append(wanted, comparison{each, slices.Clone(each.ours)})
			}
		}
		for _, each := range inOrderOf(l.groups) {
			if each.table == index && len(each.known) > 0 {
				wanted = append(wanted, comparison{each, append(slices.Clone(each.keys), each.sensitive)})
			}
		}
		if runs {
			wanted = append(wanted, comparison{&l.runs, inOrder(len(table.Columns))})
		}
		if err := compareTable(ctx, table, wanted); err != nil {
			return err
		}
	}
	l.runs.end()
	return nil
}

// enough says whether so many rows of the output are there that the data has to be read.
func (c *copied) enough() bool {
	rows := int64(len(c.rows))
	if c.alone != nil {
		rows *= runNamed // at the most
	}
	return rows >= c.l.options.Criteria.CopiedRows
}

// inOrderOf are the values of a map by their keys, so that findings have an order of their own.
func inOrderOf[V any](all map[string]V) []V {
	values := make([]V, 0, len(all))
	for _, key := range slices.Sorted(maps.Keys(all)) {
		values = append(values, all[key])
	}
	return values
}

func inOrder(count int) []int {
	all := make([]int, count)
	for at := range all {
		all[at] = at
	}
	return all
}

// comparison is with what the rows of a table of the data are compared, in some of its columns,
// which become places among those that are read.
type comparison struct {
	with interface {
		theirs(cells [][]byte, places []int)
		endTable()
	}
	places []int
}

func compareTable(ctx context.Context, table Table, all []comparison) error {
	var columns []int
	for _, each := range all {
		columns = append(columns, each.places...)
	}
	if len(columns) == 0 {
		return nil
	}
	slices.Sort(columns)
	columns = slices.Compact(columns)
	for _, each := range all {
		for index, at := range each.places {
			each.places[index], _ = slices.BinarySearch(columns, at)
		}
	}
	err := table.Rows(ctx, columns, func(cells [][]byte) error {
		for _, each := range all {
			each.with.theirs(cells, each.places)
		}
		return nil
	})
	for _, each := range all {
		each.with.endTable()
	}
	return err
}

// theirs counts a row of the data, if the output has it.
func (c *copied) theirs(cells [][]byte, places []int) {
	sum, something := theirRow(c.l.seed, cells, places)
	if c.alone != nil {
		sum, something = c.alone.next(sum, shortened(string(cells[places[0]])))
	}
	if !something {
		return
	}
	if one, there := c.rows[sum]; there {
		one.times++
		c.rows[sum] = one
	}
}

// endTable counts the rows that are the data's, and that too few persons share for them to be a
// group: of a table of groups each row is that of many.
func (c *copied) endTable() {
	var ends []uint32
	for _, one := range c.rows {
		if one.times > 0 && int64(one.times) < c.l.options.Criteria.MinCell {
			ends = append(ends, one.at)
		}
	}
	same, in := int64(len(ends)), "in all columns that both have"
	if c.alone != nil {
		same, in = c.alone.covered(ends), "in the one column that both have, one below the other"
	}
	if same >= c.l.options.Criteria.CopiedRows {
		c.l.at = c.part
		c.l.find(RuleCopiedRows, 0, 0, same, "rows are those of the bundle, %s, and fewer than %d rows there are the same", in, c.l.options.Criteria.MinCell)
	}
}
