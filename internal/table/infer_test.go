package table_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/table"
)

func infer(t testing.TB, format table.Format, source string, choices table.Choices) (table.Inferred, error) {
	t.Helper()
	return table.Infer(t.Context(), strings.NewReader(source), format, choices)
}

// inferred wants a schema of one column, and that the source is read by it.
func inferred(t testing.TB, format table.Format, source string, choices table.Choices) (field table.Field, column table.Column, rows []string) {
	t.Helper()
	found, err := infer(t, format, source, choices)
	require.NoError(t, err)
	require.Len(t, found.Schema.Fields, 1)
	rows, err = decoded(t, format, found.Schema, source)
	require.NoError(t, err)
	require.Len(t, rows, int(found.Rows))
	return found.Schema.Fields[0], found.Columns[0], rows
}

func TestInferKeepsEveryValue(t *testing.T) {
	for name, test := range map[string]struct {
		cells string // one a line
		want  string // type, dtype
		rows  string // as they are decoded
		says  string // in the note
	}{
		"leading zeros":                         {cells: "00001\n00002", want: "string object", says: "zeros in front (line 2)"},
		"leading zeros beside a gap":            {cells: "007\n\"\"\n8", want: "string object", rows: "007 <missing> 8", says: "zeros in front (line 2)"},
		"a country":                             {cells: "NA\nDE\nFR", want: "string object", rows: "NA DE FR", says: "NA (line 2) is a value"},
		"countries that all look like none":     {cells: "NA\nNA", want: "string object", rows: "NA NA"},
		"telephone numbers":                     {cells: "+441234\n+441235", want: "string object", says: "a plus sign (line 2)"},
		"surnames":                              {cells: "Null\nNone\nSmith", want: "string object", rows: "Null None Smith"},
		"a long id beside a gap":                {cells: "9007199254740993\n\"\"", want: "string object", rows: "9007199254740993 <missing>", says: "the type Int64"},
		"a long id":                             {cells: "9007199254740993\n1", want: "integer int64"},
		"an id that float64 has":                {cells: "9007199254740992\n\"\"", want: "integer float64", rows: "9007199254740992 <missing>"},
		"unsigned 64 bits":                      {cells: "18446744073709551615\n0", want: "integer uint64"},
		"unsigned 64 bits beside one below":     {cells: "18446744073709551615\n-1", want: "string object"},
		"beyond 64 bits":                        {cells: "18446744073709551616\n1", want: "string object", says: "more digits"},
		"the least integer":                     {cells: "-9223372036854775808\n1", want: "integer int64"},
		"seconds since 1970":                    {cells: "1700000000\n1700000001", want: "integer int64"},
		"integers and NA":                       {cells: "1\nNA\n.", want: "integer float64", rows: "1 <missing> <missing>"},
		"numbers":                               {cells: "1.5\n-2\n1e-05", want: "number float64", rows: "1.5 -2 1e-05"},
		"minus zero":                            {cells: "-0\n1", want: "number float64", rows: "-0 1"},
		"fixed decimals":                        {cells: "1.10\n2.00\n3.25", want: "number float64", rows: "1.1 2 3.25"},
		"codes with zeros at the end":           {cells: "250.0\n250.00\n401.9", want: "string object", says: "the type number drops them"},
		"versions":                              {cells: "1.9\n1.10", want: "string object", says: "zeros at the end"},
		"17 digits that a float has":            {cells: "0.10000000000000001\n0.30000000000000004", want: "number float64", rows: "0.1 0.30000000000000004"},
		"17 digits that no float has":           {cells: "0.12345678901234567", want: "string object", says: "more digits"},
		"20 digits":                             {cells: "0.12345678901234567890", want: "string object", says: "more digits"},
		"a long integer among decimals":         {cells: "9007199254740993\n0.5", want: "string object", says: "more digits"},
		"beyond a float":                        {cells: "1e+999\n1", want: "string object"},
		"below a float":                         {cells: "1e-999\n1", want: "string object"},
		"infinity":                              {cells: "inf\n1.5", want: "number float64", rows: "+Inf 1.5"},
		"a surname Inf":                         {cells: "Inf\nInf", want: "string object"},
		"plates with an E":                      {cells: "12E4\n31E7", want: "string object", says: "part of a code"},
		"blanks around numbers":                 {cells: " 1\n2 ", want: "string object", rows: " 1 2 ", says: "blanks around it (line 2)"},
		"hexadecimal":                           {cells: "0x10\n0x11", want: "string object"},
		"mixed":                                 {cells: "1\n2\n3\n4\n5\n6\n7\n8\n9\nE11", want: "string object", says: "but for line 11"},
		"booleans":                              {cells: "true\nfalse", want: "boolean bool"},
		"booleans beside a gap":                 {cells: "TRUE\n\"\"", want: "boolean object", rows: "true <missing>"},
		"booleans and NA":                       {cells: "TRUE\nNA", want: "string object", rows: "TRUE NA"},
		"ones and zeros":                        {cells: "1\n0", want: "integer int64"},
		"dates":                                 {cells: "2024-02-29\n\"\"", want: "date datetime64[us]"},
		"a day that is none":                    {cells: "2023-02-29\n2024-02-29", want: "string object"},
		"dates and NA":                          {cells: "2024-02-29\nNA", want: "string object", says: "NA (line 3) is a value"},
		"days first":                            {cells: "29/02/2024", want: "string object"},
		"times":                                 {cells: "2024-02-29 12:00:00\n2024-02-29T12:00", want: "datetime datetime64[us]"},
		"times of UTC":                          {cells: "2024-02-29T12:00:00Z\n2024-02-29T12:00:00+00:00", want: "datetime datetime64[us, UTC]"},
		"times of another zone":                 {cells: "2024-02-29T12:00:00+02:00", want: "string object"},
		"times with a zone and without":         {cells: "2024-02-29T12:00:00Z\n2024-02-29T12:00:00", want: "string object"},
		"nanoseconds":                           {cells: "2024-02-29T12:00:00.123456789", want: "string object"},
		"nothing":                               {cells: "\"\"\n\"\"", want: "number float64", rows: "<missing> <missing>", says: "it has no value"},
		"several answers, divided by commas":    {cells: "\"1,2,3\"\n1", want: "string object", rows: "1,2,3 1"},
		"a comma in one of many texts":          {cells: "\"1,5\"\nabc", want: "string object", rows: "1,5 abc"},
		"a blank alone":                         {cells: " \na", want: "string object", rows: "  a"},
		"an empty text beside numbers in words": {cells: "one\n\"\"", want: "string object", rows: "one <missing>"},
	} {
		t.Run(name, func(t *testing.T) {
			field, column, rows := inferred(t, table.CSV, "x\n"+test.cells+"\n", table.Choices{})
			require.Equal(t, test.want, fmt.Sprintf("%s %s", field.Type, field.Pandas))
			require.Contains(t, column.Note, test.says)
			switch {
			case test.rows != "":
				require.Equal(t, test.rows, strings.Join(rows, " "))
			case field.Type != table.Date && field.Type != table.Datetime:
				require.Equal(t, test.cells, strings.Join(rows, "\n"))
			}
		})
	}
}

