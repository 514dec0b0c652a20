package notebook

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/job"
	"hotcell/internal/strictjson"
)

// end is what stands behind each cell.
var end = strings.Join(endOfCell, "\n") + "\n"

func encoded(t testing.TB, sources ...string) []byte {
	t.Helper()
	cells := []any{map[string]any{"cell_type": "markdown", "source": []string{"# %title\n"}}}
	for _, source := range sources {
		cells = append(cells, map[string]any{"cell_type": "code", "source": strings.SplitAfter(source, "\n"), "outputs": []any{}})
	}
	data, err := strictjson.Encode(map[string]any{"cells": cells, "nbformat": 4, "metadata": map[string]any{}})
	require.NoError(t, err)
	return data
}

func TestCodeCellsAreJoinedAndLinesKeepTheirCells(t *testing.T) {
	made, err := Parse(encoded(t, "a = 1\nb = 2", "", "c = 3\n"))
	require.NoError(t, err)
	require.Equal(t, "a = 1\nb = 2\n"+end+"c = 3\n"+end, string(made.Code))
	require.Empty(t, made.Commands)
	for line, want := range map[int][2]int{0: {0, 0}, 1: {2, 1}, 2: {2, 2}, 3: {2, 2}, 4: {2, 2}, 5: {4, 1}, 7: {4, 1}, 8: {0, 8}} {
		number, within := made.Place(line)
		require.Equal(t, want, [2]int{number, within}, "line %d", line)
	}
}

func TestACellCanBeLeftOut(t *testing.T) {
	made, err := Parse(encoded(t, "a = 1\nb = (", "", "c = 3\n"))
	require.NoError(t, err)
	without := "pass\n\n\n\nc = 3\n" + end
	for line, want := range map[int]string{1: without, 2: without, 3: without, 4: without, 5: "a = 1\nb = (\n" + end + "pass\n\n\n"} {
		code, ok := made.Without(made.Code, line)
		require.True(t, ok)
		require.Equal(t, want, string(code), "line %d", line)
	}
	for _, line := range []int{0, 8, -1} {
		_, ok := made.Without(made.Code, line)
		require.False(t, ok, "line %d", line)
	}
	_, ok := made.Without([]byte("x\n"), 5)
	require.False(t, ok, "another code")
}

func TestAScriptMayHaveCommands(t *testing.T) {
	made := OfScript([]byte("%matplotlib inline\nimport os\n"))
	require.Equal(t, "pass\nimport os\n", string(made.Code))
	require.Len(t, made.Commands, 1)
	number, within := made.Place(2)
	require.Equal(t, [2]int{0, 2}, [2]int{number, within})
	require.Empty(t, OfScript(nil).Commands)
}

func TestASourceMayBeOneText(t *testing.T) {
	made, err := Parse([]byte(`{"cells":[{"cell_type":"code","source":"x = 1\ny"}],"nbformat":4}`))
	require.NoError(t, err)
	require.Equal(t, "x = 1\ny\n"+end, string(made.Code))
}

