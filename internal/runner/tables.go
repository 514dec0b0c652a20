package runner

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"hotcell/internal/bundle"
	"hotcell/internal/job"
	"hotcell/internal/wire"
)

// chosenTables are the bundle's tables that a request wants loaded, in the manifest's order.
func chosenTables(request job.Request, data *bundle.Bundle) ([]bundle.PreparedTable, error) {
	if data == nil {
		if request.Tables != nil {
			return nil, errors.New("the request names tables and no bundle: name the bundle with --bundle")
		}
		return nil, nil
	}
	prepared := make(map[string]bundle.PreparedTable, len(data.Tables))
	for _, each := range data.Tables {
		prepared[each.Table] = each
	}
	var there []string
	var found []bundle.PreparedTable
	for _, file := range data.Manifest.Files {
		if file.Table == "" {
			continue
		}
		there = append(there, file.Table)
		if request.Tables != nil && !slices.Contains(request.Tables, file.Table) {
			continue
		}
		table, ok := prepared[file.Table]
		if !ok {
			return nil, fmt.Errorf("table %s of bundle %s is of %s, which no run can load: name the tables that it needs with --tables, or make the bundle of another format", file.Table, data.Reference(), file.MediaType)
		}
		found = append(found, table)
	}
	return found, unknownTables(request.Tables, there, data)
}

func unknownTables(asked, there []string, data *bundle.Bundle) error {
	var unknown []string
	for _, name := range asked {
		if !slices.Contains(there, name) {
			unknown = append(unknown, fmt.Sprintf("%.64q", name))
		}
	}
	if unknown == nil {
		return nil
	}
	has := "no tables"
	if there != nil {
		has = strings.Join(there, ", ")
	}
	return fmt.Errorf("bundle %s has no table %s: it has %s", data.Reference(), strings.Join(unknown, ", "), has)
}

// loaded are tables as the guard is told of them.
func loaded(tables []bundle.PreparedTable) []wire.Table {
	found := make([]wire.Table, len(tables))
	for at, table := range tables {
		found[at] = wire.Table{Name: table.Table, Path: table.Path}
	}
	return found
}

// recordedTables are tables as a record tells of them.
func recordedTables(tables []bundle.PreparedTable) []job.Table {
	var found []job.Table
	for _, table := range tables {
		found = append(found, job.Table{Name: table.Table, Rows: table.Rows, Columns: table.Columns, SHA256: table.SHA256})
	}
	return found
}

func tableNames(tables []bundle.PreparedTable) []string {
	names := make([]string, len(tables))
	for at, table := range tables {
		names[at] = table.Table
	}
	return names
}
