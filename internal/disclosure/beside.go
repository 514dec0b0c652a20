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

// signs are what separates names and values, but for blanks.
const signs = "\t,;|=(){}[]"

// separates tells what stands between values that have no blanks, or are in quotes.
func separates(line string, at int) bool { return line[at] == ' ' || separatesWords(line, at) }

// separatesWords tells what stands between values that have single blanks.
func separatesWords(line string, at int) bool {
	switch line[at] {
	case ':': // of a time, too
		return at == 0 || at+1 == len(line) || !isDigit(line[at-1]) || !isDigit(line[at+1])
	case ' ':
		return isGap(line, at)
	}
	return strings.IndexByte(signs, line[at]) >= 0
}

// isGap tells what stands between the cells of a table that is aligned: a tab, or two blanks.
func isGap(line string, at int) bool {
	return line[at] == '\t' || line[at] == ' ' && (at > 0 && line[at-1] == ' ' || at+1 < len(line) && line[at+1] == ' ')
}

// besideWays are the ways to tell values from each other: by blanks and signs; by signs, where
// texts have no quotes (dx=Type 2 diabetes, age=54); and by gaps alone, where they have signs.
type besideWays struct {
	ways        [3]beside
	areOfGroups bool // what stands behind names is counts, means and quantiles, as the line above says
}

func newBesideWays(l *looker) besideWays { return besideWays{ways: [3]beside{{l: l}, {l: l}, {l: l}}} }

func (b *besideWays) line(number int64, line string, aligned []string) {
	b.areOfGroups = isOfStatistics(aligned) || b.areOfGroups && len(aligned) > 0 && b.ways[0].isName(aligned[0])
	if b.areOfGroups {
		return
	}
	if strings.HasPrefix(line, "Name: ") && strings.Contains(line, ", dtype: ") { // the end of a row, as pandas prints one
		b.end()
		return
	}
	b.ways[0].line(number, line, separates)
	b.ways[1].line(number, line, separatesWords)
	b.ways[2].aligned(aligned)
}

func (b *besideWays) end() {
	for at := range b.ways {
		b.ways[at].end()
	}
}

// isOfStatistics tells the names of what describe says of columns.
func isOfStatistics(cells []string) bool {
	return len(cells) > 1 && !slices.ContainsFunc(cells, func(cell string) bool { return !isStatistic(cell) && cell != "..." })
}

// line takes a line, or a piece of one.
func (b *beside) line(number int64, line string, between func(line string, at int) bool) {
	if number != b.number && !goesOn(line, between) {
		b.name = ""
	}
	for at, piece := range outside(line, between) {
		word := bare(piece)
		switch content, isQuoted := unquoted(strings.Trim(piece, " \t")); {
		case piece == "" || word == "" && !isQuoted:
		case isQuoted && b.isOfRows(content):
			b.line(number, unescaped(content), between)
		case b.isName(word) && (b.name == "" || isBeforeSign(line[at+len(piece):]) || !isValue(line[:at], isQuoted)):
			b.begin(normal(word))
			b.number = number
		case b.name != "":
			b.add(b.name, word)
		}
	}
}

// goesOn says whether a line may go on with a column: it has its row and the value.
func goesOn(line string, between func(line string, at int) bool) bool {
	const most = 2
	words := 0
	for _, piece := range outside(line, between) {
		if strings.Trim(piece, " \t") != "" {
			words++
		}
		if words > most {
			return false
		}
	}
	return words > 0
}

// aligned takes the cells of a line that begins with a name: a row of a table on its side, or one
// of a single column.
func (b *beside) aligned(cells []string) {
	if len(cells) < 2 || !b.isName(cells[0]) {
		return
	}
	b.begin(normal(cells[0]))
	for _, cell := range cells[1:] {
		b.add(b.name, cell)
	}
}

func (b *beside) isName(word string) bool {
	_, known := b.l.spots[normal(word)]
	return known && !isDigit(word[0])
}

// isOfRows tells a text in quotes that has names of its own with values behind them.
func (b *beside) isOfRows(text string) bool {
	for at := 0; ; at++ {
		sign := strings.IndexAny(text[at:], "=:")
		if sign < 0 {
			return false
		}
		before := strings.TrimRight(text[at:at+sign], " '\"")
		if word := before[strings.LastIndexAny(before, " \t,;|({['\"")+1:]; word != "" && b.isName(word) {
			return true
		}
		at += sign
	}
}

// isValue tells a value that is the same as a name: behind a name, or in a list of texts.
func isValue(before string, isQuoted bool) bool {
	before = strings.TrimRight(before, " [(")
	return strings.HasSuffix(before, "=") || strings.HasSuffix(before, ":") || isQuoted && strings.HasSuffix(before, ",")
}

func isBeforeSign(behind string) bool {
	behind = strings.TrimLeft(behind, " ")
	return strings.HasPrefix(behind, "=") || strings.HasPrefix(behind, ":")
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
