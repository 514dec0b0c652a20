package strictjson

import (
	"bytes"
	"io"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Form is how a value of our own is written. The zero Form has no white space and
// refuses invalid UTF-8. Equal values give equal bytes.
type Form struct {
	Indent  string // of each level; "" for one line
	Lenient bool   // invalid UTF-8 becomes U+FFFD, for what a run printed or named
}

// Encode writes a value in the zero Form.
func Encode(value any) ([]byte, error) { return Form{}.Encode(value) }

// Encode returns the value without an end of line.
func (f Form) Encode(value any) ([]byte, error) {
	var encoded bytes.Buffer
	err := f.Write(&encoded, value)
	return encoded.Bytes(), err
}

// Write is Encode into a writer.
func (f Form) Write(to io.Writer, value any) error {
	options := []json.Options{json.Deterministic(true), jsontext.AllowInvalidUTF8(f.Lenient)}
	if f.Indent != "" {
		options = append(options, jsontext.WithIndent(f.Indent))
	}
	return json.MarshalWrite(to, value, options...)
}
