package disclosure

import (
	"maps"
	"slices"
	"strings"
)

// beside follows values that stand behind the names of their columns: one row (age=54.3, or a
// name and a value on each line) or whole columns ({'age': [54.3, 40.4]}, a table on its side).
// A name that comes again begins the next row.
type beside struct {
	l      *looker
	values map[string][]string // by the names of the data's columns
	name   string              // whose values come
	number int64               // line that it stands in
	bytes  int
	full   bool

	names  []string // of the row before
	takers []taker
}

// line takes a line, or a piece of one.
func (b *beside) line(number int64, line string) {
	words := strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t,;|:=(){}[]'\"", r) })
	const most = 2 // words of a line that goes on with a column: its row and the value
	if number != b.number && (len(words) > most || len(words) == 0) {
		b.name = ""
	}
	for _, word := range words {
		if _, known := b.l.spots[normal(word)]; known && !isDigit(word[0]) {
			b.begin(normal(word))
			b.number = number
		} else if b.name != "" {
			b.add(b.name, word)
		}
	}
}

// begin takes a name. Names alone, as above a table, are of no row.
func (b *beside) begin(name string) {
	if len(b.values[name]) > 0 {
		b.end()
	}
	b.name = name
}

// column takes values of one column, if the data has it.
func (b *beside) column(name string, cells ...string) {
	name = normal(name)
	if _, known := b.l.spots[name]; !known {
		return
	}
	for _, cell := range cells {
		b.add(name, cell)
	}
}

func (b *beside) add(name, value string) {
	if b.full {
		return
	}
	if b.bytes += len(value) + ofCell; b.bytes > maxHeld {
		b.full = true
		b.l.unchecked()
		return
	}
	if b.values == nil {
		b.values = map[string][]string{}
	}
	b.values[name] = append(b.values[name], strings.Clone(value))
}

// end compares the rows.
func (b *beside) end() {
	names := slices.Sorted(maps.Keys(b.values))
	if len(names) > 1 {
		if !slices.Equal(b.names, names) {
			b.names, b.takers = names, b.l.compared(names)
		}
		rows := 0
		for _, each := range b.values {
			rows = max(rows, len(each))
		}
		cells := make([]string, len(names))
		for row := range rows {
			for at, name := range names {
				if cells[at] = ""; row < len(b.values[name]) {
					cells[at] = b.values[name][row]
				}
			}
			for _, each := range b.takers {
				each.released(cells)
			}
		}
	}
	b.values, b.name, b.bytes, b.full = nil, "", 0, false
}

// series follows a column as pandas prints one, whose name comes last.
type series struct {
	l      *looker
	values []string
	bytes  int
}

func (s *series) line(line string) {
	line = strings.TrimSpace(line)
	if rest, ok := strings.CutPrefix(line, "Name: "); ok {
		name, _, _ := strings.Cut(rest, ", ")
		s.named(name)
	}
	at := max(strings.LastIndex(line, "  "), strings.LastIndexByte(line, '\t'))
	if at < 0 {
		s.values, s.bytes = nil, 0
		return
	}
	if s.bytes > maxHeld {
		return
	}
	value := strings.TrimSpace(line[at:])
	s.bytes += len(value) + ofCell
	s.values = append(s.values, strings.Clone(value))
}

func (s *series) named(name string) {
	takers := s.l.compared([]string{name})
	if len(takers) > 0 && s.bytes > maxHeld {
		s.l.unchecked()
	}
	for _, value := range s.values {
		for _, each := range takers {
			each.released([]string{value})
		}
	}
}
