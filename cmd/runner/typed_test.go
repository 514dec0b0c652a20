package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// steps types lines and returns what ran, and the rest that did not.
func typedSteps(lines string) (ran []string, left string) {
	var typed typedStep
	for line := range strings.SplitSeq(strings.TrimSuffix(lines, "\n"), "\n") {
		if typed.add(line, false) {
			ran = append(ran, typed.text())
			typed = typedStep{}
		}
	}
	return ran, typed.text()
}

func TestWhenATypedStepRuns(t *testing.T) {
	const def = "def f():\n  a = 1\n\n  return a\n"
	for typed, want := range map[string][]string{
		// At once.
		"x = 1\n":                          {"x = 1\n"},
		"\n\nx = 1\n":                      {"x = 1\n"},
		"x = 1\n\ny = 2\n":                 {"x = 1\n", "y = 2\n"},
		"await f(); return 1\n":            {"await f(); return 1\n"},
		"s = '('\n":                        {"s = '('\n"},
		"s = 'not closed (\n":              {"s = 'not closed (\n"},
		"s = 'ends in \\\n":                nil,
		"# (\n":                            {"# (\n"},
		"x)(\n":                            {"x)(\n"},
		"x:\n":                             {"x:\n"},
		"d[1:]\n":                          {"d[1:]\n"},
		"if x\n":                           {"if x\n"},
		"match = 1\n":                      {"match = 1\n"},
		"iffy = 1\n":                       {"iffy = 1\n"},
		"  x = 1\n":                        {"  x = 1\n"},
		"s = '\\'('\n":                     {"s = '\\'('\n"},
		"x = 'if a:'  # if a:\n":           {"x = 'if a:'  # if a:\n"},
		"x = f\"{d['if']}\" # [\n":         {"x = f\"{d['if']}\" # [\n"},
		"x = f\"{\"(\"} {d[\"a\"]} {{\"\n": {"x = f\"{\"(\"} {d[\"a\"]} {{\"\n"},
		"x = rf'{f'{'('}'}' + '{('\n":      {"x = rf'{f'{'('}'}' + '{('\n"},
		"x = {'a': '{'}\n":                 {"x = {'a': '{'}\n"},
		"x = f'''{d['(']}\n({'''\n":        {"x = f'''{d['(']}\n({'''\n"},
		// In the middle of something nothing ends it.
		"f(1,\n\n\n\n2)\n":               {"f(1,\n\n\n\n2)\n"},
		"s = \"\"\"a\n\n\n\nb\"\"\"\n":   {"s = \"\"\"a\n\n\n\nb\"\"\"\n"},
		"s = '''it's (\n\n\n'''\n":       {"s = '''it's (\n\n\n'''\n"},
		"x = [ # ]\n\n\n1]\n":            {"x = [ # ]\n\n\n1]\n"},
		"x = 1 + \\\n2\n":                {"x = 1 + \\\n2\n"},
		"x = (\nexit\n)\n":               {"x = (\nexit\n)\n"},
		"f(1,\n":                         nil,
		"def f(\n  a,\n):\n  return a\n": nil,
		// A block ends with two empty lines, or with what does not belong to it.
		def:                                nil,
		def + "\n":                         nil,
		def + "\n\n":                       {def + "\n\n"},
		def + "\n  \n":                     {def + "\n  \n"},
		def + "\nf()\n":                    {def + "\nf()\n"},
		"if x: y\n":                        nil,
		"if x: y\n\n\n":                    {"if x: y\n\n\n"},
		"if x:\n  y\nelse:\n  z\n\n\n":     {"if x:\n  y\nelse:\n  z\n\n\n"},
		"try:\n  y\n\nfinally:\n  z\n\n\n": {"try:\n  y\n\nfinally:\n  z\n\n\n"},
		"match x:\n  case 1:\n    y\n\n\n": {"match x:\n  case 1:\n    y\n\n\n"},
		"@d\ndef f(): # a comment\n  s = '''\nx\n'''\n\n  return s\n\n\n": {"@d\ndef f(): # a comment\n  s = '''\nx\n'''\n\n  return s\n\n\n"},
		"async def f():\n  pass\n# a comment\n\n\n":                       {"async def f():\n  pass\n# a comment\n\n\n"},
		"if x:\n\n\n":  {"if x:\n\n\n"}, // Python says what it lacks
		"def f(): '\\": nil,
	} {
		ran, left := typedSteps(typed)
		require.Equal(t, want, ran, typed)
		if want == nil {
			require.Equal(t, strings.TrimSuffix(typed, "\n")+"\n", left)
		}
	}
}

func TestPastedTextIsOneStepWhateverIsInIt(t *testing.T) {
	var typed typedStep
	for _, line := range []string{"x = 1", "", "", "def f():", "  a = 1", "", "", "  return a", "", "", "y = f()"} {
		require.False(t, typed.add(line, true))
	}
	require.True(t, typed.add("", false))
	require.Contains(t, typed.text(), "y = f()")
	typed = typedStep{}
	require.False(t, typed.add("if x:", true))
	require.True(t, typed.add("  y", false), "its last line stands without its end before the Enter")
	typed = typedStep{}
	require.False(t, typed.add("f(", true))
	require.False(t, typed.add("", false), "Enter ends nothing in the middle of something")
}

func TestExitEndsATypedSession(t *testing.T) {
	for _, typed := range []string{"exit", " exit() ", "quit", "quit()"} {
		require.True(t, isExit(typed), typed)
	}
	require.False(t, isExit("exit(1)"))
}

func FuzzTypedStep(f *testing.F) {
	f.Add("def f():\n  '''\\")
	f.Add("x = (\\\n# ' \"\"\"")
	f.Fuzz(func(t *testing.T, code string) {
		_ = shapeOf(code)
		var typed typedStep
		for line := range strings.SplitSeq(code, "\n") {
			typed.add(line, false)
		}
	})
}

func TestTextsInTextsTakeNoTimeThatDoubles(t *testing.T) {
	open := "x = " + strings.Repeat("f\"{f'{", 200) // was minutes from 15 on
	require.NotEmpty(t, shapeOf(open))
}

// The texts are beginnings of statements, and what CPython 3.13 says of each:
// ast.parse with PyCF_ALLOW_INCOMPLETE_INPUT and PyCF_ALLOW_TOP_LEVEL_AWAIT, and whether its last
// statement has a body.
func TestWhatIsTypedIsSeenAsPythonSeesIt(t *testing.T) {
	text, err := os.ReadFile("testdata/typed.json")
	require.NoError(t, err)
	var judged []struct{ Src, Want string }
	require.NoError(t, json.Unmarshal(text, &judged))
	require.NotEmpty(t, judged)
	for _, each := range judged {
		switch got := shapeOf(each.Src); each.Want {
		case "whole":
			require.Equal(t, whole, got, each.Src)
		case "block":
			require.Equal(t, block, got, each.Src)
		default: // a block, too: of a try that lacks its except
			require.NotEqual(t, whole, got, each.Src)
		}
	}
}
