package disclosure

import "slices"

// objects are the members of an object that are objects themselves: the rows of a table by their
// labels, as pandas (orient="index") writes one.
type objects struct {
	l      *looker
	names  []string
	takers []taker
	rows   int64
	wide   int64
	known  bool // a row has a name of the data's
}

func (o *objects) row(members []member) {
	if len(members) == 0 {
		return
	}
	names, cells := make([]string, len(members)), make([]string, len(members))
	for at, each := range members {
		names[at], cells[at] = each.name, each.cell
	}
	if !slices.Equal(names, o.names) {
		o.names, o.takers = names, o.l.compared(names)
		o.known = o.known || len(o.takers) > 0
	}
	o.rows, o.wide = o.rows+1, max(o.wide, int64(len(names)))
	for _, each := range o.takers {
		each.released(cells)
	}
	o.l.runs.row(cells)
}

func (o *objects) end() {
	if o.known && o.rows > 1 || o.rows > o.l.options.Criteria.MaxRows {
		o.l.table(o.rows, o.wide)
	}
}
