package disclosure

import (
	"hash/maphash"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// A phrase is a value that names somebody as words: of several ("Anna Maria Schmidt", "12 Main
// Street"), or of one with letters and digits (P-00017). It is known without regard to case,
// accents and signs; and to the order of its words, where all are of letters ("Schmidt, Anna").

// mostWords a phrase has: a longer value is a text, no name.
const mostWords = 8

// plainWords are the words of a text in lower case and without accents: letters and digits in a
// row. µ and full-width letters are what they stand for.
func plainWords(text string) []string {
	var all []string
	var word strings.Builder
	end := func() {
		if word.Len() > 0 {
			all = append(all, word.String())
			word.Reset()
		}
	}
	for _, r := range plain(text) {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r):
			word.WriteRune(unicode.ToLower(r))
		case unicode.Is(unicode.Mn, r): // an accent
		default:
			end()
		}
	}
	end()
	return all
}

// plain decomposes a text, most of which are of ASCII.
func plain(text string) string {
	for at := range len(text) {
		if text[at] >= 0x80 {
			return folded.Replace(norm.NFKD.String(text))
		}
	}
	return text
}

// folded are letters that Unicode does not decompose, as people without them write them.
var folded = strings.NewReplacer("ß", "ss", "ẞ", "ss", "ø", "o", "Ø", "o", "ł", "l", "Ł", "l", "đ", "d", "Đ", "d", "æ", "ae", "Æ", "ae", "œ", "oe", "Œ", "oe", "ı", "i")

// phrase is the hash of words, if they may name somebody.
func phrase(seed maphash.Seed, all []string) (sum uint64, ok bool) {
	if len(all) == 0 || len(all) > mostWords {
		return 0, false
	}
	letters, digits, length := false, false, 0
	for _, word := range all {
		letters = letters || strings.ContainsFunc(word, unicode.IsLetter)
		digits = digits || strings.ContainsFunc(word, unicode.IsDigit)
		length += len(word)
	}
	if length < least || length > longest || !letters || len(all) == 1 && !digits {
		return 0, false
	}
	if !digits && len(all) > 1 {
		all = slices.Sorted(slices.Values(all))
	}
	var hash maphash.Hash
	hash.SetSeed(seed)
	hash.WriteString("words")
	for _, word := range all {
		hash.WriteByte(0)
		hash.WriteString(word)
	}
	return hash.Sum64(), true
}

// add keeps a value that names somebody.
func (n *Names) add(cell []byte) {
	all := plainWords(string(cell))
	hash, ok := phrase(n.seed, all)
	if ok {
		n.lengths |= 1 << len(all)
	} else {
		hash = maphash.Bytes(n.seed, cell)
	}
	n.hashes = append(n.hashes, hash)
}

// phrases looks for names in a text, word by word.
func (l *looker) phrases(text string) {
	if l.options.Names == nil || len(text) < least || !strings.ContainsFunc(text, unicode.IsLetter) {
		return
	}
	names := l.persons()
	if names == nil || names.lengths == 0 {
		return
	}
	all := plainWords(text)
	for length := 1; length <= mostWords; length++ {
		if names.lengths&(1<<length) == 0 {
			continue
		}
		for at := 0; at+length <= len(all); at++ {
			if hash, ok := phrase(names.seed, all[at:at+length]); ok && names.has(hash) && l.first(hash) {
				l.identifies(1)
			}
		}
	}
}
