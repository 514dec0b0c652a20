package table_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/table"
)

// TestNumbersWithinObjectsComeAsTheyAre: what Python's json would change is refused when a
// bundle is made and when it is added, and kept as text where a person says so.
func TestNumbersWithinObjectsComeAsTheyAre(t *testing.T) {
	for number, exact := range map[string]bool{
		"0": true, "-1": true, "1.0": true, "-0.0": true, "0.10": true, "1e5": true, "1E+2": true, "123456789012345678901234567890": true,
		"0.30000000000000004": true, "1e-300": true, strings.Repeat("9", 4300): true, "-" + strings.Repeat("9", 4300): true,
		"-0": false, "1e400": false, "-1e400": false, "1e-400": false, "0.12345678901234567890": false, "9007199254740993.0": false, "2e-324": false,
		strings.Repeat("9", 4301): false, strings.Repeat("9", 5000): false, "1" + strings.Repeat("0", 400) + ".0": false,
	} {
		for kind, value := range map[table.Type]string{
			table.Object: `{"a\"1e400":"1e400","b":[{"c":` + number + `}]}`,
			table.Array:  `["1e400\\",` + number + `,2]`,
		} {
			source := "{\"x\":" + value + "}\n"
			_, err := infer(t, table.JSONL, source, table.Choices{})
			_, decodes := decoded(t, table.JSONL, columnOf(kind, table.PandasObject), source)
			if exact {
				require.NoError(t, err, value)
				require.NoError(t, decodes, value)
				continue
			}
			requireFault(t, err, 1, `has in column "x" a value with a number in it`)
			requireFault(t, err, 1, "choose the type string")
			requireFault(t, decodes, 1, "write that as a string")
			field, _, rows := inferred(t, table.JSONL, source, table.Choices{Columns: map[string]table.Choice{"x": {Type: "string"}}})
			require.Equal(t, table.String, field.Type)
			require.Equal(t, []string{value}, rows)
		}
	}
	_, err := infer(t, table.JSONL, "{\"x\":[1]}\n{\"x\":[1e400]}\n", table.Choices{Columns: map[string]table.Choice{"x": {Type: "array"}}})
	requireFault(t, err, 2, "that no float64 keeps")
	_, err = infer(t, table.CSV, "x\n\"[1e300,0.12345678901234567890]\"\n", table.Choices{Columns: map[string]table.Choice{"x": {Type: "array"}}})
	requireFault(t, err, 2, "that no float64 keeps")
}

// TestInfinitiesAreTold: a mean over one is none, whether a person chose the type or nobody.
func TestInfinitiesAreTold(t *testing.T) {
	for _, text := range []string{"inf", "-inf", "Inf", "INF"} {
		for _, kind := range []string{"", "number"} {
			_, column, _ := inferred(t, table.CSV, "x\n1.5\n"+text+"\n", table.Choices{Columns: map[string]table.Choice{"x": {Type: kind}}})
			require.Contains(t, column.Note, "an infinity (line 3)")
		}
		field, column, _ := inferred(t, table.CSV, "x\n1.5\n"+text+"\n", table.Choices{Missing: []string{text}})
		require.Equal(t, table.Number, field.Type)
		require.Empty(t, column.Note)
		field, _, _ = inferred(t, table.CSV, "x\nSmith\n"+text+"\n", table.Choices{})
		require.Equal(t, table.String, field.Type)
	}
	for _, text := range []string{"Infinity", "-Infinity", "+inf", "1e+999", "∞"} {
		field, column, rows := inferred(t, table.CSV, "x\n1.5\n"+text+"\n", table.Choices{})
		require.Equal(t, table.String, field.Type, text)
		require.NotEmpty(t, column.Note, text)
		require.Equal(t, text, rows[1])
		_, err := infer(t, table.CSV, "x\n1.5\n"+text+"\n", table.Choices{Columns: map[string]table.Choice{"x": {Type: "number"}}})
		requireFault(t, err, 3, "no number which float64 can hold")
	}
}

// TestAnOffsetMovesNoInstantOutOfTheYears: pandas holds such a number, and Python dies of it.
func TestAnOffsetMovesNoInstantOutOfTheYears(t *testing.T) {
	schema := columnOf(table.Datetime, table.PandasTimeUTC)
	for text, within := range map[string]bool{
		"0001-01-01T00:00:00Z": true, "0001-01-01T05:00:00+05:00": true, "0001-01-01T00:00:00-05:00": true,
		"9999-12-31T23:59:59.999999Z": true, "9999-12-31T18:59:59-05:00": true, "9999-12-31T23:59:59+05:00": true,
		"0001-01-01T00:00:00+05:00": false, "0001-01-01T04:59:59.999999+05:00": false, "0001-01-01T00:00+00:01": false,
		"9999-12-31T23:59:59-05:00": false, "9999-12-31T19:00-05:00": false, "9999-12-31T23:59-00:01": false,
	} {
		_, err := infer(t, table.CSV, "x\n"+text+"\n", table.Choices{Columns: map[string]table.Choice{"x": {Type: "datetime"}}})
		_, decodes := decoded(t, table.CSV, schema, "x\n"+text+"\n")
		if within {
			require.NoError(t, err, text)
			require.NoError(t, decodes, text)
			continue
		}
		requireFault(t, err, 2, "before the year 1 or after 9999")
		requireFault(t, decodes, 2, "before the year 1 or after 9999")
	}
}
