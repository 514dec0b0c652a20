package table_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/table"
)

// columnOf is a schema of one column.
func columnOf(kind table.Type, pandas table.Pandas) table.Schema {
	one := table.Field{Name: "x", Type: kind, Pandas: pandas}
	if kind == table.Date || kind == table.Datetime {
		one.Format = "default"
	}
	return table.Schema{Fields: []table.Field{one}, MissingValues: []string{""}}
}

// decoded prints each row's values.
func decoded(t testing.TB, format table.Format, schema table.Schema, source string) ([]string, error) {
	t.Helper()
	var rows []string
	err := table.Decode(t.Context(), strings.NewReader(source), format, schema, func(values []table.Value) error {
		var row []string
		for at, value := range values {
			row = append(row, printed(schema.Fields[at], value))
		}
		rows = append(rows, strings.Join(row, "|"))
		return nil
	})
	return rows, err
}

func printed(field table.Field, value table.Value) string {
	switch {
	case value.Missing:
		return "<missing>"
	case field.Pandas == table.PandasUint64:
		return strconv.FormatUint(uint64(value.Int), 10)
	}
	switch field.Type {
	case table.Integer:
		return strconv.FormatInt(value.Int, 10)
	case table.Number:
		return strconv.FormatFloat(value.Float, 'g', -1, 64)
	case table.Boolean:
		return strconv.FormatBool(value.Bool)
	case table.Date, table.Datetime:
		return strconv.FormatInt(value.Time, 10)
	default:
		return string(value.Text)
	}
}

func requireFault(t testing.TB, err error, line int, contains string) {
	t.Helper()
	fault, ok := errors.AsType[*table.FaultError](err)
	require.True(t, ok, "%v", err)
	require.Equal(t, line, fault.Line, "%s", fault)
	require.Contains(t, fault.Error(), contains)
	require.NotContains(t, fault.Error(), "\n")
}

func TestDecodeReadsAsTheSchemaSays(t *testing.T) {
	for name, test := range map[string]struct {
		kind   table.Type
		pandas table.Pandas
		cells  string // one a line
		want   []string
	}{
		"strings stay":          {table.String, table.PandasObject, "00001\n+441234\nNA\nNull\n 7 \n1.10", []string{"00001", "+441234", "NA", "Null", " 7 ", "1.10"}},
		"an empty cell":         {table.String, table.PandasObject, "a\n\"\"\nb", []string{"a", "<missing>", "b"}},
		"integers":              {table.Integer, table.PandasInt64, "9223372036854775807\n-9223372036854775808\n0", []string{"9223372036854775807", "-9223372036854775808", "0"}},
		"large integers":        {table.Integer, table.PandasUint64, "18446744073709551615\n0", []string{"18446744073709551615", "0"}},
		"integers beside gaps":  {table.Integer, table.PandasFloat64, "9007199254740992\n\"\"", []string{"9007199254740992", "<missing>"}},
		"nullable integers":     {table.Integer, table.PandasNullable, "9007199254740993\n\"\"", []string{"9007199254740993", "<missing>"}},
		"numbers":               {table.Number, table.PandasFloat64, "1.5\n-2e-3\n.5\ninf\n\"\"", []string{"1.5", "-0.002", "0.5", "+Inf", "<missing>"}},
		"large numbers":         {table.Number, table.PandasFloat64, "9007199254740994\n1180591620717411303424\n1e+300\n-0", []string{"9.007199254740994e+15", "1.1805916207174113e+21", "1e+300", "-0"}},
		"booleans":              {table.Boolean, table.PandasBool, "true\nFalse\nTRUE", []string{"true", "false", "true"}},
		"dates":                 {table.Date, table.PandasTime, "1970-01-02\n0001-01-01\n9999-12-31", []string{"86400000000", "-62135596800000000", "253402214400000000"}},
		"times":                 {table.Datetime, table.PandasTime, "1970-01-01 00:01\n1970-01-01T00:00:01.5", []string{"60000000", "1500000"}},
		"times with zones":      {table.Datetime, table.PandasTimeUTC, "1970-01-01T00:00:00Z\n1970-01-01T00:00:00-01:30", []string{"0", "5400000000"}},
		"objects":               {table.Object, table.PandasObject, "\"{\"\"a\"\":1}\"", []string{`{"a":1}`}},
		"a quote, a comma":      {table.String, table.PandasObject, "\"a,\"\"b\"\"\"", []string{`a,"b"`}},
		"lines within a field":  {table.String, table.PandasObject, "\"a\r\n\nb\"\r\nc", []string{"a\r\n\nb", "c"}},
		"no line end at last":   {table.String, table.PandasObject, "a\nb", []string{"a", "b"}},
		"a mark before a value": {table.String, table.PandasObject, "\ufeffa", []string{"\ufeffa"}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := decoded(t, table.CSV, columnOf(test.kind, test.pandas), "x\n"+test.cells)
			require.NoError(t, err)
			require.Equal(t, test.want, got)
		})
	}
}

