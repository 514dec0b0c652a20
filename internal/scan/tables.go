package scan

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

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

// delimited reads a table more leniently than a run does: what a bundle would be refused for
// may have identifiers in it as well.
func (s *scanner) delimited(from io.Reader) error {
	limit := &bounded{from: from, left: maxRecord}
	buffered := bufio.NewReaderSize(limit, 64<<10)
	reader := csv.NewReader(buffered)
	reader.LazyQuotes, reader.FieldsPerRecord, reader.ReuseRecord = true, -1, true
	begin, err := buffered.Peek(16 << 10)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	reader.Comma = delimiter(s.now, begin)
	table := &columns{year: s.options.Year}
	for row := int64(0); ; row++ {
		limit.next()
		record, err := reader.Read()
		if errors.Is(err, io.EOF) {
			s.columnsFound(table)
			return nil
		}
		if _, wrong := errors.AsType[*csv.ParseError](err); wrong {
			return fmt.Errorf("%w: %w", errNoTable, err)
		}
		if err != nil {
			return err
		}
		if row == 0 && !isData(record) {
			for _, name := range record[:min(len(record), maxColumns)] {
				table.names = append(table.names, fit(name))
			}
			continue
		}
		for place, cell := range record {
			table.at(place).See(max(row, 1), []byte(cell))
		}
	}
}

// isData tells a first line that is no header: one of its cells has the form of an identifier.
func isData(record []string) bool {
	found := false
	for _, cell := range record {
		identifiers.Find([]byte(cell), func(class identifiers.Class, _, _ int) bool {
			found = found || class != identifiers.Name && class != identifiers.Date
			return false
		})
	}
	return found
}

// delimiter is the one that the first line has most of, or the extension's.
func delimiter(name string, begin []byte) rune {
	if ext := strings.ToLower(path.Ext(name)); ext == ".tsv" || ext == ".tab" {
		return '\t'
	}
	line, _, _ := bytes.Cut(begin, []byte("\n"))
	best, most := ',', 0
	for _, each := range ",;\t|" {
		if count := bytes.Count(line, []byte(string(each))); count > most {
			best, most = each, count
		}
	}
	return best
}

// json reads a value of JSON, or one after the other: each path of names is a column.
func (s *scanner) json(from io.Reader) error {
	limit := &bounded{from: from, left: maxRecord}
	decoder := strictjson.NewDecoder(limit, strictjson.DuplicateNames, strictjson.InvalidUTF8)
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
