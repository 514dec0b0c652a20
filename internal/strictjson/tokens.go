package strictjson

import (
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// Decoder reads JSON token by token, for values that are too large to hold or have
// rules of their own.
type Decoder = jsontext.Decoder

// Token is what a Decoder reads. It is valid until the next is read.
type Token = jsontext.Token

// Lenience is something that a Decoder of NewDecoder lets pass, because its reader
// looks for it itself or its bytes are another's format.
type Lenience string

// What can be let pass.
const (
	DuplicateNames Lenience = "duplicate names"
	InvalidUTF8    Lenience = "invalid UTF-8" // each wrong byte becomes U+FFFD
)

// NewDecoder returns a Decoder that refuses duplicate names and invalid UTF-8, but for
// what it is told to let pass. It does not check numbers: CheckNumber does.
func NewDecoder(r io.Reader, lenient ...Lenience) *Decoder {
	var options []jsontext.Options
	for _, each := range lenient {
		switch each {
		case DuplicateNames:
			options = append(options, jsontext.AllowDuplicateNames(true))
		case InvalidUTF8:
			options = append(options, jsontext.AllowInvalidUTF8(true))
		}
	}
	return jsontext.NewDecoder(r, options...)
}

// ErrDuplicateName is a Decoder's error for an object that has a name twice.
var ErrDuplicateName = jsontext.ErrDuplicateName

// AppendUnquote appends the text of a JSON string.
func AppendUnquote(to, quoted []byte) ([]byte, error) { return jsontext.AppendUnquote(to, quoted) }
