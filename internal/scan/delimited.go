package scan

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"

	"hotcell/internal/identifiers"
)

// delimited reads a table more leniently than a run does: what a bundle would be refused for
// may have identifiers in it as well.
func (s *scanner) delimited(from io.Reader) error {
	limit := &bounded{from: from, left: maxRecord}
	buffered := bufio.NewReaderSize(limit, 64<<10)
	begin, err := buffered.Peek(16 << 10)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	from = buffered
	if bytes.IndexByte(begin, '\n') < 0 && bytes.IndexByte(begin, '\r') >= 0 {
		from, begin = identifiers.LineFeeds(buffered), bytes.ReplaceAll(begin, []byte("\r"), []byte("\n"))
	}
	comma, known := s.options.Delimiters[s.now]
	if !known {
		comma = delimiter(s.now, begin)
	}
	reader, head := lenient(from, comma), heading{}
	table := &columns{year: s.options.Year}
	for {
		limit.next()
		record, err := reader.Read()
		if errors.Is(err, io.EOF) {
			if !head.ended {
				s.headed(table, &head, nil)
			}
			s.columnsFound(table)
			return nil
		}
		if _, wrong := errors.AsType[*csv.ParseError](err); wrong {
			return fmt.Errorf("%w: %w", errNoTable, err)
		}
		if err != nil {
			return err
		}
		switch {
		case head.ended:
			table.row(record)
		case !head.above(record):
			s.headed(table, &head, record)
		}
	}
}

func lenient(from io.Reader, comma rune) *csv.Reader {
	reader := csv.NewReader(from)
	reader.Comma, reader.LazyQuotes, reader.FieldsPerRecord, reader.ReuseRecord = comma, true, -1, true
	return reader
}

// heading is what stands above a table's rows: lines of one cell, which may be titles, or the name
// and the cells of a table of one column.
type heading struct {
	lines []string
	ended bool
}

const maxTitles = 20

// above holds a line of one cell, or of none.
func (h *heading) above(record []string) bool {
	line := ""
	for _, cell := range record {
		switch {
		case cell == "":
		case line != "":
			return false
		default:
			line = cell
		}
	}
	if len(h.lines) == maxTitles || len(h.lines) == 0 && len(record) > 1 && line == record[len(record)-1] && line != "" {
		return false // a first name that is missing
	}
	h.lines = append(h.lines, line)
	return true
}

// headed takes the first line of more cells, nil for none, as the names of the columns. Where there
// is none, as in a table of one column, or half of it is numbers, the first line of all has them.
func (s *scanner) headed(table *columns, head *heading, record []string) {
	head.ended = true
	cells, numbers := 0, 0
	for _, cell := range record {
		if _, err := strconv.ParseFloat(cell, 64); err == nil {
			numbers++
		}
		if cell != "" {
			cells++
		}
	}
	if len(head.lines) > 0 && (cells < 2 || 2*numbers >= cells) {
		table.header(head.lines[:1])
		for _, line := range head.lines[1:] {
			table.row([]string{line})
		}
		if record != nil {
			table.row(record)
		}
		return
	}
	titles := identifiers.NewColumn("", s.options.Year)
	for at, line := range head.lines {
		titles.See(int64(at+1), []byte(line))
	}
	s.findings(titles, "", Lines)
	table.header(record)
}

// header takes the names of the columns, or a first row.
func (c *columns) header(record []string) {
	if isData(record) {
		c.row(record)
		c.rows = 0
		return
	}
	for _, name := range record[:min(len(record), maxColumns)] {
		c.names = append(c.names, fit(name))
	}
}

func (c *columns) row(record []string) {
	c.rows++
	for place, cell := range record {
		c.at(place).See(c.rows, []byte(cell))
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

// delimiter is the one by which most of the first lines have as many cells as each other, or the
// extension's.
func delimiter(name string, begin []byte) rune {
	if ext := strings.ToLower(path.Ext(name)); ext == ".tsv" || ext == ".tab" {
		return '\t'
	}
	best, most, widest := ',', 0, 0
	for _, each := range ",;\t|" {
		if lines, cells := alike(begin, each); lines > most || lines == most && cells > widest {
			best, most, widest = each, lines, cells
		}
	}
	return best
}

// alike is how many lines have the number of cells that most have, of more than one.
func alike(begin []byte, comma rune) (lines, cells int) {
	counts := map[int]int{}
	for reader := lenient(bytes.NewReader(begin), comma); ; {
		record, err := reader.Read()
		if err != nil {
			return lines, cells
		}
		width := len(record)
		if counts[width]++; width > 1 && (counts[width] > lines || counts[width] == lines && width > cells) {
			lines, cells = counts[width], width
		}
	}
}
