package output

import (
	"bytes"
	"regexp"
	"strconv"
)

// activePDF are the names in a PDF that make a reader run, start, fetch or open
// something. Short names (/JS, /AA) are left out: they turn up by chance in
// compressed streams, and /JS does nothing without /JavaScript.
var activePDF = []string{
	"/JavaScript", "/Launch", "/EmbeddedFile", "/OpenAction", "/RichMedia", "/SubmitForm", "/ImportData", "/GoToR", "/GoToE", "/AcroForm",
	"/URI", "/Rendition", "/Movie", "/GoTo3D", "/XFA",
}

// opaquePDF are the names behind which others could hide from this check:
// objects in compressed streams, and encryption.
var opaquePDF = []string{"/ObjStm", "/Encrypt"}

// nameEscape is how a PDF name can spell any character: /J#61vaScript.
var nameEscape = regexp.MustCompile(`#[0-9a-fA-F]{2}`)

// checkPDF wants a plain PDF, as matplotlib writes it: nothing before or after
// it, nothing active, nothing compressed but pictures, fonts and drawings.
func checkPDF(file stagedFile) error {
	data, err := readWhole(file)
	if err != nil {
		return err
	}
	end := bytes.LastIndex(data, []byte("%%EOF"))
	if !bytes.HasPrefix(data, []byte("%PDF-1.")) || end < 0 || len(bytes.TrimSpace(data[end+len("%%EOF"):])) > 0 {
		return found(RuleMediaType, "it is not a PDF document from its first byte to its last")
	}
	plain := nameEscape.ReplaceAllFunc(data, unescapeName)
	for _, name := range opaquePDF {
		if bytes.Contains(plain, []byte(name)) {
			return found(RuleActiveContent, "it has %s, which hides objects from inspection: write PDF 1.4, as matplotlib does", name)
		}
	}
	for _, name := range activePDF {
		if bytes.Contains(plain, []byte(name)) {
			return found(RuleActiveContent, "it has %s: a released document must not act when it is opened", name)
		}
	}
	return nil
}

func unescapeName(escape []byte) []byte {
	value, err := strconv.ParseUint(string(escape[1:]), 16, 8)
	if err != nil {
		return escape // not reached: the pattern has two hexadecimal digits
	}
	return []byte{byte(value)}
}
