package bundle

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"hotcell/internal/digest"
)

// Encoding says of which bytes the UTF-8 of a table was made. The store has the UTF-8
// alone, so that nothing after it decodes anything: not the checks of tables, not the
// guard, not what a script opens.
type Encoding struct {
	Name     string     `json:"name"`     // one of Encodings
	Replaced int64      `json:"replaced"` // what was no text in it, and is U+FFFD
	Bytes    int64      `json:"bytes"`    // of the file as it came
	SHA256   digest.Hex `json:"sha256"`   // of the file as it came
}

// EveryTable is the path in CreateOptions.Encodings that stands for every table that is
// not named.
const EveryTable = ""

// charsets make a decoder. Those of one byte are tables, so that what has no meaning in
// them has one place.
var charsets = map[string]func() charset{
	"utf-8":       func() charset { return utf8Text{} },
	"utf-8-sig":   func() charset { return &markedText{} },
	"utf-16":      func() charset { return &utf16Text{} },
	"utf-16-le":   func() charset { return &utf16Text{begun: true} },
	"utf-16-be":   func() charset { return &utf16Text{begun: true, big: true} },
	"iso-8859-1":  func() charset { return narrow(charmap.ISO8859_1) },
	"iso-8859-15": func() charset { return narrow(charmap.ISO8859_15) },
	"cp1252":      func() charset { return narrow(charmap.Windows1252, 0x81, 0x8d, 0x8f, 0x90, 0x9d) },
}

// otherNames are what Python, iconv and Excel call the same.
var otherNames = map[string]string{
	"utf8": "utf-8", "utf8-sig": "utf-8-sig", "utf16": "utf-16",
	"utf-16le": "utf-16-le", "utf16le": "utf-16-le", "utf-16be": "utf-16-be", "utf16be": "utf-16-be",
	"latin-1": "iso-8859-1", "latin1": "iso-8859-1", "l1": "iso-8859-1", "iso8859-1": "iso-8859-1",
	"latin-9": "iso-8859-15", "latin9": "iso-8859-15", "l9": "iso-8859-15", "iso8859-15": "iso-8859-15",
	"windows-1252": "cp1252", "cp-1252": "cp1252", "ansi": "cp1252",
}

