package table

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
)

// Format is how a table's source is written: CSV, TSV, JSONL, or what Delimited makes.
type Format string

// The formats.
const (
	CSV   Format = "csv"   // RFC 4180, with a line of column names
	TSV   Format = "tsv"   // the same with tabs
	JSONL Format = "jsonl" // one JSON object (RFC 8259) on each line
)

// Delimiters are those that a CSV table may have beside its comma, by their names.
var delimiters = map[string]byte{"semicolon": ';', "tab": '\t', "pipe": '|'}

// Delimited is the format of a CSV table whose fields another character divides: "semicolon",
// "tab" or "pipe".
func Delimited(delimiter string) Format {
	if delimiter == "" {
		return CSV
	}
	return CSV + "-" + Format(delimiter)
}

// Comma is the byte between the fields of a format of lines and fields.
func (f Format) Comma() (comma byte, ok bool) {
	switch f {
	case CSV:
		return ',', true
	case TSV:
		return '\t', true
	case JSONL:
		return 0, false
	}
	for name, char := range delimiters {
		if f == Delimited(name) {
			return char, true
		}
	}
	return 0, false
}

// Known reports whether there is such a format.
func (f Format) Known() bool {
	_, isLines := f.Comma()
	return isLines || f == JSONL
}

// FaultError is what is wrong with a table's source, and the way out. It has nothing of the
// data but the names of columns.
type FaultError struct {
	Line    int    // from 1; 0 where it is none's
	Problem string // completes a sentence that begins with the line
}

// Error implements error.
func (f *FaultError) Error() string {
	if f.Line == 0 {
		return f.Problem
	}
	return fmt.Sprintf("line %d %s", f.Line, f.Problem)
}

func faultAt(line int, problem string, args ...any) error {
	return &FaultError{line, fmt.Sprintf(problem, args...)}
}

// MaxRecord bounds a record of a source in bytes, with its line ends.
const MaxRecord = 64 << 20

// records is a source as records of cells.
type records interface {
	// next reads a record: a cell for each of the columns met so far. The cells are
	// the reader's until the next record. The error is io.EOF after the last one.
	next() ([]cell, error)
	columns() []string
	line() int // on which the last record began
}

// open begins to read a source. Where columns are given, there may be no others: a table of
// lines has exactly these in their order, one of JSON no others.
func open(from io.Reader, format Format, columns []string) (records, error) {
	const buffer = 1 << 18
	lines := &lineReader{from: bufio.NewReaderSize(from, buffer)}
	if comma, ok := format.Comma(); ok {
		return openCSV(lines, format, comma, columns)
	}
	if format != JSONL {
		return nil, fmt.Errorf("read table: there is no format %q", format)
	}
	return newJSONL(lines, columns), nil
}

// Decode reads a table's source strictly by its schema, and calls row with each row's
// values, which are the callee's until it returns. What is wrong with the source is a
// *FaultError; an error of row ends the reading and is returned as it is.
func Decode(ctx context.Context, from io.Reader, format Format, schema Schema, row func([]Value) error) error {
	if err := schema.Validate(); err != nil {
		return fmt.Errorf("decode table: %w", err)
	}
	fields, err := schema.cells()
	if err != nil {
		return fmt.Errorf("decode table: %w", err)
	}
	names := make([]string, len(schema.Fields))
	for at, field := range schema.Fields {
		names[at] = field.Name
	}
	source, err := open(from, format, names)
	if err != nil {
		return err
	}
	values := make([]Value, len(fields))
	return each(ctx, source, func(cells []cell) error {
		for at := range fields {
			if problem := fields[at].read(cells[at], &values[at]); problem != "" {
				return faultAt(source.line(), "has in column %s %s", shown(names[at]), problem)
			}
		}
		return row(values)
	})
}

// each calls do with every record.
func each(ctx context.Context, source records, do func([]cell) error) error {
	const between = 1024 // records from one look at the context to the next
	for count := 0; ; count++ {
		if count%between == 0 {
			if err := context.Cause(ctx); err != nil {
				return err
			}
		}
		cells, err := source.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := do(cells); err != nil {
			return err
		}
	}
}

// shown quotes a column's name, as far as a sentence can have it.
func shown(name string) string {
	const most = 64
	runes := []rune(name)
	if len(runes) > most {
		return fmt.Sprintf("%q…", string(runes[:most]))
	}
	return fmt.Sprintf("%q", name)
}
