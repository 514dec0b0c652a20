package disclosure

import (
	"hash/maphash"
	"strconv"

	"hotcell/internal/job"
)

// grid takes a table row by row.
type grid struct {
	l       *looker
	columns []column
	rows    int64
	wide    int64 // columns of the widest row
	labels  map[uint64]bool
	twice   bool    // a label of the first column came again
	takers  []taker // of its rows
	counted bool    // a column or a row says that it counts
	quasi   int64
	indexed bool            // the names of the rows stand elsewhere
	small   map[int64]int64 // of the first rows, by their number: cells below the threshold
}

// column is what is known of one.
type column struct {
	name    string // as it came
	count   bool   // it says that it counts
	known   bool   // the data has one of this name
	extreme bool
	whole   int64 // cells that are whole numbers, none of them negative
	other   int64 // the last row that had none
	small   int64 // cells below the threshold
	first   int64 // row of the first one
	below   *sequence
	sum     bool
}

func (l *looker) newGrid() *grid {
	return &grid{l: l, labels: map[uint64]bool{}, small: map[int64]int64{}}
}

// maxLabels is how many rows a table of counts may have: a longer one is no crosstab.
const maxLabels = 1000

// header takes the names of the columns.
func (g *grid) header(names []string) {
	for _, name := range names[:min(len(names), maxColumns)] {
		g.add(name)
		g.l.cell(name)
	}
	g.wide = int64(len(names))
	if len(names) > maxColumns {
		g.l.unchecked()
	}
	g.takers = g.l.compared(names)
}

// add takes the name of one more column.
func (g *grid) add(name string) {
	kind, known := g.l.columns[normal(name)]
	at := int64(len(g.columns) + 1)
	made := column{name: name, count: isCount(name), known: known, extreme: isExtreme(name)}
	for _, word := range words(name) {
		made.sum = made.sum || word == "sum" || word == "total"
	}
	g.columns = append(g.columns, made)
	g.counted = g.counted || made.count
	g.l.named(kind, known, 0, at)
	if known && kind == QuasiIdentifier {
		g.quasi++
	}
}

// named notes a column, or a key, that the data has and marks.
func (l *looker) named(kind Kind, known bool, row, column int64) {
	switch {
	case !known:
	case kind == Identifier:
		l.find(RuleIdentifier, row, column, 1, "a column has the name of one that the bundle marks as an identifier")
	case kind == QuasiIdentifier:
		l.find(RuleQuasiIdentifier, row, 0, 1, "columns have the names of ones that the bundle marks as quasi-identifiers: together they may tell who somebody is")
	}
}

// row takes the cells of one row.
func (g *grid) row(cells []string) {
	g.rows++
	g.wide = max(g.wide, int64(len(cells)))
	if len(cells) > maxColumns {
		cells = cells[:maxColumns]
		g.l.unchecked()
	}
	for len(g.columns) < len(cells) {
		g.columns = append(g.columns, column{})
	}
	g.label(cells)
	counts := len(cells) > 1 && isCount(cells[0])
	for at, cell := range cells {
		g.l.cell(cell)
		g.l.runs.within(cell)
		g.below(at, cell)
		g.cell(at, cell, counts && at > 0)
	}
	g.dominance(cells)
	for _, each := range g.takers {
		each.released(cells)
	}
	g.l.runs.row(cells)
}

func (g *grid) below(at int, cell string) {
	this := &g.columns[at]
	if this.below == nil {
		this.below = &sequence{}
	}
	g.l.runs.below(this.below, cell)
}

// label looks whether rows are told apart by their first cell, as a table of counts does.
func (g *grid) label(cells []string) {
	if g.twice || len(cells) == 0 || len(g.labels) > maxLabels {
		return
	}
	hash := maphash.String(g.l.seed, cells[0])
	g.twice = g.labels[hash]
	g.labels[hash] = true
}

