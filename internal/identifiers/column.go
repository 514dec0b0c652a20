package identifiers

import (
	"bytes"
	"slices"
	"strings"
)

// How says by what a class was told.
type How string

// The ways.
const (
	ByForm     How = "form"     // of the values
	ByName     How = "name"     // of the column, and values that may be what it says
	ByBoth     How = "both"     // these two
	ByNameList How = "namelist" // values are in the list of frequent names
)

// Confidence is how likely it is that a finding is one.
type Confidence string

// The degrees.
const (
	High   Confidence = "high"   // most cells have the form, or name and form agree
	Medium Confidence = "medium" // some have, or the name alone says so
	Low    Confidence = "low"    // few have, or the name can mean something else
)

// Match is one class in one column.
type Match struct {
	Class      Class
	How        How
	Confidence Confidence
	Cells      int64  // that count
	Of         int64  // cells that are not empty
	Row        int64  // of the first, as it was given to See
	Example    string // of the first, at most 80 bytes; part of the data
}

// Column looks at the cells of a column, or the lines of a text. It holds a bounded amount of
// them.
type Column struct {
	hints   []*hint
	hinted  *hinted
	of      int64
	seen    map[Class]*counted
	listed  int64 // cells of names in the list
	first   counted
	various map[string]bool    // such cells
	known   map[string]verdict // of cells that may come again
}

// counted is what is known of a class in a column.
type counted struct {
	cells, row   int64
	form, byName bool
	strong       bool // the column's name means one thing
	example      string
	last         int64 // of the cells that are not empty, the one that was counted last
}

// Bounds of what a column holds.
const (
	maxKnown   = 4096
	maxVarious = 64
	longKnown  = 48 // bytes of a cell that is held
	longSample = 80
)

// NewColumn returns a Column of that name, "" for a text, in a year, by which a year of birth
// tells an age.
func NewColumn(name string, year int) *Column {
	c := &Column{seen: map[Class]*counted{}, various: map[string]bool{}, known: map[string]verdict{}}
	c.hints, c.hinted = hintsOf(name)
	c.hinted.year = year
	return c
}

// See looks at a cell of a row, which are counted from 1.
func (c *Column) See(row int64, cell []byte) {
	cell = bytes.TrimSpace(Visible(cell))
	if isMissing(cell) {
		return
	}
	c.of++
	found, known := c.known[string(cell)]
	if !known {
		found = c.judge(cell)
		if len(cell) <= longKnown && len(c.known) < maxKnown {
			c.known[string(cell)] = found
		}
	}
	for _, each := range found.forms {
		c.count(each.class, row, each.example).form = true
	}
	for _, each := range found.hints {
		one := c.count(each.class, row, cut(cell))
		one.byName, one.strong = true, one.strong || !each.weak
	}
	if found.listed {
		c.list(row, cell)
	}
}

// verdict is what a cell is, whatever its row.
type verdict struct {
	forms  []formed
	hints  []*hint
	listed bool
}

type formed struct {
	class   Class
	example string
}

func (c *Column) judge(cell []byte) verdict {
	var found verdict
	Find(cell, func(class Class, from, to int) bool {
		if !slices.ContainsFunc(found.forms, func(each formed) bool { return each.class == class }) {
			found.forms = append(found.forms, formed{class, cut(cell[from:to])})
		}
		return false
	})
	for _, each := range c.hints {
		if (each.class != Name || !each.weak) && (each.counts == nil || each.counts(cell, c.hinted)) {
			found.hints = append(found.hints, each)
		}
	}
	found.listed = isNames(cell)
	return found
}

// count counts a cell once for a class.
func (c *Column) count(class Class, row int64, example string) *counted {
	one := c.seen[class]
	if one == nil {
		one = &counted{row: row, example: example}
		c.seen[class] = one
	}
	if one.last != c.of {
		one.last = c.of
		one.cells++
	}
	return one
}

func cut(example []byte) string {
	text := strings.ToValidUTF8(string(example[:min(len(example), longSample)]), "")
	return strings.TrimSpace(text)
}

// list counts a cell of names.
func (c *Column) list(row int64, cell []byte) {
	if c.listed++; c.listed == 1 {
		c.first = counted{row: row, example: cut(cell)}
	}
	if len(c.various) < maxVarious {
		c.various[string(cell)] = true
	}
}

// Findings are what has been found, in the order of the law.
func (c *Column) Findings() []Match {
	var all []Match
	for _, info := range Classes() {
		finding, found := c.finding(info.Class)
		if info.Class == Name {
			finding, found = c.names(finding, found)
		}
		if found {
			all = append(all, finding)
		}
	}
	return all
}

func (c *Column) finding(class Class) (Match, bool) {
	one := c.seen[class]
	if one == nil {
		return Match{}, false
	}
	finding := Match{Class: class, Cells: one.cells, Of: c.of, Row: one.row, Example: one.example}
	const most, some = 0.5, 0.05
	share := float64(one.cells) / float64(c.of)
	switch {
	case one.form && one.byName:
		finding.How, finding.Confidence = ByBoth, Medium
		if one.strong {
			finding.Confidence = High
		}
	case one.byName:
		finding.How, finding.Confidence = ByName, Medium
		if !one.strong {
			finding.Confidence = Low
		}
	case share >= most:
		finding.How, finding.Confidence = ByForm, High
	case share >= some:
		finding.How, finding.Confidence = ByForm, Medium
	default:
		finding.How, finding.Confidence = ByForm, Low
	}
	return finding, true
}

// names joins what the list says of the whole column. A few values of which some are names may
// be anything (a column of towns, of drugs): it takes several, in many cells.
func (c *Column) names(finding Match, found bool) (Match, bool) {
	const share, various = 0.3, 5
	if c.listed == 0 || float64(c.listed) < share*float64(c.of) || len(c.various) < various {
		return finding, found
	}
	if !found {
		finding = Match{Class: Name, How: ByNameList, Confidence: Medium, Of: c.of, Row: c.first.row, Example: c.first.example}
	}
	finding.Cells = max(finding.Cells, c.listed)
	named := slices.ContainsFunc(c.hints, func(each *hint) bool { return each.class == Name })
	if finding.How != ByNameList || named {
		finding.Confidence = High
	}
	if named {
		finding.How = ByBoth
	}
	return finding, true
}

// missing are the texts for a value that is none.
var missing = []string{"na", "nan", "none", "null", "nat", "<na>", "n/a", ".", "-"}

func isMissing(cell []byte) bool {
	const longest = 4
	return len(cell) == 0 || len(cell) <= longest && slices.Contains(missing, strings.ToLower(string(cell)))
}
