package table

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// csvReader reads RFC 4180, and nothing that programs read in several ways: each record has
// as many fields as the header, a quote is at both ends of its field and doubled
// within it, a carriage return is before a line feed or within quotes.
type csvReader struct {
	lines  *lineReader
	comma  byte
	header []string
	record int    // line on which the last record began
	held   []byte // text of a record that has quotes
	spans  []span // its fields in held
	cells  []cell
}

type span struct{ from, to int }

// openCSV reads the header.
func openCSV(lines *lineReader, format Format, comma byte, columns []string) (*csvReader, error) {
	r := &csvReader{lines: lines, comma: comma}
	cells, err := r.fields()
	if errors.Is(err, io.EOF) {
		return nil, faultAt(0, "it is empty: a table begins with a line of column names")
	}
	if err != nil {
		return nil, err
	}
	if err := r.checkSeparator(cells, format); err != nil {
		return nil, err
	}
	if err := r.checkDelimiter(cells, format); err != nil {
		return nil, err
	}
	for _, each := range cells {
		r.header = append(r.header, string(each.text))
	}
	if err := checkHeader(r.header); err != nil {
		return nil, err
	}
	if columns != nil {
		return r, sameColumns(r.header, columns)
	}
	return r, nil
}

// checkSeparator finds the line by which Excel is told the delimiter, which is no table's.
func (r *csvReader) checkSeparator(cells []cell, format Format) error {
	text := strings.ToLower(string(cells[0].text))
	if len(cells) == 2 {
		text += string(r.comma) + string(cells[1].text)
	}
	name, isLine := strings.CutPrefix(text, "sep=")
	if !isLine || len(cells) > 2 || len(name) != 1 {
		return nil
	}
	way := ""
	for known, char := range delimiters {
		if name[0] == char && char != r.comma && format != TSV {
			way = fmt.Sprintf(", and name the delimiter (`--delimiter FILE=%s`)", known)
		}
	}
	return faultAt(1, "is for Excel alone (sep=): remove it%s", way)
}

// checkDelimiter finds a header whose fields another character divides.
func (r *csvReader) checkDelimiter(cells []cell, format Format) error {
	if len(cells) != 1 || len(r.spans) != 0 {
		return nil // several columns, or one in quotes
	}
	for _, other := range []struct {
		char       byte
		name, flag string
	}{{';', "semicolons", "semicolon"}, {'\t', "tabs", "tab"}, {'|', "bars", "pipe"}, {',', "commas", ""}} {
		if other.char == r.comma || bytes.IndexByte(cells[0].text, other.char) < 0 {
			continue
		}
		if other.flag == "" || format == TSV {
			return faultAt(1, "has one column, with %s in its name: save the file with the delimiter of its extension, or put quotes around the name", other.name)
		}
		return faultAt(1, "has one column, with %s in its name: name the delimiter (`--delimiter FILE=%s`), or put quotes around the name", other.name, other.flag)
	}
	return nil
}

// checkHeader wants names by which a script finds each column.
func checkHeader(names []string) error {
	first := make(map[string]int, len(names))
	for at, name := range names {
		switch earlier, twice := first[name]; {
		case name == "":
			return faultAt(1, "has no name for column %d: give it one, or write the file without row names "+
				"(pandas: index=False, R: row.names=FALSE) or without a delimiter at the end of each line%s", at+1, orValues(names))
		case twice && (isNumberName(name) || isTimeName(name)):
			return faultAt(1, "has one value for columns %d and %d: put a line of names above it, or rename one", earlier, at+1)
		case twice:
			return faultAt(1, "has the name %s twice, for columns %d and %d: rename one%s", shown(name), earlier, at+1, orValues(names))
		case NameProblem(name) != "":
			return faultAt(1, "has a name for column %d that %s: rename it", at+1, NameProblem(name))
		}
		first[name] = at + 1
	}
	return nil
}

// orValues is one more way out where a header has what looks like values.
func orValues(names []string) string {
	if slices.ContainsFunc(names, func(name string) bool { return isNumberName(name) || isTimeName(name) }) {
		return "; if it has values, put a line of names above it"
	}
	return ""
}

// sameColumns wants the header to be a schema's.
func sameColumns(header, columns []string) error {
	for at, name := range columns[:min(len(columns), len(header))] {
		if header[at] != name {
			return faultAt(1, "has %s for column %d, its schema has %s", shown(header[at]), at+1, shown(name))
		}
	}
	if len(header) != len(columns) {
		return faultAt(1, "has %d columns, its schema has %d", len(header), len(columns))
	}
	return nil
}

func (r *csvReader) columns() []string { return r.header }
func (r *csvReader) line() int         { return r.record }

func (r *csvReader) next() ([]cell, error) {
	cells, err := r.fields()
	if err != nil {
		return nil, err
	}
	if r.isBlank() {
		return nil, r.blank()
	}
	if got, want := len(cells), len(r.header); got != want {
		way := "put quotes around a field that has a delimiter in it"
		if got < want {
			way = "write each row with all of its delimiters"
		}
		if want == 1 || strings.HasPrefix(r.header[0], "#") {
			way = "remove what stands above the names of the columns (a title, a comment), or " + way
		}
		return nil, faultAt(r.record, "has %d %s, the header has %d: %s", got, plural(got, "field"), want, way)
	}
	return cells, nil
}

