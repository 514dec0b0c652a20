package disclosure

import (
	"context"
	"hash/maphash"
	"slices"
)

// copied are the rows of one table of the output, in the columns that it shares with one of the
// data's.
type copied struct {
	l     *looker
	part  int
	table int   // of Options.Data
	ours  []int // its columns
	place []int // the same ones in the output's table
	rows  map[uint64]uint32
	lost  bool // there was no room for all
}

// maxCompared is with how many of the data's tables one of the output is compared: those that
// share most columns.
const maxCompared = 64

// copiesOf finds the tables of the data with which one of the output, of these columns, is to
// be compared.
func (l *looker) copiesOf(names []string) []*copied {
	place := map[string]int{}
	for at, name := range names[:min(len(names), maxColumns)] {
		place[normal(name)] = at
	}
	delete(place, "")
	var all []*copied
	for index, table := range l.options.Data {
		one := &copied{l: l, part: l.at, table: index, rows: map[uint64]uint32{}}
		for at, column := range table.Columns {
			if there, ok := place[normal(column.Name)]; ok {
				one.ours, one.place = append(one.ours, at), append(one.place, there)
			}
		}
		if len(one.ours) > 0 {
			all = append(all, one)
		}
	}
	slices.SortStableFunc(all, func(a, b *copied) int { return len(b.ours) - len(a.ours) })
	if len(all) > maxCompared {
		l.unchecked()
		all = all[:maxCompared]
	}
	l.copies = append(l.copies, all...)
	return all
}

// released takes a row of the output.
func (c *copied) released(cells []string) {
	if c.lost {
		return
	}
	hash, whole := c.l.row(cells, c.place)
	if !whole {
		return
	}
	if _, there := c.rows[hash]; !there {
		if c.l.held == maxHashes {
			c.lost = true
			c.l.unchecked()
			return
		}
		c.l.held++
	}
	c.rows[hash] = 0
}

// row is the hash of some cells of a row. Rows that have nothing in them are none.
func (l *looker) row(cells []string, places []int) (uint64, bool) {
	var hash maphash.Hash
	hash.SetSeed(l.seed)
	something := false
	for _, at := range places {
		text := ""
		if at < len(cells) {
			text = value(cells[at])
		}
		something = something || text != ""
		hash.WriteString(text)
		hash.WriteByte(0)
	}
	return hash.Sum64(), something
}

// compare reads the data, as far as something of the output may be of it.
func (l *looker) compare(ctx context.Context) error {
	for index, table := range l.options.Data {
		var same []*copied
		for _, each := range l.copies {
			if each.table == index && int64(len(each.rows)) >= l.options.Criteria.CopiedRows {
				same = append(same, each)
			}
		}
		if err := l.compareTable(ctx, table, same); err != nil {
			return err
		}
	}
	return nil
}

func (l *looker) compareTable(ctx context.Context, table Table, same []*copied) error {
	var columns []int
	for _, each := range same {
		columns = append(columns, each.ours...)
	}
	if len(columns) == 0 {
		return nil
	}
	slices.Sort(columns)
	columns = slices.Compact(columns)
	for _, each := range same {
		for index, at := range each.ours {
			each.ours[index], _ = slices.BinarySearch(columns, at)
		}
	}
	err := table.Rows(ctx, columns, func(cells [][]byte) error {
		for _, each := range same {
			each.theirs(cells)
		}
		return nil
	})
	for _, each := range same {
		each.end()
	}
	return err
}

// theirs counts a row of the data, if the output has it.
func (c *copied) theirs(cells [][]byte) {
	var hash maphash.Hash
	hash.SetSeed(c.l.seed)
	whole := false
	for _, at := range c.ours {
		whole = whole || len(cells[at]) > 0
		hash.Write(cells[at])
		hash.WriteByte(0)
	}
	if !whole {
		return
	}
	sum := hash.Sum64()
	if times, there := c.rows[sum]; there {
		c.rows[sum] = times + 1
	}
}

// end counts the rows that are the data's, and that too few persons share for them to be a
// group: of a table of groups each row is that of many.
func (c *copied) end() {
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
