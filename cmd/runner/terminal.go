package main

import (
	"bytes"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"hotcell/internal/panics"
	"hotcell/internal/runner"
)

// isTerminal reports whether somebody looks at w.
func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// printable writes control, bidirectional and other invisible characters as
// escapes: text from a sandbox must not drive a terminal (CVE-2017-5226 and its
// like began with bytes on a terminal).
func printable(text string) string {
	var safe strings.Builder
	for _, r := range text {
		if r == '\n' || r == '\t' || unicode.IsPrint(r) {
			safe.WriteRune(r)
		} else {
			safe.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
		}
	}
	return safe.String()
}

// inLine is printable text of somebody else's within a line of ours, or a cell of a table:
// whoever names a file, a study or a policy writes no verdict, and no row.
func inLine(text string) string { return printable(onOneLine(text)) }

// onOneLine is inLine for what will be made printable together with a whole answer.
func onOneLine(text string) string { return lineEnds.Replace(text) }

var lineEnds = strings.NewReplacer("\n", `\n`, "\t", `\t`)

// live is printable text of a script as it comes. A carriage return stays one: a progress
// bar draws its line anew by it, and no line but the script's own can be reached with it,
// for what the runner says begins on a line of its own.
func live(text string) string {
	parts := strings.Split(text, "\r")
	for index, part := range parts {
		parts[index] = printable(part)
	}
	return strings.Join(parts, "\r")
}

// progress is a spinner on standard error with the phase beside it. Without a
// terminal it is silent.
type progress struct {
	stop chan struct{}
	done sync.WaitGroup

	mu      sync.Mutex
	bar     *progressbar.ProgressBar // nil without a terminal
	drawn   bool                     // the spinner stands on the line
	midLine bool                     // output stands on the line, not yet ended
}

func newProgress(w io.Writer) *progress {
	p := &progress{stop: make(chan struct{})}
	if !isTerminal(w) {
		return p
	}
	p.bar = progressbar.NewOptions(-1, progressbar.OptionSetWriter(w), progressbar.OptionSpinnerType(14),
		progressbar.OptionSetSpinnerChangeInterval(0), progressbar.OptionSetElapsedTime(true))
	p.done.Go(p.spin)
	return p
}

func (p *progress) spin() {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-p.stop:
			return
		case <-tick.C:
			// The phase may name a tool as the script called it.
			_ = panics.Catch("turning the spinner", func() error { p.tick(); return nil })
		}
	}
}

// tick turns the spinner, unless the script is in the middle of a line. What the
// spinner cannot draw is no fault of the run.
func (p *progress) tick() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bar != nil && !p.midLine {
		_ = p.bar.Add(1)
		p.drawn = true
	}
}

func (p *progress) phase(phase runner.Phase) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bar != nil && !p.midLine {
		p.bar.Describe(string(phase))
		p.drawn = true
	}
}

// close removes the spinner. Idempotent.
func (p *progress) close() {
	p.mu.Lock()
	p.clear()
	running := p.bar != nil
	p.bar = nil
	p.mu.Unlock()
	if running {
		close(p.stop)
		p.done.Wait()
	}
}

// clear takes the spinner off the line. The lock is held.
func (p *progress) clear() {
	if p.drawn {
		_ = p.bar.Clear()
		p.drawn = false
	}
}

// endLine ends the line that the script left open on the terminal, so that what the
// runner says begins on one of its own.
func (p *progress) endLine(w io.Writer) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.midLine && isTerminal(w) {
		// A terminal that is gone is no fault of the run.
		_, _ = io.WriteString(w, "\n")
	}
	p.midLine = false
}

// show returns a writer to w that takes the spinner away first, and makes text
// harmless where w is a terminal.
func (p *progress) show(w io.Writer) io.Writer { return shown{p, w, isTerminal(w)} }

type shown struct {
	progress *progress
	to       io.Writer
	escape   bool
}

// Write implements io.Writer.
func (s shown) Write(chunk []byte) (int, error) {
	text := chunk
	if s.escape {
		text = []byte(live(string(chunk)))
	}
	s.progress.mu.Lock()
	defer s.progress.mu.Unlock()
	s.progress.clear()
	if s.escape && len(text) > 0 { // a file's line is not the terminal's
		s.progress.midLine = !bytes.HasSuffix(text, []byte("\n"))
	}
	_, err := s.to.Write(text)
	return len(chunk), err
}
