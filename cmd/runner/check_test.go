package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/digest"
	"hotcell/internal/job"
	"hotcell/internal/notebook"
	"hotcell/internal/runner"
	"hotcell/internal/strictjson"
)

// Whoever names a file that is checked must not write violations for other files, or
// that this one was accepted.
func TestAViolationIsOneLineWhateverTheFileIsCalled(t *testing.T) {
	for _, path := range []string{
		"a.py\nb.py:1:1: import.denied: forged", "a.py\r\n✓ accepted  b.py", "a.py\v\f\u0085\u2028\u2029b.py:1:1: x: forged", "a\x1b[2Jb.py",
	} {
		var stdout, stderr strings.Builder
		a := &app{stdout: &stdout, stderr: &stderr}
		found := runner.Checked{Violations: []job.Violation{{Rule: "import.denied", Line: 1, Column: 1, Message: "two\r\nlines\u2028or three"}}}
		require.NoError(t, a.violationsText([]checked{{source: source{path: path}, found: found}}))
		require.Len(t, strings.FieldsFunc(stdout.String(), endsLine), 1, stdout.String())
		require.Len(t, strings.FieldsFunc(stderr.String(), endsLine), 3, stderr.String())
	}
}

func endsLine(r rune) bool { return strings.ContainsRune("\n\r\v\f\u0085\u2028\u2029\x1b", r) }

// parsed stands for a guard: what has a line "no Python" is none, and "eval" is not available.
func parsed(code []byte) (runner.Checked, error) {
	var found []job.Violation
	for at, line := range strings.Split(string(code), "\n") {
		switch {
		case strings.Contains(line, "no Python"), strings.HasPrefix(line, "%"):
			return runner.Checked{Violations: []job.Violation{{Rule: "syntax.error", Line: at + 1, Column: 1}}}, nil
		case strings.Contains(line, "eval"):
			found = append(found, job.Violation{Rule: "builtin.denied", Line: at + 1, Column: 1})
		}
	}
	return runner.Checked{Violations: found}, nil
}

// Who names many files chooses neither their sizes nor what is in them.
func TestFilesThatAreVettedAreHeldWithinBounds(t *testing.T) {
	dir := t.TempDir()
	var names []string
	add := func(name string, content []byte, size int64) {
		names = append(names, filepath.Join(dir, name))
		require.NoError(t, os.WriteFile(names[len(names)-1], content, 0o600))
		require.NoError(t, os.Truncate(names[len(names)-1], size))
	}
	outputs := []byte(`{"nbformat":4,"cells":[{"cell_type":"code","source":"x = 1","outputs":["` + strings.Repeat("x", 4<<20) + `"]}]}`)
	for at := range 8 {
		add(fmt.Sprintf("%d.ipynb", at), outputs, int64(len(outputs)))
	}
	a := &app{stderr: io.Discard}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	sources, err := a.readSources(t.Context(), nil, names)
	require.NoError(t, err)
	runtime.GC()
	runtime.ReadMemStats(&after)
	require.Less(t, int64(after.HeapAlloc)-int64(before.HeapAlloc), int64(len(outputs)), "of a notebook its code is held")
	require.Equal(t, len(outputs), sources[7].bytes)
	require.Equal(t, digest.Of(outputs).Hex(), sources[7].sum)

	for at := range maxSources/maxScript + 1 {
		add(fmt.Sprintf("%d.py", at), nil, maxScript)
	}
	add("small.py", []byte("x"), 1)
	sources, err = a.readSources(t.Context(), nil, names)
	require.NoError(t, err)
	held := 0
	for _, one := range sources {
		held += len(one.code)
	}
	require.LessOrEqual(t, held, maxSources)
	require.ErrorContains(t, sources[len(sources)-1].unread, "more than 64 MiB of code: check fewer at a time")
	require.NoError(t, sources[7].unread)
}

func TestWhatIsNoPythonHidesNothingElse(t *testing.T) {
	cells := func(sources ...string) *notebook.Notebook {
		text := make([]map[string]any, len(sources))
		for at, each := range sources {
			text[at] = map[string]any{"cell_type": "code", "source": each}
		}
		data, err := strictjson.Encode(map[string]any{"cells": text, "nbformat": 4})
		require.NoError(t, err)
		made, err := notebook.Parse(data)
		require.NoError(t, err)
		return made
	}
	many := make([]string, 2*mostCells)
	for at := range many {
		many[at] = "no Python"
	}
	for name, test := range map[string]struct {
		script   string
		notebook *notebook.Notebook
		want     []string
	}{
		"a script":                       {"eval", nil, []string{"builtin.denied 0:1"}},
		"one that is no Python":          {"eval\nno Python", nil, []string{"syntax.error 0:2"}},
		"one with a notebook's commands": {"%time\neval", nil, []string{"syntax.error 0:1", "builtin.denied 0:2"}},
		"with both":                      {"%time\neval\nno Python", nil, []string{"syntax.error 0:1", "syntax.error 0:3"}},
		"cells":                          {"", cells("eval\n%time", "no Python\neval", "eval"), []string{"builtin.denied 1:1", "syntax.error 1:2", "syntax.error 2:1", "builtin.denied 3:1"}},
		"more cells than are left out":   {"", cells(many...), nil},
	} {
		t.Run(name, func(t *testing.T) {
			one := source{code: []byte(test.script), notebook: test.notebook}
			if test.notebook != nil {
				one.code = test.notebook.Code
			}
			vetted, err := vetSource(one, parsed)
			require.NoError(t, err)
			require.True(t, vetted.isRejected())
			var got []string
			for _, each := range vetted.violations() {
				got = append(got, fmt.Sprintf("%s %d:%d", each.Rule, each.Cell, each.Line))
			}
			if test.want == nil {
				require.Len(t, got, mostCells+1)
				return
			}
			require.Equal(t, test.want, got)
		})
	}
}
