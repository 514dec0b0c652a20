package table_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/table"
)

func TestAFirstRowOfValuesIsNoHeader(t *testing.T) {
	for name, test := range map[string]struct{ source, says string }{
		"numbers and a date":            {"12,2020-01-01,3.5\n13,2020-01-02,4.5\n", "in columns 1, 2, 3 it has what the rows below have"},
		"a number beside a name":        {"anna,12\nbert,13\n", "in column 2 it has"},
		"one row, which is the header":  {"12,2020-01-01,3.5\n", "in columns 1, 2, 3"},
		"a number above NA":             {"x,3.5\ny,NA\nz,4.5\n", "in column 2"},
		"a number above much else":      {"x,3.5\ny,7\nz,Total\n", "in column 2"},
		"a number with zeros":           {"007,a\n008,b\n", "in column 1"},
		"a number below zero":           {"-1.5,a\n2.5,b\n", "in column 1"},
		"times":                         {"2020-01-01T10:00Z,a\n2020-01-02T10:00Z,b\n", "in column 1"},
		"days of another form":          {"01.02.2020,a\n03.02.2020,b\n", "in column 1"},
		"pseudonyms":                    {"P001\nP002\nP003\n", "in column 1"},
		"a boolean":                     {"true,x\nfalse,y\n", "in column 1"},
		"years of birth":                {"1985,a\n1990,b\n", "in column 1"},
		"a year and a number":           {"2019,12\n2020,13\n", "in columns 1, 2"},
		"words that come again":         {"male,yes\nfemale,yes\nmale,no\n", "has in its first column what line 1 has"},
		"the names in the middle again": {"a,b\n1,2\na,b\n3,4\n", "if it is there twice, remove one"},
		"one value twice":               {"5,5\n6,7\n", "has one value for columns 1 and 2: put a line of names above it"},
		"a value that is missing":       {"12,,3.5\n13,x,4.5\n", "if it has values, put a line of names above it"},
		"many columns":                  {strings.Repeat("1.5,2.5,7,", 4) + "x\n", "has one value"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := infer(t, table.CSV, test.source, table.Choices{})
			require.ErrorContains(t, err, test.says)
			require.ErrorContains(t, err, "put a line of names above it")
			for _, value := range []string{"2020", "3.5", "male", "P001"} {
				require.NotContains(t, err.Error(), value, "a value of the data")
			}
		})
	}
}

func TestNamesThatLookLikeValuesAreNames(t *testing.T) {
	for name, test := range map[string]struct {
		source string
		noted  int // column of the note, from 1
	}{
		"years":                     {"country,2019,2020,2021\nDE,3,4,5\n", 2},
		"a year of numbers":         {"country,2019\nDE,83019213\nFR,67059887\n", 2},
		"years without a value":     {"country,2019,2020\nDE,,5\n", 3},
		"years above texts":         {"country,2019\nDE,high\nFR,low\n", 0},
		"days above numbers":        {"country,2020-01-01,2020-02-01\nDE,3,4\n", 0},
		"days, one without a value": {"country,2020-01-01,2020-02-01\nDE,,4\n", 0},
		"numbers without a value":   {"country,1.5,x\nDE,,4\n", 0},
		"columns by their numbers":  {"0,1,2\n5,x,7\n", 0},
		"numbered columns":          {"0,1,2\n5,6,7\n", 1},
		"wavelengths":               {"id,400.5,401.0,401.5\na,.1,.2,.3\n", 2},
		"codes":                     {"ICD10,arm\nE11,a\nF32,b\n", 0},
		"a name that is a value":    {"arm,other\nlow,other\nhigh,x\n", 0},
		"words":                     {"id,sex\n1,male\n2,female\n", 0},
		"names with digits":         {"q1,q2\n1,2\n", 0},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "columns by their numbers" {
				_, err := infer(t, table.CSV, test.source, table.Choices{})
				require.ErrorContains(t, err, "in columns 1, 3")
				return
			}
			found, err := infer(t, table.CSV, test.source, table.Choices{})
			require.NoError(t, err)
			for at, column := range found.Columns {
				require.Equal(t, at+1 == test.noted, strings.Contains(column.Note, "its name is a number"), "%d: %s", at, column.Note)
			}
		})
	}
}