func TestCommandsAreFoundWhereStatementsBegin(t *testing.T) {
	for name, test := range map[string]struct {
		source, code string
		found        []string
	}{
		"a magic":                 {"%matplotlib inline\nx = 1", "pass\nx = 1\n", []string{"1:1 %matplotlib is"}},
		"first and indented":      {"\n  %time f()\nx = 1", "\npass\nx = 1\n", []string{"2:3 %time is"}},
		"in a block":              {"if x:\n    !pip install y\n", "if x:\n    pass\n", []string{"2:5 !pip is"}},
		"an answer that is kept":  {"files = !ls *.csv", "pass\n", []string{"1:1 !ls is"}},
		"a question":              {"df.head?\n?df\nx", "pass\npass\nx\n", []string{"1:1 this line asks", "2:1 this line asks"}},
		"a cell of Python":        {"\n%%time\nimport os", "\npass\nimport os\n", []string{"2:1 %time is"}},
		"a cell of the shell":     {"%%bash\nrm 'x\n%y", "pass\n\n\n", []string{"1:1 %bash is"}},
		"in a text":               {"x = '''\n%a\n!b\n'''\n%c", "x = '''\n%a\n!b\n'''\npass\n", []string{"5:1 %c is"}},
		"in brackets":             {"x = (5\n%3)\ny = [\n]", "x = (5\n%3)\ny = [\n]\n", nil},
		"after a backslash":       {"x = 5 \\\n% 3", "x = 5 \\\n% 3\n", nil},
		"a quote in a comment":    {"x = 1 # don't\n%a", "x = 1 # don't\npass\n", []string{"2:1 %a is"}},
		"a bracket in a text":     {"x = '(' + \"\\\"[\"\n%a", "x = '(' + \"\\\"[\"\npass\n", []string{"2:1 %a is"}},
		"a text that never ends":  {"x = 'a\n%b", "x = 'a\npass\n", []string{"2:1 %b is"}},
		"an operator is no magic": {"x = 5 % y\ny != x", "x = 5 % y\ny != x\n", nil},
	} {
		t.Run(name, func(t *testing.T) {
			made, err := Parse(encoded(t, test.source))
			require.NoError(t, err)
			require.Equal(t, test.code+end, string(made.Code))
			require.Len(t, made.Commands, len(test.found))
			for at, want := range test.found {
				one := made.Commands[at]
				require.Equal(t, "syntax.error", one.Rule)
				require.True(t, strings.HasPrefix(fmt.Sprintf("%d:%d %s", one.Line, one.Column, one.Message), want), one.Message)
			}
		})
	}
}

