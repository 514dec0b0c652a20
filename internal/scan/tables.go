package scan

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"golang.org/x/text/transform"

	"hotcell/internal/identifiers"
	"hotcell/internal/strictjson"
)

// bounded ends the reading of a record that is too long to be held.
type bounded struct {
	from   io.Reader
	left   int
	failed error // what came instead of bytes
}

func (b *bounded) next() { b.left = maxRecord }

// Read implements io.Reader.
func (b *bounded) Read(into []byte) (n int, err error) {
	if b.left <= 0 {
		err = fmt.Errorf("%w: a record is longer than %d bytes", errNoTable, maxRecord)
	} else {
		n, err = b.from.Read(into)
		b.left -= n
	}
	if err != nil && !errors.Is(err, io.EOF) {
		b.failed = err
	}
	return n, err
}

// columns are those of one table, by their places or their names.
type columns struct {
	year  int
	all   []*identifiers.Column
	names []string
	named map[string]int
	rows  int64
}

func (c *columns) at(place int) *identifiers.Column {
	for len(c.all) <= min(place, maxColumns) {
		name := fmt.Sprintf("column %d", len(c.all)+1)
		if len(c.all) < len(c.names) {
			name = c.names[len(c.all)]
		} else {
			c.names = append(c.names, name)
		}
		c.all = append(c.all, identifiers.NewColumn(name, c.year))
	}
	return c.all[min(place, maxColumns)]
}

func (c *columns) of(name string) *identifiers.Column {
	place, known := c.named[name]
	if !known {
		if place = len(c.named); place >= maxColumns {
			return c.at(maxColumns)
		}
		c.named[name] = place
		c.names = append(c.names, name)
	}
	return c.at(place)
}

// columnsFound tells what is in a table's columns and, where it has them, in their names.
func (s *scanner) columnsFound(c *columns) {
	header := identifiers.NewColumn("", s.options.Year)
	for _, name := range c.names {
		header.See(1, []byte(name))
	}
	s.findings(header, "", Header)
	for place, each := range c.all {
		s.findings(each, c.names[place], Cells)
	}
}

// json reads a value of JSON, or one after the other: each path of names is a column.
func (s *scanner) json(from io.Reader) error {
	limit := &bounded{from: from, left: maxRecord}
	decoder := strictjson.NewDecoder(transform.NewReader(limit, &noNumbers{}), strictjson.DuplicateNames, strictjson.InvalidUTF8)
	table := &columns{year: s.options.Year, named: map[string]int{}}
	walk := jsonWalk{table: table, row: 1}
	for {
		limit.next()
		token, err := decoder.ReadToken()
		switch {
		case limit.failed != nil:
			return limit.failed
		case errors.Is(err, io.EOF):
			s.columnsFound(table)
			return nil
		case err != nil:
			return fmt.Errorf("%w: %w", errNoTable, err)
		}
		walk.see(token)
	}
}

// jsonWalk knows where in a value a token stands.
type jsonWalk struct {
	table *columns
	row   int64
	stack []level
}

// level is an object or an array around a token.
type level struct {
	object, key bool   // key: its next string is a name
	name        string // of an object, the last
}

func (w *jsonWalk) see(token strictjson.Token) {
	kind, top := token.Kind(), len(w.stack)-1
	switch kind { //nolint:exhaustive // the rest are true, false and null, which identify nobody
	case '{', '[':
		w.stack = append(w.stack, level{object: kind == '{', key: kind == '{'})
		return
	case '}', ']':
		w.stack = w.stack[:top]
	case '"':
		if top >= 0 && w.stack[top].key {
			w.stack[top].name, w.stack[top].key = token.String(), false
			return
		}
		w.value(token.String())
	case '0':
		w.value(token.String())
	}
	w.ended()
}

// ended follows a value: in an object, a name comes next. A value of the file is a row, and so
// is one of an array that is all of it.
func (w *jsonWalk) ended() {
	top := len(w.stack) - 1
	if top >= 0 {
		w.stack[top].key = w.stack[top].object
	}
	if top < 0 || top == 0 && !w.stack[0].object {
		w.row++
	}
}

func (w *jsonWalk) value(text string) {
	var place strings.Builder
	for _, each := range w.stack {
		if !each.object || place.Len() > maxName {
			continue
		}
		if place.Len() > 0 {
			place.WriteByte('.')
		}
		place.WriteString(each.name)
	}
	w.table.of(fit(place.String())).See(w.row, []byte(text))
}

// noNumbers writes null for the numbers that Python writes into JSON and JSON does not have.
type noNumbers struct {
	within, escaped bool // a text
}

var notNumbers = []string{"NaN", "Infinity", "-Infinity"}

// Reset implements transform.Transformer.
func (n *noNumbers) Reset() { *n = noNumbers{} }

// Transform implements transform.Transformer.
func (n *noNumbers) Transform(to, from []byte, atEOF bool) (written, read int, err error) {
	const null = "null"
	for read < len(from) {
		c := from[read]
		if !n.within && (c == 'N' || c == 'I' || c == '-') {
			each, whole := notNumber(from[read:])
			switch {
			case !whole && !atEOF:
				return written, read, transform.ErrShortSrc
			case each != "" && len(to)-written < len(null):
				return written, read, transform.ErrShortDst
			case each != "":
				written, read = written+copy(to[written:], null), read+len(each)
				continue
			}
		}
		if written == len(to) {
			return written, read, transform.ErrShortDst
		}
		to[written] = c
		written, read = written+1, read+1
		switch {
		case n.escaped:
			n.escaped = false
		case c == '\\':
			n.escaped = n.within
		case c == '"':
			n.within = !n.within
		}
	}
	return written, read, nil
}

// notNumber is the one that a text begins with. whole is false if what follows decides.
func notNumber(from []byte) (found string, whole bool) {
	whole = true
	for _, each := range notNumbers {
		if bytes.HasPrefix(from, []byte(each)) {
			return each, true
		}
		whole = whole && !strings.HasPrefix(each, string(from[:min(len(from), len(each))]))
	}
	return "", whole
}
