package runner

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"hotcell/internal/bundle"
	"hotcell/internal/disclosure"
	"hotcell/internal/durable"
	"hotcell/internal/strictjson"
)

// dataTables are the bundle's tables, as they lie in the store.
func (e *execution) dataTables() []disclosure.Table {
	var all []disclosure.Table
	for _, table := range e.plan.columns {
		all = append(all, disclosure.Table{Columns: table.columns, Rows: table.rows})
	}
	return all
}

// dataTable is a bundle's table, to be compared with what a run gives out.
type dataTable struct {
	dir, path, format string
	columns           []disclosure.Column
}

// dataColumns finds the columns of a bundle's tables, which its manifest may say more of.
func dataColumns(data *bundle.Bundle) ([]dataTable, error) {
	if data == nil {
		return nil, nil
	}
	var all []dataTable
	for _, file := range data.Manifest.Files {
		if format := file.Format(); format != "csv" && format != "jsonl" {
			continue
		}
		table := dataTable{dir: data.Path, path: file.Path, format: file.Format()}
		names, err := table.names()
		if err != nil {
			return nil, fmt.Errorf("read columns of %s: %w", file.Path, err)
		}
		for _, name := range names {
			table.columns = append(table.columns, disclosure.Column{Name: name})
		}
		all = append(all, table)
	}
	return all, nil
}

// namesFrom is in how many records of JSON names are looked for.
const namesFrom = 100

var errEnough = errors.New("enough")

// names are those of the columns.
func (t dataTable) names() ([]string, error) {
	var names []string
	err := t.read(func(record []string, row int) error {
		if t.format == "csv" {
			names = slices.Clone(record)
			return errEnough
		}
		for at := 0; at < len(record); at += 2 {
			if !slices.Contains(names, record[at]) {
				names = append(names, record[at])
			}
		}
		if row == namesFrom {
			return errEnough
		}
		return nil
	})
	if errors.Is(err, errEnough) {
		err = nil
	}
	return names, err
}

// rows implements disclosure.Table.
func (t dataTable) rows(ctx context.Context, columns []int, yield func([]string) error) error {
	cells, place := make([]string, len(columns)), map[string]int{}
	for at, column := range columns {
		place[t.columns[column].Name] = at
	}
	const often = 1000
	return t.read(func(record []string, row int) error {
		if row%often == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		clear(cells)
		if t.format == "csv" {
			if row == 0 {
				return nil
			}
			for at, column := range columns {
				if column < len(record) {
					cells[at] = record[column]
				}
			}
			return yield(cells)
		}
		for at := 0; at < len(record); at += 2 {
			if there, ok := place[record[at]]; ok {
				cells[there] = record[at+1]
			}
		}
		return yield(cells)
	})
}

// read hands out the records of a table that was looked at when its bundle was added: of CSV
// their cells, the header first; of JSON names and cells in turn, lists and objects left out.
func (t dataTable) read(see func(record []string, row int) error) (err error) {
	dir, err := durable.OpenDir(t.dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, dir.Close()) }()
	file, err := dir.Open(t.path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if t.format == "csv" {
		return readCSV(file, see)
	}
	return readJSONL(file, see)
}

func readCSV(file *os.File, see func(record []string, row int) error) error {
	reader := csv.NewReader(file)
	reader.LazyQuotes, reader.FieldsPerRecord, reader.ReuseRecord = true, -1, true
	for row := 0; ; row++ {
		record, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = see(record, row)
		}
		if err != nil {
			return err
		}
	}
}

func readJSONL(file *os.File, see func(record []string, row int) error) error {
	decoder := strictjson.NewDecoder(file, strictjson.DuplicateNames)
	var record []string
	for row := 0; ; row++ {
		token, err := decoder.ReadToken()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil && token.Kind() != '{' {
			err = errors.New("a line is no object")
		}
		if err == nil {
			if record, err = readObject(decoder, record[:0]); err == nil {
				err = see(record, row)
			}
		}
		if err != nil {
			return err
		}
	}
}

func readObject(decoder *strictjson.Decoder, record []string) ([]string, error) {
	for {
		token, err := decoder.ReadToken()
		if err != nil || token.Kind() == '}' {
			return record, err
		}
		name := token.String()
		switch decoder.PeekKind() {
		case '{', '[':
			err = decoder.SkipValue()
		default:
			if token, err = decoder.ReadToken(); err == nil {
				record = append(record, name, token.String())
			}
		}
		if err != nil {
			return record, err
		}
	}
}
