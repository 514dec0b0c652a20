package mcpserver

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// clean makes hostile text show what it is. What sets colours or moves a cursor is taken out,
// and every other character that shows nothing, or changes how others are shown, stands as
// <U+202E>: bidirectional ones by which a line reads otherwise than it is (CVE-2021-42574),
// and tags and selectors that carry a text which only a model sees.
func clean(text string) string {
	plain := plainPrefix(text)
	if plain == len(text) {
		return text
	}
	var cleaned strings.Builder
	cleaned.Grow(len(text))
	for len(text) > 0 {
		shown, width := text[:plain], plain
		if plain == 0 {
			shown, width = next(text)
		}
		cleaned.WriteString(shown)
		text = text[width:]
		plain = plainPrefix(text)
	}
	return cleaned.String()
}

// isClean is whether a text is what clean makes of it.
func isClean(text string) bool {
	for len(text) > 0 {
		width := plainPrefix(text)
		if width == 0 {
			var shown string
			if shown, width = next(text); shown != text[:width] {
				return false
			}
		}
		text = text[width:]
	}
	return true
}

// plainPrefix is how many bytes at the beginning of a text are ASCII that is shown as it is, of which
// most texts consist: it is what makes a megabyte take milliseconds.
func plainPrefix(text string) int {
	for at := range len(text) {
		if c := text[at]; (c < ' ' || c > '~') && c != '\n' && c != '\t' {
			return at
		}
	}
	return len(text)
}

// next is how the beginning of a text is shown, and how many bytes that takes of it.
func next(text string) (shown string, width int) {
	r, width := utf8.DecodeRuneInString(text)
	switch {
	case r == '\x1b' && controlSequence(text[1:]) > 0:
		return "", 1 + controlSequence(text[1:])
	case r == '\r':
		return "\n", len(text) - len(strings.TrimPrefix(text[1:], "\n"))
	case r == '\n' || r == '\t':
		return text[:width], width
	case r == utf8.RuneError && width == 1:
		return string(utf8.RuneError), width
	case unicode.Is(unicode.Zs, r):
		return " ", width
	case invisible(r):
		return named(r), width
	default:
		return text[:width], width
	}
}

// named is a character as its number, as %U has it: fmt takes most of the time for a hostile text.
func named(r rune) string {
	digits := strings.ToUpper(strconv.FormatUint(uint64(r), 16))
	return "<U+" + "0000"[min(4, len(digits)):] + digits + ">"
}

const blankBraille = '\u2800'

func invisible(r rune) bool {
	return !unicode.IsPrint(r) || r == blankBraille || unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// maxSequence bounds a control sequence: those that terminals know are much shorter.
const maxSequence = 64

// controlSequence is the length of what follows an ESC as ECMA-48 has it ("[1;31m"), or 0. What
// carries a text of its own (OSC, DCS) is none: that text would be hidden.
func controlSequence(text string) int {
	if !strings.HasPrefix(text, "[") {
		return 0
	}
	for at := 1; at < min(len(text), maxSequence); at++ {
		switch c := text[at]; {
		case c >= 0x40 && c <= 0x7e:
			return at + 1
		case c < 0x20 || c > 0x3f:
			return 0
		}
	}
	return 0
}

// cost is how many bytes a character takes within a string of JSON.
func cost(r rune) int {
	switch r {
	case '"', '\\', '\n', '\t':
		return 2
	default:
		return utf8.RuneLen(r)
	}
}

func costs(text string) (bytes int) {
	for _, r := range text {
		bytes += cost(r)
	}
	return bytes
}

// cutNote stands where the middle of a text is left out.
const cutNote = "\n[... %d bytes left out ...]\n"

// maxNote is the length of a cutNote within JSON, with a number of 12 digits.
const maxNote = len(cutNote) + 12

// cut leaves the middle of a clean text out, so that the rest takes at most so many bytes
// within JSON. left is how many bytes of it are not there.
func cut(text string, most int) (shown string, left int) {
	if costs(text) <= most {
		return text, 0
	}
	half := max(0, most-maxNote) / 2
	head, tail := prefix(text, half), suffix(text, half)
	left = len(text) - len(head) - len(tail)
	return head + fmt.Sprintf(cutNote, left) + tail, left
}

func prefix(text string, most int) string {
	for at, r := range text {
		if most -= cost(r); most < 0 {
			return text[:at]
		}
	}
	return text
}

func suffix(text string, most int) string {
	at := len(text)
	for at > 0 {
		r, width := utf8.DecodeLastRuneInString(text[:at])
		if most -= cost(r); most < 0 {
			break
		}
		at -= width
	}
	return text[at:]
}

// short is a clean name or sentence, of at most so many bytes.
func short(text string, most int) string {
	text = clean(prefix(text, most))
	return prefix(text, most)
}
