//go:build cgo

package bundle_test

import (
	"testing"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/stretchr/testify/require"

	"hotcell/internal/bundle"
	"hotcell/internal/table"
)

// wantMissing is a bundle of a file whose column w has -99 and 61.5.
func wantMissing(t *testing.T, name, content string, choices map[string]table.Choices) bundle.MadeTable {
	t.Helper()
	how := options(t.TempDir())
	write(t, how.Dir, name, content)
	how.Choices = choices
	made, err := bundle.Create(t.Context(), how)
	require.NoError(t, err)
	store, _ := openStore(t)
	add(t, store, how.Dir)
	require.Len(t, made.Tables, 1)
	return made.Tables[0]
}

func TestATextThatMeansMissingDoesInEachFormat(t *testing.T) {
	for name, content := range map[string]string{
		"t.csv":     "w\n-99\n61.5\n",
		"t.jsonl":   "{\"w\":-99}\n{\"w\":61.5}\n",
		"t.xlsx":    workbook(t, map[string]any{"A1": "w", "A2": -99, "A3": 61.5}),
		"t.parquet": parquetFile(t, []column{{name: "w", kind: parquet.Types.Double, values: []float64{-99, 61.5}}}),
	} {
		t.Run(name, func(t *testing.T) {
			one := func(text string) map[string]table.Choices {
				return map[string]table.Choices{name: {Columns: map[string]table.Choice{"w": {Missing: []string{text}}}}}
			}
			made := wantMissing(t, name, content, one("-99"))
			require.EqualValues(t, 1, made.Columns[0].Missing)
			require.Equal(t, []string{"61.5"}, made.Columns[0].Examples)
			require.Empty(t, made.Notes)
			made = wantMissing(t, name, content, one("-99.00"))
			require.Zero(t, made.Columns[0].Missing)
			require.Equal(t, []string{`no value of "w" is "-99.00", which is to mean missing: write it as the source does`}, made.Notes)
			made = wantMissing(t, name, content, map[string]table.Choices{name: {Missing: []string{"-99", "-98"}}})
			require.Equal(t, []string{`no value of it is "-98", which is to mean missing: write it as the source does`}, made.Notes)
			made = wantMissing(t, name, content, map[string]table.Choices{bundle.EveryTable: {Missing: []string{"-99", "-98"}}})
			require.Equal(t, []string{`no value of any table is "-98", which is to mean missing: write it as the source does`}, made.Notes)
		})
	}
}

func TestAnErrorThatMeansMissingIsMetInTheWorkbook(t *testing.T) {
	content := part(t, workbook(t, map[string]any{"A1": "w", "A2": 1, "A3": 2}), sheet1, `r="A3"><v>2</v>`, `r="A3" t="e"><v>#N/A</v>`)
	for _, choices := range []map[string]table.Choices{
		{bundle.EveryTable: {Missing: []string{"#N/A"}}}, {"t.xlsx": {Missing: []string{"#N/A"}}},
		{"t.xlsx": {Columns: map[string]table.Choice{"w": {Missing: []string{"#N/A"}}}}},
	} {
		made := wantMissing(t, "t.xlsx", content, choices)
		require.EqualValues(t, 1, made.Columns[0].Missing)
		require.Empty(t, made.Notes)
	}
}
