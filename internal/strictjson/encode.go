package strictjson

import (
	"bytes"
	"errors"
	"io"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Form is how a value of our own is written. The zero Form has no white space and
// refuses invalid UTF-8. Equal values give equal bytes.
type Form struct {
	Indent  string // of each level; "" for one line
	Lenient bool   // invalid UTF-8 becomes U+FFFD, for what a run printed or named
	Framed  bool   // it is written where its reader is told what a Foreign text is
}

// Foreign is a text that nobody here vouches for, such as what a script has in it or has printed.
// Only a Form that is Framed writes it, and nothing else does: no encoder, and no other Form.
type Foreign string

var errUnframed = errors.New("a text of somebody else's is to be written without its frame")

// MarshalJSON implements json.Marshaler, by failing.
func (Foreign) MarshalJSON() ([]byte, error) { return nil, errUnframed }

// foreign writes what a Form that is Framed may.
func foreign(to *jsontext.Encoder, text Foreign) error {
	return to.WriteToken(jsontext.String(string(text)))
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
	if f.Framed {
		options = append(options, json.WithMarshalers(json.MarshalToFunc(foreign)))
	}
	if f.Indent != "" {
		options = append(options, jsontext.WithIndent(f.Indent))
	}
	return json.MarshalWrite(to, value, options...)
}
