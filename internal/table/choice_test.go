package table_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/table"
)

// TestWhatAChosenTypeDropsIsTold: a person may choose it, and sees what becomes of the values.
func TestWhatAChosenTypeDropsIsTold(t *testing.T) {
	for _, test := range []struct {
		format              table.Format
		source, kind, noted string
	}{
		{table.CSV, "x\n0.12345678901234567890\n", "number", "numbers with more digits than a number keeps (line 2)"},
		{table.CSV, "x\n+5\nNA\n", "integer", "numbers with a plus sign (line 2)"},
		{table.CSV, "x\n2024-01-05T10:00Z\n2024-01-01T10:00+02:00\n", "datetime", "times with an offset (line 3)"},
		{table.JSONL, "{\"x\":0.12345678901234567890}\n", "number", "more digits than a number keeps (line 1)"},
		{table.JSONL, "{\"x\":\"007\"}\n{\"x\":null}\n", "Int64", "zeros in front (line 1)"},
		{table.CSV, "x\n1\n-5\n", "number", ""},
		{table.CSV, "x\n-0\n", "number", ""},
		{table.CSV, "x\n9007199254740994\n1e+300\ninf\n", "number", ""},
		{table.CSV, "x\n2024-01-05T10:00Z\n2024-01-05T10:00+00:00\n", "datetime", ""},
	} {
		t.Run(test.source, func(t *testing.T) {
			_, column, _ := inferred(t, test.format, test.source, table.Choices{Columns: map[string]table.Choice{"x": {Type: test.kind}}})
			if test.noted == "" {
				require.NotContains(t, column.Note, "drops")
				return
			}
			require.Contains(t, column.Note, test.noted)
			require.Contains(t, column.Note, ", which the chosen type drops")
		})
	}
}

// TestDigitsOfAFormatAreWholeWhereNothingDividesThem: 2024111 is no day, or two.
func TestDigitsOfAFormatAreWholeWhereNothingDividesThem(t *testing.T) {
	for _, test := range []struct {
		kind           table.Type
		format, cell   string
		microsOrNobody string
	}{
		{table.Date, "%Y%m%d", "19700102", "86400000000"},
		{table.Date, "%Y%m%d", "2024111", ""},
		{table.Date, "%Y%m%d", "2024011", ""},
		{table.Date, "%d%m%Y", "111970", ""},
		{table.Date, "%d%m/%Y", "111/1970", ""},
		{table.Date, "%d/%m%Y", "2/11970", ""},
		{table.Date, "%d1%m1%Y", "21111970", ""}, // a digit divides nothing
		{table.Date, "%d/%m/%Y", "2/1/1970", "86400000000"},
		{table.Date, "%d.%m.%Y", "02.1.1970", "86400000000"},
		{table.Datetime, "%Y-%m-%d %H%M", "1970-01-01 001", ""},
		{table.Datetime, "%Y-%m-%d %H%M", "1970-01-01 0001", "60000000"},
		{table.Datetime, "%Y-%m-%d %H:%M", "1970-1-1 0:1", "60000000"},
		{table.Datetime, "%Y%m%d%H%M%S%f", "19700101000000500", "500000"}, // a fraction is read from its left
		{table.Datetime, "%H%f%Y%m%d", "0012319700101", ""},
	} {
		t.Run(test.format+" "+test.cell, func(t *testing.T) {
			schema := columnOf(test.kind, table.PandasTime)
			schema.Fields[0].Format = test.format
			got, err := decoded(t, table.CSV, schema, "x\n"+test.cell+"\n")
			if test.microsOrNobody == "" {
				requireFault(t, err, 2, "a value that is no "+string(test.kind)+" of the format")
				return
			}
			require.NoError(t, err)
			require.Equal(t, []string{test.microsOrNobody}, got)
		})
	}
}
