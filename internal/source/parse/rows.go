package parse

import (
	"fmt"
	"io"
	"strings"

	"hotcell/internal/source"
	"hotcell/internal/strictjson"
)

// rows writes JSON Lines, in which no value is another than it was: null is not the empty
// string, and a string of digits is no number.
type rows struct {
	to    io.Writer
	names [][]byte // of the columns, as JSON with what stands around them
	line  []byte
	count int64
}

func newRows(to io.Writer, names []string) (*rows, error) {
	made := &rows{to: to}
	if len(names) == 0 || len(names) > source.MaxColumns {
		return nil, fmt.Errorf("it has %d columns: between 1 and %d are possible", len(names), source.MaxColumns)
	}
	met := make(map[string]bool, len(names))
	for at, name := range names {
		if met[name] {
			return nil, fmt.Errorf("it has the column %.100q twice: rename one", name)
		}
		met[name] = true
		if strings.TrimSpace(name) == "" {
			return nil, fmt.Errorf("the name of column %d is blank: give it one", at+1)
		}
		encoded, err := strictjson.Encode(name)
		if err != nil {
			return nil, fmt.Errorf("the name of column %d is no text", at+1)
		}
		begin := byte(',')
		if at == 0 {
			begin = '{'
		}
		made.names = append(made.names, append(append([]byte{begin}, encoded...), ':'))
	}
	return made, nil
}

// row writes a value of JSON for each column; nil is null.
func (r *rows) row(values [][]byte) error {
	r.line = r.line[:0]
	for at, name := range r.names {
		r.line = append(r.line, name...)
		if values[at] == nil {
			r.line = append(r.line, "null"...)
		} else {
			r.line = append(r.line, values[at]...)
		}
	}
	r.line = append(r.line, '}', '\n')
	r.count++
	_, err := r.to.Write(r.line)
	return err
}

// text is a string of JSON.
func text(value string) ([]byte, error) {
	encoded, err := strictjson.Encode(value)
	if err != nil {
		return nil, fmt.Errorf("a text is no UTF-8: %w", err)
	}
	return encoded, nil
}
