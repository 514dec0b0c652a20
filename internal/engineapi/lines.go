package engineapi

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

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
	// grow is nil, or says whether there is memory for a line that has so many bytes by now. Such
	// a line has a bound of its members, too.
	grow func(bytes int) error
}

func (b bounds) decode(from *bufio.Reader, into any) error {
	text, err := b.readLine(from)
	if err != nil {
		return err
	}
	if b.grow != nil && bytes.Count(text, []byte{','}) > maxMembers {
		return fmt.Errorf("%w: a line has more than %d members", ErrMalformed, maxMembers)
	}
	if err := strictjson.Decode(text, b.most, into); err != nil {
		return fmt.Errorf("%w: %w", ErrMalformed, err)
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
		if b.grow != nil {
			if err := b.grow(len(text) + len(part)); err != nil {
				return nil, err
			}
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
