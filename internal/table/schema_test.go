package table_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/table"
)

func field(name string, kind table.Type, pandas table.Pandas) table.Field {
	return table.Field{Name: name, Type: kind, Pandas: pandas}
}

func TestASchemaHoldsItsTypes(t *testing.T) {
	good := []table.Field{
		field("id", table.String, table.PandasObject), field("n", table.Integer, table.PandasFloat64),
		{Name: "day", Type: table.Date, Pandas: table.PandasTime, Format: "default"},
		{Name: "arm", Type: table.String, Pandas: table.PandasCategory, Categories: []string{"a", "b"}, Disclosure: table.QuasiIdentifier},
	}
	require.NoError(t, table.Schema{Fields: good, MissingValues: []string{""}}.Validate())
	for name, bad := range map[string]table.Field{
		"an unknown type":              field("x", "decimal", table.PandasFloat64),
		"a type that pandas would cut": field("x", table.Number, table.PandasInt64),
		"a name twice":                 field("id", table.String, table.PandasObject),
		"an empty name":                field("", table.String, table.PandasObject),
		"an unprintable name":          field("a\x00", table.String, table.PandasObject),
		"a date without a format":      field("x", table.Date, table.PandasTime),
		"a string with a format":       {Name: "x", Type: table.String, Pandas: table.PandasObject, Format: "default"},
		"categories that are not":      {Name: "x", Type: table.String, Pandas: table.PandasObject, Categories: []string{"a"}},
		"a category twice":             {Name: "x", Type: table.String, Pandas: table.PandasCategory, Categories: []string{"a", "a"}},
		"an unknown disclosure":        {Name: "x", Type: table.String, Pandas: table.PandasObject, Disclosure: "secret"},
		"a missing value twice":        {Name: "x", Type: table.String, Pandas: table.PandasObject, MissingValues: []string{"", ""}},
	} {
		t.Run(name, func(t *testing.T) {
			require.Error(t, table.Schema{Fields: append(append([]table.Field{}, good...), bad)}.Validate())
		})
	}
	require.Error(t, table.Schema{}.Validate())
}
