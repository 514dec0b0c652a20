package bundle_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/bundle"
)

// The tables below were tried with pandas 2.2.3: it loads those with "" and
// refuses the others, but for those of which a comment says otherwise.

func TestCSVTables(t *testing.T) {
	const ragged = "the lines above it have"
	for name, test := range map[string]struct{ data, fault string }{
		"a table":                                  {"a,b\n1,2\n", ""},
		"no line end at the end":                   {"a,b\n1,2", ""},
		"a header alone":                           {"a,b", ""},
		"a header without names":                   {",\n", ""},
		"a quoted header of nothing":               {`""`, ""},
		"nothing":                                  {"", "it is empty"},
		"an empty line":                            {"\n", "it is empty"},
		"blank lines":                              {"  \n\t\r\n", "it is empty"},
		"a byte order mark alone":                  {"\ufeff", "it is empty"},
		"a byte order mark and an empty line":      {"\ufeff\n", "it is empty"},
		"a byte order mark before a quote":         {"\ufeff\"a,b\",c\n1,2\n3,4\n", ""},
		"fewer fields":                             {"a,b,c\n1\n2,3\n4,5,6\n", ""},
		"more fields":                              {"a,b\n1,2\n4,5,6\n", "line 3 has 3 fields, " + ragged + " 2 at most"},
		"more fields at the end":                   {"a,b\n1,2\n4,5,6", "line 3 has 3 fields"},
		"more fields below a short line":           {"a,b,c\n1\n4,5,6,7\n", "line 3 has 4 fields, " + ragged + " 3 at most"},
		"an index without a name":                  {"a,b\n1,2,3\n4,5,6\n", ""},
		"more fields than with the index":          {"a,b\n1,2,3\n4,5,6,7\n", "line 3 has 4 fields, " + ragged + " 3 at most"},
		"a comma at the end of each line":          {"a,b\n1,2,\n3,4,\n", ""},
		"a title above the header":                 {"title\nsub\na,b\n1,2\n", "line 3 has 2 fields"},
		"a line of blanks between":                 {"a,b\n\n  \n1,2\n\n3,4,5\n", "line 6 has 3 fields"},
		"a blank and a comma":                      {"a,b\n ,\n1,2\n 1,2,3\n", "line 4 has 3 fields"},
		"a bare quote":                             {"a,b\n1,5\" tall\n2,x\n", ""},
		"text after a closing quote":               {"x,y\nx,\"a\"b\n\"q\",w\n", ""},
		"doubled quotes":                           {"a,b\n\"x\"\"y\",2\n\"\"\"\",3\n", ""},
		"a comma in quotes":                        {"a,b\n1,2\n\"3,4\",5\n", ""},
		"a quote behind a blank":                   {"a,b\n1,2\n \"x,y\",2\n", "line 3 has 3 fields"},
		"a line end in quotes":                     {"a,b\n1,\"x\ny,z\"\n2,3,4\n", "line 4 has 3 fields"},
		"a quote that is not closed":               {"a,b\n1,\"2\n3,4\n", "line 2 opens a quote that is never closed"},
		"a quote at the end":                       {"a,b\n1,\"", "line 2 opens a quote"},
		"a quote that is closed at the end":        {"a,b\n1,\"\"", ""},
		"lines of carriage returns":                {"a,b\r1,2\r3,4,5\r", "line 3 has 3 fields"},
		"lines of carriage returns and line feeds": {"a,b\r\n1,2\r\n3,4,5\r\n", "line 3 has 3 fields"},
		"mixed line ends":                          {"a,b\n1,2\r3,4\n", ""},
		"a comma behind a blank line's return":     {"a,b\n1,2\n\r,3,4\n", ""},
		"a NUL":                                    {"a,b\n1,\x00\n", ""},
		"Latin-1":                                  {"a,b\n1,\xe9\n", "line 2 is not UTF-8"},
		"Latin-1 in the header":                    {"\xe9,b\n", "line 1 is not UTF-8"},
		"a character cut off at the end":           {"a,b\n1,\xe2\x82", "line 2 is not UTF-8"},
		"a surrogate":                              {"a\n\xed\xa0\x80\n", "line 2 is not UTF-8"},
		"UTF-16":                                   {"\xff\xfea\x00", "line 1 is not UTF-8"},
		"UTF-8":                                    {"größe,漢字\n1,🩺\n", ""},
		"an unclosed quote in Latin-1":             {"a\n\"\xe9\n", "line 2 is not UTF-8"},
	} {
		t.Run(name, func(t *testing.T) { requireChecked(t, "csv", test.data, test.fault) })
	}
}

