package bundle_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/bundle"
	"hotcell/internal/table"
)

func tableOf(schema table.Schema) bundle.Manifest {
	return bundle.Manifest{Files: []bundle.DataFile{{Path: "t.csv", Table: "t", MediaType: "text/csv", Schema: &schema}}}
}

func columnsOf(t *testing.T, first, second table.Schema) []bundle.ColumnDifference {
	t.Helper()
	found := bundle.Compare(tableOf(first), tableOf(second))
	require.Len(t, found.Changed, 1)
	require.Equal(t, []string{"schema"}, found.Changed[0].In)
	return found.Changed[0].Columns
}

func TestCompareNamesTheColumns(t *testing.T) {
	id, age, arm := table.Field{Name: "id", Type: "string", Pandas: "object"}, table.Field{Name: "age", Type: "integer", Pandas: "int64"},
		table.Field{Name: "arm", Type: "string", Pandas: "category", Categories: []string{"a", "b"}}
	of := func(fields ...table.Field) table.Schema {
		return table.Schema{Fields: fields, MissingValues: []string{""}}
	}
	older, more, moved, marked := age, arm, arm, id
	older.Type, older.Pandas = "number", "float64"
	more.Categories, moved.Categories = []string{"b", "c", "d"}, []string{"b", "a"}
	marked.MissingValues, marked.Disclosure = []string{"", "NA"}, "identifier"
	for name, test := range map[string]struct {
		first, second table.Schema
		want          []bundle.ColumnDifference
	}{
		"a type":          {of(id, age), of(id, older), []bundle.ColumnDifference{{"age", "type", "integer", "number"}, {"age", "pandas", "int64", "float64"}}},
		"one more":        {of(id), of(id, age), []bundle.ColumnDifference{{"age", "", "", "integer int64"}}},
		"one less":        {of(id, age), of(id), []bundle.ColumnDifference{{"age", "", "integer int64", ""}}},
		"the order":       {of(id, age), of(age, id), []bundle.ColumnDifference{{"", "order", "id, age", "age, id"}}},
		"categories":      {of(arm), of(more), []bundle.ColumnDifference{{"arm", "categories", "2", "3 (2 new, 1 gone)"}}},
		"their order":     {of(arm), of(moved), []bundle.ColumnDifference{{"arm", "categories", "2", "2 in another order"}}},
		"what is missing": {of(id), of(marked), []bundle.ColumnDifference{{"id", "missingValues", "", `["", "NA"]`}, {"id", "disclosure", "", "identifier"}}},
		"for all columns": {of(id), table.Schema{Fields: []table.Field{id}, MissingValues: []string{"", "-9"}}, []bundle.ColumnDifference{{"", "missingValues", `[""]`, `["", "-9"]`}}},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, test.want, columnsOf(t, test.first, test.second)) })
	}
	found := bundle.Compare(bundle.Manifest{Files: []bundle.DataFile{{Path: "t.csv"}}}, tableOf(of(id)))
	require.Equal(t, []bundle.ColumnDifference{{"id", "", "", "string object"}}, found.Changed[0].Columns)
}

// TestCompareTellsEveryMemberOfAColumn: also those that come to Field later.
func TestCompareTellsEveryMemberOfAColumn(t *testing.T) {
	kind := reflect.TypeFor[table.Field]()
	for at := range kind.NumField() {
		member, _, _ := strings.Cut(kind.Field(at).Tag.Get("json"), ",")
		if member == "name" {
			continue // by which columns are found
		}
		first, second := table.Field{Name: "x"}, table.Field{Name: "x"}
		value := reflect.ValueOf(&second).Elem().Field(at)
		if value.Kind() == reflect.String {
			value.SetString("other")
		} else {
			value.Set(reflect.ValueOf([]string{"other"}))
		}
		found := columnsOf(t, table.Schema{Fields: []table.Field{first}}, table.Schema{Fields: []table.Field{second}})
		require.Len(t, found, 1, member)
		require.Equal(t, member, found[0].In)
		require.NotEqual(t, found[0].First, found[0].Second)
	}
}
