package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/runner"
	"hotcell/internal/wire"
)

// says answers each question with the next of these forms; "" is no answer.
func says(forms ...runner.Form) func([]byte) runner.Form {
	return func([]byte) runner.Form {
		next := forms[0]
		forms = forms[1:]
		return next
	}
}

// typedSteps types lines and returns what ran, and the rest that did not.
func typedSteps(lines string, form func([]byte) runner.Form) (ran []string, left string) {
	var typed typedStep
	for line := range strings.SplitSeq(strings.TrimSuffix(lines, "\n"), "\n") {
		if typed.add(line, false, form) {
			ran = append(ran, typed.text())
			typed = typedStep{}
		}
	}
	return ran, typed.text()
}

func TestWhenATypedStepRuns(t *testing.T) {
	const open, head, block, whole, invalid, unknown = wire.FormOpen, wire.FormHead, wire.FormBlock, wire.FormWhole, wire.FormInvalid, runner.FormUnknown
	for _, test := range []struct {
		typed string
		forms []runner.Form
		want  []string // or nil: it does not
	}{
		// At once.
		{"x = 1\n", []runner.Form{whole}, []string{"x = 1\n"}},
		{"\n\nx = 1\n", []runner.Form{whole}, []string{"x = 1\n"}},
		{"x = 1\n\ny = 2\n", []runner.Form{whole, whole}, []string{"x = 1\n", "y = 2\n"}},
		{"x = = 1\n", []runner.Form{invalid}, []string{"x = = 1\n"}},
		// In the middle of something nothing ends it.
		{"f(1,\n\n\n\n2)\n", []runner.Form{open, open, open, open, whole}, []string{"f(1,\n\n\n\n2)\n"}},
		{"f(1,\n", []runner.Form{open}, nil},
		// A block ends with two empty lines, or with what does not belong to it.
		{"if x:\n  y\n", []runner.Form{head, block}, nil},
		{"if x:\n  y\n\n", []runner.Form{head, block, block}, nil},
		{"if x:\n  y\n\n\n", []runner.Form{head, block, block, block}, []string{"if x:\n  y\n\n\n"}},
		{"if x:\n  y\n\n  z\n\n", []runner.Form{head, block, block, block, block}, nil},
		{"if x:\n  y\n\nf()\n", []runner.Form{head, block, block, whole}, []string{"if x:\n  y\n\nf()\n"}},
		{"if x:\n  y = = 1\n", []runner.Form{head, invalid}, []string{"if x:\n  y = = 1\n"}},
		{"@d\n\n\n", []runner.Form{head, head, head}, []string{"@d\n\n\n"}}, // Python says what it lacks
		// Nobody says anything, or a word that there is not.
		{"x = 1\n", []runner.Form{unknown}, nil},
		{"x = 1\n\n\n", []runner.Form{unknown, unknown, unknown}, []string{"x = 1\n\n\n"}},
		{"x = (\n\n1\n\n\n", []runner.Form{open, unknown, "else", unknown, unknown}, []string{"x = (\n\n1\n\n\n"}},
	} {
		ran, left := typedSteps(test.typed, says(test.forms...))
		require.Equal(t, test.want, ran, test.typed)
		if test.want == nil {
			require.Equal(t, test.typed, left)
		}
	}
}

func TestPastedTextIsOneStepWhateverIsInIt(t *testing.T) {
	var typed typedStep
	for _, line := range []string{"x = 1", "", "", "def f():", "  a = 1", "", "", "  return a", "", "", "y = f()"} {
		require.False(t, typed.add(line, true, nil), "and nobody is asked within it")
	}
	require.True(t, typed.add("", false, says(wire.FormWhole)))
	require.Contains(t, typed.text(), "y = f()")
	typed = typedStep{}
	require.False(t, typed.add("if x:", true, nil))
	require.True(t, typed.add("  y", false, says(wire.FormBlock)), "its last line stands without its end before the Enter")
	typed = typedStep{}
	require.False(t, typed.add("f(", true, nil))
	require.False(t, typed.add("", false, says(wire.FormOpen)), "Enter ends nothing in the middle of something")
	require.True(t, typed.add("", false, says(runner.FormUnknown)), "unless nobody says so")
}

func TestExitEndsATypedSession(t *testing.T) {
	for _, typed := range []string{"exit", " exit() ", "quit", "quit()"} {
		require.True(t, isExit(typed), typed)
	}
	require.False(t, isExit("exit(1)"))
}

// FuzzTypedStep has a guard say anything of anything: the text is what was typed, and two empty
// lines run it unless they are said to be in the middle of something.
func FuzzTypedStep(f *testing.F) {
	forms := []runner.Form{runner.FormUnknown, wire.FormOpen, wire.FormHead, wire.FormBlock, wire.FormWhole, wire.FormInvalid, "else"}
	f.Add("def f():\n  '''\\", []byte{1, 2, 3})
	f.Add("x = (\\\n# ' \"\"\"\n\n\n", []byte{6, 5, 4, 0})
	f.Fuzz(func(t *testing.T, code string, said []byte) {
		var typed typedStep
		all := ""
		for line := range strings.SplitSeq(code, "\n") {
			form := runner.FormUnknown
			if len(said) > 0 {
				form, said = forms[int(said[0])%len(forms)], said[1:]
			}
			if all += line + "\n"; typed.empty() && strings.TrimSpace(line) == "" {
				all = ""
			}
			ran := typed.add(line, false, says(form))
			require.Equal(t, all, typed.text())
			if typed.blank > 1 {
				require.Equal(t, form != wire.FormOpen, ran)
			}
			if ran {
				require.True(t, typed.blank > 1 || slices.Contains([]runner.Form{wire.FormWhole, wire.FormInvalid}, form))
				typed, all = typedStep{}, ""
			}
		}
	})
}
