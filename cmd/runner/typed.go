package main

import (
	"bytes"
	"strings"

	"hotcell/internal/runner"
	"hotcell/internal/wire"
)

// isExit tells a line that ends a typed session.
func isExit(line string) bool {
	switch strings.TrimSpace(line) {
	case "exit", "exit()", "quit", "quit()":
		return true
	}
	return false
}

// typedStep is what has been typed of a step.
type typedStep struct {
	code   bytes.Buffer
	blank  int  // empty lines at its end
	pasted bool // some of it was
}

func (t *typedStep) empty() bool  { return t.code.Len() == 0 }
func (t *typedStep) text() string { return t.code.String() }

func (t *typedStep) prompt() string {
	if t.empty() {
		return firstPrompt
	}
	return nextPrompt
}

// add adds a line that was typed, or one of pasted text, and reports whether the step is to run,
// which hangs on what the session's Python says of the text: a statement is run at once; a block
// after two empty lines, for one may be within it, or with the first statement behind it
// that belongs to none; what lacks something in the middle is not, whatever is empty. Where
// nobody says anything, two empty lines run what is there. Pasted text is one step,
// whatever is in it, and runs with the Enter behind it.
func (t *typedStep) add(line string, pasted bool, form func(text []byte) runner.Form) bool {
	empty := strings.TrimSpace(line) == ""
	if t.empty() && empty {
		return false
	}
	t.code.WriteString(line)
	t.code.WriteByte('\n')
	t.pasted = t.pasted || pasted
	if t.blank++; !empty {
		t.blank = 0
	}
	if pasted {
		return false
	}
	switch form(t.code.Bytes()) {
	case wire.FormOpen:
		return false
	case wire.FormWhole, wire.FormInvalid: // of which Python will say what is wrong
		return true
	case wire.FormHead: // of which Python will say what it lacks
		return t.blank > 1
	default:
		return t.pasted || t.blank > 1
	}
}
