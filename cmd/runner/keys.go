package main

import (
	"bytes"
	"cmp"
	"os"

	"hotcell/internal/panics"
)

// keys reads what a terminal sends, one line at most at a time, so that what is told of a
// line's end belongs to the line that is read. It makes what the line editor does not know
// into what it knows.
type keys struct {
	from   *os.File
	before func() // is called before keys are waited for

	raw       []byte // come, and not yet handed on
	pasting   bool
	afterCR   bool // of pasted text
	ended     lineEnd
	fromBytes [4096]byte
}

// lineEnd is how the line ended that was read last.
type lineEnd string

const (
	byEnter lineEnd = "enter"
	byPaste lineEnd = "a line's end in pasted text"
	byCtrlC lineEnd = "Ctrl-C"
)

const (
	escape, ctrlC, ctrlD, enter, newline = 0x1b, 0x03, 0x04, '\r', '\n'

	pasteBegin, pasteEnd = "\x1b[200~", "\x1b[201~"
	// clearLine goes to the end of the line, erases it and ends it.
	clearLine = "\x05\x15\r"
	longest   = 8 // bytes that one key becomes
)

// otherKeys are what some terminals send for keys that others send otherwise.
var otherKeys = []struct{ sent, known string }{
	{"\x1b[1~", "\x01"}, {"\x1b[7~", "\x01"}, {"\x1bOH", "\x01"},
	{"\x1b[4~", "\x05"}, {"\x1b[8~", "\x05"}, {"\x1bOF", "\x05"},
	{"\x1bOA", "\x1b[A"}, {"\x1bOB", "\x1b[B"}, {"\x1bOC", "\x1b[C"}, {"\x1bOD", "\x1b[D"},
	{"\x1b[1;5C", "\x1b[1;3C"}, {"\x1b[1;5D", "\x1b[1;3D"}, {"\x1bf", "\x1b[1;3C"}, {"\x1bb", "\x1b[1;3D"},
}

// Read implements io.Reader. The line editor cannot go on after a panic in it, not even to
// one's end.
func (k *keys) Read(into []byte) (count int, err error) {
	broken := panics.Catch("reading keys", func() error {
		count, err = k.read(into)
		return nil
	})
	return count, cmp.Or(broken, err)
}

func (k *keys) read(into []byte) (int, error) {
	for {
		if taken := k.take(len(into) - longest); len(taken) > 0 {
			return copy(into, taken), nil
		}
		k.before()
		count, err := k.from.Read(k.fromBytes[:])
		if err != nil {
			return 0, err
		}
		k.raw = append(k.raw, k.fromBytes[:count]...)
	}
}

// take takes what has come up to the end of a line, at least one key of it, and about most bytes.
func (k *keys) take(most int) []byte {
	var taken []byte
	for ended := false; len(k.raw) > 0 && !ended && (len(taken) < most || len(taken) == 0); {
		var next []byte
		if k.pasting {
			next, ended = k.pasted()
		} else {
			next, ended = k.typed()
		}
		if next == nil {
			break // the rest of a mark has not come yet
		}
		taken = append(taken, next...)
	}
	return taken
}

// pasted takes one byte of pasted text, or its end; nil is that it has not come yet. Of the
// control characters only tabs and the ends of lines are text.
func (k *keys) pasted() (next []byte, ended bool) {
	first := k.raw[0]
	after := k.afterCR
	k.afterCR = first == enter
	switch {
	case bytes.HasPrefix(k.raw, []byte(pasteEnd)):
		k.pasting = false
		return k.cut(len(pasteEnd), pasteEnd), false
	case bytes.HasPrefix([]byte(pasteEnd), k.raw):
		return nil, false
	case first == newline && after:
		return k.cut(1, ""), false
	case first == newline, first == enter:
		k.ended = byPaste
		return k.cut(1, "\r"), true
	case first < ' ' && first != '\t', first == 0x7f:
		return k.cut(1, ""), false
	}
	return k.cut(1, string(k.raw[:1])), false
}

// typed takes one key.
func (k *keys) typed() (next []byte, ended bool) {
	switch first := k.raw[0]; {
	case first == ctrlC:
		k.ended = byCtrlC
		return k.cut(1, clearLine), true
	case first == enter, first == newline:
		k.ended = byEnter
		return k.cut(1, "\r"), true
	case first == ctrlD: // may be an end, too
		return k.cut(1, "\x04"), true
	case first != escape:
		return k.cut(1, string(k.raw[:1])), false
	case bytes.HasPrefix(k.raw, []byte(pasteBegin)):
		k.pasting = true
		return k.cut(len(pasteBegin), pasteBegin), false
	}
	for _, key := range otherKeys {
		if bytes.HasPrefix(k.raw, []byte(key.sent)) {
			return k.cut(len(key.sent), key.known), false
		}
	}
	if len(k.raw) > 2 && k.raw[1] == 'O' {
		return k.cut(3, ""), false
	}
	if len(k.raw) > 2 && k.raw[1] == '[' {
		return k.sequence(), false
	}
	return k.cut(1, ""), false // Escape, of which the editor would make the beginning of a key
}

// sequence takes a whole one: the editor would take the text behind one without an end for
// its rest.
func (k *keys) sequence() []byte {
	for end := 2; end < len(k.raw); end++ {
		switch one := k.raw[end]; {
		case one >= 0x40 && one <= 0x7e && end < longest:
			return k.cut(end+1, string(k.raw[:end+1]))
		case one >= 0x40 && one <= 0x7e, one < ' ', one > 0x7e:
			return k.cut(end, "")
		}
	}
	return k.cut(len(k.raw), "")
}

// cut takes count bytes away and returns what stands for them, which is not nil.
func (k *keys) cut(count int, known string) []byte {
	next := append([]byte{}, known...)
	k.raw = k.raw[count:]
	return next
}
