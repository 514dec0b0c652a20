package disclosure

import (
	"context"
	"errors"
	"io"
	"strings"

	"hotcell/internal/strictjson"
)

// json reads values that have been verified: their depth and the length of their texts are
// bounded. A list of objects is a table, and so are lines of them, and an object of objects.
func (l *looker) json(_ context.Context, from io.Reader) error {
	reader := jsonReader{l: l, decoder: strictjson.NewDecoder(from, strictjson.DuplicateNames)}
	lines := &records{l: l}
	defer lines.end()
	var single []member // the first value's, until there is another one
	for count := 0; ; count++ {
		token, err := reader.decoder.ReadToken()
		if errors.Is(err, io.EOF) {
			l.group("", single)
			return nil
		}
		switch {
		case err != nil:
		case count == 0 && token.Kind() == '{':
			single, err = reader.object()
		default:
			if len(single) > 0 {
				lines.add(single)
			}
			single = nil
			err = reader.element(token, lines)
		}
		if err != nil {
			return err
		}
	}
}

type jsonReader struct {
	l       *looker
	decoder *strictjson.Decoder
}

// records is a list of objects, as far as it has been read.
type records struct {
	l     *looker
	table *grid
	place map[string]int // of a column
	cells []string
	lists bool // the elements are lists: rows without names
	keeps bool // the rows, for an index that comes later
	kept  [][]string
}

func (r *records) end() {
	if r.table != nil {
		r.table.end()
	}
}

// member is one of an object that is no object or list.
type member struct{ name, cell string }

// add takes one object.
func (r *records) add(members []member) {
	if r.place == nil { // of a list, too, that has had rows without names
		r.end()
		r.table, r.place, r.lists = r.l.newGrid(), map[string]int{}, false
		var names []string
		for at, each := range members {
			names = append(names, each.name)
			r.place[each.name] = at
		}
		r.table.header(names)
	}
	clear(r.cells)
	for _, each := range members {
		at, there := r.place[each.name]
		if !there && len(r.place) < maxColumns {
			at, there = len(r.table.columns), true
			r.place[each.name] = at
			r.table.add(each.name)
		}
		if !there {
			r.l.unchecked()
			continue
		}
		for len(r.cells) <= at {
			r.cells = append(r.cells, "")
		}
		r.cells[at] = each.cell
	}
	r.table.row(r.cells)
}

// element reads one element of a list, or one value of a file.
func (r *jsonReader) element(token strictjson.Token, into *records) error {
	switch token.Kind() {
	case '{':
		members, err := r.object()
		if err == nil && len(members) > 0 {
			into.add(members)
		}
		return err
	case '[':
		_, err := r.list(into)
		return err
	default:
		r.l.cell(token.String())
		return nil
	}
}

// list reads the elements of a list, and returns those that are plain values. outer is the list
// that it is an element of, whose rows lists of plain values are.
func (r *jsonReader) list(outer *records) ([]string, error) {
	inner := &records{l: r.l}
	defer inner.end()
	var cells []string
	var below sequence
	for {
		token, err := r.decoder.ReadToken()
		if err != nil {
			return nil, err
		}
		switch token.Kind() {
		case ']':
			if len(cells) > 0 && outer != nil {
				outer.addList(cells)
			}
			return cells, nil
		case '{':
			err = r.element(token, inner)
		case '[':
			_, err = r.list(inner)
		default:
			if len(cells) < maxColumns {
				cells = append(cells, short(token.String()))
			}
			r.l.cell(token.String())
			r.l.runs.within(token.String())
			r.l.runs.below(&below, token.String())
		}
		if err != nil {
			return nil, err
		}
	}
}

// addList takes a row without names.
func (r *records) addList(cells []string) {
	if r.table == nil {
		r.table, r.lists = r.l.newGrid(), true
	}
	if r.lists {
		r.table.row(cells)
	}
	if r.keeps && len(r.kept) < maxColumns { // as many as an index is read
		r.kept = append(r.kept, cells)
	}
}

