package wire

import (
	_ "embed"
	"strings"
)

// reservedNames are what the guard calls RESERVED_NAMES, one in each line: the builtins of
// Python and the names under which a run finds its own things. A test compares the two.
//
//go:embed reserved.txt
var reservedNames string

// keywords are those of Python 3.13 (keyword.kwlist), which no variable can be called.
const keywords = `
False None True and as assert async await break class continue def del elif else except finally for from
global if import in is lambda nonlocal not or pass raise return try while with yield
`

// IsReserved reports whether a name is a word of Python or of every run. The guard refuses
// a start frame in which a table or a preloaded module has such a name.
func IsReserved(name string) bool {
	return hasWord(reservedNames, name) || hasWord(keywords, name)
}

func hasWord(text, name string) bool {
	for word := range strings.FieldsSeq(text) {
		if word == name {
			return true
		}
	}
	return false
}