// Each of these is a notebook that shows one thing and was vetted as another: the cell in the
// middle is run by itself, with the builtin, and what came before it made it a text, or made the
// name a parameter. A carriage return ends a line to Python.
func TestNoCellReachesIntoTheNext(t *testing.T) {
	python := pythonOrSkip(t)
	for name, cells := range map[string][3]string{
		"a text":                     {`x = """`, `eval("1")`, `"""`},
		"another text":               {`x = '''`, `eval("1")`, `'''`},
		"raw bytes":                  {`x = rb"""\`, `eval("1")`, `"""`},
		"within a formatted text":    {`x = f"{ """`, `eval("1")`, `""" }"`},
		"a formatted text":           {`x = f"""`, `eval("1")`, `"""`},
		"a comment behind the text":  {`x = """ # '''`, `eval("1")`, `"""`},
		"a line that goes on":        {`x = "a \`, `eval('1') #"`, `y = 1`},
		"a text that looks closed":   {`x = """ "" ''' \""" '''`, `eval("1")`, `"""`},
		"brackets":                   {`f = (lambda eval: [`, `eval("1")`, `])`},
		"a dict":                     {`x = {"a": lambda eval:`, `eval("1")`, `}`},
		"a backslash":                {`f = lambda eval: \`, `eval("1")`, `y = 1`},
		"a block":                    {`def f(eval):`, `    eval("1")`, `y = 1`},
		"a block that has begun":     {"def f(eval):\n    x = 1", `    eval("1")`, `y = 1`},
		"a carriage return in a row": {"def f(eval):\r    x = 1\r", `    eval("1")`, `y = 1`},
	} {
		t.Run(name, func(t *testing.T) {
			made, err := Parse(encoded(t, cells[0], cells[1], cells[2]))
			require.NoError(t, err)
			line := syntaxErrorOf(t, python, made.Code)
			require.NotZero(t, line, "%s", made.Code)
			told := made.Merge([]job.Violation{{Rule: SyntaxError, Line: line, Column: 7, Message: "invalid syntax"}})
			number, within := made.Place(told[0].Line)
			require.Contains(t, []int{2, 3}, number)
			require.Positive(t, within)
		})
	}
}

func TestCellsThatEndAreVettedAsTheyAre(t *testing.T) {
	python := pythonOrSkip(t)
	for name, cells := range map[string][2]string{
		"an import of __future__": {"# of today\n\n  # x", "from __future__ import annotations"},
		"a block":                 {"def f():\n    return 1\n", "f()"},
		"texts":                   {`x = """a` + "\n" + `b"""`, `y = '''"""''' + """'''"""`},
		"a comment at the end":    {"x = 1  # '''", `# """`},
		"ends of another system":  {"if 1:\r\n    x = 1\r\n", "x\r"},
		"a decorator":             {"@print\ndef f(): pass", "class A: x = 1"},
		"a command":               {"if 1:\n    !ls", "%matplotlib"},
	} {
		t.Run(name, func(t *testing.T) {
			made, err := Parse(encoded(t, cells[0], cells[1]))
			require.NoError(t, err)
			require.Zero(t, syntaxErrorOf(t, python, made.Code), "%s", made.Code)
		})
	}
}

func TestAnOpenCellIsToldAtItsLastLine(t *testing.T) {
	made, err := Parse(encoded(t, "x = 1", "y = (\n1"))
	require.NoError(t, err)
	told := made.Merge([]job.Violation{{Rule: SyntaxError, Line: 6, Column: 5, Message: "invalid syntax"}, {Rule: "builtin.denied", Line: 6, Message: "as it was"}})
	require.Equal(t, []job.Violation{{Rule: "builtin.denied", Line: 6, Message: "as it was"}, {Rule: SyntaxError, Line: 6, Column: 1, Message: openCell}}, told)
	number, within := made.Place(6)
	require.Equal(t, [2]int{3, 2}, [2]int{number, within})
}

func pythonOrSkip(t *testing.T) string {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		if os.Getenv("HOTCELL_REQUIRE_ALL") == "1" {
			t.Fatal(err)
		}
		t.Skip("needs python3")
	}
	return python
}

// syntaxErrorOf is the line of Python's own complaint, or 0.
func syntaxErrorOf(t *testing.T, python string, code []byte) int {
	t.Helper()
	const parse = "import ast, sys\ntry:\n    ast.parse(sys.stdin.buffer.read())\nexcept SyntaxError as e:\n    print(e.lineno)\nelse:\n    print(0)\n"
	command := exec.CommandContext(t.Context(), python, "-I", "-c", parse)
	command.Stdin = bytes.NewReader(code)
	said, err := command.Output()
	require.NoError(t, err)
	line, err := strconv.Atoi(strings.TrimSpace(string(said)))
	require.NoError(t, err)
	return line
}

func TestWhatIsFoundIsInOrder(t *testing.T) {
	made, err := Parse(encoded(t, "x\n%a\ny"))
	require.NoError(t, err)
	all := made.Merge([]job.Violation{{Rule: "r", Line: 3, Column: 1}, {Rule: "r", Line: 1, Column: 2}, {Rule: "r"}})
	var lines []int
	for _, one := range all {
		lines = append(lines, one.Line)
	}
	require.Equal(t, []int{0, 1, 2, 3}, lines)
}

func TestWhatIsNoNotebookIsRefused(t *testing.T) {
	for name, test := range map[string]struct{ data, want string }{
		"no JSON":           {"x = 1", "no notebook"},
		"a list":            {"[]", "no list of cells"},
		"format 3":          {`{"worksheets":[]}`, "no list of cells"},
		"a name twice":      {`{"cells":[],"cells":[]}`, "no notebook"},
		"another language":  {`{"cells":[],"nbformat":4,"metadata":{"kernelspec":{"language":"R"}}}`, "another language"},
		"a cell of text":    {`{"cells":["x"]}`, "cell 1: it is no object"},
		"a cell of nothing": {`{"cells":[{"cell_type":"code"}]}`, "cell 1: it has no source"},
		"a source of lists": {`{"cells":[{"cell_type":"code","source":[[1]]}]}`, "cell 1: its source holds"},

		"a kernel's":          {`{"cells":[],"nbformat":4,"metadata":{"kernelspec":{"language":"R"},"language_info":{"name":"python"}}}`, "another language"},
		"a page's":            {`{"cells":[],"nbformat":4,"metadata":{"kernelspec":{"language":"python"},"language_info":{"name":"bash"}}}`, "another language"},
		"no format":           {`{"cells":[]}`, "does not say"},
		"two lists of cells":  {`{"cells":[],"worksheets":[{"cells":[{"cell_type":"code","input":"import os"}]}],"nbformat":3}`, "does not say"},
		"a format in a text":  {`{"cells":[],"nbformat":"4"}`, "does not say"},
		"a format to come":    {`{"cells":[],"nbformat":5}`, "does not say"},
		"a format twice":      {`{"cells":[],"nbformat":4,"nbformat":3}`, "twice"},
		"a format with signs": {`{"cells":[],"nbformat":"4","\u006ebformat":4}`, "twice"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Parse([]byte(test.data))
			require.ErrorContains(t, err, test.want)
		})
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"cells":[{"cell_type":"code","source":["%%bash\n","x"]},{"cell_type":"code","source":"x = '''\n!y"}],"nbformat":4}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		made, err := Parse(data)
		if err != nil {
			return
		}
		lines := strings.Count(string(made.Code), "\n")
		for _, one := range made.Commands {
			if number, _ := made.Place(one.Line); number == 0 || one.Line > lines {
				t.Fatalf("a command in line %d of %d has no cell", one.Line, lines)
			}
		}
	})
}