func TestInferKeepsJSONsOwnTypes(t *testing.T) {
	for name, test := range map[string]struct {
		values []string
		want   string
		rows   string
	}{
		"digits in a string":      {[]string{`"007"`, `"8"`}, "string object", "007 8"},
		"a date in a string":      {[]string{`"2024-02-29"`}, "string object", "2024-02-29"},
		"an empty string":         {[]string{`""`, `"NA"`, `null`}, "string object", " NA <missing>"},
		"seconds since 1970":      {[]string{`1700000000`}, "integer int64", "1700000000"},
		"integers beside null":    {[]string{`1`, `null`}, "integer float64", "1 <missing>"},
		"long ones beside null":   {[]string{`9007199254740993`, `null`}, "string object", "9007199254740993 <missing>"},
		"one point nothing":       {[]string{`1.0`, `2`}, "number float64", "1 2"},
		"decimals of any length":  {[]string{`1.10`, `1.9`}, "number float64", "1.1 1.9"},
		"more digits than kept":   {[]string{`0.12345678901234567890`}, "string object", "0.12345678901234567890"},
		"booleans":                {[]string{`true`, `false`}, "boolean bool", "true false"},
		"booleans beside null":    {[]string{`true`, `null`}, "boolean object", "true <missing>"},
		"objects":                 {[]string{`{"a":1}`, `null`}, "object object", `{"a":1} <missing>`},
		"lists":                   {[]string{`[1]`, `[]`}, "array object", "[1] []"},
		"strings beside numbers":  {[]string{`"007"`, `7`}, "string object", "007 7"},
		"booleans beside numbers": {[]string{`true`, `7`}, "string object", "true 7"},
		"nothing but null":        {[]string{`null`}, "number float64", "<missing>"},
	} {
		t.Run(name, func(t *testing.T) {
			source := "{\"x\":" + strings.Join(test.values, "}\n{\"x\":") + "}\n"
			field, _, rows := inferred(t, table.JSONL, source, table.Choices{})
			require.Equal(t, test.want, fmt.Sprintf("%s %s", field.Type, field.Pandas))
			require.Equal(t, test.rows, strings.Join(rows, " "))
		})
	}
	found, err := infer(t, table.JSONL, "{\"a\":1}\n{}\n{\"b\":\"x\",\"a\":2}\n", table.Choices{})
	require.NoError(t, err)
	require.Equal(t, []int64{1, 2}, []int64{found.Columns[0].Missing, found.Columns[1].Missing})
	_, err = infer(t, table.JSONL, "{\"x\":[1]}\n{\"x\":1}\n", table.Choices{})
	requireFault(t, err, 0, `column "x" has a number (line 2) and an array (line 1): choose the type string`)
	_, err = infer(t, table.JSONL, "{}\n", table.Choices{})
	requireFault(t, err, 0, "has no column")
	_, err = infer(t, table.JSONL, "{\"\":1}\n", table.Choices{})
	requireFault(t, err, 1, "empty name")
}