func (g *grid) cell(at int, cell string, counts bool) {
	this := &g.columns[at]
	number, ok := whole(cell)
	switch {
	case ok && number >= 0:
		this.whole++
	case !isMissing(cell):
		this.other = g.rows
		if number, ok = withShare(cell, this.count || counts); ok && number < g.l.options.Criteria.MinCell {
			g.smallCell(g.rows, int64(at+1), 1)
		}
		return
	default:
		return
	}
	if number >= g.l.options.Criteria.MinCell {
		return
	}
	if this.small++; this.first == 0 {
		this.first = g.rows
	}
	if g.rows <= maxLabels {
		g.small[g.rows]++
	}
	if counts && !this.count { // a row of counts, as describe() has one
		g.counted = true
		g.smallCell(g.rows, int64(at+1), 1)
	}
}

func (g *grid) smallCell(row, column, times int64) {
	g.l.find(RuleSmallCell, row, column, times, "a count is below %d", g.l.options.Criteria.MinCell)
}

// dominance compares the greatest value of a group with its sum, where a row has both: the only
// case in which a table tells.
func (g *grid) dominance(cells []string) {
	greatest, sum, at := -1.0, -1.0, 0
	for index, cell := range cells {
		this := g.columns[index]
		if !this.extreme && !this.sum {
			continue
		}
		number, err := strconv.ParseFloat(cell, 64)
		switch {
		case err != nil:
		case this.sum:
			sum = number
		case this.extreme && number > greatest:
			greatest, at = number, index
		}
	}
	const most = 0.9 // of a sum, from one: the least strict of the field's rules
	if sum > 0 && greatest >= most*sum && greatest <= sum {
		g.l.find(RuleDominance, g.rows, int64(at+1), 1, "the greatest value is 90 %% of the sum, or more: it can be told from that")
	}
}

const extremeMessage = "a least or greatest value stands beside counts: it is the value of one person"

// end says what the whole of it shows.
func (g *grid) end() {
	if g.rows == 0 {
		return
	}
	g.l.table(g.rows, g.wide)
	for at, each := range g.columns {
		if each.count && each.small > 0 {
			g.smallCell(each.first, int64(at+1), each.small)
		}
		if each.extreme && g.counted {
			g.l.find(RuleExtreme, 0, int64(at+1), 1, extremeMessage)
		}
	}
	if !g.counted && g.isCrosstab() {
		for at, each := range g.columns {
			if each.small > 0 && (at > 0 || g.indexed) {
				g.smallCell(each.first, int64(at+1), each.small)
			}
		}
	}
}

// table lists one, and says whether it is too long.
func (l *looker) table(rows, columns int64) {
	path, part := l.place()
	if len(l.tables) < maxTables {
		l.tables = append(l.tables, job.ReviewTable{Path: path, Part: part, Rows: rows, Columns: columns})
	}
	if most := l.options.Criteria.MaxRows; rows > most {
		l.find(RuleManyRows, 0, 0, rows, "a table has more than %d rows: it may be of persons, not of groups", most)
	}
}

// index takes the names of the rows, where they come after these. One may say that its row
// counts, as in what describe() makes.
func (g *grid) index(names []string) {
	g.indexed = true
	for row, name := range names {
		if isCount(name) {
			g.counted = true
			if g.small[int64(row+1)] > 0 {
				g.smallCell(int64(row+1), 0, g.small[int64(row+1)])
			}
		}
	}
}

// isCrosstab tells a table of counts that does not say so: rows told apart by their first cell,
// and whole numbers in at least two other columns, none of which has the name of one of the
// data's. The first rows may be more of a header.
func (g *grid) isCrosstab() bool {
	const headers = 2
	cells := g.columns
	if !g.indexed {
		cells = cells[min(1, len(cells)):]
	}
	if g.twice && !g.indexed || g.rows > maxLabels || len(cells) < 2 {
		return false
	}
	for _, each := range cells {
		if each.known || each.whole == 0 || each.other > headers || each.other == g.rows {
			return false
		}
	}
	return true
}
