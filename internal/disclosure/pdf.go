package disclosure

import (
	"bytes"
	"compress/zlib"
	"context"
	"errors"
	"io"
	"regexp"
	"strconv"
	"unicode/utf16"
)

// Bounds of a document that is looked at to its end, in bytes.
const (
	maxDocument = 16 << 20
	maxStream   = 16 << 20 // once it is unpacked
	maxUnpacked = 64 << 20 // of all streams together
)

// pdf reads the texts of a document that has been verified: it is a plain one, as matplotlib
// writes it, in which nothing is packed but streams. What it says of itself is in strings, and
// so is what it draws; names are of its writer's choosing.
func (l *looker) pdf(_ context.Context, from io.Reader) error {
	content, err := io.ReadAll(io.LimitReader(from, maxDocument+1))
	if err != nil {
		return err
	}
	document := pdfTexts{drawn: newDrawn(l)}
	if len(content) > maxDocument {
		l.unchecked()
		content = content[:maxDocument]
	}
	document.objects(content)
	document.text.end()
	return nil
}

type pdfTexts struct {
	drawn
	number   int64 // of the text
	unpacked int64
}

var beginsStream = regexp.MustCompile(`>>[ \t\r\n]*stream\r?\n`)

// objects goes from stream to stream.
func (p *pdfTexts) objects(content []byte) {
	for len(content) > 0 {
		at := beginsStream.FindIndex(content)
		if at == nil {
			at = []int{len(content), len(content)}
		}
		before := content[:at[0]]
		(&pdfStrings{rest: before, see: p.string, name: p.l.cell}).all()
		data, after, _ := bytes.Cut(content[at[1]:], []byte("endstream"))
		dictionary := before[max(0, bytes.LastIndex(before, []byte("obj"))):]
		p.stream(dictionary, data)
		content = after
	}
}

// string is one outside a stream.
func (p *pdfTexts) string(text []byte) {
	p.number++
	p.see(p.number, text)
}

// stream looks at what is drawn, where it is no picture or font.
func (p *pdfTexts) stream(dictionary, data []byte) {
	for _, other := range []string{"/Image", "/Length1"} {
		if bytes.Contains(dictionary, []byte(other)) {
			return
		}
	}
	if bytes.Contains(dictionary, []byte("/FlateDecode")) {
		data = p.unpack(data)
	}
	var drawing []byte
	strings := pdfStrings{rest: data, see: func(text []byte) { drawing = append(drawing, text...) }}
	strings.ends = func() {
		p.string(drawing)
		drawing = drawing[:0]
	}
	strings.all()
	strings.ends()
}

func (p *pdfTexts) unpack(data []byte) []byte {
	reader, err := zlib.NewReader(bytes.NewReader(data))
	if err != nil {
		p.l.unchecked()
		return nil
	}
	unpacked, err := io.ReadAll(io.LimitReader(reader, min(maxStream, maxUnpacked-p.unpacked)+1))
	p.unpacked += int64(len(unpacked))
	if len(unpacked) > maxStream || p.unpacked > maxUnpacked || err != nil && !errors.Is(err, io.EOF) {
		p.l.unchecked()
	}
	return unpacked
}

// pdfStrings hands out the strings of a text of PDF, and its names.
type pdfStrings struct {
	rest []byte
	see  func(text []byte)
	name func(name string)
	ends func() // a text that is drawn has come to its end
}

func (s *pdfStrings) all() {
	for len(s.rest) > 0 {
		at := bytes.IndexAny(s.rest, "(</E")
		if at < 0 {
			return
		}
		s.rest = s.rest[at:]
		switch {
		case s.rest[0] == '(':
			s.inBrackets()
		case bytes.HasPrefix(s.rest, []byte("<<")):
			s.rest = s.rest[2:]
		case s.rest[0] == '<':
			s.hexadecimal()
		case s.rest[0] == '/':
			s.named()
		default:
			if s.ends != nil && bytes.HasPrefix(s.rest, []byte("ET")) {
				s.ends()
			}
			s.rest = s.rest[1:]
		}
	}
}

// inBrackets reads a string in brackets, which may have others in it.
func (s *pdfStrings) inBrackets() {
	var text []byte
	open := 0
	for len(s.rest) > 0 {
		char := s.rest[0]
		s.rest = s.rest[1:]
		switch char {
		case '\\':
			text = s.escaped(text)
			continue
		case '(':
			if open++; open == 1 {
				continue
			}
		case ')':
			if open--; open == 0 {
				s.see(plainPDF(text))
				return
			}
		}
		text = append(text, char)
	}
	s.see(plainPDF(text))
}

// escaped reads what follows a backslash.
func (s *pdfStrings) escaped(text []byte) []byte {
	digits := 0
	for digits < min(3, len(s.rest)) && s.rest[digits] >= '0' && s.rest[digits] <= '7' {
		digits++
	}
	if digits > 0 {
		value, _ := strconv.ParseUint(string(s.rest[:digits]), 8, 16)
		s.rest = s.rest[digits:]
		return append(text, byte(value))
	}
	if len(s.rest) == 0 {
		return text
	}
	char := s.rest[0]
	s.rest = s.rest[1:]
	switch char {
	case 'n', 'r', 't', 'b', 'f':
		return append(text, ' ')
	case '\n', '\r':
		return text
	}
	return append(text, char)
}

func (s *pdfStrings) hexadecimal() {
	inside, after, _ := bytes.Cut(s.rest[1:], []byte(">"))
	s.rest = after
	var text []byte
	half, high := false, byte(0)
	for _, char := range inside {
		value, err := strconv.ParseUint(string(char), 16, 8)
		switch {
		case err != nil:
		case half:
			text, half = append(text, high|byte(value)), false
		default:
			half, high = true, byte(value)<<4
		}
	}
	if half {
		text = append(text, high)
	}
	s.see(plainPDF(text))
}

func (s *pdfStrings) named() {
	end := bytes.IndexAny(s.rest[1:], "\x00\t\n\f\r ()<>[]{}/%") + 1
	if end == 0 {
		end = len(s.rest)
	}
	if s.name != nil {
		s.name(string(s.rest[1:end]))
	}
	s.rest = s.rest[end:]
}

// plainPDF is a string as UTF-8. It is UTF-16 behind a mark, or has a byte for each character;
// fonts with two of them have zeros between those of Latin.
func plainPDF(text []byte) []byte {
	if len(text) >= 2 && text[0] == 0xfe && text[1] == 0xff {
		units := make([]uint16, 0, len(text)/2)
		for at := 2; at+1 < len(text); at += 2 {
			units = append(units, uint16(text[at])<<8|uint16(text[at+1]))
		}
		return []byte(string(utf16.Decode(units)))
	}
	var plain []rune
	for _, char := range text {
		if char != 0 {
			plain = append(plain, rune(char))
		}
	}
	return []byte(string(plain))
}