func TestInferRefusesNumbersWithCommas(t *testing.T) {
	for _, cells := range []string{"1\n\"1,5\"", "\"1,234\"\nNA", "\"1.234,5\"", "\"1,234.5\"\n\"\""} {
		_, err := infer(t, table.CSV, "x\n"+cells+"\n", table.Choices{})
		fault, ok := errors.AsType[*table.FaultError](err)
		require.True(t, ok, "%s: %v", cells, err)
		require.Contains(t, fault.Error(), "a number with a comma")
		require.Positive(t, fault.Line)
		field, _, _ := inferred(t, table.CSV, "x\n"+cells+"\n", table.Choices{Columns: map[string]table.Choice{"x": {Type: "string"}}})
		require.Equal(t, table.String, field.Type)
	}
}

func TestAPersonChoosesTypes(t *testing.T) {
	for name, test := range map[string]struct {
		cells, choice string
		want, rows    string
	}{
		"numbers for zeros in front":     {"007\n8", "integer", "integer int64", "7 8"},
		"text for digits":                {"7\n8", "string", "string object", "7 8"},
		"numbers for codes":              {"250.0\n250.00", "number", "number float64", "250 250"},
		"integers for long ones and gap": {"9007199254740993\n\"\"", "integer", "integer Int64", "9007199254740993 <missing>"},
		"nullable integers":              {"1\nNA", "Int64", "integer Int64", "1 <missing>"},
		"integers beside NA":             {"1\nNA", "integer", "integer float64", "1 <missing>"},
		"large integers":                 {"18446744073709551615\n1", "integer", "integer uint64", "18446744073709551615 1"},
		"days first":                     {"02/01/1970\n\"\"", "date:%d/%m/%Y", "date datetime64[us]", "86400000000 <missing>"},
		"times of another zone":          {"1970-01-01T00:00-01:00", "datetime", "datetime datetime64[us, UTC]", "3600000000"},
		"times of none":                  {"1970-01-01T01:00", "datetime", "datetime datetime64[us]", "3600000000"},
		"booleans beside a gap":          {"true\n\"\"", "boolean", "boolean object", "true <missing>"},
		"objects":                        {`"{""a"":1}"`, "object", "object object", `{"a":1}`},
	} {
		t.Run(name, func(t *testing.T) {
			choices := table.Choices{Columns: map[string]table.Choice{"x": {Type: test.choice, Disclosure: table.Identifier}}}
			field, _, rows := inferred(t, table.CSV, "x\n"+test.cells+"\n", choices)
			require.Equal(t, test.want, fmt.Sprintf("%s %s", field.Type, field.Pandas))
			require.Equal(t, test.rows, strings.Join(rows, " "))
			require.Equal(t, table.Identifier, field.Disclosure)
		})
	}
	for name, test := range map[string]struct {
		cells string
		column
	}{
		"a value of another type":   {"1\nabc", column{"x", table.Choice{Type: "integer"}}},
		"NA for a date":             {"2024-02-29\nNA", column{"x", table.Choice{Type: "date"}}},
		"no such type":              {"1", column{"x", table.Choice{Type: "int"}}},
		"a format of a string":      {"1", column{"x", table.Choice{Type: "string:%d"}}},
		"a format with two digits":  {"1", column{"x", table.Choice{Type: "date:%d.%m.%y"}}},
		"no such column":            {"1", column{"y", table.Choice{Type: "string"}}},
		"categories of integers":    {"1", column{"x", table.Choice{Type: "integer", Categories: true}}},
		"64 bits beside a gap":      {"18446744073709551615\n\"\"", column{"x", table.Choice{Type: "integer"}}},
		"zones that only some have": {"2024-02-29T12:00Z\n2024-02-29T12:00", column{"x", table.Choice{Type: "datetime"}}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := infer(t, table.CSV, "x\n"+test.cells+"\n", table.Choices{Columns: map[string]table.Choice{test.name: test.choice}})
			_, ok := errors.AsType[*table.FaultError](err)
			require.True(t, ok, "%v", err)
		})
	}
}

