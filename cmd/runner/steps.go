package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"hotcell/internal/strictjson"
)

// maxStep bounds a line of input: the largest script, with every byte escaped.
const maxStep = 6 * maxScript

// received is one step, or why there is none: io.EOF at the end of the input.
type received struct {
	step step
	err  error
}

// stepSource reads steps in the background: nobody can wait for standard input and
// for the session's end at once.
type stepSource struct {
	steps             chan received
	prompt, endPrompt func() // nothing, unless somebody types
}

// stepSource reads lines of JSON or, from a terminal, what somebody types. Its
// goroutine ends with the input, or after stop with the next line.
func (a *app) stepSource(stop <-chan struct{}) stepSource {
	reader := bufio.NewReaderSize(a.stdin, 64<<10)
	source := stepSource{steps: make(chan received), prompt: func() {}, endPrompt: func() {}}
	read := readStep
	if a.stdinIsTerminal() && isTerminal(a.stderr) {
		read = a.readTyped
		source.prompt = func() { fmt.Fprint(a.stderr, ">>> ") }
		source.endPrompt = func() { fmt.Fprintln(a.stderr) }
		fmt.Fprintln(a.stderr, "runner: type a step and end it with an empty line; end the session with Ctrl-D")
	}
	go func() {
		for {
			step, err := read(reader)
			select {
			case source.steps <- received{step, err}:
			case <-stop:
				return
			}
			if errors.Is(err, io.EOF) {
				return
			}
		}
	}()
	return source
}

// readStep reads one line of JSON strictly. Empty lines are passed over.
func readStep(reader *bufio.Reader) (step, error) {
	for {
		line, err := readLine(reader, maxStep)
		if err != nil {
			return step{}, err
		}
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var next step
		if err := strictjson.Decode(line, maxStep, &next); err != nil {
			return step{}, fmt.Errorf(`want one line such as {"code": "print(1)", "id": "a"}: %w`, err)
		}
		if next.Code == "" {
			return step{}, errors.New(`the line has no code: want one such as {"code": "print(1)"}`)
		}
		return next, nil
	}
}

// readLine reads a line of at most most bytes; what is longer is read to its end
// and refused. The last line need not end.
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
				return nil, fmt.Errorf("the line has more than %d bytes", most)
			}
			return line, nil
		case errors.Is(err, io.EOF):
			return nil, io.EOF
		default:
			return nil, errors.Join(io.EOF, err) // nothing more can be read
		}
	}
}

// readTyped collects lines up to an empty one.
func (a *app) readTyped(reader *bufio.Reader) (step, error) {
	var code strings.Builder
	for {
		line, err := readLine(reader, maxStep)
		if errors.Is(err, io.EOF) && code.Len() > 0 {
			return step{Code: code.String()}, nil
		}
		if err != nil {
			return step{}, err
		}
		if len(bytes.TrimSpace(line)) == 0 && code.Len() > 0 {
			return step{Code: code.String()}, nil
		}
		if len(bytes.TrimSpace(line)) > 0 {
			code.Write(line)
		}
		if code.Len() > maxStep {
			return step{}, fmt.Errorf("the step has more than %d bytes", maxStep)
		}
		fmt.Fprint(a.stderr, "... ")
	}
}
