package output

import (
	"bufio"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"io"
	"strings"
)

// isLocal accepts a place in the same document and a picture within it, which
// checkEmbedded then has to look at.
func isLocal(address string) bool {
	address = browserTrim(address)
	return strings.HasPrefix(address, "#") || isEmbedded(address)
}

const embeddedPNG, embeddedJPEG = "data:image/png;base64,", "data:image/jpeg;base64,"

func isEmbedded(address string) bool {
	return strings.HasPrefix(address, embeddedPNG) || strings.HasPrefix(address, embeddedJPEG)
}

// pictures are those of one document. Each may be as large as one by itself; a hundred
// of them, of a hundred kilobytes each, would be what no reader holds.
type pictures struct{ pixels int64 }

// maxDocumentPixels is of all pictures in one document: twenty of the size of a printed
// page, at the density at which one is printed.
const maxDocumentPixels = 4 * maxPixels

// add holds a picture within a document to what one by itself is held to. A
// browser decodes it by its look, whatever it is called: as WebP or AVIF, whose readers
// have flaws of their own (CVE-2023-4863).
func (p *pictures) add(address string) error {
	address = browserTrim(address)
	check := readPNG
	encoded, ok := strings.CutPrefix(address, embeddedPNG)
	if !ok {
		if encoded, ok = strings.CutPrefix(address, embeddedJPEG); !ok {
			return nil
		}
		check = readJPEG
	}
	encoded = strings.TrimRight(strings.ReplaceAll(encoded, " ", ""), "=")
	// All of it, because a reader of pictures stops where it knows enough; and what only begins
	// as one is a text to whoever shows a chart.
	if strings.IndexFunc(encoded, isNotBase64) >= 0 {
		return found(RuleMediaType, "a picture in it is not base64")
	}
	pixels, err := check(base64.NewDecoder(base64.RawStdEncoding, strings.NewReader(encoded)))
	if finding, ok := errors.AsType[*finding](err); ok {
		return found(finding.rule, "a picture in it: %s", finding.message)
	}
	if err != nil { // there is no other to read from memory
		return found(RuleMediaType, "a picture in it is not base64")
	}
	if p.pixels += pixels; p.pixels > maxDocumentPixels {
		return found(RuleTooLarge, "the pictures in it have more than %d pixels together", maxDocumentPixels)
	}
	return nil
}

func isNotBase64(r rune) bool {
	return (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') && r != '+' && r != '/'
}

// readJPEG follows a picture's segments to its size, and returns that.
func readJPEG(file io.Reader) (pixels int64, err error) {
	reader := bufio.NewReader(file)
	var start [2]byte
	if _, err := io.ReadFull(reader, start[:]); err != nil || start != [2]byte{0xff, 0xd8} {
		return 0, notJPEG()
	}
	for {
		var segment [4]byte
		if _, err := io.ReadFull(reader, segment[:]); err != nil || segment[0] != 0xff {
			return 0, notJPEG()
		}
		kind, length := segment[1], int64(binary.BigEndian.Uint16(segment[2:]))
		switch {
		case kind < 0xc0 || kind == 0xd9 || kind == 0xda || kind >= 0xd0 && kind <= 0xd8 || length < 2:
			return 0, notJPEG()
		case isJPEGFrame(kind):
			var frame [5]byte
			if _, err := io.ReadFull(reader, frame[:]); err != nil {
				return 0, notJPEG()
			}
			pixels = int64(binary.BigEndian.Uint16(frame[1:])) * int64(binary.BigEndian.Uint16(frame[3:]))
			if pixels > maxPixels {
				return 0, tooManyPixels()
			}
			return pixels, nil
		}
		if _, err := io.CopyN(io.Discard, reader, length-2); err != nil {
			return 0, notJPEG()
		}
	}
}

func notJPEG() error { return found(RuleMediaType, "it is not a JPEG picture") }

// browserTrim is what every browser does to an address before it reads it: control
// characters and spaces go at both ends, tabs and line ends everywhere.
func browserTrim(address string) string {
	address = strings.TrimFunc(address, func(r rune) bool { return r <= ' ' })
	return broken.Replace(address)
}

// broken is made once: it is 13 kB, and a chart has a hundred thousand texts.
var broken = strings.NewReplacer("\t", "", "\n", "", "\r", "")
