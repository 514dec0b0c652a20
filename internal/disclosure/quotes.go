package disclosure

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// quotes finds texts in quotes, as Python, JSON and CSV write them: what stands in them is one
// value, whatever separates values elsewhere.
type quotes struct {
	line string
	none [2]bool // of ' and of ": what is left of the line closes none
}

// behind is the place behind a quoted text that begins at a place, or 0 where none does.
func (q *quotes) behind(at int) int {
	quote := q.line[at]
	if quote != '\'' && quote != '"' || at > 0 && !opens(q.line[at-1]) {
		return 0
	}
	none := &q.none[0]
	if quote == '"' {
		none = &q.none[1]
	}
	for end := at + 1; end < len(q.line) && !*none; end++ {
		switch {
		case q.line[end] == '\\':
			end++
		case q.line[end] != quote:
		case strings.HasPrefix(q.line[end+1:], string(quote)): // CSV writes a quote twice
			end++
		case !inWord(q.line[end+1:]):
			return end + 1
		}
	}
	*none = true
	return 0
}

// opens tells what may stand before a quote that opens: not a word, whose apostrophe it is.
func opens(before byte) bool { return strings.IndexByte(" \t,;|/:=([{<\\'\"", before) >= 0 }

func inWord(rest string) bool {
	r, _ := utf8.DecodeRuneInString(rest)
	return rest != "" && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// outside splits a line where between says so, but not in quotes. It hands out the pieces as
// they stand, and their places.
func outside(line string, between func(line string, at int) bool) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		q, start := quotes{line: line}, 0
		for at := 0; at < len(line); {
			if end := q.behind(at); end > 0 {
				at = end
				continue
			}
			if between(line, at) {
				if !yield(start, line[start:at]) {
					return
				}
				start = at + 1
			}
			at++
		}
		yield(start, line[start:])
	}
}

// any of some bytes separates.
func anyOf(signs string) func(line string, at int) bool {
	return func(line string, at int) bool { return strings.IndexByte(signs, line[at]) >= 0 }
}

// unquoted is what stands in quotes, where they are around all of a text.
func unquoted(text string) (content string, ok bool) {
	if len(text) < 2 {
		return text, false
	}
	q := quotes{line: text}
	if q.behind(0) != len(text) {
		return text, false
	}
	content = text[1 : len(text)-1]
	if strings.Contains(content, `\`) {
		return unslashed.Replace(content), true
	}
	return strings.ReplaceAll(content, text[:1]+text[:1], text[:1]), true
}

// unslashed are the escapes that all have. Those of letters are undone before (see unescaped).
var unslashed = strings.NewReplacer(`\\`, `\`, `\'`, `'`, `\"`, `"`, `\/`, `/`, `\n`, "\n", `\t`, "\t", `\r`, "\r")

// bare is a cell without blanks and quotes around it. A quote of which the other one is in
// another cell is of neither.
func bare(cell string) string {
	cell = strings.Trim(cell, " \t")
	content, whole := unquoted(cell)
	if whole {
		return content
	}
	for _, quote := range []string{"'", `"`} {
		if strings.Count(cell, quote)%2 == 1 {
			cell = strings.Trim(cell, quote)
		}
	}
	return cell
}
