package output

import (
	"strings"
)

// isLocal accepts a place in the same document and a picture within it.
func isLocal(address string) bool {
	address = browserTrim(address)
	return strings.HasPrefix(address, "#") ||
		strings.HasPrefix(address, "data:image/png;base64,") || strings.HasPrefix(address, "data:image/jpeg;base64,")
}

// browserTrim is what every browser does to an address before it reads it: control
// characters and spaces go at both ends, tabs and line ends everywhere.
func browserTrim(address string) string {
	address = strings.TrimFunc(address, func(r rune) bool { return r <= ' ' })
	return strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(address)
}