// isBlank tells a record of an empty line; one of two quotes is a field.
func (r *csvReader) isBlank() bool {
	return len(r.cells) == 1 && len(r.cells[0].text) == 0 && len(r.spans) == 0
}

// blank lets empty lines at the end of a table pass, but for one of one column.
func (r *csvReader) blank() error {
	first := r.record
	if len(r.header) == 1 {
		return faultAt(first, "is empty: write \"\" for an empty cell, or remove the line, and what stands above the names of the columns (a title, a comment)")
	}
	for {
		_, err := r.fields()
		if errors.Is(err, io.EOF) {
			return io.EOF
		}
		if err != nil {
			return err
		}
		if !r.isBlank() {
			return faultAt(first, "is empty, and there are rows behind it: remove it")
		}
	}
}

// fields reads a record. spans is empty where none of its fields has quotes.
func (r *csvReader) fields() ([]cell, error) {
	r.cells, r.spans = r.cells[:0], r.spans[:0]
	text, err := r.lines.next()
	if err != nil {
		return nil, err
	}
	r.record = r.lines.line
	if bytes.IndexByte(text, '"') >= 0 {
		return r.quoted(text)
	}
	text = withoutEnd(text)
	if bytes.IndexByte(text, '\r') >= 0 {
		return nil, r.lines.onlyReturns()
	}
	for {
		if len(r.cells) > MaxFields {
			return nil, r.tooMany()
		}
		at := bytes.IndexByte(text, r.comma)
		if at < 0 {
			r.cells = append(r.cells, cell{kind: plainText, text: text})
			return r.cells, nil
		}
		r.cells = append(r.cells, cell{kind: plainText, text: text[:at]})
		text = text[at+1:]
	}
}

// tooMany is told before the fields of one line fill the memory.
func (r *csvReader) tooMany() error {
	return faultAt(r.record, "has more fields than the %d columns that are possible", MaxFields)
}

func withoutEnd(line []byte) []byte {
	if text, ended := bytes.CutSuffix(line, []byte{'\n'}); ended {
		return bytes.TrimSuffix(text, []byte{'\r'})
	}
	return line
}

// quoted reads a record that has a quote in its first line.
func (r *csvReader) quoted(text []byte) ([]cell, error) {
	r.held = append(r.held[:0], text...)
	for at, ended := 0, false; !ended; {
		var field span
		var err error
		if at < len(r.held) && r.held[at] == '"' {
			field, at, err = r.inQuotes(at + 1)
		} else {
			field, at, err = r.outside(at)
		}
		if err != nil {
			return nil, err
		}
		if r.spans = append(r.spans, field); len(r.spans) > MaxFields {
			return nil, r.tooMany()
		}
		ended = at == len(r.held) || r.held[at] != r.comma
		at++
	}
	for _, field := range r.spans {
		r.cells = append(r.cells, cell{kind: plainText, text: r.held[field.from:field.to]})
	}
	return r.cells, nil
}

// outside reads a field without quotes, and returns where it ends.
func (r *csvReader) outside(at int) (span, int, error) {
	end := len(withoutEnd(r.held))
	if comma := bytes.IndexByte(r.held[at:end], r.comma); comma >= 0 {
		end = at + comma
	}
	switch field := r.held[at:end]; {
	case bytes.IndexByte(field, '"') >= 0:
		return span{}, 0, faultAt(r.lines.line, "has a quote within a field that does not begin with one: put quotes around the field and double those in it")
	case bytes.IndexByte(field, '\r') >= 0:
		return span{}, 0, r.lines.onlyReturns()
	}
	return span{at, end}, end, nil
}

// inQuotes reads a field from behind its first quote, over as many lines as it has. Doubled
// quotes become one in place.
func (r *csvReader) inQuotes(at int) (span, int, error) {
	opened := r.lines.line
	field := span{at, at}
	for {
		quote := bytes.IndexByte(r.held[at:], '"')
		if quote < 0 {
			field.to += copy(r.held[field.to:], r.held[at:])
			at = len(r.held)
			if err := r.more(opened); err != nil {
				return span{}, 0, err
			}
			continue
		}
		field.to += copy(r.held[field.to:], r.held[at:at+quote])
		at += quote + 1
		if at < len(r.held) && r.held[at] == '"' {
			r.held[field.to] = '"'
			field.to++
			at++
			continue
		}
		return field, at, r.closed(at)
	}
}

// more appends the next line of a record.
func (r *csvReader) more(opened int) error {
	text, err := r.lines.next()
	if errors.Is(err, io.EOF) {
		return faultAt(opened, "opens a quote that is never closed: close it, or double a quote that is meant")
	}
	if err != nil {
		return err
	}
	if len(r.held)+len(text) > MaxRecord {
		return faultAt(opened, "opens a quote that is not closed within %d MiB: close it, or double a quote that is meant", MaxRecord>>20)
	}
	r.held = append(r.held, text...)
	return nil
}

// closed wants a field to end with its second quote.
func (r *csvReader) closed(at int) error {
	rest := r.held[at:]
	if len(rest) == 0 || rest[0] == r.comma || rest[0] == '\n' || strings.HasPrefix(string(rest[:min(2, len(rest))]), "\r\n") {
		return nil
	}
	return faultAt(r.lines.line, "has text behind the quote that closes a field: double a quote that is meant, and leave no blank there")
}

func plural(number int, noun string) string {
	if number == 1 {
		return noun
	}
	return fmt.Sprintf("%ss", noun)
}