func TestDecodeRefusesAValueThatIsNotOfItsType(t *testing.T) {
	for name, test := range map[string]struct {
		kind   table.Type
		pandas table.Pandas
		cell   string
	}{
		"a text for an integer":             {table.Integer, table.PandasInt64, "a"},
		"a number for an integer":           {table.Integer, table.PandasInt64, "1.0"},
		"a gap among int64":                 {table.Integer, table.PandasInt64, `""`},
		"a gap among bool":                  {table.Boolean, table.PandasBool, `""`},
		"an integer beyond int64":           {table.Integer, table.PandasInt64, "9223372036854775808"},
		"an integer below uint64":           {table.Integer, table.PandasUint64, "-1"},
		"an integer that float64 changes":   {table.Integer, table.PandasFloat64, "9007199254740993"},
		"a blank before an integer":         {table.Integer, table.PandasInt64, " 1"},
		"a decimal comma":                   {table.Number, table.PandasFloat64, `"1,5"`},
		"a number beyond float64":           {table.Number, table.PandasFloat64, "1e999"},
		"an id that a number changes":       {table.Number, table.PandasFloat64, "9007199254740993"},
		"the same with a point":             {table.Number, table.PandasFloat64, "-9007199254740993.0"},
		"the same with an exponent":         {table.Number, table.PandasFloat64, "9.007199254740993e+15"},
		"a number below float64":            {table.Number, table.PandasFloat64, "1e-999"},
		"minus zero for an integer":         {table.Integer, table.PandasInt64, "-0"},
		"more zeros with a minus":           {table.Integer, table.PandasNullable, "-000"},
		"a number in hexadecimal":           {table.Number, table.PandasFloat64, "0x1p3"},
		"a number with underscores":         {table.Number, table.PandasFloat64, "1_000"},
		"NaN that is not listed as missing": {table.Number, table.PandasFloat64, "NaN"},
		"one for true":                      {table.Boolean, table.PandasBool, "1"},
		"a day that is none":                {table.Date, table.PandasTime, "2023-02-29"},
		"the year 0":                        {table.Date, table.PandasTime, "0000-01-01"},
		"a date of another order":           {table.Date, table.PandasTime, "29.02.2024"},
		"a time for a date":                 {table.Date, table.PandasTime, "2024-02-29 00:00"},
		"a zone that is not wanted":         {table.Datetime, table.PandasTime, "2024-02-29T00:00Z"},
		"no zone where one is":              {table.Datetime, table.PandasTimeUTC, "2024-02-29T00:00"},
		"a leap second":                     {table.Datetime, table.PandasTime, "2016-12-31T23:59:60"},
		"nanoseconds":                       {table.Datetime, table.PandasTime, "2016-12-31T23:59:59.1234567"},
		"a list for an object":              {table.Object, table.PandasObject, "[]"},
		"an object with a name twice":       {table.Object, table.PandasObject, `"{""a"":1,""a"":2}"`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := decoded(t, table.CSV, columnOf(test.kind, test.pandas), "x\n"+test.cell+"\n")
			requireFault(t, err, 2, `in column "x" `)
		})
	}
}

func TestAFaultHasNothingOfTheData(t *testing.T) {
	const secret = "Mustermann"
	for _, kind := range []table.Schema{
		columnOf(table.Integer, table.PandasInt64), columnOf(table.Number, table.PandasFloat64), columnOf(table.Boolean, table.PandasBool),
		columnOf(table.Date, table.PandasTime), columnOf(table.Datetime, table.PandasTime), columnOf(table.Array, table.PandasObject),
	} {
		for format, source := range map[table.Format]string{table.CSV: "x\n" + secret + "\n", table.JSONL: `{"x":"` + secret + `"}`} {
			_, err := decoded(t, format, kind, source)
			require.ErrorContains(t, err, "a value")
			require.NotContains(t, err.Error(), secret)
		}
	}
	for _, source := range []string{"x\n" + secret + ",1\n", "x\n\"" + secret, "x\n" + secret + "\""} {
		_, err := decoded(t, table.CSV, columnOf(table.String, table.PandasObject), source)
		require.Error(t, err)
		require.NotContains(t, err.Error(), secret)
	}
	for _, source := range []string{secret, `{"x":"` + secret, `{"x":` + secret + `}`, `{"x":{"` + secret + `":1,"` + secret + `":1}}`} {
		_, err := decoded(t, table.JSONL, columnOf(table.String, table.PandasObject), source)
		require.Error(t, err)
		require.NotContains(t, err.Error(), secret)
	}
}

