package table

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// blankLetters are printable to Unicode, and nothing to see.
const blankLetters = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\ufe00\ufe01\ufe02\ufe0e\ufe0f\uffa0"

// NameProblem says why a script could not write a column's name, or "". The name is not in
// it: what is in it shows nothing.
func NameProblem(name string) string {
	if len(name) > MaxName {
		return fmt.Sprintf("is longer than %d bytes", MaxName)
	}
	for _, r := range name {
		switch {
		case unicode.IsSpace(r) && r > unicode.MaxASCII:
			return fmt.Sprintf("has %U, which looks like a blank and is none", r)
		case !unicode.IsPrint(r) || strings.ContainsRune(blankLetters, r):
			return fmt.Sprintf("has %U, which cannot be seen", r)
		}
	}
	return ""
}

// alike are characters that look like one of ASCII in most fonts.
var alike = map[rune]rune{
	'а': 'a', 'с': 'c', 'ԁ': 'd', 'е': 'e', 'һ': 'h', 'і': 'i', 'ј': 'j', 'о': 'o', 'р': 'p', 'ԛ': 'q', 'ѕ': 's', 'ԝ': 'w', 'х': 'x', 'у': 'y',
	'А': 'A', 'В': 'B', 'С': 'C', 'Е': 'E', 'Н': 'H', 'І': 'I', 'Ј': 'J', 'К': 'K', 'М': 'M', 'О': 'O', 'Р': 'P', 'Ѕ': 'S', 'Т': 'T', 'Х': 'X', 'У': 'Y',
	'Α': 'A', 'Β': 'B', 'Ε': 'E', 'Ζ': 'Z', 'Η': 'H', 'Ι': 'I', 'Κ': 'K', 'Μ': 'M', 'Ν': 'N', 'Ο': 'O', 'Ρ': 'P', 'Τ': 'T', 'Υ': 'Y', 'Χ': 'X',
	'ο': 'o', 'ν': 'v', 'ⅰ': 'i', 'ⅼ': 'l', 'ⅽ': 'c', 'ⅾ': 'd', 'ⅿ': 'm', 'µ': 'μ',
	'‐': '-', '‑': '-', '‒': '-', '–': '-', '−': '-', '’': '\'', '‘': '\'', '′': '\'', '․': '.', '∕': '/', '∶': ':',
}

// seen is a name as a reader sees it: names of which it is the same are one to the eye.
func seen(name string) string {
	var text strings.Builder
	for _, r := range norm.NFC.String(name) {
		if other, known := alike[r]; known {
			r = other
		}
		if isWide(r) {
			text.WriteString(norm.NFKC.String(string(r)))
			continue
		}
		text.WriteRune(r)
	}
	return strings.Join(strings.Fields(text.String()), " ")
}

// isWide tells ligatures and the letters of East Asian width, which fonts show as others.
func isWide(r rune) bool { return r >= 0xfb00 && r <= 0xfb06 || r >= 0xff00 && r <= 0xffef }

// checkAlike refuses two names that a reader takes for one.
func checkAlike(columns []*profile) error {
	first := make(map[string]int, len(columns))
	for at, one := range columns {
		key := seen(one.name)
		if earlier, known := first[key]; known {
			return faultAt(0, "the names of columns %d and %d look alike (%s and %s): rename one", earlier+1, at+1,
				ascii(columns[earlier].name), ascii(one.name))
		}
		first[key] = at
	}
	return nil
}

// ascii quotes a name so that what looks alike does not.
func ascii(name string) string {
	const most = 64
	if len(name) > most {
		return strconv.QuoteToASCII(strings.ToValidUTF8(name[:most], "")) + "…"
	}
	return strconv.QuoteToASCII(name)
}

// disguised says of a name in ASCII letters that one of them is none, or "".
func disguised(name string) string {
	latin := strings.ContainsFunc(name, func(r rune) bool { return r <= unicode.MaxASCII && unicode.IsLetter(r) })
	for _, r := range name {
		if other := alike[r]; latin && unicode.IsLetter(r) && other != 0 && other <= unicode.MaxASCII {
			return fmt.Sprintf("its name has %U, which looks like %q and is none", r, other)
		}
	}
	return ""
}
