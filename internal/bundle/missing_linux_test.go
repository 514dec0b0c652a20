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

// TestADayThatIsNoneMayMeanMissing: Excel shows a link to an empty cell as day 0.
func TestADayThatIsNoneMayMeanMissing(t *testing.T) {
	cells := map[string]any{"A1": "id", "B1": "day", "A2": "x", "B2": 0, "A3": "y", "B3": 45351, "A4": "z", "B4": 60}
	content := workbook(t, cells, formatted(t, "yyyy-mm-dd", "B2", "B3", "B4"))
	of := func(texts ...string) map[string]table.Choices {
		return map[string]table.Choices{"t.xlsx": {Columns: map[string]table.Choice{"day": {Missing: texts}}}}
	}
	for _, choices := range []map[string]table.Choices{of("0", "60"), {"t.xlsx": {Missing: []string{"0", "60"}}}, {bundle.EveryTable: {Missing: []string{"0", "60"}}}} {
		made := wantMissing(t, "t.xlsx", content, choices)
		require.EqualValues(t, 2, made.Columns[1].Missing)
		require.Equal(t, []string{"2024-02-29"}, made.Columns[1].Examples)
		require.Equal(t, table.Date, made.File.Schema.Fields[1].Type)
		require.Equal(t, "days that are none, and missing: 2", made.Columns[1].Note)
		require.Empty(t, made.Notes)
	}
	for _, texts := range [][]string{{"60"}, {"0.0", "60"}, nil} {
		_, err := created(t, "t.xlsx", content, func(o *bundle.CreateOptions) { o.Choices = of(texts...) })
		requireFault(t, err, "cell B2 has a date that programs read as different days, or none (day 0): write it as a text, or say that it means missing (`--missing 'FILE.xlsx:day=0'`)")
	}
	made := wantMissing(t, "t.xlsx", content, of("0", "60", "45351"))
	require.Equal(t, []string{`no value of "day" is "45351", which is to mean missing: write it as the source does`}, made.Notes)

	two := func(day any) string {
		return workbook(t, map[string]any{"A1": "id", "B1": "day", "A2": "x", "B2": 0, "A3": "y", "B3": 45351, "Two!A1": "id", "Two!B1": "day", "Two!A2": "u", "Two!B2": day}, formatted(t, "yyyy-mm-dd", "B2", "B3"))
	}
	_, err := created(t, "t.xlsx", two(0), func(o *bundle.CreateOptions) { o.Choices = of("0") })
	requireFault(t, err, "t.xlsx: what is said of it would be lost: name one of its tables")
	one := workbook(t, map[string]any{"A1": "id", "B1": "day", "A2": "x", "B2": 0, "Two!A1": "n", "Two!A2": 1}, formatted(t, "yyyy-mm-dd", "B2"))
	_, err = created(t, "t.xlsx", one, func(o *bundle.CreateOptions) { o.Choices = of("0") })
	require.NoError(t, err)
}
