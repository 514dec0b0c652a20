package parse

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"

	"hotcell/internal/source"
)

// readParquet makes a table of a Parquet file whose columns are flat.
func readParquet(from Input, to *source.Frames) (err error) {
	defer func() {
		if broken := recover(); broken != nil { // which is how the library refuses some files
			err = errors.New("it is no Parquet file that can be read: write it again, or write CSV")
		}
	}()
	// Pages are read one after the other, and not all of a column.
	properties := parquet.NewReaderProperties(memory.DefaultAllocator)
	properties.BufferedStreamEnabled = true
	opened, err := file.NewParquetReader(from, file.WithReadProps(properties))
	if err != nil {
		return fmt.Errorf("it is no Parquet file that can be read (%w): write it again, or write CSV", err)
	}
	columns, err := parquetColumns(opened)
	if err != nil {
		return err
	}
	var names []string
	for _, column := range columns {
		names = append(names, column.name)
	}
	if err := to.Table(""); err != nil {
		return err
	}
	table, err := newRows(to, names)
	if err != nil {
		return err
	}
	for group := range opened.NumRowGroups() {
		if err := readGroup(opened.RowGroup(group), columns, table); err != nil {
			return err
		}
	}
	if table.count == 0 {
		return errors.New("it has no row")
	}
	return endParquet(columns, to)
}

// parquetColumns are those of a file, or all that cannot be in a table.
func parquetColumns(of *file.Reader) ([]*parquetColumn, error) {
	schema := of.MetaData().Schema
	if schema.NumColumns() > source.MaxColumns {
		return nil, fmt.Errorf("it has %d columns: %d are possible", schema.NumColumns(), source.MaxColumns)
	}
	var made []*parquetColumn
	var found []string
	for at := range schema.NumColumns() {
		column, problem := newParquetColumn(schema.Column(at))
		if problem != "" && len(found) < 3 {
			found = append(found, fmt.Sprintf("column %.60q: %s", column.name, problem))
		}
		made = append(made, column)
	}
	if found != nil {
		return nil, errors.New(strings.Join(found, "; "))
	}
	return made, nil
}

// batch is how many rows are read at a time.
const batch = 1024

// readGroup writes the rows of a group. Each column must have as many as the group says.
func readGroup(group *file.RowGroupReader, columns []*parquetColumn, table *rows) error {
	readers, chunks := make([]next, len(columns)), make([]file.ColumnChunkReader, len(columns))
	for at, column := range columns {
		chunk, err := group.Column(at)
		if err != nil {
			return fmt.Errorf("column %.60q cannot be read: %w", column.name, err)
		}
		chunks[at] = chunk
		if readers[at], err = column.open(chunk); err != nil {
			return err
		}
	}
	values, row := make([][][]byte, len(columns)), make([][]byte, len(columns))
	for left := group.NumRows(); left > 0; left -= batch {
		size := int(min(left, batch))
		for at, column := range columns {
			var err error
			if values[at], err = readers[at](size); err != nil {
				return fmt.Errorf("column %.60q: %w", column.name, err)
			}
		}
		for number := range size {
			for at := range columns {
				row[at] = values[at][number]
			}
			if err := table.row(row); err != nil {
				return err
			}
		}
	}
	for at, column := range columns {
		if chunks[at].HasNext() || chunks[at].Err() != nil {
			return fmt.Errorf("column %.60q: it has more values than the file says, or is damaged behind them", column.name)
		}
	}
	return nil
}

func endParquet(columns []*parquetColumn, to *source.Frames) error {
	var told []source.Column
	for _, column := range columns {
		if column.nans > 0 && column.nulls > 0 {
			return fmt.Errorf("column %.60q has NaN (%d) and values that are missing (%d), which are one in a run: write one of them as another value, or the column as text",
				column.name, column.nans, column.nulls)
		}
		told = append(told, column.told())
	}
	return to.Columns(told)
}

// next reads so many values as JSON, nil where one is missing.
type next func(size int) ([][]byte, error)

// batches reads a column of values of one kind in memory.
func batches[T any](of *parquetColumn, read func(int64, []T, []int16, []int16) (int64, int, error), value func(T) ([]byte, error)) next {
	held, levels, out := make([]T, batch), make([]int16, batch), make([][]byte, batch)
	return func(size int) ([][]byte, error) {
		for done := 0; done < size; {
			total, there, err := read(int64(size-done), held, levels, nil)
			if err != nil && !errors.Is(err, io.EOF) {
				return nil, fmt.Errorf("it is damaged: %w", err)
			}
			if total <= 0 || total > int64(size-done) || there > int(total) {
				return nil, errors.New("it has fewer values than the file says")
			}
			taken := 0
			for at := range int(total) {
				if of.gaps && levels[at] == 0 {
					of.nulls++
					out[done+at] = nil
					continue
				}
				if taken >= there {
					return nil, errors.New("it has fewer values than the file says")
				}
				if out[done+at], err = value(held[taken]); err != nil {
					return nil, err
				}
				taken++
			}
			done += int(total)
		}
		return out[:size], nil
	}
}
