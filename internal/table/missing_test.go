package table_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/table"
)

// TestATextMeansMissingInEachFormat: whether the source has quotes around it, or says that it
// is a number, makes no difference.
func TestATextMeansMissingInEachFormat(t *testing.T) {
	for name, test := range map[string]struct {
		missing string
		values  []string // of JSON
		want    string   // type and dtype
		rows    string
	}{
		"a number":              {"-99", []string{`-99`, `61.5`}, "number float64", "<missing> 61.5"},
		"integers beside it":    {"-99", []string{`-99`, `7`}, "integer float64", "<missing> 7"},
		"its text":              {"-99", []string{`"-99"`, `"x"`}, "string object", "<missing> x"},
		"another form of it":    {"-99", []string{`-99.0`, `1.5`}, "number float64", "-99 1.5"},
		"a boolean":             {"false", []string{`false`, `true`}, "boolean object", "<missing> true"},
		"an empty object":       {"{}", []string{`{}`, `{"a":1}`}, "object object", `<missing> {"a":1}`},
		"a list":                {"[]", []string{`[]`, `[1]`}, "array object", "<missing> [1]"},
		"an id beyond an int64": {"99999999999999999999", []string{`99999999999999999999`, `7`}, "integer float64", "<missing> 7"},
		"all of them":           {"9", []string{`9`, `9`}, "number float64", "<missing> <missing>"},
	} {
		t.Run(name, func(t *testing.T) {
			source := "{\"x\":" + strings.Join(test.values, "}\n{\"x\":") + "}\n"
			choices := table.Choices{Columns: map[string]table.Choice{"x": {Missing: []string{test.missing}}}}
			field, column, rows := inferred(t, table.JSONL, source, choices)
			require.Equal(t, test.want, fmt.Sprintf("%s %s", field.Type, field.Pandas))
			require.Equal(t, test.rows, strings.Join(rows, " "))
			require.EqualValues(t, strings.Count(test.rows, "<missing>"), column.Missing)
			require.Equal(t, strings.Contains(test.rows, "<missing>"), len(column.Met) == 1)
			again, err := infer(t, table.JSONL, source, table.Like(table.Schema{Fields: []table.Field{field}, MissingValues: []string{}}))
			require.NoError(t, err)
			require.Equal(t, column.Missing, again.Columns[0].Missing)
		})
	}
	t.Run("a type that was chosen", func(t *testing.T) {
		choices := table.Choices{Missing: []string{"-99"}, Columns: map[string]table.Choice{"x": {Type: "Int64"}}}
		field, _, rows := inferred(t, table.JSONL, "{\"x\":-99}\n{\"x\":5}\n", choices)
		require.Equal(t, table.PandasNullable, field.Pandas)
		require.Equal(t, []string{"<missing>", "5"}, rows)
	})
}
