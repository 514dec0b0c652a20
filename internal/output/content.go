package output

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"unicode/utf8"
)

// stagedFile is a private copy of a file, positioned at its start.
type stagedFile interface {
	io.Reader
	io.Seeker
	io.ReaderAt
}

// checkText wants UTF-8 without control characters, escape sequences included,
// that no browser would take for another type.
func checkText(file stagedFile) error { return checkTextFor(file, nil) }

// checkTextFor shows every character to see, in their order.
func checkTextFor(file stagedFile, see func(r rune, offset int64) error) error {
	reader := bufio.NewReaderSize(file, 64<<10)
	if err := checkLooks(reader); err != nil {
		return err
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("read staged file: %w", err)
	}
	reader.Reset(file)
	return eachRune(reader, see)
}

// checkLooks looks at what follows white space and a byte order mark, however much
// there is of it: readers that go by the look of a file pass over more of it than
// net/http does.
func checkLooks(reader *bufio.Reader) error {
	for {
		r, _, err := reader.ReadRune()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil && !strings.ContainsRune(" \t\n\r\f\ufeff", r) {
			err = reader.UnreadRune()
			if err == nil {
				break
			}
		}
		if err != nil {
			return fmt.Errorf("read staged file: %w", err)
		}
	}
	start, err := reader.Peek(512) // as much as net/http looks at
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("read staged file: %w", err)
	}
	if sniffed := http.DetectContentType(start); !strings.HasPrefix(sniffed, "text/plain") {
		kind, _, _ := strings.Cut(sniffed, ";")
		if kind == "application/octet-stream" {
			return found(RuleMediaType, "its name says text, but near its beginning it has control characters, which no text has: leave them out")
		}
		return found(RuleMediaType, "its name says text, but it begins as %s does, as which a program that looks at the beginning would open it: begin it with a line of words, or with another ending", kind)
	}
	return nil
}

func checkRunes(reader *bufio.Reader) error { return eachRune(reader, nil) }

func eachRune(reader *bufio.Reader, see func(r rune, offset int64) error) error {
	for offset := int64(0); ; {
		r, size, err := reader.ReadRune()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("read staged file: %w", err)
		case r == utf8.RuneError && size == 1:
			return found(RuleMediaType, "byte %d is not valid UTF-8: write text with encoding=\"utf-8\"", offset)
		case r < ' ' && !strings.ContainsRune("\t\n\r\f", r), r >= 0x7f && r < 0xa0:
			return found(RuleMediaType, "byte %d is the control character %U: leave it out", offset, r)
		}
		if see != nil {
			if err := see(r, offset); err != nil {
				return err
			}
		}
		offset += int64(size)
	}
}

// checkParquet wants the format's marks at both ends. It does not read the
// tables in it.
func checkParquet(file stagedFile) error {
	const mark = "PAR1"
	size, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		return fmt.Errorf("read staged file: %w", err)
	}
	if size < 2*int64(len(mark)) {
		return found(RuleMediaType, "it is not a Parquet file")
	}
	var first, last [len(mark)]byte
	for _, end := range []struct {
		buffer []byte
		offset int64
	}{{first[:], 0}, {last[:], size - int64(len(mark))}} {
		if _, err := file.ReadAt(end.buffer, end.offset); err != nil {
			return fmt.Errorf("read staged file: %w", err)
		}
		if string(end.buffer) != mark {
			return found(RuleMediaType, "it is not a Parquet file")
		}
	}
	return nil
}
