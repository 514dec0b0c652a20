package identifiers

import (
	"bytes"
	_ "embed"
	"strings"
	"sync"
)

// names.txt has given names and surnames that are frequent in the United States and elsewhere,
// one on a line: 1,842 of github.com/brianvoe/gofakeit (v7, MIT), without those that are words of
// data as often as names (white, may, wilson), and 61 that were put there by hand because it lacks
// them (khan, tanaka, nowak). Nobody has counted how frequent they are: no census stands behind it.
//
//go:embed names.txt
var namesList string

var names = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{}
	for line := range strings.Lines(namesList) {
		all[strings.TrimSuffix(line, "\n")] = true
	}
	return all
})

const longestName = 20 // bytes of a name in the list, and more

// isName tells a word that is in the list and begins with a capital letter.
func isName(word []byte) bool {
	if len(word) < 3 || len(word) > longestName || word[0] < 'A' || word[0] > 'Z' {
		return false
	}
	return names()[string(bytes.ToLower(word))]
}

// findNames finds two or three names in a row, with an initial or a comma between them.
func findNames(text []byte, found func(class Class, from, to int) bool) {
	last, end := -1, 0 // where the name before began and ended
	for at := 0; at < len(text); {
		if !isLetter(text[at]) {
			at++
			continue
		}
		from := at
		for at < len(text) && isLetter(text[at]) {
			at++
		}
		if at-from == 1 && last >= 0 && onlyBlank(text[end:from]) {
			end = at // an initial
			continue
		}
		if !isName(text[from:at]) {
			last = -1
			continue
		}
		if last >= 0 && onlyBlank(text[end:from]) {
			if !found(Name, last, at) {
				return
			}
			last, end = -1, at
			continue
		}
		last, end = from, at
	}
}

// onlyBlank tells what may be between a given name and a surname.
func onlyBlank(text []byte) bool {
	switch string(text) {
	case " ", ", ", ". ", ",", "_":
		return true
	}
	return false
}

// isNames tells a cell of which one word at least is in the list, and which has nothing but a
// few words.
func isNames(cell []byte) bool {
	const most, words = 48, 4
	if len(cell) < 3 || len(cell) > most {
		return false
	}
	for _, c := range cell {
		if !isLetter(c) && c < 0x80 && !strings.ContainsRune(" ,.'-", rune(c)) {
			return false
		}
	}
	parts := bytes.FieldsFunc(cell, func(r rune) bool { return strings.ContainsRune(" ,.'-", r) })
	if len(parts) > words {
		return false
	}
	for _, part := range parts {
		if isName(part) || len(part) > 3 && isName(capital(part)) {
			return true
		}
	}
	return false
}

func capital(word []byte) []byte {
	word = bytes.ToLower(word)
	word[0] &^= 0x20
	return word
}
