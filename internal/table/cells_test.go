package table_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/table"
)

// wide is a row of JSON Lines with so many columns.
func wide(columns int) string {
	var line strings.Builder
	for at := range columns {
		fmt.Fprintf(&line, `,"c%d":"x"`, at)
	}
	return "{" + line.String()[1:] + "}\n"
}

// TestATableHasNotFarMoreCellsThanItsSource: 134 KB would be 400 MB in the store, and without
// end in gzip.
func TestATableHasNotFarMoreCellsThanItsSource(t *testing.T) {
	const want = "it has 10000 columns, and with row "
	names, empty := wide(table.MaxFields), strings.Repeat("{}\n", 5000)
	for name, source := range map[string]string{
		"names before": names + empty, "names behind": empty + names, "among": empty + names + "{}\n",
		"one value in each":  names + strings.Repeat("{\"c7\":\"x\"}\n", 5000),
		"names one by one":   names[:len(names)-2] + "}\n" + strings.Repeat("{ }\r\n", 5000),
		"with a mark before": "\ufeff" + names + empty,
	} {
		t.Run(name, func(t *testing.T) {
			_, err := infer(t, table.JSONL, source, table.Choices{})
			requireFault(t, err, 0, want)
		})
	}
	for name, source := range map[string]string{
		"few rows":    names + empty[:300],
		"few columns": wide(100) + strings.Repeat("{\"c7\":\"x\"}\n", 5000),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := infer(t, table.JSONL, source, table.Choices{})
			require.NoError(t, err)
		})
	}
	require.NoError(t, table.CheckCells(1<<40, 1, 1<<40), "a byte for each cell, as CSV has")
	require.NoError(t, table.CheckCells(1<<30, 200, 50<<30), "a quarter of the columns, and more rows than fit")
	require.Error(t, table.CheckCells(1<<30, 1000, 50<<30))
}