// Encodings are the names of all encodings that a table can be decoded from. Each has
// its usual other names: latin-1 is iso-8859-1, windows-1252 is cp1252.
func Encodings() []string {
	return []string{"utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "iso-8859-1", "iso-8859-15", "cp1252"}
}

// encodingName finds the one name of an encoding, however it is spelt.
func encodingName(given string) (name string, known bool) {
	name = strings.ReplaceAll(strings.ToLower(strings.TrimSpace(given)), "_", "-")
	if one, ok := otherNames[name]; ok {
		name = one
	}
	return name, charsets[name] != nil
}

// encodings gives each path the name that Encodings has, or says which are none.
func (o CreateOptions) encodings() (map[string]string, []FieldFault) {
	named := make(map[string]string, len(o.Encodings))
	var unknown []string
	for path, given := range o.Encodings {
		name, known := encodingName(given)
		if !known && !slices.Contains(unknown, given) {
			unknown = append(unknown, given)
		}
		named[path] = name
	}
	if len(unknown) == 0 {
		return named, nil
	}
	slices.Sort(unknown)
	known := strings.Join(Encodings(), ", ")
	return nil, []FieldFault{{"encoding", fmt.Sprintf("has %q, which is none of %s (latin-1 is iso-8859-1, windows-1252 is cp1252)", unknown, known)}}
}

// problem finds what is wrong with an encoding that a manifest names.
func (e *Encoding) problem(file DataFile) string {
	switch {
	case charsets[e.Name] == nil:
		return fmt.Sprintf("its encoding %q is none of %s", e.Name, strings.Join(Encodings(), ", "))
	case !file.typed():
		return "it has an encoding and is no table of CSV, TSV or JSON Lines"
	case e.Bytes < 0, e.Replaced < 0, e.Replaced > e.Bytes:
		return "the size of the file that it was made of, or how much was replaced, is out of range"
	case e.SHA256.Check() != nil:
		return "the sha256 of the file that it was made of is not 64 lower-case hexadecimal digits"
	}
	return ""
}

// charset turns bytes into characters.
type charset interface {
	// next takes the first character of some bytes: how many they are, and whether they
	// are text. A character that is dropped, as a mark of the byte order, is none. size
	// is 0 where more bytes are needed; at the end of the file there are none.
	next(text []byte, atEnd bool) (r rune, size int, is kind)
}

type kind int

const (
	character kind = iota
	mark           // of the byte order
	noText         // bytes without a meaning
)

// decoder is a writer of bytes of one encoding that passes them on as UTF-8, with
// U+FFFD for what is no text. It ends with close.
type decoder struct {
	from     charset
	to       io.Writer
	rest     []byte // the beginning of a character that has not come whole
	out      []byte
	replaced int64
	written  int64 // to to
	line     int64 // lines that have ended
	lost     int64 // line of the first that was replaced, from 1
}

func newDecoder(name string, to io.Writer) *decoder {
	return &decoder{from: charsets[name](), to: to}
}

// Write implements io.Writer.
func (d *decoder) Write(chunk []byte) (int, error) {
	d.rest = append(d.rest, chunk...)
	if err := d.pass(false); err != nil {
		return 0, err
	}
	return len(chunk), nil
}

func (d *decoder) close() error { return d.pass(true) }

func (d *decoder) pass(atEnd bool) error {
	text, out := d.rest, d.out[:0]
	for len(text) > 0 {
		r, size, is := d.from.next(text, atEnd)
		if size == 0 {
			break
		}
		switch is {
		case character:
			out = utf8.AppendRune(out, r)
			if r == '\n' {
				d.line++
			}
		case noText:
			if d.replaced++; d.replaced == 1 {
				d.lost = d.line + 1
			}
			out = utf8.AppendRune(out, utf8.RuneError)
		case mark:
		}
		text = text[size:]
	}
	d.rest, d.out = append(d.rest[:0], text...), out
	written, err := d.to.Write(out)
	d.written += int64(written)
	return err
}

// byteTable has a character for each byte, or utf8.RuneError.
type byteTable [256]rune

// narrow is an encoding of one byte. The web, whose tables these are, and Python differ in
// the bytes that Windows left without a meaning: they are no text here, as in Python.
func narrow(from *charmap.Charmap, undefined ...byte) *byteTable {
	table := new(byteTable)
	for at := range table {
		table[at] = from.DecodeByte(byte(at))
		if table[at] == utf8.RuneError && at < 0xa0 {
			table[at] = rune(at) // a control character, which ISO 8859-15 has by its number
		}
	}
	for _, at := range undefined {
		table[at] = utf8.RuneError
	}
	return table
}

func (t *byteTable) next(text []byte, _ bool) (rune, int, kind) {
	r := t[text[0]]
	if r == utf8.RuneError {
		return r, 1, noText
	}
	return r, 1, character
}

// utf8Text may have bytes that are none of UTF-8.
type utf8Text struct{}

func (utf8Text) next(text []byte, atEnd bool) (rune, int, kind) {
	r, size := utf8.DecodeRune(text)
	switch {
	case r != utf8.RuneError || size != 1:
		return r, size, character
	case !atEnd && !utf8.FullRune(text):
		return r, 0, noText
	}
	return r, 1, noText
}

// markedText is UTF-8 that may begin with a byte order mark.
type markedText struct{ begun bool }

func (m *markedText) next(text []byte, atEnd bool) (rune, int, kind) {
	r, size, is := utf8Text{}.next(text, atEnd)
	if size > 0 && !m.begun {
		m.begun = true
		if r == byteOrderMark {
			return r, size, mark
		}
	}
	return r, size, is
}

// utf16Text is as its byte order mark says, and without one as Windows writes it.
type utf16Text struct{ begun, big bool }

func (u *utf16Text) next(text []byte, atEnd bool) (rune, int, kind) {
	if len(text) < 2 {
		return atEndOnly(len(text), atEnd)
	}
	unit := u.unit(text)
	if !u.begun {
		u.begun = true
		switch unit {
		case 0xfeff:
			return unit, 2, mark
		case 0xfffe:
			u.big = true
			return unit, 2, mark
		}
	}
	if !utf16.IsSurrogate(unit) {
		return unit, 2, character
	}
	if len(text) < 4 && !atEnd {
		return 0, 0, noText
	}
	if len(text) >= 4 {
		if r := utf16.DecodeRune(unit, u.unit(text[2:])); r != utf8.RuneError {
			return r, 4, character
		}
	}
	return utf8.RuneError, 2, noText
}

func (u *utf16Text) unit(text []byte) rune {
	if u.big {
		return rune(text[0])<<8 | rune(text[1])
	}
	return rune(text[1])<<8 | rune(text[0])
}

// atEndOnly is for a part of a character: at the file's end it is no text.
func atEndOnly(size int, atEnd bool) (rune, int, kind) {
	if atEnd {
		return utf8.RuneError, size, noText
	}
	return 0, 0, noText
}
