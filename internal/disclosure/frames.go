package disclosure

import (
	"regexp"
	"slices"
	"strings"
)

// maxHeld is how much of a text is held until it is known what it is of, in bytes.
const maxHeld = 4 << 20

// What holding something takes beside its text.
const (
	ofCell = 48
	ofRow  = 64
)

// frames looks at lines for rows of the data, as libraries and scripts print them: below the
// names of their columns, beside them, and without them.
type frames struct {
	l      *looker
	ways   [3]frame // of the ways to split a line: by what separates cells, by each blank, and by gaps alone
	beside besideWays
	series series

	list  sequence
	alone []string // values that have had a line each
}

func newFrames(l *looker) *frames {
	return &frames{l: l, ways: [3]frame{{l: l}, {l: l}, {l: l}}, beside: newBesideWays(l), series: series{l: l}}
}

// wrapped are what libraries write around a value: np.float64(1.5), Timestamp('2020-01-02').
var wrapped = regexp.MustCompile(`\b(?:np\.[a-z]+\d*_?|Timestamp|Decimal)\(([^()]*)\)`)

func (f *frames) line(number int64, line string) {
	if len(f.l.columns) == 0 {
		return
	}
	line = unescaped(line)
	if strings.Contains(line, "(") {
		line = wrapped.ReplaceAllString(constructed(line), "$1")
	}
	f.series.line(line)
	aligned := alignedCells(line)
	f.beside.line(number, line, aligned)
	f.ways[2].line(aligned)
	for _, row := range outside(line, anyOf(brackets)) {
		cells, words := separated(row), fieldsOf(row)
		if len(words) == 0 {
			continue
		}
		f.ways[0].line(cells)
		f.eachCell(cells)
		f.l.runs.row(cells)
		f.oneByOne(words)
		if !slices.Equal(cells, words) {
			f.ways[1].line(words)
			f.l.runs.again(words)
		}
	}
	if strings.ContainsAny(line, separators+brackets) {
		f.l.runs.again(aligned)
	}
}

// What separates cells, but for blanks, and rows.
const (
	separators = ",\t;|"
	brackets   = "[](){}"
)

// eachCell looks at cells that have a row in them: texts in a list. It comes first, for a run
// counts once.
func (f *frames) eachCell(cells []string) {
	if len(cells) < 2 {
		return
	}
	for _, cell := range cells {
		f.l.runs.within(cell)
	}
}

// oneByOne looks at values of a list, and at those that have a line each: a row by its cells, or
// a column.
func (f *frames) oneByOne(words []string) {
	if len(words) > 1 {
		f.alone = nil
	} else if f.alone = append(f.alone, strings.Clone(words[0])); len(f.alone) >= runLength {
		f.l.runs.row(f.alone)
		f.alone = slices.Clone(f.alone[1:])
	}
	if len(words) == 1 || len(words) >= runBelow {
		for _, word := range words {
			f.l.runs.below(&f.list, word)
		}
	}
}

func (f *frames) end() {
	for at := range f.ways {
		f.ways[at].join()
	}
	f.beside.end()
}

// alignedCells splits a line by gaps alone, as libraries align a table: its texts have no quotes
// around them, and may have any sign in them.
func alignedCells(line string) []string {
	var cells []string
	start := 0
	for at := range len(line) + 1 {
		if at < len(line) && !isGap(line, at) {
			continue
		}
		if cell := strings.Trim(line[start:at], " "); cell != "" {
			cells = append(cells, cell)
		}
		start = at + 1
	}
	return cells
}

// separated splits a line by commas, tabs, semicolons or bars, whatever it has more of outside of
// quotes, else by gaps.
func separated(line string) []string {
	var cells []string
	by := separatorOf(line)
	switch by {
	case "":
		cells = alignedCells(line)
	case "\t", "|":
		line = strings.Trim(strings.TrimRight(line, " "), "|")
		fallthrough
	default:
		for _, cell := range outside(line, anyOf(by)) {
			cells = append(cells, cell)
		}
	}
	for at := range cells {
		cells[at] = bare(cells[at])
	}
	return cells
}

func separatorOf(line string) string {
	by, most := "", 0
	for at := range separators {
		each := separators[at : at+1]
		if strings.Count(line, each) <= most {
			continue
		}
		count := -1
		for range outside(line, anyOf(each)) {
			count++
		}
		if count > most {
			by, most = each, count
		}
	}
	return by
}