func TestDecodeReadsFormats(t *testing.T) {
	schema := columnOf(table.Date, table.PandasTime)
	for format, want := range map[string]int64{"%d/%m/%Y": 5356800000000, "%Y%m%d": 5356800000000} {
		schema.Fields[0].Format = format
		text := strings.NewReplacer("%d", "04", "%m", "03", "%Y", "1970").Replace(format)
		got, err := decoded(t, table.CSV, schema, "x\n"+text+"\n")
		require.NoError(t, err)
		require.Equal(t, []string{strconv.FormatInt(want, 10)}, got)
	}
	for _, format := range []string{"%d/%m/%y", "%Y-%m", "%Y-%m-%d %H", "%Y-%m-%d-%d", "%", "", "iso", "any"} {
		schema.Fields[0].Format = format
		require.Error(t, schema.Validate(), format)
	}
}

func TestDecodeReadsEachCSVInOneWay(t *testing.T) {
	schema := table.Schema{Fields: []table.Field{field("a", table.String, table.PandasObject), field("b", table.String, table.PandasObject)}}
	for name, source := range map[string]string{
		"line feeds": "a,b\n1,2\n", "of Windows": "a,b\r\n1,2\r\n", "both": "a,b\r\n1,2\n", "a byte order mark": "\ufeffa,b\n1,2\n",
		"quotes": "\"a\",\"b\"\n\"1\",2", "blank lines at the end": "a,b\n1,2\n\n\r\n\n",
	} {
		t.Run(name, func(t *testing.T) {
			got, err := decoded(t, table.CSV, schema, source)
			require.NoError(t, err)
			require.Equal(t, []string{"1|2"}, got)
		})
	}
	for format, source := range map[table.Format]string{
		table.TSV: "a\tb\n1\t2\n", table.Delimited("semicolon"): "a;b\n1;2\n", table.Delimited("pipe"): "a|b\n1|2\n", table.Delimited("tab"): "a\tb\n1\t2\n",
	} {
		got, err := decoded(t, format, schema, source)
		require.NoError(t, err)
		require.Equal(t, []string{"1|2"}, got)
	}
}

func TestDecodeRefusesWhatCanBeReadInSeveralWays(t *testing.T) {
	schema := table.Schema{Fields: []table.Field{field("a", table.String, table.PandasObject), field("b", table.String, table.PandasObject)}}
	for name, test := range map[string]struct {
		source string
		line   int
		says   string
	}{
		"nothing":                     {"", 0, "it is empty"},
		"semicolons":                  {"a;b\n1;2\n", 1, "--delimiter FILE=semicolon"},
		"tabs":                        {"a\tb\n1\t2\n", 1, "--delimiter FILE=tab"},
		"a long row":                  {"a,b\n1,2\n1,2,3\n", 3, "has 3 fields, the header has 2"},
		"a short row":                 {"a,b\n1\n", 2, "has 1 field, the header has 2"},
		"a row names' column":         {"a,b\n1,x,y\n", 2, "has 3 fields"},
		"a blank line":                {"a,b\n1,2\n\n3,4\n", 3, "is empty, and there are rows behind it"},
		"NUL":                         {"a,b\n1,\x00\n", 2, "NUL"},
		"no UTF-8":                    {"a,b\n1,\xe9\n", 2, "is not UTF-8"},
		"an empty name":               {",b\n1,2\n", 1, "has no name for column 1"},
		"a delimiter at the end":      {"a,b,\n1,2,\n", 1, "has no name for column 3"},
		"a name twice":                {"a,a\n1,2\n", 1, "has the name \"a\" twice"},
		"a name that cannot be seen":  {"a,b\u200b\n1,2\n", 1, "cannot be seen"},
		"line ends of old Macintosh":  {"a,b\r1,2\r", 1, "carriage return"},
		"a carriage return in a cell": {"a,b\n1,2\r3\n", 2, "carriage return"},
		"another name":                {"a,c\n1,2\n", 1, "its schema has \"b\""},
		"another order":               {"b,a\n1,2\n", 1, "its schema has \"a\""},
		"a column more":               {"a,b,c\n1,2,3\n", 1, "has 3 columns, its schema has 2"},
		"a quote within a field":      {"a,b\n1,5\" pipe\n", 2, "has a quote within a field"},
		"a blank before a quote":      {"a,b\n1, \"2\"\n", 2, "has a quote within a field"},
		"text behind a quote":         {"a,b\n1,\"2\"3\n", 2, "has text behind the quote"},
		"an open quote":               {"a,b\n1,2\n3,\"4\n5,6\n", 3, "opens a quote that is never closed"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := decoded(t, table.CSV, schema, test.source)
			requireFault(t, err, test.line, test.says)
		})
	}
	_, err := decoded(t, table.CSV, columnOf(table.String, table.PandasObject), "x\na\n\nb\n")
	requireFault(t, err, 3, `write ""`)
}