func TestWhatAForeignNotebookCostsIsBounded(t *testing.T) {
	made, err := Parse(encoded(t, strings.Repeat("%a\n", 5000), "%b"))
	require.NoError(t, err)
	require.Len(t, made.Commands, maxCommands)
	var before, after runtime.MemStats
	data := []byte(`{"nbformat":4,"cells":[{"cell_type":"code","source":"` + strings.Repeat(`%\n`, maxCode/2) + `"}]}`)
	runtime.ReadMemStats(&before)
	_, err = Parse(data)
	require.NoError(t, err)
	runtime.ReadMemStats(&after)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(60*maxCode), "a command that is not told costs no more than its line")
	_, err = Parse(encoded(t, strings.Repeat("x\n", maxCode/4), strings.Repeat("x\n", maxCode/4+1)))
	require.ErrorContains(t, err, "cell 3: the code of the cells up to this one has more than 4 MiB")
}

// Most of a notebook is what nobody reads: it must cost no memory, whoever wrote it.
func TestWhatIsNoCodeCostsNoMemory(t *testing.T) {
	const size = 8 << 20
	fill := func(start, each, end string) []byte {
		return []byte(start + strings.Repeat(each, size/len(each)) + end)
	}
	var names strings.Builder
	for index := 0; names.Len() < size; index++ {
		fmt.Fprintf(&names, `"%d":1,`, index)
	}
	for name, data := range map[string][]byte{
		"cells of nothing":     fill(`{"cells":[`, "{},", "{}]}"),
		"outputs of numbers":   fill(`{"nbformat":4,"cells":[{"cell_type":"code","source":"x","outputs":[`, "1,", "1]}]}"),
		"outputs of objects":   fill(`{"nbformat":4,"cells":[{"cell_type":"code","source":"x","outputs":[`, "{},", "{}]}]}"),
		"metadata of names":    []byte(`{"nbformat":4,"cells":[],"metadata":{` + names.String() + `"x":1}}`),
		"a source of no lines": fill(`{"nbformat":4,"cells":[{"cell_type":"code","source":[`, `"",`, `"x"]}]}`),
		"a text of that size":  fill(`{"nbformat":4,"cells":[{"cell_type":"markdown","source":["`, `x`, `"]}]}`),
		"another list":         fill(`{"nbformat":4,"cells":[],"x":[`, "[],", "[]]}"),
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := Parse(data)
			runtime.ReadMemStats(&after)
			if name == "cells of nothing" {
				require.ErrorContains(t, err, "more than 100000 cells")
			} else {
				require.NoError(t, err)
			}
			require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(3*size))
		})
	}
}

func TestNamesThatNobodyLooksForMayBeTwice(t *testing.T) {
	made, err := Parse([]byte(`{"cells":[{"cell_type":"code","source":"x","outputs":[{"a":1,"a":2}]}],"nbformat":4,"metadata":{"a":1,"a":2,"kernelspec":{"language":"Python"},"language_info":{"name":"python"}}}`))
	require.NoError(t, err)
	require.Equal(t, "x\n"+end, string(made.Code))
	_, err = Parse([]byte(`{"cells":[{"cell_type":"code","source":"x","source":"y"}]}`))
	require.ErrorContains(t, err, "twice")
	_, err = Parse([]byte(`{"cells":[]} {}`))
	require.ErrorContains(t, err, "something follows")
	for _, broken := range []string{"", "{", `{"cells":[`, `{"cells":[{]}`, `{"cells":[{"cell_type":"code","source":["x"`, `{"cells":[{"cell_type":"code","source":[}`} {
		_, err = Parse([]byte(broken))
		require.ErrorContains(t, err, "no notebook", broken)
	}
}
