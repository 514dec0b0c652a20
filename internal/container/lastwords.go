package container

import (
	"fmt"
	"io"
	"strings"
	"sync"
)

// LastWords keeps the end of what a guard prints while it prepares. That is from before any
// code: the interpreter's words and the guard's, and yet hostile, for it may have read data.
// Its methods may be called concurrently.
type LastWords struct {
	mu   sync.Mutex
	last []byte
}

// maxLastWords is enough for the last lines of a traceback.
const maxLastWords = 4096

// Write implements io.Writer. It never fails.
func (w *LastWords) Write(content []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.last = append(w.last, content[max(0, len(content)-maxLastWords):]...)
	w.last = w.last[max(0, len(w.last)-maxLastWords):]
	return len(content), nil
}

// Text is what was kept, without white space around it.
func (w *LastWords) Text() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return strings.TrimSpace(string(w.last))
}

// Explain adds them to an error, quoted.
func (w *LastWords) Explain(err error) error {
	if words := w.Text(); err != nil && words != "" {
		return fmt.Errorf("%w: it printed %.400q", err, words)
	}
	return err
}

// Kept has the end of what a guard prints while it prepares, and hands on what comes later.
type Kept struct {
	LastWords
	mu sync.Mutex
	to io.Writer // nil before the run
}

// Write implements io.Writer.
func (k *Kept) Write(content []byte) (int, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.to != nil {
		return k.to.Write(content)
	}
	return k.LastWords.Write(content)
}

// HandOver has what comes from now on go to a run's owner.
func (k *Kept) HandOver(to io.Writer) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.to = to
}
