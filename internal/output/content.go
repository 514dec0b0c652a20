package output

import (
	"bufio"
	"bytes"
	"encoding/binary"
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

const pngSignature = "\x89PNG\r\n\x1a\n"

// maxPixels bounds a picture by what a viewer would have to hold: 100 million
// pixels are 400 MB.
const maxPixels = 100_000_000

// checkPNG follows the chunks to the end, so that nothing can hide behind the
// picture.
func checkPNG(file stagedFile) error {
	_, err := readPNG(file)
	return err
}

// readPNG returns how many pixels there are.
func readPNG(file io.Reader) (pixels int64, err error) {
	reader := bufio.NewReaderSize(file, 64<<10)
	header := make([]byte, len(pngSignature)+8+13)
	if _, err := io.ReadFull(reader, header); err != nil {
		return 0, pngFault(err)
	}
	ihdr := header[len(pngSignature):]
	if string(header[:len(pngSignature)]) != pngSignature || !bytes.Equal(ihdr[:8], []byte("\x00\x00\x00\x0dIHDR")) {
		return 0, found(RuleMediaType, "it is not a PNG picture")
	}
	width, height := binary.BigEndian.Uint32(ihdr[8:]), binary.BigEndian.Uint32(ihdr[12:])
	if uint64(width)*uint64(height) > maxPixels {
		return 0, tooManyPixels()
	}
	if _, err := reader.Discard(4); err != nil { // IHDR's checksum
		return 0, pngFault(err)
	}
	frames, err := checkPNGChunks(reader)
	return int64(width)*int64(height) + frames, err
}

func tooManyPixels() error {
	return found(RuleTooLarge, "the picture has more than %d pixels", maxPixels)
}

// checkPNGChunks returns how many pixels there are in the frames of a picture that
// moves: each is drawn as a picture is.
func checkPNGChunks(reader *bufio.Reader) (frames int64, err error) {
	var chunk [8]byte
	for {
		if _, err := io.ReadFull(reader, chunk[:]); err != nil {
			return 0, pngFault(err)
		}
		length := binary.BigEndian.Uint32(chunk[:4])
		if length > 1<<31-1 {
			return 0, found(RuleMediaType, "it is not a PNG picture")
		}
		if string(chunk[4:]) == "fcTL" {
			size, err := reader.Peek(12) // the frame's number, width and height
			if err != nil {
				return 0, pngFault(err)
			}
			pixels := uint64(binary.BigEndian.Uint32(size[4:])) * uint64(binary.BigEndian.Uint32(size[8:]))
			if pixels > maxPixels || frames+int64(pixels) > maxDocumentPixels {
				return 0, found(RuleTooLarge, "the picture's frames have more than %d pixels together", maxDocumentPixels)
			}
			frames += int64(pixels)
		}
		if _, err := io.CopyN(io.Discard, reader, int64(length)+4); err != nil {
			return 0, pngFault(err)
		}
		if string(chunk[4:]) == "IEND" {
			break
		}
	}
	if _, err := reader.ReadByte(); !errors.Is(err, io.EOF) {
		return 0, found(RuleMediaType, "something follows the end of the PNG picture")
	}
	return frames, nil
}

func pngFault(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return found(RuleMediaType, "it is not a whole PNG picture")
	}
	return fmt.Errorf("read staged file: %w", err)
}
