package main

import (
	"bytes"
	"encoding/json"

	"hotcell/internal/strictjson"
)

// frame is what is shown of a DataFrame or a Series, as a result has it. A script chooses how
// much it says is one: what is not shown is counted and not kept.
type frame struct {
	columns, index, indexNames list
	rows                       rows
	series                     list
	name                       json.RawMessage // of a Series
}

// list is the beginning of one.
type list struct {
	kept  []json.RawMessage
	count int
	there bool
}

// rows are the first ones, of each as many cells as of the columns.
type rows struct {
	kept   [][]json.RawMessage
	count  int
	width  int // cells of each
	uneven bool
	there  bool
}

// readFrame reads a value that has been read strictly before, and reports whether it is a
// frame, of which lines rows and columns columns are shown.
func readFrame(value []byte, lines, columns int) (*frame, bool) {
	decoder := strictjson.NewDecoder(bytes.NewReader(value))
	var read frame
	members := map[string]func() bool{
		"columns":     func() bool { return read.columns.read(decoder, columns) },
		"rows":        func() bool { return read.rows.read(decoder, lines, columns) },
		"values":      func() bool { return read.series.read(decoder, lines) },
		"index":       func() bool { return read.index.read(decoder, lines) },
		"index_names": func() bool { return read.indexNames.read(decoder, maxCell) },
		"name": func() bool {
			name, err := decoder.ReadValue()
			read.name = json.RawMessage(name.Clone())
			return err == nil
		},
	}
	if decoder.PeekKind() != '{' {
		return nil, false
	}
	for _, err := decoder.ReadToken(); err == nil && decoder.PeekKind() == '"'; {
		var name strictjson.Token
		if name, err = decoder.ReadToken(); err != nil {
			return nil, false
		}
		member, known := members[name.String()]
		if !known || !member() {
			return nil, false
		}
	}
	return &read, read.sound()
}

// read takes a list, or null for none.
func (l *list) read(from *strictjson.Decoder, most int) bool {
	switch from.PeekKind() {
	case 'n':
		return from.SkipValue() == nil
	case '[':
	default:
		return false
	}
	l.there = true
	_, err := from.ReadToken()
	for ; err == nil && from.PeekKind() != ']'; l.count++ {
		if l.count >= most {
			err = from.SkipValue()
			continue
		}
		value, fault := from.ReadValue()
		l.kept, err = append(l.kept, json.RawMessage(value.Clone())), fault
	}
	if err == nil {
		_, err = from.ReadToken()
	}
	return err == nil
}

func (r *rows) read(from *strictjson.Decoder, lines, columns int) bool {
	switch from.PeekKind() {
	case 'n':
		return from.SkipValue() == nil
	case '[':
	default:
		return false
	}
	r.there = true
	if _, err := from.ReadToken(); err != nil {
		return false
	}
	for ; from.PeekKind() != ']'; r.count++ {
		var row list
		most := columns
		if r.count >= lines {
			most = 0
		}
		if !row.read(from, most) {
			return false
		}
		if r.count == 0 {
			r.width = row.count
		}
		r.uneven = r.uneven || row.count != r.width
		if r.count < lines {
			r.kept = append(r.kept, row.kept)
		}
	}
	_, err := from.ReadToken()
	return err == nil
}

// sound tells a table from what a script has set out nearly like one, and makes a Series
// a table of one column.
func (f *frame) sound() bool {
	if !f.columns.there && !f.rows.there && f.series.there {
		f.columns = list{[]json.RawMessage{f.name}, 1, true}
		f.rows = rows{count: f.series.count, width: 1, there: true}
		for _, value := range f.series.kept {
			f.rows.kept = append(f.rows.kept, []json.RawMessage{value})
		}
		f.name, f.series = nil, list{}
	}
	switch {
	case !f.columns.there, f.series.there, f.name != nil, f.index.there && f.index.count != f.rows.count:
		return false
	default:
		return !f.rows.uneven && (f.rows.count == 0 || f.rows.width == f.columns.count)
	}
}
