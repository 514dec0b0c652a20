package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/rivo/uniseg"
	"golang.org/x/term"

	"hotcell/internal/strictjson"
)

// page is the text of an answer for people, and the size of what it is shown on.
type page struct {
	strings.Builder
	width, lines int // of a table
}

// page is for standard error, where summaries are.
func (a *app) page() *page {
	shown := &page{width: 100, lines: 20} // of a file, whoever reads it
	if file, ok := a.stderr.(*os.File); ok && isTerminal(file) {
		if width, height, err := term.GetSize(int(file.Fd())); err == nil && width > 0 && height > 0 {
			const most, around = 200, 10
			shown.width, shown.lines = max(40, min(width, most)), max(10, min(height, most)-around)
		}
	}
	return shown
}

// sizeOf is that of w, or of a file.
func sizeOf(w io.Writer) (width, lines int) {
	if shown, ok := w.(*page); ok {
		return shown.width, shown.lines
	}
	return 100, 20
}

// maxCell is how many characters of a cell are shown.
const maxCell = 40

// tabled prints a result that is a DataFrame or a Series as a table, as much of it as
// there is room for, and says how much more there is. It reports whether it was one.
func tabled(w io.Writer, value json.RawMessage) bool {
	width, lines := sizeOf(w)
	given, is := readFrame(value, lines, width/gap+2) // a column more than there could be room for
	if !is {
		return false
	}
	table := given.head()
	shown := roomFor(table, width-len(indent("")))
	fmt.Fprintf(w, "  result   %s\n", given.extent())
	for _, line := range draw(table, shown) {
		fmt.Fprintln(w, indent(line))
	}
	var more []string
	if rest := given.rows.count - lines; rest > 0 {
		more = append(more, counted(rest, "more row"))
	}
	if rest := 1 + given.columns.count - shown; rest > 0 {
		more = append(more, counted(rest, "more column"))
	}
	if more != nil {
		fmt.Fprintf(w, "    … and %s, %s\n", strings.Join(more, " and "), elsewhere)
	}
	return true
}

func (f *frame) extent() string {
	return counted(f.rows.count, "row") + ", " + counted(f.columns.count, "column")
}

// column is one of a table on the terminal: its head, and then its cells.
type column struct {
	cells   []string
	width   int
	numbers bool // they stand at the right
}

func (c *column) add(text string) {
	text = shortened(text) // whatever it is made of: each line is as wide as the widest
	c.cells = append(c.cells, text)
	c.width = max(c.width, uniseg.StringWidth(text))
}

// head is what has been kept, with the index before it.
func (f *frame) head() []*column {
	index := &column{}
	index.add(strings.Join(texts(f.indexNames.kept), " / "))
	for number := range f.rows.kept {
		if !f.index.there {
			index.add(strconv.Itoa(number))
		} else {
			index.add(cell(f.index.kept[number]))
		}
	}
	table := []*column{index}
	for place, name := range f.columns.kept {
		one := &column{numbers: true}
		one.add(cell(name))
		for _, row := range f.rows.kept {
			one.numbers = one.numbers && isNumber(row[place])
			one.add(cell(row[place]))
		}
		table = append(table, one)
	}
	return table
}

func texts(values []json.RawMessage) []string {
	var all []string
	for _, value := range values {
		if text := cell(value); text != missing {
			all = append(all, text)
		}
	}
	return all
}

// roomFor is how many columns there is room for, the index and one more at least.
func roomFor(table []*column, width int) int {
	for place, one := range table {
		if width -= one.width + gap; width < -gap && place > 1 {
			return place
		}
	}
	return len(table)
}

// gap is between two columns.
const gap = 2

func draw(table []*column, shown int) []string {
	lines := make([]string, len(table[0].cells))
	for row := range lines {
		var line strings.Builder
		for place, one := range table[:shown] {
			text := one.cells[row]
			blank := strings.Repeat(" ", one.width-uniseg.StringWidth(text))
			switch {
			case one.numbers:
				line.WriteString(blank + text)
			default:
				line.WriteString(text + blank)
			}
			if place+1 < shown {
				line.WriteString(strings.Repeat(" ", gap))
			}
		}
		lines[row] = strings.TrimRight(line.String(), " ")
	}
	return lines
}

// missing is how NaN, NaT and NA are shown, which are null in JSON.
const missing = "NA"

func isNumber(value json.RawMessage) bool {
	text := string(value)
	return text == "null" || text != "" && strings.ContainsAny(text[:1], "-0123456789")
}

// cell is a value of JSON as text of one line, in Python's words.
func cell(value json.RawMessage) string {
	text := string(value)
	var unquoted string
	switch {
	case text == "null":
		return missing
	case text == "true":
		return "True"
	case text == "false":
		return "False"
	case isNumber(value):
		return number(text)
	case strictjson.Decode(value, len(value), &unquoted) == nil:
		text = unquoted
	}
	// A line in a cell would be one of the table's.
	return shortened(inLine(text))
}

func shortened(text string) string {
	if runes := []rune(text); len(runes) > maxCell {
		return string(runes[:maxCell-1]) + "…"
	}
	return text
}

// number shows six digits of a fraction, and all of a whole number.
func number(text string) string {
	if !strings.ContainsAny(text, ".eE") {
		return text
	}
	value, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return text
	}
	return strconv.FormatFloat(value, 'g', 6, 64)
}