type column struct {
	name   string
	choice table.Choice
}

func TestAPersonChoosesWhatIsMissing(t *testing.T) {
	field, found, rows := inferred(t, table.CSV, "x\n-99\n5\n", table.Choices{Missing: []string{"-99"}})
	require.Equal(t, []string{"<missing>", "5"}, rows)
	require.Nil(t, field.MissingValues)
	require.Equal(t, []string{"5"}, found.Examples)
	field, _, rows = inferred(t, table.CSV, "x\nNA\n2024-02-29\n", table.Choices{Columns: map[string]table.Choice{"x": {Missing: []string{"NA"}}}})
	require.Equal(t, table.Date, field.Type)
	require.Equal(t, []string{"", "NA"}, field.MissingValues)
	require.Equal(t, "<missing>", rows[0])
	field, _, rows = inferred(t, table.CSV, "x\nb\na\n\"\"\nb\n", table.Choices{Columns: map[string]table.Choice{"x": {Categories: true}}})
	require.Equal(t, []string{"a", "b"}, field.Categories)
	require.Equal(t, []string{"b", "a", "<missing>", "b"}, rows)
}

// TestAnEarlierSchemaIsUsedAgain: the next export has other values and the same types.
func TestAnEarlierSchemaIsUsedAgain(t *testing.T) {
	choices := table.Choices{Missing: []string{"-"}, Columns: map[string]table.Choice{
		"id": {Type: "integer", Disclosure: table.Identifier}, "n": {Type: "Int64"}, "day": {Type: "date:%d/%m/%Y", Missing: []string{"?"}},
		"arm": {Categories: true}, "note": {KeepEmpty: true},
	}}
	const source = "id,n,day,arm,note\n7,1,02/01/1970,low,\n8,-,?,high,x\n"
	first, err := infer(t, table.CSV, source, choices)
	require.NoError(t, err)
	require.Equal(t, []string{"-"}, first.Schema.Fields[4].MissingValues)
	first.Schema.Fields[3].Categories = []string{"low", "high"} // as a person put them
	again, err := infer(t, table.CSV, source, table.Like(first.Schema))
	require.NoError(t, err)
	require.Equal(t, first, again)
	next, err := infer(t, table.CSV, "id,n,day,arm,note\n9,,03/01/1970,middle,\n", table.Like(first.Schema))
	require.NoError(t, err)
	require.Equal(t, []string{"low", "high", "middle"}, next.Schema.Fields[3].Categories)
	less, err := infer(t, table.CSV, "id,n,day,arm\n9,,03/01/1970,middle\n", table.Like(first.Schema))
	require.NoError(t, err)
	require.Equal(t, []string{"note"}, less.Gone)
	_, err = infer(t, table.CSV, "id,n,day,arm,note\nx,,03/01/1970,middle,\n", table.Like(first.Schema))
	requireFault(t, err, 2, "no integer")
}

