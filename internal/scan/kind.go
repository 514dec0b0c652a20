package scan

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"path"
	"strings"

	"golang.org/x/text/encoding/unicode"

	"hotcell/internal/identifiers"
)

// kind is how a file is looked into, by its extension.
type kind struct {
	read   func(*scanner, io.Reader) error // nil: not
	class  identifiers.Class               // of what such a file may be
	reason string                          // why it is not looked into
}

const (
	packed  = "is packed: unpack it, and scan what is in it"
	foreign = "is in a format that is not looked into: scan its tables as CSV or JSON Lines"
)

// kindOf tells a file by its extension. What is not known is taken for a text.
func kindOf(name string) (kind, bool) {
	switch strings.ToLower(path.Ext(name)) {
	case ".csv", ".tsv", ".tab", ".psv":
		return kind{read: (*scanner).delimited}, true
	case ".jsonl", ".ndjson", ".json":
		return kind{read: (*scanner).json}, true
	case ".jpg", ".jpeg", ".png", ".gif", ".bmp", ".tif", ".tiff", ".webp", ".heic", ".svg", ".mp4", ".mov", ".avi", ".mkv", ".webm", ".dcm", ".nii":
		return kind{class: identifiers.Photo}, true
	case ".wav", ".mp3", ".flac", ".ogg", ".m4a", ".aac", ".wsq", ".fmr", ".iris":
		return kind{class: identifiers.Biometric}, true
	case ".gz", ".zst", ".zip", ".bz2", ".xz", ".7z", ".tar", ".tgz":
		return kind{reason: packed}, true
	case ".parquet", ".xlsx", ".xls", ".ods", ".docx", ".doc", ".pdf", ".sas7bdat", ".sav", ".dta", ".rds", ".rdata", ".feather", ".h5", ".sqlite", ".db", ".pkl", ".npy", ".npz":
		return kind{reason: foreign}, true
	}
	return kind{}, false
}

// magic begins files that are something else than their extension says.
var magic = []struct {
	begin string
	class identifiers.Class
}{
	{"\x89PNG\r\n", identifiers.Photo}, {"\xff\xd8\xff", identifiers.Photo}, {"GIF8", identifiers.Photo}, {"II*\x00", identifiers.Photo}, {"MM\x00*", identifiers.Photo},
	{"PK\x03\x04", ""}, {"\x1f\x8b", ""}, {"\x28\xb5\x2f\xfd", ""}, {"%PDF-", ""}, {"PAR1", ""}, {"SQLite format 3", ""}, {"ID3", identifiers.Biometric},
}

// decoded reads UTF-16 with its mark as UTF-8, and refuses what is no text.
func decoded(from io.Reader) (io.Reader, error) {
	buffered := bufio.NewReaderSize(from, 64<<10)
	begin, err := buffered.Peek(4 << 10)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	for _, each := range magic {
		if bytes.HasPrefix(begin, []byte(each.begin)) {
			return nil, errBinary
		}
	}
	switch {
	case bytes.HasPrefix(begin, []byte("\xff\xfe")), bytes.HasPrefix(begin, []byte("\xfe\xff")):
		return &textOnly{from: unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM).NewDecoder().Reader(buffered)}, nil
	case bytes.HasPrefix(begin, []byte("\ufeff")):
		if _, err := buffered.Discard(len("\ufeff")); err != nil {
			return nil, err
		}
	}
	return &textOnly{from: buffered}, nil
}

// textOnly refuses a NUL, which no text has: what is behind it may be anything. Bytes that are not
// UTF-8 pass: an older encoding has the same digits and letters.
type textOnly struct{ from io.Reader }

// Read implements io.Reader.
func (t *textOnly) Read(into []byte) (int, error) {
	n, err := t.from.Read(into)
	if bytes.IndexByte(into[:n], 0) >= 0 {
		return 0, errBinary
	}
	return n, err
}

// text looks at lines, and at long ones in pieces, of which each begins with the end of the one
// before.
func (s *scanner) text(from io.Reader) error {
	const overlap = 256 // more than an identifier has
	column := identifiers.NewColumn("", s.options.Year)
	buffered := bufio.NewReaderSize(from, 64<<10)
	var held []byte
	for line := int64(1); ; {
		piece, err := buffered.ReadSlice('\n')
		cut := errors.Is(err, bufio.ErrBufferFull)
		held = append(held, piece...)
		column.See(line, held)
		switch {
		case cut:
			held = append(held[:0], held[len(held)-overlap:]...)
			continue
		case errors.Is(err, io.EOF):
			s.findings(column, "", Lines)
			return nil
		case err != nil:
			return err
		}
		held, line = held[:0], line+1
	}
}

const maxName = 128 // bytes of a column's name in a report

// fit makes a column's name fit for a report: what a file says may be anything.
func fit(name string) string {
	return strings.ToValidUTF8(name[:min(len(name), maxName)], "")
}
