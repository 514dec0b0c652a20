package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"hotcell/internal/durable"
	"hotcell/internal/notebook"
)

// maxScript bounds what is read at all. A script that is larger is cut by one byte
// too many, and is then above every policy's limit.
const maxScript = 16 << 20

// readScriptBeside reads the script and adds what is wrong with it to what is wrong
// already. Nobody types a script for flags that are wrong.
func (a *app) readScriptBeside(ctx context.Context, faults error, script string) (code []byte, name string, err error) {
	if faults == nil || script != "-" {
		code, name, err = a.readScript(ctx, script)
	}
	return code, name, errors.Join(faults, err)
}

// readScript reads a file or, for "-", standard input. It ends when ctx does: a
// pipe may never.
func (a *app) readScript(ctx context.Context, script string) (code []byte, name string, err error) {
	source, name := a.stdin, "stdin.py"
	if notebook.Is(script) { // as a script it would be a dict that nobody looks at
		return nil, "", usageError{fmt.Errorf("%s is a notebook: make a script of it with `jupyter nbconvert --to script` (`runner check` reads notebooks)", scriptName(script))}
	}
	if script != "-" {
		file, err := durable.Open(script)
		if err != nil {
			return nil, "", usageError{fmt.Errorf("read script: %w%s", err, withEnding(script, err))}
		}
		defer file.Close()
		source, name = file, scriptName(script)
	} else if isTerminal(a.stderr) && a.stdinIsTerminal() {
		fmt.Fprintln(a.stderr, "runner: reading the script from standard input; end with Ctrl-D")
	}
	code, err = readAll(ctx, source, maxScript)
	if err != nil {
		return nil, "", fmt.Errorf("read script: %w", err)
	}
	return bytes.TrimPrefix(code, []byte("\ufeff")), name, nil // some editors begin each file so, and Python reads past it
}

// withEnding names the script where its ending was left out.
func withEnding(script string, err error) string {
	if info, found := os.Stat(script + ".py"); !errors.Is(err, fs.ErrNotExist) || found != nil || !info.Mode().IsRegular() {
		return ""
	}
	return ": there is " + script + ".py"
}

// readBounded reads a file, and at most one byte more than most.
func readBounded(ctx context.Context, path string, most int64) ([]byte, error) {
	file, err := durable.Open(path)
	if err != nil {
		return nil, usageError{fmt.Errorf("read script: %w", err)}
	}
	defer file.Close()
	data, err := readAll(ctx, file, most)
	if err != nil {
		return nil, fmt.Errorf("read script: %w", err)
	}
	return data, nil
}

// readAll reads at most one byte more than most, so that what is larger shows.
func readAll(ctx context.Context, source io.Reader, most int64) ([]byte, error) {
	type answer struct {
		code []byte
		err  error
	}
	read := make(chan answer, 1)
	go func() {
		code, err := io.ReadAll(io.LimitReader(source, most+1))
		read <- answer{code, err}
	}()
	select {
	case got := <-read:
		if got.err != nil {
			return nil, usageError{got.err}
		}
		return got.code, nil
	case <-ctx.Done():
		return nil, context.Canceled
	}
}

// scriptName is what tracebacks and messages call the script: its base name, with
// "_" for what cannot be printed.
func scriptName(path string) string {
	name := strings.Map(func(r rune) rune {
		if r == utf8.RuneError || !unicode.IsPrint(r) {
			return '_'
		}
		return r
	}, filepath.Base(path))
	const most = 200
	if runes := []rune(name); len(runes) > most {
		name = string(runes[:most])
	}
	return name
}

func (a *app) stdinIsTerminal() bool {
	file, ok := a.stdin.(*os.File)
	return ok && isTerminal(file)
}
