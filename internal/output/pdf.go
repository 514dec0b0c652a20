package output

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// activePDF are the names in a PDF that make a reader run, start, fetch or open
// something. Short names (/JS, /AA) are left out: they turn up by chance in
// compressed streams, and /JS does nothing without /JavaScript.
var activePDF = []string{
	"/JavaScript", "/Launch", "/EmbeddedFile", "/OpenAction", "/RichMedia", "/SubmitForm", "/ImportData", "/GoToR", "/GoToE", "/AcroForm",
	"/FileAttachment", "/URI", "/Rendition", "/Movie", "/GoTo3D", "/XFA",
}

// opaquePDF are the names behind which others could hide from this check:
// objects in compressed streams, and encryption.
var opaquePDF = []string{"/ObjStm", "/XRef", "/Encrypt"}

const (
	pdfStart = "%PDF-1."
	pdfEnd   = "%%EOF"
	pdfBlock = 64 << 10
)

// checkPDF wants a plain PDF, as matplotlib writes it: nothing before or after
// it, nothing active, nothing compressed but pictures, fonts and drawings. It looks
// at one block after the other, each with the end of the one before, for names that
// have no place anywhere, streams included, and then at the objects. The first is
// what remains should a reader see objects where the table has none.
func checkPDF(file stagedFile) error {
	reader := bufio.NewReaderSize(file, pdfBlock)
	start, err := reader.Peek(len(pdfStart))
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("read staged file: %w", err)
	}
	if string(start) != pdfStart {
		return found(RuleMediaType, "it is not a PDF document from its first byte to its last")
	}
	scan := &pdfScan{escapes: unescaper{reader: reader}}
	for {
		block, err := scan.next()
		if err == nil {
			err = findNames(block)
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
	}
	if !scan.escapes.ended {
		return found(RuleMediaType, "it is not a PDF document from its first byte to its last")
	}
	return checkPDFObjects(file, scan.escapes.objects.count)
}

func findNames(plain []byte) error {
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

// pdfScan hands out a document's text without escapes, in blocks that overlap.
type pdfScan struct {
	escapes unescaper
	block   []byte
}

// pdfOverlap is longer than every name that is looked for.
const pdfOverlap = 32

func (s *pdfScan) next() ([]byte, error) {
	s.block = append(s.block[:0], s.block[max(0, len(s.block)-pdfOverlap):]...)
	before := len(s.block)
	for len(s.block) < pdfBlock {
		char, err := s.escapes.readByte()
		if errors.Is(err, io.EOF) && len(s.block) > before {
			return s.block, nil
		}
		if err != nil {
			return nil, err
		}
		s.block = append(s.block, char)
	}
	return s.block, nil
}

// unescaper reads bytes, and "#4a" as the byte that it stands for: a PDF name can
// spell any character so, /J#61vaScript.
type unescaper struct {
	reader *bufio.Reader
	last   [len(pdfEnd)]byte // as they stand in the file
	ended  bool              // "%%EOF" has come, and white space only since

	objects objectCounter
}

// objectCounter counts what a reader that has lost the table would take for the
// beginning of an object, "1 0 obj", wherever that stands.
type objectCounter struct{ state, count int }

func (c *objectCounter) add(char byte) {
	digit, space := char >= '0' && char <= '9', strings.IndexByte(pdfSpace, char) >= 0
	switch {
	case digit && c.state < 2:
		c.state = 1
	case digit && c.state <= 4:
		c.state = 3
	case digit:
		c.state = 1
	case space && (c.state == 1 || c.state == 2):
		c.state = 2
	case space && (c.state == 3 || c.state == 4):
		c.state = 4
	case char == 'o' && (c.state == 3 || c.state == 4):
		c.state = 5
	case char == 'b' && c.state == 5:
		c.state = 6
	case char == 'j' && c.state == 6:
		c.state = 0
		c.count++
	default:
		c.state = 0
	}
}

func (u *unescaper) readByte() (byte, error) {
	char, err := u.raw()
	if err != nil || char != '#' {
		return char, err
	}
	digits, _ := u.reader.Peek(2) // what cannot be read is told by the next raw
	value, err := strconv.ParseUint(string(digits), 16, 8)
	if len(digits) < 2 || err != nil {
		return char, nil //nolint:nilerr // a number sign that is no escape
	}
	for range digits {
		if _, err := u.raw(); err != nil {
			return 0, err
		}
	}
	return byte(value), nil
}

func (u *unescaper) raw() (byte, error) {
	char, err := u.reader.ReadByte()
	if err != nil {
		return 0, err
	}
	u.objects.add(char)
	copy(u.last[:], u.last[1:])
	u.last[len(u.last)-1] = char
	switch {
	case string(u.last[:]) == pdfEnd:
		u.ended = true
	case !strings.ContainsRune(" \t\n\v\f\r", rune(char)):
		u.ended = false
	}
	return char, nil
}
