package bundle

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

const byteOrderMark = '\ufeff'

// utf8Witness sees the bytes of a file, and tells whether they are UTF-8 already: text of
// another encoding hardly ever is by chance, once a character is beyond ASCII.
type utf8Witness struct {
	rest          []byte // the beginning of a character that has not come whole
	broken        bool   // something was no UTF-8
	beyond, zeros bool   // a character was beyond ASCII, was 0
	marked        bool   // the first one is a byte order mark
	begun         bool
}

// Write implements io.Writer.
func (w *utf8Witness) Write(chunk []byte) (int, error) {
	w.zeros = w.zeros || bytes.IndexByte(chunk, 0) >= 0
	w.rest = append(w.rest, chunk...)
	text := w.rest
	for !w.broken && len(text) > 0 && utf8.FullRune(text) {
		r, size := utf8.DecodeRune(text)
		w.broken = r == utf8.RuneError && size == 1
		w.beyond = w.beyond || r >= utf8.RuneSelf
		w.marked = w.marked || !w.begun && r == byteOrderMark
		w.begun = true
		text = text[size:]
	}
	if w.broken {
		text = nil
	}
	w.rest = append(w.rest[:0], text...)
	return len(chunk), nil
}

// garbledBy tells whether the file is UTF-8 that would become other text if it were decoded
// as an encoding. ASCII is the same in all but UTF-16, whose every other byte is 0 for
// plain letters.
func (w *utf8Witness) garbledBy(encoding string) bool {
	isUTF8 := w.begun && !w.broken && len(w.rest) == 0
	switch encoding {
	case "", "utf-8", "utf-8-sig":
		return false
	case "utf-16", "utf-16-le", "utf-16-be":
		return isUTF8 && !w.zeros
	default:
		return isUTF8 && w.beyond
	}
}

// notes tell a person who has named the file's encoding that it has another, as it looks.
func (w *utf8Witness) notes(encoding string) []string {
	if !w.garbledBy(encoding) {
		return nil
	}
	return []string{fmt.Sprintf("it is UTF-8 already, and has other characters as %s: if these are not meant, make it again without --encoding for this file", encoding)}
}

// name is the encoding that the file has, if it is UTF-8.
func (w *utf8Witness) name() string {
	if w.marked {
		return "utf-8-sig"
	}
	return "utf-8"
}
