package disclosure

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// escapes are letters as JSON and Python write them outside of ASCII: \u00fc, \xfc, \U0001f600,
// and a text's bytes, \xc3\xbc. What comes behind a backslash that is written itself is none.
var escapes = regexp.MustCompile(`\\\\|(?:\\x[0-9A-Fa-f]{2})+|(?:\\u[0-9A-Fa-f]{4})+|\\U[0-9A-Fa-f]{8}`)

const quotesAndSlash = "'\"\\"

// unescaped undoes them. Quotes, backslashes and what is no sign stay: they would end a text.
func unescaped(text string) string {
	if !strings.Contains(text, `\`) {
		return text
	}
	return escapes.ReplaceAllStringFunc(text, func(found string) string {
		if found[1] == '\\' {
			return found
		}
		var codes []uint16
		digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[found[1]]
		var bytes, wide []byte
		for at := 0; at < len(found); at += 2 + digits {
			code, err := strconv.ParseUint(found[at+2:at+2+digits], 16, 32)
			switch {
			case err != nil || code < ' ' || code < utf8.RuneSelf && strings.ContainsRune(quotesAndSlash, rune(code)):
				return found
			case digits == 2:
				bytes, wide = append(bytes, byte(code)), utf8.AppendRune(wide, rune(code))
			case digits == 4:
				codes = append(codes, uint16(code))
			default:
				wide = utf8.AppendRune(wide, rune(code))
			}
		}
		if digits == 2 && utf8.Valid(bytes) {
			return string(bytes)
		}
		return string(wide) + string(utf16.Decode(codes))
	})
}
