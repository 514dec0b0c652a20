package output

import (
	"io"
	"path"
	"slices"
	"strings"
)

// mediaType is one sort of file that can be told from its name and its content.
type mediaType struct {
	name       string
	extensions []string
	// check reads a staged file and returns a *finding when the content is not
	// of the type, or does something when it is opened. Another error is ours.
	check func(file stagedFile) error
	// strip copies a file without what it says beside its content, and names that. It is nil
	// for types that say nothing, or of which it cannot be told. What it makes is checked as
	// what came would have been: it lets pass what it does not understand.
	strip func(file io.Reader, to io.Writer) (removed []string, err error)
}

// in reports whether a policy allows the type.
func (m *mediaType) in(allowed []string) bool { return slices.Contains(allowed, m.name) }

// mediaTypes is every type that can leave a sandbox. Archives and whatever holds
// one (zip, npz, xlsx, docx) and pickles cannot: what is in them is not looked
// at, and they attack who opens them.
func mediaTypes() []mediaType {
	return []mediaType{
		{"application/json", []string{".json"}, checkJSON, nil},
		{"application/pdf", []string{".pdf"}, checkPDF, nil},
		{"application/vnd.apache.parquet", []string{".parquet"}, checkParquet, nil},
		{"application/x-ndjson", []string{".jsonl", ".ndjson"}, checkJSONLines, nil},
		{"image/jpeg", []string{".jpg", ".jpeg"}, checkJPEG, stripJPEG},
		{"image/png", []string{".png"}, checkPNG, stripPNG},
		{"image/svg+xml", []string{".svg"}, checkSVG, nil},
		{"text/csv", []string{".csv"}, checkTable, nil},
		{"text/html", []string{".html", ".htm"}, checkHTML, nil},
		{"text/markdown", []string{".md"}, checkMarkdown, nil},
		{"text/plain", []string{".txt", ".log"}, checkText, nil},
		{"text/tab-separated-values", []string{".tsv"}, checkTable, nil},
	}
}

// MediaTypes lists the types that Rules can allow, in alphabetical order.
func MediaTypes() []string {
	var names []string
	for _, kind := range mediaTypes() {
		names = append(names, kind.name)
	}
	return names
}

// typeOf finds a type by a file's last extension, in whatever case: "A.CSV" is one.
func typeOf(name string) *mediaType {
	extension := strings.Map(asciiLower, path.Ext(name))
	for _, kind := range mediaTypes() {
		if slices.Contains(kind.extensions, extension) {
			return &kind
		}
	}
	return nil
}

// HasType reports whether a file's ending is of one of these types.
func HasType(name string, allowed []string) bool {
	kind := typeOf(name)
	return kind != nil && kind.in(allowed)
}

// asciiLower leaves every letter alone that is none of ASCII's: the Kelvin sign is no k.
func asciiLower(r rune) rune {
	if 'A' <= r && r <= 'Z' {
		return r + 'a' - 'A'
	}
	return r
}

// Endings lists those of the files that a policy allows, in the order of MediaTypes.
func Endings(allowed []string) []string {
	var all []string
	for _, kind := range mediaTypes() {
		if kind.in(allowed) {
			all = append(all, kind.extensions...)
		}
	}
	return all
}

func endings(allowed []string) string { return strings.Join(Endings(allowed), ", ") }
