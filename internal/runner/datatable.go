package runner

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"hotcell/internal/bundle"
	"hotcell/internal/disclosure"
	"hotcell/internal/durable"
	"hotcell/internal/table"
)

// compared is what a bundle has to compare with what a run gives out.
type compared struct {
	tables []disclosure.Table
	bytes  int64
	names  kept[disclosure.Names] // of tables
	rows   kept[disclosure.Rows]
}

// kept is what is read once for a plan, when it is asked for.
type kept[T any] struct {
	mu    sync.Mutex
	known bool
	value *T
}

func (k *kept[T]) get(read func() (*T, error)) (*T, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.known {
		return k.value, nil
	}
	value, err := read()
	if err == nil {
		k.value, k.known = value, true
	}
	return value, err
}

// newCompared takes the tables whose columns have types: those of Parquet have none here.
func newCompared(data *bundle.Bundle) *compared {
	var all compared
	if data == nil {
		return &all
	}
	for _, file := range data.Manifest.Files {
		if file.Schema == nil {
			continue
		}
		source := dataTable{dir: data.Path, file: file}
		one := disclosure.Table{Rows: source.rows}
		for _, field := range file.Schema.Fields {
			one.Columns = append(one.Columns, disclosure.Column{Name: field.Name, Kind: disclosure.Kind(field.Disclosure)})
		}
		all.tables = append(all.tables, one)
		all.bytes += file.Bytes
	}
	return &all
}

// identified are the values by which the bundle names persons.
func (c *compared) identified(ctx context.Context) (*disclosure.Names, error) {
	return c.names.get(func() (*disclosure.Names, error) { return disclosure.NewNames(ctx, c.tables) })
}

// runs are the values that stand beside each other in the bundle's rows.
func (c *compared) runs(ctx context.Context) (*disclosure.Rows, error) {
	if len(c.tables) == 0 {
		return nil, nil
	}
	return c.rows.get(func() (*disclosure.Rows, error) { return disclosure.NewRows(ctx, c.tables, c.bytes) })
}

// dataTable is a table of a bundle in the store.
type dataTable struct {
	dir  string
	file bundle.DataFile
}

// rows implements disclosure.Table.
func (d dataTable) rows(ctx context.Context, columns []int, yield func([][]byte) error) (err error) {
	dir, err := durable.OpenDir(d.dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, dir.Close()) }()
	file, err := dir.Open(d.file.Path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	cells, fields := make([][]byte, len(columns)), d.file.Schema.Fields
	err = table.Decode(ctx, file, d.file.TableFormat(), *d.file.Schema, func(values []table.Value) error {
		for at, column := range columns {
			cells[at] = appendValue(cells[at][:0], fields[column], values[column])
		}
		return yield(cells)
	})
	if fault, ok := errors.AsType[*table.FaultError](err); ok { // it was checked when it was added
		return fmt.Errorf("read table %s of the bundle: %w", d.file.Table, fault)
	}
	return err
}

// appendValue writes a value as the rows of a disclosure.Table have it.
func appendValue(to []byte, field table.Field, value table.Value) []byte {
	if value.Missing {
		return to
	}
	switch field.Type {
	case table.Integer:
		if field.Pandas == table.PandasUint64 {
			return strconv.AppendUint(to, uint64(value.Int), 10)
		}
		return strconv.AppendInt(to, value.Int, 10)
	case table.Number:
		return disclosure.AppendNumber(to, value.Float)
	case table.Boolean:
		return strconv.AppendBool(to, value.Bool)
	case table.Date:
		return time.UnixMicro(value.Time).UTC().AppendFormat(to, time.DateOnly)
	case table.Datetime:
		moment := time.UnixMicro(value.Time).UTC()
		if moment.Equal(moment.Truncate(day)) {
			return moment.AppendFormat(to, time.DateOnly)
		}
		return moment.AppendFormat(to, "2006-01-02 15:04:05.999999")
	case table.String, table.Object, table.Array:
	}
	return disclosure.AppendText(to, value.Text)
}

const day = 24 * time.Hour
