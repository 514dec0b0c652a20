package main

import (
	"io"
	"slices"
	"unicode/utf8"

	"github.com/spf13/cobra"
)

// cleaned writes what printable leaves of a text: whatever stands in a file of the state, which
// somebody may have changed, drives no terminal. A rune may come in parts.
type cleaned struct {
	to   io.Writer
	left []byte
}

// Write implements io.Writer.
func (c *cleaned) Write(text []byte) (int, error) {
	all := slices.Concat(c.left, text)
	whole := len(all)
	for back := 1; back < utf8.UTFMax && back <= len(all); back++ {
		if begin := len(all) - back; utf8.RuneStart(all[begin]) {
			if !utf8.FullRune(all[begin:]) {
				whole = begin
			}
			break
		}
	}
	c.left = append([]byte{}, all[whole:]...)
	if _, err := io.WriteString(c.to, printable(string(all[:whole]))); err != nil {
		return 0, err
	}
	return len(text), nil
}

// showsState tells the commands that print what the state holds, and no script's own output.
func showsState(command *cobra.Command) bool {
	for ; command.HasParent(); command = command.Parent() {
		switch command.Name() {
		case "records", "quarantine", "gc", "bundle", "image", "doctor":
			return true
		}
	}
	return false
}
