package disclosure

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"hotcell/internal/identifiers"
)

// maxPiece is how much of a line is looked at in one piece.
const maxPiece = 64 << 10

// eachPiece hands out the lines of a text, without their ends, and long ones in pieces that end
// between words. The bytes are valid until the next call.
func eachPiece(from io.Reader, see func(line int64, piece []byte)) error {
	from, err := withLineFeeds(from)
	if err != nil {
		return err
	}
	buffer := make([]byte, 0, maxPiece)
	for line := int64(1); ; {
		n, err := from.Read(buffer[len(buffer):cap(buffer)])
		buffer = buffer[:len(buffer)+n]
		rest := buffer
		for {
			at := bytes.IndexByte(rest, '\n')
			if at < 0 {
				break
			}
			see(line, bytes.TrimSuffix(rest[:at], []byte("\r")))
			rest, line = rest[at+1:], line+1
		}
		if errors.Is(err, io.EOF) {
			if len(rest) > 0 {
				see(line, rest)
			}
			return nil
		}
		if err != nil {
			return err
		}
		if len(rest) == cap(buffer) {
			end := bytes.LastIndexAny(rest, " ,;\t\"")
			if end < maxPiece/2 {
				end = len(rest) - 1
			}
			see(line, rest[:end+1])
			rest = rest[end+1:]
		}
		buffer = buffer[:copy(buffer[:cap(buffer)], rest)]
	}
}

// withLineFeeds reads lines that end with a carriage return alone, as old spreadsheets write them,
// where the first of them do.
func withLineFeeds(from io.Reader) (*bufio.Reader, error) {
	const first = 4096
	reader := bufio.NewReaderSize(from, maxPiece)
	start, err := reader.Peek(first)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if bytes.IndexByte(start, '\n') >= 0 || bytes.IndexByte(start, '\r') < 0 {
		return reader, nil
	}
	return bufio.NewReaderSize(identifiers.LineFeeds(reader), maxPiece), nil
}
