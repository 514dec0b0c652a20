package main

import (
	"bytes"
	"strings"
)

// isExit tells a line that ends a typed session.
func isExit(line []byte) bool {
	switch string(bytes.TrimSpace(line)) {
	case "exit", "exit()", "quit", "quit()":
		return true
	}
	return false
}

// isOpen tells whether what has been typed is in the middle of brackets, or of a text in triple
// quotes: an empty line is part of it then. Whatever else is wrong with it Python says.
func isOpen(code string) bool {
	depth := 0
	for at := 0; at < len(code); at++ {
		switch code[at] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth < 0 {
				return false // Python will say so
			}
		case '#':
			end := strings.IndexByte(code[at:], '\n')
			if end < 0 {
				return depth > 0
			}
			at += end
		case '"', '\'':
			end, closed := textEnd(code, at)
			if !closed {
				return true
			}
			at = end
		}
	}
	return depth > 0
}

// textEnd finds the last character of the text that begins at a quote. One in single quotes
// ends with its line at the latest: that it is not closed is Python's to say.
func textEnd(code string, at int) (end int, closed bool) {
	quote := code[at : at+1]
	triple := strings.Repeat(quote, 3)
	if strings.HasPrefix(code[at:], triple) {
		quote = triple
	}
	for end = at + len(quote); end < len(code); end++ {
		switch {
		case code[end] == '\\':
			end++
		case strings.HasPrefix(code[end:], quote):
			return end + len(quote) - 1, true
		case code[end] == '\n' && len(quote) == 1:
			return end, true
		}
	}
	return len(code), len(quote) == 1
}