func TestJSONLTables(t *testing.T) {
	const invalid = "line 2 is not valid JSON: put one whole object on each line"
	for name, test := range map[string]struct{ data, fault string }{
		"nothing":                      {"", ""},
		"two objects":                  {"{\"a\":1}\n{\"a\":2}", ""},
		"blank lines":                  {"{}\n\n \u00a0\x1c\n\r\n{}", ""},
		"carriage returns":             {"{\"a\":1}\r\n{\"a\":2}\r\n", ""},
		"nested":                       {`{"a":{"b":[1,{"c":null}]},"":true}`, ""},
		"a name twice":                 {`{"a":1,"a":2}`, ""},
		"not a number":                 {`{"a":NaN,"b":Infinity,"c":-Infinity,"NaN":[NaN]}`, ""},
		"a control character":          {"{\"a\":\"x\ty\x01\"}", ""},
		"half a surrogate":             {`{"a":"\ud800","b":"\udc00x"}`, ""},
		"the least and the greatest":   {`{"a":-9223372036854775808,"b":18446744073709551615,"c":1e400}`, ""},
		"deep":                         {`{"a":` + strings.Repeat("[", 1022) + strings.Repeat("]", 1022) + `}`, ""},
		"too deep":                     {`{"a":` + strings.Repeat("[", 1023) + strings.Repeat("]", 1023) + `}`, "line 1 is nested more than 1023 deep"},
		"too great":                    {`{"a":18446744073709551616}`, "line 1 has a number beyond 64 bits"},
		"too small":                    {`{"a":-9223372036854775809}`, "line 1 has a number beyond 64 bits"},
		"too great before the point":   {`{"a":1111111111111111111111111.5}`, "line 1 has a number beyond 64 bits"},
		"a byte order mark":            {"\ufeff{}", "line 1 begins with a byte order mark: save the file as UTF-8 without one"},
		"a line cut off":               {"{}\n{\"a\":1\n{}", invalid},
		"an object over lines":         {"{}\n{\n\"a\":1}\n", invalid},
		"two objects on a line":        {"{}\n{} {}\n", invalid},
		"text behind":                  {"{}\n{\"a\":1}x\n", invalid},
		"single quotes":                {"{}\n{'a':1}\n", invalid},
		"a name without quotes":        {"{}\n{a:1}\n", invalid},
		"Python's words":               {"{}\n{\"a\":True}\n", invalid},
		"an unknown escape":            {"{}\n{\"a\":\"\\x\"}\n", invalid},
		"a NUL":                        {"{}\n{\"a\":\"\x00\"}\n", invalid},
		"a carriage return for a line": {"{}\n{}\r{}\n", invalid},
		"Latin-1":                      {"{}\n{\"a\":\"\xe9\"}\n", "line 2 is not UTF-8"},
		"another thing below":          {"{}\n2\n", "line 2 is not a JSON object: put one object on each line"},
		"null below":                   {"{}\nnull\n", "line 2 is not a JSON object"},
		// pandas loads these three, as columns without names or with a comma too many.
		"arrays":           {"[1]\n[2]\n", "line 1 is not a JSON object"},
		"one large array":  {`[{"a":1},{"a":2}]`, "line 1 is not a JSON object"},
		"a comma too many": {"{}\n{\"a\":1,}\n", invalid},
	} {
		t.Run(name, func(t *testing.T) { requireChecked(t, "jsonl", test.data, test.fault) })
	}
}

// requireChecked feeds the data in one piece and in many.
func requireChecked(t *testing.T, format, data, fault string) {
	t.Helper()
	for _, piece := range []int{len(data) + 1, 1, 3} {
		problem, err := bundle.CheckTable(format, []byte(data), piece)
		require.NoError(t, err)
		if fault == "" {
			require.Empty(t, problem, "in pieces of %d", piece)
			continue
		}
		require.Contains(t, problem, fault, "in pieces of %d", piece)
	}
}

func TestAJSONLineIsBounded(t *testing.T) {
	long := bytes.Repeat([]byte(" "), 64<<20+1)
	problem, err := bundle.CheckTable("jsonl", long, 1<<20)
	require.NoError(t, err)
	require.Contains(t, problem, "line 1 is longer than 64 MiB")
	problem, err = bundle.CheckTable("jsonl", long[1:], 1<<20)
	require.NoError(t, err)
	require.Empty(t, problem)
}

// FuzzTables: whatever the bytes and the pieces, the answer is the same, in one
// line of plain words.
func FuzzTables(f *testing.F) {
	f.Add([]byte("a,b\r\n\"1\",\"2\"\"\"\n3,4,5"), 2)
	f.Add([]byte("{\"a\":[NaN,-Infinity,\"\\\"\"]}\n\n{}"), 3)
	f.Fuzz(func(t *testing.T, data []byte, piece int) {
		for _, format := range []string{"csv", "jsonl", "parquet", ""} {
			whole, err := bundle.CheckTable(format, data, len(data)+1)
			require.NoError(t, err)
			pieces, err := bundle.CheckTable(format, data, max(1, piece%64))
			require.NoError(t, err)
			require.Equal(t, whole, pieces)
			require.Regexp(t, `^[ -~]*$`, whole)
		}
	})
}

func BenchmarkCheckCSV(b *testing.B) {
	data := bytes.Repeat([]byte("12345,\"some text\",3.1415,größe\n"), 1<<15)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := bundle.CheckTable("csv", data, 32<<10); err != nil {
			b.Fatal(err)
		}
	}
}
