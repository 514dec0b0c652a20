package main

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// isExit tells a line that ends a typed session.
func isExit(line string) bool {
	switch strings.TrimSpace(line) {
	case "exit", "exit()", "quit", "quit()":
		return true
	}
	return false
}

// typedStep is what has been typed of a step.
type typedStep struct {
	code   bytes.Buffer
	blank  int  // empty lines at its end
	pasted bool // some of it was
}

func (t *typedStep) empty() bool  { return t.code.Len() == 0 }
func (t *typedStep) text() string { return t.code.String() }

func (t *typedStep) prompt() string {
	if t.empty() {
		return firstPrompt
	}
	return nextPrompt
}

// add adds a line that was typed, or one of pasted text, and reports whether the step is to run.
// A statement of one line is at once. A block is after two empty lines, for one may be within
// it, or with the first statement behind it that belongs to none. Pasted text is one step,
// whatever is in it, and runs with the Enter behind it.
func (t *typedStep) add(line string, pasted bool) bool {
	empty := strings.TrimSpace(line) == ""
	if t.empty() && empty {
		return false
	}
	t.code.WriteString(line)
	t.code.WriteByte('\n')
	t.pasted = t.pasted || pasted
	if t.blank++; !empty {
		t.blank = 0
	}
	if pasted {
		return false
	}
	switch shapeOf(t.text()) {
	case within:
		return false
	case whole:
		return true
	case block:
		return t.pasted || t.blank > 1
	default: // a head, of which Python will say what it lacks
		return t.blank > 1
	}
}

// shape is whether something can follow that belongs to what has been typed. Whether that is
// right Python says, to the step.
type shape string

const (
	within shape = "in brackets, in a text in triple quotes or behind a backslash"
	head   shape = "a statement that has a block, or a decorator, without what belongs to it"
	block  shape = "a block"
	whole  shape = "a statement without a block"
)

// shapeOf looks at the last of the logical lines.
func shapeOf(code string) shape {
	var last, compound string
	for code != "" {
		end, open := lineEndOf(code)
		if open {
			return within
		}
		line := withoutComment(code[:end])
		code = code[end:]
		if strings.TrimSpace(line) == "" {
			continue
		}
		last = line
		if !isIndented(line) {
			compound = compoundWord(line)
		}
	}
	statement := strings.TrimSpace(last)
	switch {
	case strings.HasPrefix(statement, "@"):
		return head
	case strings.HasSuffix(statement, ":") && compoundWord(statement) != "":
		return head
	case compound != "":
		return block
	default:
		return whole
	}
}

func isIndented(line string) bool {
	return strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t")
}

// compoundWord is the word that a statement with a block begins with, or "" for another one.
func compoundWord(line string) string {
	if !strings.Contains(line, ":") { // Python will say so
		return ""
	}
	end := strings.IndexFunc(line, func(r rune) bool { return r != '_' && (r < 'a' || r > 'z') })
	word := line[:max(end, 0)]
	switch word {
	case "if", "elif", "else", "for", "while", "try", "except", "finally", "with", "def", "class", "async":
		return word
	case "match", "case": // names, too
		if strings.HasSuffix(strings.TrimSpace(line), ":") {
			return word
		}
	}
	return ""
}

// withoutComment cuts the comment behind a logical line, and what is behind another in it.
func withoutComment(line string) string {
	fields := maxFields
	for at := 0; at < len(line); at++ {
		switch line[at] {
		case '#':
			return line[:at]
		case '"', '\'':
			at, _ = textEnd(line, at, &fields)
		}
	}
	return line
}

// lineEndOf finds the end of the first logical line of code that is not empty. It is open in the
// middle of brackets, of a text in triple quotes, and behind a backslash.
func lineEndOf(code string) (end int, open bool) {
	depth, fields := 0, maxFields
	for at := 0; at < len(code); at++ {
		switch code[at] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth-- // below nothing Python will say so
		case '\\':
			at++
			if at+1 >= len(code) {
				return len(code), true
			}
		case '#':
			for at+1 < len(code) && code[at+1] != '\n' {
				at++
			}
		case '"', '\'':
			closing, closed := textEnd(code, at, &fields)
			if !closed {
				return len(code), true
			}
			at = closing
			if at < len(code) && code[at] == '\n' { // Python will say that it is not closed
				at--
			}
		case '\n':
			if depth <= 0 {
				return at + 1, false
			}
		}
	}
	return len(code), depth > 0
}

// textEnd finds the last character of the text that begins at a quote. One in single quotes
// ends with its line, unless a backslash is there: that it is not closed is Python's to say.
// fields is how many may still be looked into.
func textEnd(code string, at int, fields *int) (end int, closed bool) {
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
		case code[end] == '{' && *fields > 0 && isFormatted(code[:at]):
			*fields--
			end = fieldEnd(code, end, fields)
		case code[end] == '\n' && len(quote) == 1:
			return end, true
		}
	}
	return len(code), false
}

// maxFields bounds the fields of one logical line that are looked into: one that is not closed
// is read again as text, so that the work would double with each.
const maxFields = 500

// isFormatted tells whether the quote behind this is that of a text with fields.
func isFormatted(before string) bool {
	word := before[strings.LastIndexFunc(before, func(r rune) bool { return !isWord(r) })+1:]
	return word != "" && len(word) <= 2 && strings.ContainsAny(word, "fFtT") && strings.Trim(word, "fFtTrR") == ""
}

func isWord(r rune) bool {
	return r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= utf8.RuneSelf
}

// fieldEnd finds the brace that closes a field, whose code may have the text's own quotes. It
// returns that of the opening brace where there is none in this line, and the second of two.
func fieldEnd(code string, at int, fields *int) int {
	if strings.HasPrefix(code[at:], "{{") {
		return at + 1
	}
	depth := 0
	for end := at; end < len(code) && code[end] != '\n'; end++ {
		switch code[end] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				return end
			}
		case '"', '\'':
			closing, closed := textEnd(code, end, fields)
			if !closed || code[closing] == '\n' {
				return at
			}
			end = closing
		}
	}
	return at
}
