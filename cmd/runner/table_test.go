package main

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/job"
	"hotcell/internal/runner"
)

// shownOn is what a person sees of a result.
func shownOn(width, lines int, value string) string {
	text := &page{width: width, lines: lines}
	valued(text, job.Result{Value: json.RawMessage(value)})
	return text.String()
}

func TestADataFrameIsATable(t *testing.T) {
	require.Equal(t, strings.Join([]string{
		"  result   3 rows, 4 columns",
		"       arm       n      mean  done",
		"    0  control  12  0.333333  True",
		"    1  drug      7   1.5e-09  False",
		"    2  NA       NA        NA  NA",
		"",
	}, "\n"), shownOn(100, 20, `{"columns":["arm","n","mean","done"],"rows":[["control",12,0.3333333333333333,true],["drug",7,1.5e-9,false],[null,null,null,null]]}`))
}

func TestATablesIndexAndWideLettersStandInLine(t *testing.T) {
	require.Equal(t, "  result   2 rows, 1 column\n    site / year       n\n    [\"漢\",2020]       1\n    [\"Köln\",2021]  1000\n",
		shownOn(100, 20, `{"columns":["n"],"rows":[[1],[1000]],"index":[["漢",2020],["Köln",2021]],"index_names":["site","year"]}`))
	require.Equal(t, "  result   2 rows, 1 column\n       age\n    a   40\n    b   41\n",
		shownOn(100, 20, `{"name":"age","values":[40,41],"index":["a","b"],"index_names":[null]}`))
}

func TestATableIsCutToTheTerminal(t *testing.T) {
	var columns, cells, rows []string
	for number := range 30 {
		columns, cells = append(columns, fmt.Sprintf(`"column_%02d"`, number)), append(cells, "1")
	}
	for range 100 {
		rows = append(rows, "["+strings.Join(cells, ",")+"]")
	}
	shown := shownOn(80, 10, `{"columns":[`+strings.Join(columns, ",")+`],"rows":[`+strings.Join(rows, ",")+`]}`)
	lines := strings.Split(strings.TrimRight(shown, "\n"), "\n")
	require.Len(t, lines, 1+1+10+1)
	require.Equal(t, "    … and 90 more rows and 24 more columns, in the record and with --json", lines[12])
	for _, line := range lines {
		require.LessOrEqual(t, len([]rune(line)), 80, line)
	}
	long := strings.Repeat("x", 500)
	shown = shownOn(80, 10, `{"columns":["a"],"rows":[["`+long+`"]]}`)
	require.Contains(t, shown, "x…")
	require.NotContains(t, shown, long[:maxCell])
	names := strings.Repeat(`"x",`, 100_000) + `"x"`
	require.Less(t, len(shownOn(80, 10, `{"columns":["a"],"rows":[[1]],"index_names":[`+names+`]}`)), 300, "many names make no wide column")
}

// What is shown is a page. A script chooses how large its result is, and what the rest of it
// costs is the host's time after the script's own is over.
func TestWhatIsNotShownOfAResultIsNotMade(t *testing.T) {
	const many = 100_000
	list := func(element string) string { return "[" + strings.Repeat(element+",", many) + element + "]" }
	for name, test := range map[string]struct{ value, shown string }{
		"columns":           {`{"columns":` + list(`"c"`) + `,"rows":[` + list("1") + `]}`, "1 row, 100001 columns"},
		"columns alone":     {`{"columns":` + list(`"\u00e9"`) + `,"rows":[]}`, "0 rows, 100001 columns"},
		"rows":              {`{"columns":["a"],"rows":` + list("[1]") + `}`, "100001 rows, 1 column"},
		"rows of nothing":   {`{"columns":[],"rows":` + list("[]") + `}`, "100001 rows, 0 columns"},
		"rows before":       {`{"rows":` + list(`["x"]`) + `,"columns":["a"],"index":` + list("1") + `}`, "100001 rows, 1 column"},
		"names of an index": {`{"columns":["a"],"rows":[[1]],"index_names":` + list(`"a"`) + `}`, "1 row, 1 column"},
		"a series":          {`{"name":"a","values":` + list("1") + `}`, "100001 rows, 1 column"},
		"an uneven row":     {`{"columns":["a"],"rows":[` + strings.Repeat("[1],", many) + `[1,2]]}`, `{"columns"`},
		"a list":            {list(`"\u00e9"`), `["é","é"`},
		"a text":            {`"` + strings.Repeat(`\u00e9`, many) + `"`, `"éé`},
		"a text of pairs":   {`"` + strings.Repeat(`\ud83d\ude00`, many) + `"`, `"😀😀`},
		"a text of others":  {`"` + strings.Repeat(`\ud7a3\uD83D\uDE00`, many) + `"`, `"힣😀힣😀`},
		"half of a pair":    {`["\ud83d","` + strings.Repeat(`\u00e9`, many) + `"]`, `["\ud83d","éé`},
		"a text of quotes":  {`"x` + strings.Repeat(`\"\\`, many) + `"`, `"x\"\\\"\\`},
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			shown := shownOn(100, 20, test.value)
			runtime.ReadMemStats(&after)
			require.Contains(t, shown, "  result   "+test.shown)
			require.Less(t, len(shown), 5000)
			require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(100*len(test.value)+1<<20), "it was 2000 times as much")
		})
	}
}

