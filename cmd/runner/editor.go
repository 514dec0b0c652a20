package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/term"

	"hotcell/internal/runner"
)

// editor is where somebody types the steps of a session. While a step runs the terminal is
// as it was found, so that Ctrl-C is a signal.
type editor struct {
	keys     *keys
	out      *os.File
	terminal *term.Terminal
	turns    chan struct{} // one for each step that may be typed
	form     func(ctx context.Context, text []byte) runner.Form

	mu     sync.Mutex
	before *term.State // of the terminal, while a line is edited; else nil
	left   bool        // nothing is edited any more
}

const (
	firstPrompt, nextPrompt = ">>> ", "... "
	// Bracketed paste: the terminal says where pasted text begins and ends.
	pasteOn, pasteOff = "\x1b[?2004h", "\x1b[?2004l"
	// maxTypedLine is where the terminal's line is full: what is typed behind it is lost.
	maxTypedLine = 4096
	tabWidth     = 4
)

// newEditor makes one that asks form what a text is, once for each line at most.
func newEditor(in, out *os.File, form func(ctx context.Context, text []byte) runner.Form) *editor {
	e := &editor{keys: &keys{from: in}, out: out, turns: make(chan struct{}, 1), form: form}
	e.keys.before = e.resize
	e.renew(&lines{})
	return e
}

// renew makes the line editor, also after an end of the input, which it does not forget.
func (e *editor) renew(history term.History) {
	e.terminal = term.NewTerminal(screen{e.keys, e.out}, firstPrompt)
	e.terminal.History = history
	e.terminal.AutoCompleteCallback = indented
}

// ask lets one step be typed.
func (e *editor) ask() { e.turns <- struct{}{} }

// leave ends the editing for good, on whatever way, and puts the cursor behind it.
func (e *editor) leave() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.left = true
	if e.restore() {
		fmt.Fprintln(e.out)
	}
}

// begin has the terminal send each key.
func (e *editor) begin() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.left {
		return io.EOF
	}
	before, err := term.MakeRaw(int(e.keys.from.Fd()))
	if err != nil {
		return errors.Join(io.EOF, fmt.Errorf("prepare the terminal: %w", err))
	}
	e.before = before
	_, _ = io.WriteString(e.out, pasteOn) // reading tells that the terminal is gone
	return nil
}

func (e *editor) end() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.restore()
}

// restore makes the terminal what it was, and reports whether it was not. mu is held.
func (e *editor) restore() bool {
	if e.before == nil {
		return false
	}
	_, _ = io.WriteString(e.out, pasteOff)
	_ = term.Restore(int(e.keys.from.Fd()), e.before)
	e.before = nil
	return true
}

// resize is called whenever keys are waited for: the window may have changed its size.
func (e *editor) resize() {
	if width, height, err := term.GetSize(int(e.out.Fd())); err == nil && width > 0 && height > 0 {
		_ = e.terminal.SetSize(width, height)
	}
}

// read waits for its turn, and reads one step.
func (e *editor) read(ctx context.Context) received {
	select {
	case <-e.turns:
	case <-ctx.Done():
		return received{err: io.EOF}
	}
	if err := e.begin(); err != nil {
		return received{err: err}
	}
	defer e.end()
	var typed typedStep
	for {
		e.terminal.SetPrompt(typed.prompt())
		line, err := e.terminal.ReadLine()
		switch {
		case errors.Is(err, io.EOF): // Ctrl-D behind something ends that, and not the session
			_, _ = io.WriteString(e.out, "\r\n")
			e.renew(e.terminal.History)
			if typed.empty() {
				return received{err: err}
			}
			return received{code: typed.text()}
		case err != nil && !errors.Is(err, term.ErrPasteIndicator):
			return received{err: errors.Join(io.EOF, fmt.Errorf("read from the terminal: %w", err))}
		case e.keys.ended == byCtrlC:
			typed = typedStep{}
		case utf8.RuneCountInString(line) >= maxTypedLine || typed.code.Len()+len(line) > maxScript:
			return received{err: fmt.Errorf("a typed line may have %d characters and a step %d bytes: send longer ones as lines of JSON, not from a terminal", maxTypedLine-1, maxScript)}
		case typed.empty() && e.keys.ended == byEnter && isExit(line):
			return received{err: io.EOF}
		case typed.add(line, e.keys.ended == byPaste, func(text []byte) runner.Form { return e.form(ctx, text) }):
			return received{code: typed.text()}
		}
	}
}

// screen shows what is typed. Of what was pasted, characters that would drive a terminal are
// shown as others; the keys' own are gone by then. What is typed remains as it is.
type screen struct {
	io.Reader
	out io.Writer
}

// Write implements io.Writer.
func (s screen) Write(chunk []byte) (int, error) {
	shown := strings.Map(func(r rune) rune {
		switch {
		case r == '\t':
			return ' ' // one column, as the editor counts it
		case r >= ' ' && !unicode.IsPrint(r):
			return '?'
		}
		return r
	}, string(chunk))
	if _, err := io.WriteString(s.out, shown); err != nil {
		return 0, err
	}
	return len(chunk), nil
}

// indented makes a tab spaces up to the next column that a block may begin at.
func indented(line string, at int, key rune) (after string, then int, changed bool) {
	if key != '\t' {
		return "", 0, false
	}
	blank := strings.Repeat(" ", tabWidth-utf8.RuneCountInString(line[:at])%tabWidth)
	return line[:at] + blank + line[at:], at + len(blank), true
}

// lines are those typed before, the newest last. It is the editor's history.
type lines struct{ typed []string }

// maxLines is how many are kept.
const maxLines = 1000

// Add implements term.History.
func (l *lines) Add(line string) {
	if strings.TrimSpace(line) == "" || len(l.typed) > 0 && l.typed[len(l.typed)-1] == line {
		return
	}
	l.typed = append(l.typed, line)
	l.typed = l.typed[max(0, len(l.typed)-maxLines):]
}

// Len implements term.History.
func (l *lines) Len() int { return len(l.typed) }

// At implements term.History.
func (l *lines) At(index int) string { return l.typed[len(l.typed)-1-index] }
