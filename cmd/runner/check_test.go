package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/job"
	"hotcell/internal/runner"
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