func TestExamplesAreTheEnds(t *testing.T) {
	for cells, want := range map[string][]string{
		"3\n-1\n20":                  {"-1", "20"},
		"abc\na\nabcdef":             {"a", "abcdef"},
		"2024-01-02\n2023-12-31":     {"2023-12-31", "2024-01-02"},
		"5":                          {"5"},
		strings.Repeat("é", 64) + "": {strings.Repeat("é", 32)},
	} {
		_, column, _ := inferred(t, table.CSV, "x\n"+cells+"\n", table.Choices{})
		require.Equal(t, want, column.Examples)
	}
}

// FuzzInfer: what Infer proposes, Decode reads, as many rows and missing values as it said;
// and a string is what stood there.
func FuzzInfer(f *testing.F) {
	for _, seed := range []string{"x\n1\nNA\n", "x,y\n007,1.10\n,1.9\n", "x\n2024-02-29T12:00Z\n", "x\n\"1,5\"\n", "x\n18446744073709551615\n1e+3\n", "x\n-0\n.5\ninf\n"} {
		f.Add("csv", seed)
	}
	f.Add("jsonl", "{\"x\":1,\"y\":[1.0]}\n{\"x\":null}\n")
	f.Fuzz(func(t *testing.T, format, source string) {
		if !table.Format(format).Known() {
			t.Skip()
		}
		found, err := infer(t, table.Format(format), source, table.Choices{})
		if err != nil {
			_, isFault := errors.AsType[*table.FaultError](err)
			require.True(t, isFault, "%v", err)
			return
		}
		missing := make([]int64, len(found.Columns))
		rows := int64(0)
		err = table.Decode(t.Context(), strings.NewReader(source), table.Format(format), found.Schema, func(values []table.Value) error {
			rows++
			for at, value := range values {
				if value.Missing {
					missing[at]++
				}
			}
			return nil
		})
		require.NoError(t, err)
		require.Equal(t, found.Rows, rows)
		for at, column := range found.Columns {
			require.Equal(t, column.Missing, missing[at])
		}
	})
}

