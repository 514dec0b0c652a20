package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/sync/semaphore"

	"hotcell/internal/engineapi"
)

const (
	// maxStep bounds a line of input: the largest script, with every byte escaped.
	maxStep = 6 * maxScript
	// maxWaiting is how many lines may wait for their turn, maxWaitingBytes how large all of
	// them may be together.
	maxWaiting      = 1024
	maxWaitingBytes = maxStep
	// lastWords is how long lines are waited for that were on their way when the session ended.
	lastWords = 50 * time.Millisecond
)

// received is one step, or why there is none: io.EOF at the end of the input.
type received struct {
	id    json.RawMessage // as its line named it, else the number of the line; nil where nobody wrote JSON
	code  string
	err   error
	bytes int64 // of the line

	timeout   time.Duration   // or 0
	cancel    json.RawMessage // the id of the step that this line cancels, which is no step itself; or nil
	interrupt chan struct{}   // closed when it is to be
}

// stepSource reads steps in the background: nobody can wait for standard input and
// for the session's end at once.
type stepSource struct {
	steps             chan received
	room              *semaphore.Weighted
	ended             bool // nothing comes any more
	known             *running
	cancels           *cancelAnswers
	prompt, endPrompt func() // nothing, unless somebody types
}

// stepSource reads lines of JSON or, from a terminal, what somebody types for session. Its
// goroutine ends with the input, or after ctx with the next line.
func (a *app) stepSource(ctx context.Context, session engineapi.Session) *stepSource {
	source := &stepSource{
		steps: make(chan received, maxWaiting), room: semaphore.NewWeighted(maxWaitingBytes),
		prompt: func() {}, endPrompt: func() {}, known: &running{}, cancels: newCancelAnswers(a.answerCancel),
	}
	if !a.types() {
		go source.fill(ctx, lineReader(bufio.NewReaderSize(a.stdin, 64<<10)))
		return source
	}
	typing := newEditor(a.stdin.(*os.File), a.stderr.(*os.File), session.Form)
	source.steps = make(chan received)
	source.prompt, source.endPrompt = typing.ask, typing.leave
	fmt.Fprintln(a.stderr, typedHelp)
	go source.fill(ctx, func() received { return typing.read(ctx) })
	return source
}

// typedHelp is what somebody who types is told first.
const typedHelp = `runner: a line runs with Enter, a block with two empty lines, pasted text with the Enter behind it
runner: Ctrl-C interrupts the step that runs, or clears what is typed; exit or Ctrl-D ends the session`

// types tells whether somebody types the steps.
func (a *app) types() bool { return a.stdinIsTerminal() && isTerminal(a.stderr) }

// fill reads as long as there is room: who sends more waits.
func (s *stepSource) fill(ctx context.Context, read func() received) {
	for {
		next := read()
		if next.cancel != nil && next.err == nil {
			s.cancels.add(next.cancel, s.known.interrupt(next.cancel))
			continue
		}
		s.known.add(&next)
		if s.room.Acquire(ctx, next.bytes) != nil {
			return
		}
		select {
		case s.steps <- next:
		case <-ctx.Done():
			return
		}
		if errors.Is(next.err, io.EOF) {
			return
		}
	}
}

// taken is told of each step that comes out.
func (s *stepSource) taken(next received) {
	s.room.Release(next.bytes)
	s.ended = errors.Is(next.err, io.EOF)
}

// rest returns what has come and will not be begun, until nothing comes any more.
func (s *stepSource) rest() []received {
	var left []received
	for !s.ended {
		select {
		case next := <-s.steps:
			if s.taken(next); !s.ended {
				left = append(left, received{id: next.id, err: next.err})
			}
		case <-time.After(lastWords):
			return left
		}
	}
	return left
}

// lineReader reads lines of JSON strictly. Empty lines are passed over.
func lineReader(reader *bufio.Reader) func() received {
	number := int64(0)
	return func() received {
		for {
			line, err := readLine(reader, maxStep)
			if errors.Is(err, io.EOF) {
				return received{err: err}
			}
			if err == nil && len(bytes.TrimSpace(line)) == 0 {
				continue
			}
			number++
			next := parseLine(line, number)
			if err != nil {
				next.err = err
			}
			return next
		}
	}
}

// readLine reads a line of at most most bytes; what is longer is read to its end
// and refused, with what came first. The last line need not end.
func readLine(reader *bufio.Reader, most int) ([]byte, error) {
	var line []byte
	tooLong := false
	for {
		part, err := reader.ReadSlice('\n')
		if tooLong = tooLong || len(line)+len(part) > most; !tooLong {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF) && (len(line) > 0 || tooLong), err == nil:
			if tooLong {
				return line[:min(len(line), 64<<10)], fmt.Errorf("the line has more than %d bytes", most)
			}
			return line, nil
		case errors.Is(err, io.EOF):
			return nil, io.EOF
		default:
			return nil, errors.Join(io.EOF, err) // nothing more can be read
		}
	}
}
