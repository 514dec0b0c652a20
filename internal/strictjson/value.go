package strictjson

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// CheckValue holds one JSON value that is passed on undecoded to what readers of
// any kind agree upon: no duplicate names, valid UTF-8, nothing behind it, numbers
// that a float can hold, and at most depth levels. An error names its line and
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
		case token.Kind() == '0' && !finite(token.String()):
			return at(data, decoder.InputOffset(), decoder.StackPointer(), "the number is beyond every float")
		}
		if decoder.StackDepth() == 0 {
			values++
		}
		if values > 1 {
			return at(data, decoder.InputOffset(), "", "there is a second value behind the first")
		}
	}
}

// finite tells a number from those that readers take for an infinity, such as
// 1e999.
func finite(number string) bool {
	value, err := strconv.ParseFloat(number, 64)
	return err == nil && !math.IsInf(value, 0)
}
