package disclosure

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"io"
	"strings"

	"golang.org/x/net/html"
)

func (l *looker) tsv(_ context.Context, from io.Reader) error {
	reader, err := withLineFeeds(from)
	if err != nil {
		return err
	}
	return l.separated(reader, '\t')
}

// csv also reads what is separated by semicolons.
func (l *looker) csv(_ context.Context, from io.Reader) error {
	reader, err := withLineFeeds(from)
	if err != nil {
		return err
	}
	start, err := reader.Peek(4096)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	first, _, _ := bytes.Cut(start, []byte("\n"))
	separator := ','
	if bytes.Count(first, []byte(";")) > bytes.Count(first, []byte(",")) {
		separator = ';'
	}
	return l.separated(reader, separator)
}

// separated reads rows, of a bounded size each.
func (l *looker) separated(from io.Reader, separator rune) error {
	bounded := &perRow{from: from}
	reader := csv.NewReader(bounded)
	reader.Comma, reader.LazyQuotes, reader.FieldsPerRecord, reader.ReuseRecord = separator, true, -1, true
	table := l.newGrid()
	defer table.end()
	for first := true; ; first = false {
		bounded.read = 0
		cells, err := reader.Read()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, csv.ErrQuote), errors.Is(err, csv.ErrBareQuote):
			return errTooLarge // it cannot be told which row a cell is of
		case err != nil:
			return err
		case first:
			cells[0] = strings.TrimPrefix(cells[0], "\ufeff")
			table.header(cells)
		default:
			table.row(cells)
		}
	}
}

// perRow ends where a single row is too large. What the reader has read ahead counts to the
// next one.
type perRow struct {
	from io.Reader
	read int
}

// Read implements io.Reader.
func (p *perRow) Read(into []byte) (int, error) {
	if p.read > maxRecord {
		return 0, errTooLarge
	}
	n, err := p.from.Read(into)
	p.read += n
	return n, err
}

// html reads a page that has been verified: its elements end in order. What stands outside its
// tables is read as what is printed.
func (l *looker) html(_ context.Context, from io.Reader) error {
	tokens := html.NewTokenizer(from)
	tokens.SetMaxBuf(4 << 20) // as large as a page may be
	page := htmlTables{l: l, outside: newPrinted(l), line: 1}
	for {
		switch tokens.Next() {
		case html.ErrorToken:
			page.endTable()
			page.outside.end()
			if errors.Is(tokens.Err(), io.EOF) {
				return nil
			}
			if errors.Is(tokens.Err(), html.ErrBufferExceeded) {
				return errTooLarge
			}
			return tokens.Err()
		case html.StartTagToken, html.SelfClosingTagToken:
			name, more := tokens.TagName()
			page.start(string(name))
			for more {
				var value []byte
				_, value, more = tokens.TagAttr()
				l.cell(string(value))
			}
		case html.CommentToken:
			l.cell(string(tokens.Text()))
		case html.EndTagToken:
			name, _ := tokens.TagName()
			page.end(string(name))
		case html.TextToken:
			page.text(tokens.Text())
		default:
		}
	}
}

type htmlTables struct {
	l       *looker
	outside *printedReader // of any table
	line    int64
	style   bool // a style sheet is open
	table   *grid
	header  bool // the row that is open has headers alone, or is the first one
	begun   bool // a row has come
	cells   []string
	cell    *strings.Builder
}

func (h *htmlTables) start(name string) {
	h.style = name == "style"
	switch name {
	case "table":
		h.endTable()
		h.table, h.begun = h.l.newGrid(), false
	case "tr":
		h.endRow()
		h.header = true
	case "td", "th":
		h.endCell()
		if h.table != nil && len(h.cells) <= maxColumns {
			h.cell = &strings.Builder{}
		}
		h.header = h.header && name == "th"
	}
}

func (h *htmlTables) end(name string) {
	h.style = false
	switch name {
	case "table":
		h.endTable()
	case "tr":
		h.endRow()
	case "td", "th":
		h.endCell()
	}
}

func (h *htmlTables) text(text []byte) {
	if h.cell != nil && h.cell.Len() < maxRecord {
		h.cell.Write(text)
	}
	if h.table == nil && !h.style {
		for line := range bytes.Lines(text) {
			h.outside.line(h.line, bytes.TrimRight(line, "\r\n"))
			h.line += int64(bytes.Count(line, []byte("\n")))
		}
		return
	}
	h.line += int64(bytes.Count(text, []byte("\n")))
}

func (h *htmlTables) endCell() {
	if h.cell != nil {
		h.cells = append(h.cells, strings.TrimSpace(h.cell.String()))
		h.cell = nil
	}
}

func (h *htmlTables) endRow() {
	h.endCell()
	switch {
	case h.table == nil || len(h.cells) == 0:
	case !h.begun:
		h.table.header(h.cells)
		h.begun = true
	case h.header && h.table.rows == 0: // pandas writes the index's name in a row of its own
		h.merge()
	default:
		h.table.row(h.cells)
	}
	h.cells = nil
}

// merge takes names for columns that have none yet.
func (h *htmlTables) merge() {
	for at, name := range h.cells {
		if at < len(h.table.columns) && h.table.columns[at].name == "" && name != "" {
			kind, known := h.l.columns[normal(name)]
			h.table.columns[at].name, h.table.columns[at].known, h.table.columns[at].count = name, known, isCount(name)
			h.l.named(kind, known, 0, int64(at+1))
		}
	}
}

func (h *htmlTables) endTable() {
	h.endRow()
	if h.table != nil {
		h.table.end()
	}
	h.table = nil
}
