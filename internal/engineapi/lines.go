package engineapi

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"hotcell/internal/budget"
	"hotcell/internal/strictjson"
)

// encode writes a message as one line.
func encode(message any) ([]byte, error) {
	var to bytes.Buffer
	encoder := json.NewEncoder(&to)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(message); err != nil {
		return nil, fmt.Errorf("encode message: %w", err)
	}
	return to.Bytes(), nil
}

// decode reads one line strictly. Its end without one is io.EOF, before its line's end
// io.ErrUnexpectedEOF.
func decode(from *bufio.Reader, most int, into any) error {
	return bounds{most: most}.decode(from, into)
}

// bounds are of one line.
type bounds struct {
	most int
	// share is nil, or what memory the line has: so much besides, and so often its bytes. Such a line
	// has a bound of its members, too.
	share   *budget.Share
	besides int64
	times   int64
}

// reading is how often a line is there while it is read, beside what becomes of it: its bytes are
// moved as they become more, and are there until all of it is understood.
const reading = 2

func (b bounds) decode(from *bufio.Reader, into any) error {
	text, err := b.readLine(from)
	if err != nil {
		return err
	}
	if b.share != nil && bytes.Count(text, []byte{','}) > maxMembers {
		return fmt.Errorf("%w: a line has more than %d members", ErrMalformed, maxMembers)
	}
	if err := strictjson.Decode(text, b.most, into); err != nil {
		return fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	if b.share != nil && b.times == 1 { // of more, another may be the largest
		b.share.Shrink(b.besides + int64(len(text)))
	}
	return nil
}

func (b bounds) readLine(from *bufio.Reader) ([]byte, error) {
	var text []byte
	for {
		part, err := from.ReadSlice('\n')
		if len(text)+len(part) > b.most {
			return nil, fmt.Errorf("%w: a line has more than %d bytes", ErrMalformed, b.most)
		}
		if b.share != nil && !b.share.Grow(b.besides+(b.times+reading)*int64(len(text)+len(part))) {
			return nil, errSpent
		}
		if more := len(text) + len(part); more > cap(text) {
			text = slices.Grow(text, max(len(text), len(part))) // twice as much, so that little is moved
		}
		text = append(text, part...)
		switch {
		case err == nil:
			return text, nil
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF) && len(text) > 0:
			return nil, io.ErrUnexpectedEOF
		default:
			return nil, err
		}
	}
}
