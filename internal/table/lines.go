package table

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// lineReader reads lines of UTF-8 with their ends, and counts them.
type lineReader struct {
	from *bufio.Reader
	held []byte // of a line that the buffer is too small for
	line int    // that was read last, from 1
}

var byteOrderMark = []byte("\ufeff")

// next returns a line, which is the reader's until the next one, or io.EOF.
func (r *lineReader) next() ([]byte, error) {
	r.line++
	text, err := r.from.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		text, err = r.long(text)
	}
	switch {
	case err != nil && !errors.Is(err, io.EOF):
		return nil, fmt.Errorf("read table: %w", err)
	case len(text) == 0:
		return nil, io.EOF
	case r.line == 1:
		text = bytes.TrimPrefix(text, byteOrderMark)
	}
	return text, r.check(text)
}

// long holds a line that does not fit into the buffer.
func (r *lineReader) long(text []byte) ([]byte, error) {
	r.held = append(r.held[:0], text...)
	for {
		part, err := r.from.ReadSlice('\n')
		r.held = append(r.held, part...)
		if len(r.held) > MaxRecord {
			if isMac(r.held) {
				return nil, r.onlyReturns()
			}
			return nil, faultAt(r.line, "is longer than %d MiB: a row ends with a line feed", MaxRecord>>20)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return r.held, err
		}
	}
}

// magics are how files begin that are called text and are none.
var magics = []struct{ begin, is, way string }{
	{"\x1f\x8b", "is a file in gzip", "call it so (t.csv.gz), or unpack it"},
	{"\x28\xb5\x2f\xfd", "is a file in zstd", "call it so (t.csv.zst), or unpack it"},
	{"PK\x03\x04", "is a ZIP archive, as workbooks are", "call a workbook so (t.xlsx), or unpack it"},
	{"PAR1", "is a Parquet file", "call it so (t.parquet)"},
	{"\xd0\xcf\x11\xe0", "is a workbook of an old kind (.xls), or one with a password", "save it as .xlsx without a password, or its sheets as CSV"},
}

func (r *lineReader) check(text []byte) error {
	if r.line == 1 && (bytes.IndexByte(text, 0) >= 0 || !utf8.Valid(text)) {
		for _, magic := range magics {
			if bytes.HasPrefix(text, []byte(magic.begin)) {
				return faultAt(1, "%s, and not the text that its name says: %s", magic.is, magic.way)
			}
		}
	}
	if bytes.IndexByte(text, 0) >= 0 {
		return r.wide(text)
	}
	if !utf8.Valid(text) {
		return faultAt(r.line, "is not UTF-8: save the file as UTF-8, or name its encoding with \"runner bundle create --encoding\"")
	}
	return nil
}

// wide says of which encoding a NUL byte may be.
func (r *lineReader) wide(text []byte) error {
	const name = "save the file as UTF-8, or name its encoding (`--encoding %s`)"
	start := append(bytes.Clone(text[:min(4, len(text))]), 1, 1, 1, 1)
	switch nul := bytes.Count(start[:4], []byte{0}); {
	case r.line != 1:
		return faultAt(r.line, "has a NUL byte: "+name, "utf-16")
	case nul == 3, string(start[:4]) == "\xff\xfe\x00\x00", string(start[:4]) == "\x00\x00\xfe\xff":
		return faultAt(1, "has NUL bytes as UTF-32 has, which is not read: save the file as UTF-8")
	case string(start[:2]) == "\xff\xfe", string(start[:2]) == "\xfe\xff":
		return faultAt(1, "has NUL bytes as UTF-16 has, which Windows calls Unicode: "+name, "utf-16")
	case start[1] == 0 && start[0] != 0:
		return faultAt(1, "has NUL bytes as UTF-16 (little-endian, without a mark) has: "+name, "utf-16-le")
	case start[0] == 0:
		return faultAt(1, "has NUL bytes as UTF-16 (big-endian, without a mark) has: "+name, "utf-16-be")
	}
	return faultAt(1, "has a NUL byte: "+name, "utf-16")
}

// isMac tells text whose lines end with carriage returns alone.
func isMac(text []byte) bool {
	return bytes.IndexByte(text, '\r') >= 0 && bytes.IndexByte(bytes.TrimSuffix(text, []byte{'\n'}), '\n') < 0
}

func (r *lineReader) onlyReturns() error {
	return faultAt(r.line, "has a carriage return without a line feed behind it: save the file with the line ends of Unix or Windows, or put quotes around the field that has it")
}