func TestDecodeReadsJSONLines(t *testing.T) {
	schema := table.Schema{Fields: []table.Field{
		field("s", table.String, table.PandasObject), field("n", table.Integer, table.PandasFloat64), field("o", table.Object, table.PandasObject),
	}}
	got, err := decoded(t, table.JSONL, schema, "{\"s\":\"007\",\"n\":1700000000,\"o\":{\"a\": [1.0]}}\r\n\n{\"o\":null,\"s\":\"\"}\n{\"s\":1.10}")
	require.NoError(t, err)
	require.Equal(t, []string{`007|1700000000|{"a": [1.0]}`, "|<missing>|<missing>", "1.10|<missing>|<missing>"}, got)
	for name, test := range map[string]struct {
		source string
		line   int
		says   string
	}{
		"no object":              {"{}\n[]\n", 2, "is not a JSON object"},
		"two objects":            {"{} {}\n", 1, "something behind its object"},
		"half an object":         {"{\"s\":\n\"a\"}\n", 1, "ends within its object"},
		"NaN":                    {"{\"n\":NaN}\n", 1, "NaN and Infinity are none"},
		"a name twice":           {"{\"s\":\"a\",\"s\":\"b\"}\n", 1, "has a name twice"},
		"a name twice below":     {"{\"o\":{\"a\":1,\"a\":1}}\n", 1, "has a name twice"},
		"a column of no schema":  {"{\"t\":1}\n", 1, "is no column of its schema"},
		"a text for an integer":  {"{\"n\":\"a\"}\n", 1, "is no integer"},
		"a number for an object": {"{\"o\":1}\n", 1, "is no JSON object"},
		"half a surrogate":       {"{\"s\":\"\\ud800\"}\n", 1, "half a surrogate"},
		"deep nesting":           {"{\"o\":{\"a\":" + strings.Repeat("[", 300) + strings.Repeat("]", 300) + "}}\n", 1, "is nested more than"},
		"a control character":    {"{\"s\":\"a\x01\"}\n", 1, "is not JSON"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := decoded(t, table.JSONL, schema, test.source)
			requireFault(t, err, test.line, test.says)
		})
	}
}

func TestDecodeEndsWithItsContextAndItsCallee(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	schema := columnOf(table.String, table.PandasObject)
	none := func([]table.Value) error { return nil }
	require.ErrorIs(t, table.Decode(ctx, strings.NewReader("x\na\n"), table.CSV, schema, none), context.Canceled)
	full := errors.New("full")
	require.ErrorIs(t, table.Decode(t.Context(), strings.NewReader("x\na\n"), table.CSV, schema, func([]table.Value) error { return full }), full)
	require.Error(t, table.Decode(t.Context(), strings.NewReader("x\na\n"), "xls", schema, none))
	require.Error(t, table.Decode(t.Context(), strings.NewReader("x\na\n"), table.CSV, table.Schema{}, none))
}

