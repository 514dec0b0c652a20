package disclosure

import (
	"fmt"
	"slices"
	"strings"
)

// groups are the rows of one part of the output that say a value of a sensitive column of a
// group. Where all of the group have it, the row tells it of each of them, however many they
// are.
type groups struct {
	l         *looker
	part      int
	table     int   // of Options.Data
	keys      []int // its columns by which the group is known
	sensitive int   // its column
	column    int64 // of the output, from 1
	known     map[uint64]*told
	lost      bool
}

// told is what rows say of a group. A table of all combinations has several rows for it, of
// which those with a count of 0 may come first.
type told struct {
	rows int64            // of the data, that have a value
	same map[string]int64 // of these, by each value that the output says
}

// placedGroups is where a table of the output has the columns.
type placedGroups struct {
	*groups
	keys  []int
	value int
}

// maxKeys are the columns by which a table of groups tells them apart: its first ones.
const maxKeys = 3

// groupsOf finds sensitive columns of the data in a table of the output, also those whose name
// says what has been made of them (hiv_mean, "mean hiv"), and by which columns its rows may be
// grouped: by the first one that the data has, by the first two, and by three.
func (l *looker) groupsOf(names []string) []taker {
	var all []taker
	for at, name := range names {
		for _, there := range l.sensitiveIn(name) {
			all = append(all, l.groupsBy(names, at, there)...)
		}
	}
	return all
}

// groupsBy are those of one sensitive column, which the output has in the place value.
func (l *looker) groupsBy(names []string, value int, sensitive spot) []taker {
	var all []taker
	var keys, places []int
	for at, name := range names {
		column, known := l.columnOf(sensitive.table, name)
		if at == value || !known || column == sensitive.column || slices.Contains(keys, column) {
			continue
		}
		keys, places = append(keys, column), append(places, at)
		one := l.grouped(groups{
			l: l, part: l.at, table: sensitive.table, sensitive: sensitive.column, column: int64(value + 1), keys: slices.Clone(keys),
		})
		if one != nil {
			all = append(all, placedGroups{one, slices.Clone(places), value})
		}
		if len(keys) == maxKeys {
			break
		}
	}
	return all
}

// grouped finds the groups of the same part by the same columns, or nil where there is no room.
func (l *looker) grouped(one groups) *groups {
	key := fmt.Sprintf("%06d %d %v %d", one.part, one.table, one.keys, one.sensitive)
	if known := l.groups[key]; known != nil {
		return known
	}
	if len(l.groups) == maxCopies {
		l.unchecked()
		return nil
	}
	one.known = map[uint64]*told{}
	l.groups[key] = &one
	return &one
}

// columnOf is a column of one of the data's tables, by its name.
func (l *looker) columnOf(table int, name string) (column int, known bool) {
	for _, there := range l.spots[normal(name)] {
		if there.table == table {
			return there.column, true
		}
	}
	return 0, false
}

// sensitiveIn finds the sensitive columns whose name is part of this one, word by word.
func (l *looker) sensitiveIn(name string) []spot {
	if len(l.sensitive) == 0 {
		return nil
	}
	in := " " + strings.Join(words(name), " ") + " "
	var all []spot
	for _, each := range l.sensitive {
		if strings.Contains(in, each.words) || normal(name) == each.normal {
			all = append(all, each.spot)
		}
	}
	return all
}

// sensitiveColumn is one of the data's.
type sensitiveColumn struct {
	spot
	words  string // with blanks around each
	normal string
}

// released takes a row of the output.
func (g placedGroups) released(cells []string) {
	if g.lost || g.value >= len(cells) {
		return
	}
	said := answer(shortened(value(cells[g.value])))
	hash, something := g.l.row(cells, g.keys)
	if said == "" || !something {
		return
	}
	one := g.known[hash]
	if one != nil {
		if _, there := one.same[said]; there {
			return
		}
	}
	if !g.l.hold() {
		g.lost = true
		return
	}
	if one == nil {
		one = &told{same: map[string]int64{}}
		g.known[hash] = one
	}
	one.same[strings.Clone(said)] = 0
}

// answer is a value as a mean or a rate has it: that of yes and no is one of 1 and 0.
func answer(value string) string {
	switch value {
	case "true":
		return "1"
	case "false":
		return "0"
	}
	return value
}

// theirs compares a row of the data with what the output says of its group.
func (g *groups) theirs(cells [][]byte, places []int) {
	keys, value := places[:len(places)-1], cells[places[len(places)-1]]
	hash, _ := theirRow(g.l.seed, cells, keys)
	one := g.known[hash]
	if one == nil || len(value) == 0 {
		return
	}
	one.rows++
	theirs := answer(shortened(string(value)))
	if same, there := one.same[theirs]; there {
		one.same[theirs] = same + 1
	}
}

// endTable counts the groups that have one value.
func (g *groups) endTable() {
	alike := int64(0)
	for _, each := range g.known {
		for _, same := range each.same {
			if same > 0 && same == each.rows {
				alike++
			}
		}
	}
	if alike > 0 && !g.l.told(RuleOneValue, g.part, g.column) {
		g.l.at = g.part
		g.l.find(RuleOneValue, 0, g.column, alike, "all of a group have the same value of a column that the bundle marks as sensitive, so that it is told of each of them")
	}
}

// told says whether there is a finding already: another way to look at the same rows.
func (l *looker) told(rule string, part int, column int64) bool {
	_, there := l.known[finding{rule, part, column}]
	return there
}