// An earlier table's type holds for the next one where none of its values changes by it.
func TestAnEarlierTypeIsNotTakenOverWhereValuesWouldChange(t *testing.T) {
	inferred := func(text string, choices table.Choices) (table.Inferred, error) {
		return table.Infer(t.Context(), strings.NewReader(text), "csv", choices)
	}
	for name, test := range map[string]struct{ earlier, next, want string }{
		"zeros in front":             {"a\n1\n2\n", "a\n007\n7\n", "numbers with zeros in front (line 2); the earlier table's type, integer, would change them"},
		"a plus sign":                {"a\n441234\n", "a\n+441234\n", "a plus sign (line 2)"},
		"a code's zero":              {"a\n250.1\n251.2\n", "a\n250.1\n250.10\n", "zeros at the end of some numbers (line 3)"},
		"an exponent":                {"a\n0.5\n", "a\n1e5\n0.5\n", "an exponent that may be part of a code (line 2)"},
		"more digits":                {"a\n0.5\n", "a\n0.12345678901234567890\n", "more digits than a number keeps (line 2)"},
		"nothing before":             {"a,b\n1,\n", "a,b\n1,007\n", "zeros in front (line 2)"},
		"a long id for a number":     {"a\n0.5\n", "a\n9007199254740993\n", "line 2 has in column \"a\" a value beyond 2^53, which float64 would change"},
		"a long id beside a decimal": {"a\n0.5\n", "a\n0.5\n-9007199254740993\n", "line 3 has in column \"a\" a value beyond 2^53, which float64 would change"},
		"minus zero for an integer":  {"a\n1\n", "a\n1\n-0\n", "line 3 has in column \"a\" a zero with a minus"},
		"a zone among those of UTC":  {"a\n2024-01-05T10:00Z\n", "a\n2024-01-05T10:00Z\n2024-01-01T10:00+02:00\n", "times with an offset (line 3)"},
		"a zone nobody knows":        {"a\n2024-01-05T10:00Z\n", "a\n2024-01-01T10:00-00:00\n", "times with an offset (line 2)"},
		"only other zones":           {"a\n2024-01-05T10:00Z\n", "a\n\"2024-01-01 10:00:00.5-05:30\"\n", "times with an offset (line 2)"},
		"another zone of time":       {"a\n2024-01-05T10:00:00\n", "a\n2024-01-05T10:00:00+02:00\n", "it was datetime64[us], and would be datetime64[us, UTC]"},
	} {
		t.Run(name, func(t *testing.T) {
			first, err := inferred(test.earlier, table.Choices{})
			require.NoError(t, err)
			again, err := inferred(test.earlier, table.Like(first.Schema))
			require.NoError(t, err)
			require.Equal(t, first.Schema, again.Schema)
			_, err = inferred(test.next, table.Like(first.Schema))
			require.ErrorContains(t, err, test.want)
		})
	}
	// A string keeps whatever comes, and a person may choose what loses something, and is told.
	first, err := inferred("a\nx\n", table.Choices{})
	require.NoError(t, err)
	_, err = inferred("a\n007\n", table.Like(first.Schema))
	require.NoError(t, err)
	chosen, err := inferred("a\n007\n7\n", table.Choices{Columns: map[string]table.Choice{"a": {Type: "integer"}}})
	require.NoError(t, err)
	require.Equal(t, "numbers with zeros in front (line 2), which the chosen type drops", chosen.Columns[0].Note)
}

// Who writes 250.0 beside 250 means two things by them; a program that writes floats writes
// each with a point.
func TestAZeroBehindThePointTellsACode(t *testing.T) {
	for text, want := range map[string]table.Type{
		"a\n250\n250.0\n250.1\n": table.String, "a\n36.6\n37.0\n38.25\n": table.Number, "a\n1\n2.5\n": table.Number, "a\n1.0\n2.0\n": table.Number,
	} {
		found, err := table.Infer(t.Context(), strings.NewReader(text), "csv", table.Choices{})
		require.NoError(t, err)
		require.Equal(t, want, found.Schema.Fields[0].Type, text)
	}
}
