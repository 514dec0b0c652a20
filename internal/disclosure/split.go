package disclosure

import "slices"

// split is a table in parts, as pandas (orient="split") and the guard write one.
type split struct {
	names []string
	rows  *records
	index []string
}

// list reads a member of an object that is a list.
func (f *split) list(r *jsonReader, name string) ([]string, error) {
	rows := &records{l: r.l}
	isRows := f.names != nil && f.rows == nil && (name == "rows" || name == "data")
	if isRows {
		f.rows, rows.lists, rows.keeps, rows.table = rows, true, true, r.l.newGrid()
		rows.table.header(f.names)
	}
	cells, err := r.rowsOf(rows, isRows)
	switch {
	case err != nil || isRows:
	case name == "columns":
		f.names = cells
	case name == "index" && f.rows != nil:
		f.rows.table.index(cells)
		f.index = cells
	case name == "index_names":
		for _, each := range cells {
			kind, known := r.l.columns[normal(each)]
			r.l.named(kind, known, 0, 0)
		}
		f.indexed(r.l, cells)
	}
	return cells, err
}

// indexed compares the rows again, with the cells of an index of one level.
func (f *split) indexed(l *looker, names []string) {
	if len(names) != 1 || f.rows == nil || len(f.index) < len(f.rows.kept) {
		return
	}
	takers := l.compared(slices.Concat(names, f.names))
	for at, cells := range f.rows.kept {
		for _, each := range takers {
			each.released(slices.Concat(f.index[at:at+1], cells))
		}
	}
}

// rowsOf reads a list, whose lists are rows of a table where it is a table's.
func (r *jsonReader) rowsOf(into *records, isRows bool) ([]string, error) {
	if !isRows {
		return r.list(nil)
	}
	for {
		token, err := r.decoder.ReadToken()
		if err == nil && token.Kind() == ']' {
			return nil, nil
		}
		if err == nil {
			err = r.element(token, into)
		}
		if err != nil {
			return nil, err
		}
	}
}

func (f *split) end() {
	if f.rows != nil {
		f.rows.end()
	}
}