func TestAnExceptionIsNoFlood(t *testing.T) {
	flood := strings.Repeat("é", 4<<20)
	for _, failure := range []job.Error{{Type: "ValueError", Message: flood + " end"}, {Type: flood, Message: " end"}, {Traceback: flood + " end"}} {
		text := &page{width: 100, lines: 20}
		explain(text, job.Result{Status: job.Failed, Error: &failure})
		require.Less(t, text.Len(), maxTold+100)
		require.True(t, strings.HasPrefix(text.String(), "    … and more, "+elsewhere+"\n"))
		require.True(t, strings.HasSuffix(text.String(), " end\n"))
	}
}

// A cell is a script's own word: it can neither drive the terminal nor look like a line of
// the runner's.
func TestACellCannotForgeALine(t *testing.T) {
	shown := printable(shownOn(100, 20, `{"columns":["a\n✓ succeeded"],"rows":[["\u001b[2J\r\n  record   /x"],["\u202e"]]}`))
	require.NotContains(t, shown, "\n✓")
	require.NotContains(t, shown, "\n  record")
	require.NotContains(t, shown, "\x1b")
	require.NotContains(t, shown, "\r")
	require.NotContains(t, shown, "\u202e")
	require.Len(t, strings.Split(strings.TrimRight(shown, "\n"), "\n"), 4)
}

func TestWhatIsNoTableIsJSON(t *testing.T) {
	for _, value := range []string{
		`{"columns":["a"],"rows":[[1,2]]}`, `{"columns":["a"],"rows":[[1]],"note":1}`, `{"columns":["a"],"rows":1}`, `{"rows":[[1]]}`,
		`{"columns":["a"],"rows":[[1]],"index":[1,2]}`, `{"columns":null,"rows":null}`, `{}`, `[]`, `1`, `"x"`, `{"values":1}`,
		`{"columns":["a"],"rows":[null]}`, `{"columns":["a"],"rows":[[1]],"values":[1]}`,
	} {
		require.Equal(t, "  result   "+value+"\n", shownOn(100, 20, value), value)
	}
	require.Empty(t, shownOn(100, 20, "null"))
	require.Equal(t, "  result   0 rows, 2 columns\n      a  b\n", shownOn(100, 20, `{"columns":["a","b"],"rows":[]}`))
}

// A progress bar draws its line anew; nothing else of what drives a terminal passes.
func TestAProgressBarKeepsItsCarriageReturns(t *testing.T) {
	require.Equal(t, "\r 10%|#\r 20%|##\n", live("\r 10%|#\r 20%|##\n"))
	require.Equal(t, "a\r"+`\x1b[2K\u202e`+"\r\n", live("a\r\x1b[2K\u202e\r\n"))
	require.Equal(t, `x\r`, printable("x\r"), "what the runner says itself has none")
}

func TestALongResultIsCutAndSaysWhereTheRestIs(t *testing.T) {
	long := strings.Repeat("é", 1200)
	require.Equal(t, "  result   \""+strings.Repeat("é", 249)+"…\n    … of 2.3 KiB of JSON, all of it in the record and with --json\n", shownOn(100, 20, `"`+long+`"`))
	require.Equal(t, "  result   \"short\"\n", shownOn(100, 20, `"short"`))
	escaped := `{"caf\u00e9": ["\ud83d\ude00 \"<&>\" \n \u0007", "\ud800", "\\u00e9"]}`
	require.Equal(t, `  result   {"café":["😀 \"<&>\" \n \u0007","\ud800","\\u00e9"]}`+"\n", shownOn(100, 20, escaped), "letters as such")
}

func TestAResultWithoutAJSONFormIsItsText(t *testing.T) {
	require.Equal(t, "  result   Summary\n    a  é\n    b\n", shownOn(100, 20, `{"type":"Summary","text":"a  \u00e9\nb\n"}`))
	long := shownOn(100, 20, `{"type":"`+strings.Repeat("x", 100)+`","text":"`+strings.Repeat("y", 5000)+`"}`)
	require.Contains(t, long, strings.Repeat("x", maxCell-1)+"…\n")
	require.Contains(t, long, "y\n    … and more, "+elsewhere+"\n")
	for _, other := range []string{`{"type":"a"}`, `{"type":"a","text":1}`, `{"type":"a","text":"b","c":1}`} {
		require.Equal(t, "  result   "+other+"\n", shownOn(100, 20, other))
	}
}

func TestAStepNamesItsRecordWhereMoreIsInIt(t *testing.T) {
	for value, want := range map[string]bool{`"short"`: false, `"` + strings.Repeat("x", 3000) + `"`: true} {
		text := &page{width: 100, lines: 20}
		stepSummary(text, runner.Response{Result: job.Result{Status: job.Succeeded, Value: json.RawMessage(value)}, RecordDir: "/runs/1"}, "step-1.py")
		require.Equal(t, want, strings.HasSuffix(text.String(), "  record   /runs/1\n"), text.String())
	}
}