// TestDecodeHoldsLongRecords: a cell may be longer than every buffer, and has an end.
func TestDecodeHoldsLongRecords(t *testing.T) {
	schema := columnOf(table.String, table.PandasObject)
	long := strings.Repeat("é", 1<<20)
	got, err := decoded(t, table.CSV, schema, "x\n"+long+"\n\""+long+"\n\"\n")
	require.NoError(t, err)
	require.Equal(t, []string{long, long + "\n"}, got)
	_, err = decoded(t, table.CSV, schema, "x\n"+strings.Repeat("a", table.MaxRecord+1)+"\n")
	requireFault(t, err, 2, "is longer than 64 MiB")
	_, err = decoded(t, table.CSV, schema, "x\n\""+strings.Repeat("a\n", table.MaxRecord/2+1)+"\n")
	requireFault(t, err, 2, "not closed within 64 MiB")
}

// TestFieldsAreBounded: a line of delimiters alone would be 32 bytes of memory for each.
func TestFieldsAreBounded(t *testing.T) {
	for name, source := range map[string]string{
		"a header":      strings.Repeat(",", table.MaxRecord/2),
		"a row":         "x\n" + strings.Repeat(",", table.MaxRecord/2),
		"a quoted row":  "x\n\"\"" + strings.Repeat(",", table.MaxRecord/2),
		"names of JSON": "{" + manyNames(table.MaxFields+1) + "}",
	} {
		t.Run(name, func(t *testing.T) {
			format := table.CSV
			if source[0] == '{' {
				format = table.JSONL
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := infer(t, format, source, table.Choices{})
			runtime.ReadMemStats(&after)
			require.ErrorContains(t, err, "the 10000 columns that are possible")
			require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(4*table.MaxRecord))
		})
	}
}

func manyNames(number int) string {
	var names strings.Builder
	for n := range number {
		fmt.Fprintf(&names, `,"%d":1`, n)
	}
	return names.String()[1:]
}

// TestRowsOfJSONShareTheirMemory: a long value in another column of each row stays one value.
func TestRowsOfJSONShareTheirMemory(t *testing.T) {
	const size, columns = 1 << 20, 64
	var source strings.Builder
	long := strings.Repeat("a", size)
	for n := range columns {
		fmt.Fprintf(&source, "{\"%d\":\"%s\"}\n", n, long)
	}
	text := source.String()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	found, err := infer(t, table.JSONL, text, table.Choices{})
	runtime.ReadMemStats(&after)
	require.NoError(t, err)
	require.Len(t, found.Columns, columns)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(columns*size/2))
}

// FuzzDecode: whatever the bytes are, they are read or are a fault of a line, and what is
// read as strings is written as CSV again by the same rules.
func FuzzDecode(f *testing.F) {
	f.Add("csv", "a,b\n1,\"x\"\"y\"\n")
	f.Add("tsv", "a\tb\r\n1\t2\r\n\r\n")
	f.Add("jsonl", "{\"a\":\"x\",\"b\":[1]}\n")
	schema := table.Schema{Fields: []table.Field{field("a", table.String, table.PandasObject), field("b", table.String, table.PandasObject)}}
	f.Fuzz(func(t *testing.T, format, source string) {
		if !table.Format(format).Known() {
			t.Skip()
		}
		again := []string{"a,b"}
		rows, err := decodedRows(t, table.Format(format), schema, source)
		if err != nil {
			_, isFault := errors.AsType[*table.FaultError](err)
			require.True(t, isFault, "%v", err)
			return
		}
		for _, row := range rows {
			again = append(again, fmt.Sprintf("%s,%s", inQuotes(row[0]), inQuotes(row[1])))
		}
		second, err := decodedRows(t, table.CSV, schema, strings.Join(again, "\n")+"\n")
		if format != "jsonl" {
			require.NoError(t, err)
			require.Equal(t, rows, second)
		}
	})
}

func inQuotes(text string) string { return `"` + strings.ReplaceAll(text, `"`, `""`) + `"` }

func decodedRows(t testing.TB, format table.Format, schema table.Schema, source string) ([][2]string, error) {
	t.Helper()
	var rows [][2]string
	err := table.Decode(t.Context(), strings.NewReader(source), format, schema, func(values []table.Value) error {
		rows = append(rows, [2]string{string(values[0].Text), string(values[1].Text)})
		return nil
	})
	return rows, err
}

func TestInfinityIsKept(t *testing.T) {
	err := table.Decode(t.Context(), strings.NewReader("x\n-Inf\n"), table.CSV, columnOf(table.Number, table.PandasFloat64), func(values []table.Value) error {
		require.True(t, math.IsInf(values[0].Float, -1))
		return nil
	})
	require.NoError(t, err)
}