// object reads one, and returns its plain members. What is within it is looked at by itself.
func (r *jsonReader) object() ([]member, error) {
	var members []member
	var of split
	columns, rows := beside{l: r.l}, objects{l: r.l}
	var below sequence
	defer func() {
		of.end()
		rows.end()
		columns.end()
	}()
	for {
		token, err := r.decoder.ReadToken()
		if err != nil {
			return nil, err
		}
		if token.Kind() == '}' {
			return members, nil
		}
		name := token.String()
		r.l.cell(name)
		kind, known := r.l.columns[normal(name)]
		if token, err = r.decoder.ReadToken(); err != nil {
			return nil, err
		}
		switch token.Kind() {
		case '{':
			r.l.named(kind, known, 0, 0)
			inner, err := r.nested(name)
			if err != nil {
				return nil, err
			}
			if !known && !isStatistic(name) {
				rows.row(inner)
			}
			for _, each := range inner {
				if !isStatistic(each.name) {
					columns.column(name, each.cell)
				}
			}
		case '[':
			r.l.named(kind, known, 0, 0)
			cells, err := of.list(r, name)
			if err != nil {
				return nil, err
			}
			columns.column(name, cells...)
		default:
			members = r.plain(members, &below, name, token.String())
		}
	}
}

// plain looks at a value that is neither object nor list, and adds it to those of its object.
func (r *jsonReader) plain(members []member, below *sequence, name, value string) []member {
	if len(value) > longMember {
		r.l.cell(value)
	}
	r.l.runs.within(value)
	r.l.runs.below(below, value)
	if len(members) == maxColumns {
		r.l.unchecked()
		return members
	}
	return append(members, member{short(name), short(value)})
}

// longMember is more of a text than anything but a name in it is found by. What is longer
// equals nothing.
const longMember = 4096

func short(text string) string {
	if len(text) <= longMember {
		return text
	}
	return strings.Clone(text[:longMember])
}

// nested reads an object within another one: a column by its rows, as pandas writes a table, or
// counts by their groups.
func (r *jsonReader) nested(name string) ([]member, error) {
	members, err := r.object()
	if err == nil && len(members) > 0 {
		r.l.group(name, members)
	}
	return members, err
}

// group looks at values by their names: counts by their groups, where the object or the member
// says so, or where all are whole numbers and the object has no name of the data's.
func (l *looker) group(name string, members []member) {
	_, known := l.columns[normal(name)]
	all := !known && len(members) > 1
	for _, each := range members {
		number, ok := whole(each.cell)
		all = all && (ok && number >= 0 || isMissing(each.cell))
	}
	all = all || isCount(name)
	small, first := int64(0), int64(0)
	for at, each := range members {
		l.cell(each.cell)
		kind, known := l.columns[normal(each.name)]
		l.named(kind, known, 0, 0)
		number, ok := whole(each.cell)
		ok = ok && (all || isCount(each.name))
		if !ok {
			number, ok = withShare(each.cell, all || isCount(each.name))
		}
		if !ok || number < 0 || number >= l.options.Criteria.MinCell {
			continue
		}
		if small++; first == 0 {
			first = int64(at + 1)
		}
	}
	if small > 0 {
		l.find(RuleSmallCell, first, 0, small, "a count is below %d", l.options.Criteria.MinCell)
	}
}

// values looks at texts and numbers alone, and at lists for columns of the data.
func (l *looker) values(_ context.Context, from io.Reader) error {
	decoder := strictjson.NewDecoder(from, strictjson.DuplicateNames)
	below := &sequence{}
	for {
		token, err := decoder.ReadToken()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case token.Kind() == '[':
			below = &sequence{}
		case token.Kind() == '"' || token.Kind() == '0':
			l.cell(token.String())
			l.runs.within(token.String())
			l.runs.below(below, token.String())
		}
	}
}