// TestAPersonSaysThatTheFirstLineHasNames: by the flag, by naming the columns, by an earlier table.
func TestAPersonSaysThatTheFirstLineHasNames(t *testing.T) {
	const source = "12,2020-01-01\n13,2020-01-02\n"
	for _, choices := range []table.Choices{
		{Header: true},
		{Columns: map[string]table.Choice{"12": {Type: "integer"}, "2020-01-01": {Disclosure: table.Sensitive}}},
	} {
		found, err := infer(t, table.CSV, source, choices)
		require.NoError(t, err)
		again, err := infer(t, table.CSV, source, table.Like(found.Schema))
		require.NoError(t, err)
		require.Equal(t, found.Schema, again.Schema)
		_, err = decoded(t, table.CSV, found.Schema, source)
		require.NoError(t, err)
	}
	_, err := infer(t, table.CSV, source, table.Choices{Columns: map[string]table.Choice{"12": {Type: "integer"}}})
	requireFault(t, err, 1, "in column 2 it has")
	_, err = infer(t, table.CSV, "a,b\n1,2\na,b\n", table.Choices{Header: true})
	require.NoError(t, err)
	_, err = infer(t, table.JSONL, "{\"12\":13}\n", table.Choices{})
	require.NoError(t, err)
}

func TestTheLineForExcelIsNoHeader(t *testing.T) {
	semicolon := table.Delimited("semicolon")
	for _, test := range []struct {
		format table.Format
		source string
		way    string
	}{
		{table.CSV, "sep=;\na;b\n1;2\n", "remove it, and name the delimiter (`--delimiter FILE=semicolon`)"},
		{table.CSV, "\ufeffSEP=\t\r\na\tb\r\n", "remove it, and name the delimiter (`--delimiter FILE=tab`)"},
		{table.CSV, "sep=,\na,b\n1,2\n", "remove it"},
		{table.CSV, "\"sep=;\"\na;b\n", "remove it"},
		{semicolon, "sep=;\na;b\n1;2\n", "remove it"},
		{table.TSV, "sep=\t\na\tb\n", "remove it"},
	} {
		_, err := infer(t, test.format, test.source, table.Choices{})
		requireFault(t, err, 1, "is for Excel alone (sep=): "+test.way)
	}
	_, err := infer(t, table.CSV, "sep=x,b\n1,2\n", table.Choices{})
	require.NoError(t, err)
}

func TestWideEncodingsAreNamed(t *testing.T) {
	for source, says := range map[string]string{
		"\xff\xfea\x00,\x00b\x00\n\x00":               "(`--encoding utf-16`)",
		"\xfe\xff\x00a\x00,\x00b\x00\n":               "(`--encoding utf-16`)",
		"a\x00,\x00b\x00\n\x00":                       "(`--encoding utf-16-le`)",
		"\x00a\x00,\x00b\x00\n":                       "(`--encoding utf-16-be`)",
		"\xff\xfe\x00\x00a\x00\x00\x00\n\x00\x00\x00": "UTF-32",
		"\x00\x00\xfe\xff\x00\x00\x00a\x00\x00\x00\n": "UTF-32",
		"a\x00\x00\x00\n\x00\x00\x00":                 "UTF-32",
		"\x00\x00\x00a\x00\x00\x00\n":                 "UTF-32",
		"ab\x00c\n":                                   "has a NUL byte",
		"\x00":                                        "(`--encoding utf-16-be`)",
	} {
		_, err := infer(t, table.CSV, source, table.Choices{})
		requireFault(t, err, 1, says)
		requireFault(t, err, 1, "save the file as UTF-8")
	}
	_, err := infer(t, table.CSV, "a,b\n1,\x002\n", table.Choices{})
	requireFault(t, err, 2, "has a NUL byte")
}

