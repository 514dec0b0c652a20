package table

import (
	"bytes"
	"errors"
	"io"
	"slices"

	"hotcell/internal/strictjson"
)

// MaxDepth is how deep a value of a JSON table may be nested: less than any reader of JSON
// takes.
const MaxDepth = 256

// jsonlReader reads JSON Lines: one object of RFC 8259 on a line, no name twice in it. A
// blank line is no row.
type jsonlReader struct {
	lines  *lineReader
	fixed  bool // there are no other columns
	names  []string
	places map[string]int
	cells  []cell
	parser *strictjson.Decoder
	texts  []byte // of the row's values, which are not longer than their line
}

func newJSONL(lines *lineReader, columns []string) *jsonlReader {
	r := &jsonlReader{lines: lines, fixed: columns != nil, places: make(map[string]int), parser: strictjson.NewDecoder(new(bytes.Buffer))}
	for _, name := range columns {
		r.add(name)
	}
	return r
}

func (r *jsonlReader) add(name string) int {
	at := len(r.names)
	r.names, r.places[name] = append(r.names, name), at
	r.cells = append(r.cells, cell{})
	return at
}

func (r *jsonlReader) columns() []string { return r.names }
func (r *jsonlReader) line() int         { return r.lines.line }

func (r *jsonlReader) next() ([]cell, error) {
	for {
		text, err := r.lines.next()
		if err != nil {
			return nil, err
		}
		text = bytes.Trim(text, " \t\r\n")
		if len(text) == 0 {
			continue
		}
		for at := range r.cells {
			r.cells[at].kind = absent
		}
		if err := r.object(text); err != nil {
			return nil, err
		}
		return r.cells, nil
	}
}

// object reads a line. cells may have become more when it returns.
func (r *jsonlReader) object(text []byte) error {
	switch {
	case text[0] != '{':
		return faultAt(r.line(), "is not a JSON object: put one object on each line")
	case depth(text) > MaxDepth:
		return faultAt(r.line(), "is nested more than %d deep: write what is deeper as a string", MaxDepth)
	}
	r.texts = slices.Grow(r.texts[:0], len(text))
	parser := r.parser
	parser.Reset(bytes.NewBuffer(text))
	if _, err := parser.ReadToken(); err != nil {
		return r.invalid(err)
	}
	for parser.PeekKind() == '"' {
		token, err := parser.ReadToken()
		if err != nil {
			return r.invalid(err)
		}
		at, err := r.place(token.String())
		if err != nil {
			return err
		}
		value, err := parser.ReadValue()
		if err != nil {
			return r.invalid(err)
		}
		if err := r.fill(at, value); err != nil {
			return err
		}
	}
	if _, err := parser.ReadToken(); err != nil {
		return r.invalid(err)
	}
	if _, err := parser.ReadToken(); !errors.Is(err, io.EOF) {
		return faultAt(r.line(), "has something behind its object: put one object on each line")
	}
	return nil
}

// place finds a column, or makes one.
func (r *jsonlReader) place(name string) (int, error) {
	at, known := r.places[name]
	switch {
	case known:
		return at, nil
	case r.fixed:
		return 0, faultAt(r.line(), "has the name %s, which is no column of its schema", shown(name))
	case name == "":
		return 0, faultAt(r.line(), "has an empty name: give the column one")
	case NameProblem(name) != "":
		return 0, faultAt(r.line(), "has a name that %s: rename the column", NameProblem(name))
	case len(r.names) == MaxFields:
		return 0, faultAt(r.line(), "has a name beyond the %d columns that are possible", MaxFields)
	}
	return r.add(name), nil
}

// fill keeps a value until the next row.
func (r *jsonlReader) fill(at int, value []byte) error {
	into := &r.cells[at]
	switch value[0] {
	case '"':
		texts, err := strictjson.AppendUnquote(r.texts, value)
		if err != nil {
			return r.invalid(err)
		}
		*into = cell{jsonString, texts[len(r.texts):]}
		r.texts = texts
	case '{':
		*into = cell{jsonObject, r.keep(value)}
	case '[':
		*into = cell{jsonArray, r.keep(value)}
	case 't', 'f':
		*into = cell{jsonBoolean, r.keep(value)}
	case 'n':
		into.kind = absent
	default:
		*into = cell{jsonNumber, r.keep(value)}
	}
	return nil
}

func (r *jsonlReader) keep(value []byte) []byte {
	from := len(r.texts)
	r.texts = append(r.texts, value...)
	return r.texts[from:]
}

// invalid says what is wrong with a line without a word of it.
func (r *jsonlReader) invalid(err error) error {
	switch {
	case errors.Is(err, strictjson.ErrDuplicateName):
		return faultAt(r.line(), "has a name twice in one object: which value is meant?")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return faultAt(r.line(), "ends within its object: put one whole object on each line")
	}
	return faultAt(r.line(), "is not JSON (RFC 8259): NaN and Infinity are none (write null), nor is a text in single quotes, a number with a leading zero "+
		"or half a surrogate")
}

// depth is how deep text is nested that may be JSON.
func depth(text []byte) int {
	now, most, quoted := 0, 0, false
	for at := 0; at < len(text); at++ {
		switch char := text[at]; {
		case quoted && char == '\\':
			at++
		case char == '"':
			quoted = !quoted
		case quoted:
		case char == '{' || char == '[':
			now++
			most = max(most, now)
		case char == '}' || char == ']':
			now--
		}
	}
	return most
}
