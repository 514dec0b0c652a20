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
	rows  map[uint64]uint32
	lost  bool // there was no room for all
}

// taker takes the rows of one table of the output.
type taker interface{ released(cells []string) }

// placed is where a table of the output has the columns.
type placed struct {
	*copied
	place []int
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
	tables := map[int]int{} // index of all
	for at, name := range names {
		for _, there := range l.spots[normal(name)] {
			index, known := tables[there.table]
			if !known {
				index, tables[there.table] = len(all), len(all)
				all = append(all, placed{&copied{l: l, part: l.at, table: there.table}, nil})
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
	one.rows = map[uint64]uint32{}
	l.copies[key] = one
	return one
}

// released takes a row of the output.
func (p placed) released(cells []string) {
	c := p.copied
	if c.lost {
		return
	}
	hash, something := c.l.row(cells, p.place)
	if !something {
		return
	}
	if _, there := c.rows[hash]; !there && !c.l.hold() {
		c.lost = true
		return
	}
	c.rows[hash] = 0
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
		text := ""
		if at < len(cells) {
			text = shortened(value(cells[at]))
		}
		something = something || text != ""
		hash.WriteString(text)
		hash.WriteByte(0)
	}
	return hash.Sum64(), something
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
			if each.table == index && int64(len(each.rows)) >= l.options.Criteria.CopiedRows {
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
	if !something {
		return
	}
	if times, there := c.rows[sum]; there {
		c.rows[sum] = times + 1
	}
}

// endTable counts the rows that are the data's, and that too few persons share for them to be a
// group: of a table of groups each row is that of many.
func (c *copied) endTable() {
	same := int64(0)
	for _, times := range c.rows {
		if times > 0 && int64(times) < c.l.options.Criteria.MinCell {
			same++
		}
	}
	if same >= c.l.options.Criteria.CopiedRows {
		c.l.at = c.part
		c.l.find(RuleCopiedRows, 0, 0, same, "rows are those of the bundle, in all columns that both have, and fewer than %d rows there are the same", c.l.options.Criteria.MinCell)
	}
}
