package table_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/table"
)

func TestRowsWithoutAValueAreTold(t *testing.T) {
	const two = "rows without a value: 2 (the first is row 2): remove them, if a spreadsheet program has left them there"
	for name, test := range map[string]struct {
		format table.Format
		source string
		want   []string
	}{
		"at the end":         {table.CSV, "a,b\n1,x\n,\n,\n", []string{two}},
		"of blanks":          {table.CSV, "a,b\n1,x\n , \n\"\",\"\t\"\n", []string{two}},
		"in the middle":      {table.CSV, "a,b\n1,x\n,\n,\n2,y\n", []string{two}},
		"of JSON":            {table.JSONL, "{\"a\":1,\"b\":\"x\"}\n{\"a\":null,\"b\":\" \"}\n{}\n", []string{two}},
		"a value in one":     {table.CSV, "a,b\n1,x\n,y\n", nil},
		"an empty object":    {table.JSONL, "{\"a\":1,\"b\":{}}\n{\"b\":{}}\n", nil},
		"gaps of one column": {table.CSV, "a\n1\n\"\"\n", nil},
		"a text for missing": {table.CSV, "a,b\n1,2\nNA,NA\n", nil},
	} {
		t.Run(name, func(t *testing.T) {
			found, err := infer(t, test.format, test.source, table.Choices{})
			require.NoError(t, err)
			require.Equal(t, test.want, found.Notes)
		})
	}
}