// fieldsOf splits a line by blanks and by all that separates. Of a text in quotes that is alone,
// it splits what is in them.
func fieldsOf(line string) []string {
	if content, alone := unquoted(strings.Trim(line, " \t,")); alone {
		line = content
	}
	var cells []string
	for _, piece := range outside(line, anyOf(" \t,;|/")) {
		if cell := bare(piece); strings.Trim(cell, "-+*") != "" {
			cells = append(cells, cell)
		}
	}
	return cells
}

// frame follows a table whose columns have their names above them.
type frame struct {
	l      *looker
	names  []string
	takers []taker
	index  int      // how many of them are the index's, which pandas has in a line below
	above  bool     // the line before had names
	last   []string // row
	goesOn bool     // the table is too wide for a line: the names end with a backslash

	held      [][]string // rows of such a table, without their index
	heldNames []string
	bytes     int
	at        int // the row of this part of it

	columns []*sequence // from the last one: an index may stand before them
}

func (f *frame) line(cells []string) {
	f.below(cells)
	switch {
	case len(cells) == 0:
	case f.isHeader(cells):
		if f.above {
			f.indexed(cells)
		} else {
			f.header(cells)
		}
		f.above = !f.above
	default:
		f.above = false
		f.aligned(cells)
	}
}

func (f *frame) below(cells []string) {
	const most = 64
	for at := range min(len(cells), most) {
		if at == len(f.columns) {
			f.columns = append(f.columns, &sequence{})
		}
		f.l.runs.below(f.columns[at], cells[len(cells)-1-at])
	}
}

// aligned takes the cells of a row by their distance from its end: an index stands before them,
// or what of it has changed since the row before.
func (f *frame) aligned(cells []string) {
	more := len(cells) - len(f.names)
	switch {
	case len(f.names) == 0, -more > min(f.index, len(f.last)), len(cells) == 0:
		return
	case more > 0 && isStatistic(cells[more-1]):
		return
	case more < 0:
		cells = slices.Concat(f.last[:-more], cells)
	default:
		cells = cells[more:]
	}
	if f.index > 0 {
		f.last = slices.Clone(cells)
	}
	f.row(cells)
}

// isHeader tells names, one of which is the data's, and among which no number is.
func (f *frame) isHeader(cells []string) bool {
	known := false
	for _, cell := range cells {
		if cell != "" && (isDigit(cell[0]) || cell[0] == '-' && len(cell) > 1 && isDigit(cell[1])) {
			return false
		}
		if !known {
			_, known = f.l.columns[normal(cell)]
			known = known && cell != ""
		}
	}
	return known
}

func (f *frame) header(cells []string) {
	before := f.goesOn
	if f.goesOn = cells[len(cells)-1] == `\`; f.goesOn {
		cells = cells[:len(cells)-1]
	}
	if !before {
		f.join()
	}
	if f.at = 0; before || f.goesOn {
		f.heldNames = append(f.heldNames, cells...)
	}
	if len(f.heldNames) > maxColumns {
		f.l.unchecked()
		f.held, f.heldNames, f.goesOn = nil, nil, false
	}
	f.index, f.last = 0, nil
	f.named(cells)
}

// indexed takes the names of an index.
func (f *frame) indexed(cells []string) {
	if at := len(f.heldNames) - len(f.names); at >= 0 && len(f.heldNames) > 0 {
		f.heldNames = slices.Insert(f.heldNames, at, cells...)
	}
	f.index = len(cells)
	f.named(slices.Concat(cells, f.names))
}

func (f *frame) named(names []string) {
	if !slices.Equal(f.names, names) {
		f.names = slices.Clone(names)
		f.takers = f.l.compared(f.names)
	}
}

func (f *frame) row(cells []string) {
	for _, each := range f.takers {
		each.released(cells)
	}
	if len(f.heldNames) == 0 || f.bytes > maxHeld {
		return
	}
	if f.at == len(f.held) {
		f.held = append(f.held, nil)
		f.bytes += ofRow
	}
	for _, cell := range cells {
		f.bytes += len(cell) + ofCell
		f.held[f.at] = append(f.held[f.at], strings.Clone(cell))
	}
	if f.at++; f.bytes > maxHeld {
		f.l.unchecked()
	}
}

// join compares the rows of a table that was too wide for a line, once all of its parts are
// there.
func (f *frame) join() {
	if len(f.heldNames) > 0 {
		takers := f.l.compared(f.heldNames)
		for _, row := range f.held {
			for _, each := range takers {
				each.released(row)
			}
		}
	}
	f.held, f.heldNames, f.bytes = nil, nil, 0
}
