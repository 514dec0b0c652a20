package main

import (
	"bufio"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAnEmptyLineEndsAStepUnlessItIsInTheMiddleOfSomething(t *testing.T) {
	for typed, want := range map[string]string{
		"x = 1\n\ny = 2\n\n":           "x = 1\n",
		"f(1,\n\n2)\n\nlater\n":        "f(1,\n\n2)\n",
		"s = \"\"\"a\n\n\nb\"\"\"\n\n": "s = \"\"\"a\n\n\nb\"\"\"\n",
		"s = '''it's (\n\n'''\n\n":     "s = '''it's (\n\n'''\n",
		"s = '('\n\n":                  "s = '('\n",
		"s = 'not closed (\n\n":        "s = 'not closed (\n",
		"# (\n\n":                      "# (\n",
		"x = [ # ]\n\n1]\n\n":          "x = [ # ]\n\n1]\n",
		"s = '\\'('\n\n":               "s = '\\'('\n",
		"x)(\n\n":                      "x)(\n",
		"\n\nif x:\n  y\n\n":           "if x:\n  y\n",
		"f(1,\n":                       "f(1,\n", // the end of the input
	} {
		var shown strings.Builder
		a := &app{stderr: &shown}
		next := a.readTyped(bufio.NewReader(strings.NewReader(typed)))
		require.NoError(t, next.err, typed)
		require.Equal(t, want, next.code, typed)
	}
}

func TestExitEndsATypedSession(t *testing.T) {
	for _, typed := range []string{"exit\n", "exit()\n", "\nquit\n", "quit()"} {
		a := &app{stderr: io.Discard}
		require.ErrorIs(t, a.readTyped(bufio.NewReader(strings.NewReader(typed))).err, io.EOF, typed)
	}
	a := &app{stderr: io.Discard}
	next := a.readTyped(bufio.NewReader(strings.NewReader("x = (\nexit\n)\n\n")))
	require.NoError(t, next.err)
	require.Equal(t, "x = (\nexit\n)\n", next.code)
}
