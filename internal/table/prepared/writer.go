package prepared

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	"hotcell/internal/digest"
	"hotcell/internal/table"
)

// Writer takes a table row by row. It is for one goroutine.
type Writer struct {
	schema   table.Schema
	spool    spool
	left     allowance
	encoders []encoder
	rows     int64
	broken   error
}

// Summary is of a file that was written.
type Summary struct {
	Rows    int64      `json:"rows"`
	Columns int        `json:"columns"`
	Bytes   int64      `json:"bytes"`
	SHA256  digest.Hex `json:"sha256"`
}

// NewWriter begins a table of a valid schema. The scratch file is empty, open for reading
// and writing, and the caller's to remove: it becomes about as large as the table.
func NewWriter(schema table.Schema, scratch *os.File) (*Writer, error) {
	if err := schema.Validate(); err != nil {
		return nil, fmt.Errorf("prepare table: %w", err)
	}
	w := &Writer{schema: schema, spool: spool{file: scratch, most: maxBuffered}, left: allowance{maxDictionaries, maxDictionary}}
	for _, field := range schema.Fields {
		w.encoders = append(w.encoders, w.encoder(field))
	}
	return w, nil
}

func (w *Writer) encoder(field table.Field) encoder {
	stream := w.spool.stream
	switch field.Pandas {
	case table.PandasCategory:
		return newCategories(field.Categories, stream())
	case table.PandasBool:
		return &flags{stream()}
	case table.PandasNullable:
		return &nullable{stream(), stream()}
	case table.PandasObject:
		switch field.Type {
		case table.String:
			return &text{spool: &w.spool, index: map[string]uint32{}, left: &w.left, codes: stream(), bytes: stream(), lengths: stream(), mask: stream()}
		case table.Boolean:
			return &boolean{stream()}
		default:
			return &documents{text: stream(), lengths: stream(), mask: stream()}
		}
	default:
		return &wide{field, stream()}
	}
}

// Row takes the cells of one row in the order of the schema. After an error the writer can
// do nothing more.
func (w *Writer) Row(cells []table.Value) error {
	if w.broken == nil {
		w.broken = w.row(cells)
	}
	return w.broken
}

func (w *Writer) row(cells []table.Value) error {
	if len(cells) != len(w.encoders) {
		return fmt.Errorf("prepare row %d: it has %d cells, the schema %d", w.rows+1, len(cells), len(w.encoders))
	}
	w.rows++
	for at, cell := range cells {
		if err := w.encoders[at].add(cell); err != nil {
			return fmt.Errorf("prepare row %d: column %q: %w", w.rows, w.schema.Fields[at].Name, err)
		}
	}
	return w.spool.trim()
}

// Finish writes the file. The writer can do nothing more.
func (w *Writer) Finish(to io.Writer) (Summary, error) {
	if w.broken != nil {
		return Summary{}, w.broken
	}
	w.broken = errors.New("the table is finished")
	if err := w.spool.flush(); err != nil {
		return Summary{}, err
	}
	sum := digest.New()
	buffered := bufio.NewWriterSize(io.MultiWriter(to, sum), 1<<20)
	file := &assembly{to: buffered}
	if err := w.assemble(file); err != nil {
		return Summary{}, err
	}
	if err := buffered.Flush(); err != nil {
		return Summary{}, fmt.Errorf("write prepared table: %w", err)
	}
	return Summary{w.rows, len(w.encoders), file.at, sum.Digest().Hex()}, nil
}

func (w *Writer) assemble(to *assembly) error {
	if err := to.begin(); err != nil {
		return err
	}
	index := Index{Rows: w.rows, Blocks: []Block{}, Columns: make([]Column, len(w.encoders))}
	for _, dtype := range []Dtype{Int64, Uint64, Float64, Bool, Time} {
		block, err := w.block(to, dtype)
		if err != nil {
			return err
		}
		if block.Columns != nil {
			index.Blocks = append(index.Blocks, block)
		}
	}
	for at, field := range w.schema.Fields {
		column := Column{Layout: LayoutBlock}
		if blockDtypes[field.Pandas] == "" {
			var err error
			if column, err = w.encoders[at].place(to); err != nil {
				return fmt.Errorf("prepare column %q: %w", field.Name, err)
			}
		}
		column.Name = field.Name
		index.Columns[at] = column
	}
	return to.end(index)
}

var blockDtypes = map[table.Pandas]Dtype{
	table.PandasInt64:   Int64,
	table.PandasUint64:  Uint64,
	table.PandasFloat64: Float64,
	table.PandasBool:    Bool,
	table.PandasTime:    Time,
}

// block writes the columns of one dtype, if there are any.
func (w *Writer) block(to *assembly, dtype Dtype) (Block, error) {
	block := Block{Dtype: dtype}
	for at, field := range w.schema.Fields {
		if blockDtypes[field.Pandas] != dtype {
			continue
		}
		if block.Columns == nil {
			if err := to.align(alignBlock); err != nil {
				return block, err
			}
			block.Values.Offset = to.at
		}
		block.Columns = append(block.Columns, at)
		if err := to.copyOn(streamOf(w.encoders[at])); err != nil {
			return block, err
		}
	}
	block.Values.Bytes = to.at - block.Values.Offset
	return block, nil
}

func streamOf(column encoder) *stream {
	if narrow, ok := column.(*flags); ok {
		return narrow.stream
	}
	return column.(*wide).stream //nolint:forcetypeassert // blockDtypes has no others
}
