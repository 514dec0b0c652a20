package table

import (
	"bytes"
	"fmt"
	"slices"
)

// blankRows counts rows in which nothing is written but blanks: spreadsheet programs leave them
// below a table, where each is a row of a run, and makes a gap in each column.
type blankRows struct{ number, first int64 }

// see looks at a row, which is counted from 1.
func (b *blankRows) see(row int64, cells []cell) {
	hasValue := func(one cell) bool {
		return one.kind != absent && len(bytes.TrimSpace(one.text)) > 0
	}
	if slices.ContainsFunc(cells, hasValue) {
		return
	}
	if b.number++; b.number == 1 {
		b.first = row
	}
}

// notes tell a person of them. In a table of one column they are that column's gaps, which are
// counted there.
func (b *blankRows) notes(columns int) []string {
	if b.number == 0 || columns == 1 {
		return nil
	}
	return []string{fmt.Sprintf("rows without a value: %d (the first is row %d): remove them, if a spreadsheet program has left them there", b.number, b.first)}
}
