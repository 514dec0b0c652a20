package strictjson

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// CheckValue holds one JSON value that is passed on undecoded to what readers of
// any kind agree upon: no duplicate names, valid UTF-8, nothing behind it, numbers
// that CheckNumber accepts, and at most depth levels. An error names its line and
// place, never a value.
func CheckValue(data []byte, depth int) error {
	decoder := jsontext.NewDecoder(bytes.NewReader(data))
	for values := 0; ; {
		token, err := decoder.ReadToken()
		switch {
		case errors.Is(err, io.EOF) && values == 1:
			return nil
		case errors.Is(err, io.EOF):
			return errors.New("JSON is empty")
		case err != nil:
			return explain(data, err)
		case decoder.StackDepth() > depth:
			return at(data, decoder.InputOffset(), decoder.StackPointer(), fmt.Sprintf("it is nested deeper than %d levels", depth))
		case token.Kind() == '0':
			if err := CheckNumber(token.String()); err != nil {
				return at(data, decoder.InputOffset(), decoder.StackPointer(), err.Error())
			}
		}
		if decoder.StackDepth() == 0 {
			values++
		}
		if values > 1 {
			return at(data, decoder.InputOffset(), "", "there is a second value behind the first")
		}
	}
}

// checkNumbers looks at every number before a decoder computes one. What is not
// JSON is for the decoder to say.
func checkNumbers(data []byte) error {
	decoder := jsontext.NewDecoder(bytes.NewReader(data), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	for {
		token, err := decoder.ReadToken()
		if err != nil {
			return nil //nolint:nilerr // see above
		}
		if token.Kind() != '0' {
			continue
		}
		if err := CheckNumber(token.String()); err != nil {
			return at(data, decoder.InputOffset(), decoder.StackPointer(), err.Error())
		}
	}
}
