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
	text, err := readLine(from, most)
	if err != nil {
		return err
	}
	if err := strictjson.Decode(text, most, into); err != nil {
		return fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	return nil
}

func readLine(from *bufio.Reader, most int) ([]byte, error) {
	var text []byte
	for {
		part, err := from.ReadSlice('\n')
		if len(text)+len(part) > most {
			return nil, fmt.Errorf("%w: a line has more than %d bytes", ErrMalformed, most)
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