func TestNamesThatLookAlike(t *testing.T) {
	for _, pair := range [][2]string{
		{"a", "а"}, {"age", "аge"}, {"HO", "НО"}, {"e\u0301", "\u00e9"}, {"a", "a "}, {"a b", "a  b"}, {"a-b", "a–b"}, {"a−b", "a‐b"}, {"x", "ｘ"}, {"fi", "ﬁ"}, {"µ", "μ"},
	} {
		_, err := infer(t, table.CSV, pair[0]+","+pair[1]+"\ny,z\n", table.Choices{})
		requireFault(t, err, 0, "the names of columns 1 and 2 look alike")
		_, err = infer(t, table.JSONL, "{\""+pair[0]+"\":1}\n{\""+pair[1]+"\":1}\n", table.Choices{})
		requireFault(t, err, 0, "the names of columns 1 and 2 look alike")
	}
	_, err := infer(t, table.CSV, "a,а\ny,z\n", table.Choices{})
	requireFault(t, err, 0, `("a" and "\u0430"): rename one`)
	for _, names := range []string{"a,A", "x2,x²", "e,é", "возраст,age", "α,a", "ß,β", "a_b,a-b"} {
		_, err := infer(t, table.CSV, names+"\ny,z\n", table.Choices{})
		require.NoError(t, err, names)
	}
	found, err := infer(t, table.CSV, "аge,возраст,TNFα\n1,2,3\n", table.Choices{})
	require.NoError(t, err)
	require.Equal(t, "its name has U+0430, which looks like 'a' and is none", found.Columns[0].Note)
	require.Empty(t, found.Columns[1].Note+found.Columns[2].Note)
	for name, says := range map[string]string{
		"a\u00a0b": "has U+00A0, which looks like a blank and is none", "a\u2009": "has U+2009, which looks like a blank", "a\u200b": "has U+200B, which cannot be seen",
		"\ufeffa": "has U+FEFF, which cannot be seen", "a\u202eb": "has U+202E, which cannot be seen", "\u3164": "has U+3164, which cannot be seen", "a\ufe0f": "has U+FE0F, which cannot be seen",
		strings.Repeat("a", 1025): "is longer than 1024 bytes",
	} {
		_, err := infer(t, table.CSV, "x,"+name+"\n1,2\n", table.Choices{})
		requireFault(t, err, 1, "has a name for column 2 that "+says)
		_, err = infer(t, table.JSONL, "{\"x\":1,\""+name+"\":1}\n", table.Choices{})
		requireFault(t, err, 1, "has a name that "+says)
	}
}

func TestAPointMayStandBetweenThousands(t *testing.T) {
	semicolon := table.Delimited("semicolon")
	for _, cells := range []string{"1.234", "1.234\n567", "-12.345\nNA\n\"\"", "1.234.567", "1.234.567\n12\n1.234", "12\n1.234.567", "1.200\n3.456", "+1.234"} {
		_, err := infer(t, semicolon, "x;y\n"+strings.ReplaceAll(cells, "\n", ";z\n")+";z\n", table.Choices{})
		require.ErrorContains(t, err, `has in column "x" a number with three digits behind a point`, cells)
		require.ErrorContains(t, err, "`--type FILE:COLUMN=number`")
		field, _, _ := inferred(t, semicolon, "x\n"+cells+"\n", table.Choices{Columns: map[string]table.Choice{"x": {Type: "string"}}})
		require.Equal(t, table.String, field.Type)
	}
	for _, cells := range []string{"1.234\n0.567", "1.234\n1.5", "1.234\n1234", "0.123", "1234.567", "1.234\n1e-05", "12\n13", "1.234\nabc", "10.0.0.1"} {
		_, err := infer(t, semicolon, "x\n"+cells+"\n", table.Choices{})
		require.NoError(t, err, cells)
	}
	field, _, rows := inferred(t, semicolon, "x\n1.234\n", table.Choices{Columns: map[string]table.Choice{"x": {Type: "number"}}})
	require.Equal(t, table.Number, field.Type)
	require.Equal(t, []string{"1.234"}, rows)
	for format, told := range map[table.Format]bool{table.CSV: false, table.TSV: true, table.Delimited("pipe"): true} {
		field, column, _ := inferred(t, format, "x\n1.234\n5.678\n", table.Choices{})
		require.Equal(t, table.Number, field.Type)
		require.Equal(t, told, strings.Contains(column.Note, "if it stands between thousands"), column.Note)
		_, column, _ = inferred(t, format, "x\n1.234\n0.5\n", table.Choices{})
		require.Empty(t, column.Note)
	}
}
