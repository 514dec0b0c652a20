package main

import (
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"hotcell/internal/runner"
)

// isTerminal tells whether somebody looks at w.
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

// progress is a spinner on standard error with the phase beside it. Without a
// terminal it is silent.
type progress struct {
	mu   sync.Mutex
	bar  *progressbar.ProgressBar
	stop chan struct{}
	done sync.WaitGroup
}

func newProgress(w io.Writer) *progress {
	p := &progress{stop: make(chan struct{})}
	if !isTerminal(w) {
		return p
	}
	p.bar = progressbar.NewOptions(-1, progressbar.OptionSetWriter(w), progressbar.OptionSpinnerType(14),
		progressbar.OptionClearOnFinish(), progressbar.OptionSetElapsedTime(true))
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
			p.draw(func() error { return p.bar.Add(1) })
		}
	}
}

// draw keeps spinner and output apart. What the spinner cannot draw is no fault
// of the run.
func (p *progress) draw(step func() error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	_ = step()
}

func (p *progress) phase(phase runner.Phase) {
	if p.bar != nil {
		p.draw(func() error { p.bar.Describe(string(phase)); return nil })
	}
}

// close removes the spinner. Idempotent.
func (p *progress) close() {
	if p.bar == nil {
		return
	}
	close(p.stop)
	p.done.Wait()
	p.draw(p.bar.Finish)
	p.bar = nil
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
		text = []byte(printable(string(chunk)))
	}
	var err error
	s.progress.draw(func() error {
		if s.progress.bar != nil {
			_ = s.progress.bar.Clear()
		}
		_, err = s.to.Write(text)
		return nil
	})
	return len(chunk), err
}
