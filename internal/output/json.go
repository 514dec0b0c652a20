package output

import (
	"errors"
	"hash/maphash"
	"io"
	"slices"

	"hotcell/internal/strictjson"
)

const jsonHint = "strict JSON has no NaN, no Infinity and no name twice in an object: write null for what is no number"

const (
	// maxNames is how many names the open objects may have together. A table of two
	// million rows in pandas' default form has as many.
	maxNames = 2_000_000
	// maxName is of one name, in bytes.
	maxName = 64 << 10
)

func checkJSON(file stagedFile) error {
	reader := newJSONReader(file)
	if values, err := reader.read(1); err != nil || values == 1 {
		return err
	}
	return found(RuleMediaType, "it is not valid JSON: it is empty")
}

func checkJSONLines(file stagedFile) error {
	_, err := newJSONReader(file).read(-1)
	return err
}

// jsonReader reads values token by token. It compares names itself: the library
// keeps each of them, at ten times its size.
type jsonReader struct {
	file    io.Reader
	decoder *strictjson.Decoder
	taken   int64 // bytes that the decoder was given
	last    byte  // of them
	fault   error

	seed  maphash.Seed // of our own choosing, so that nobody can make two names meet
	names []uint64     // hashes, of all open objects
	open  []int        // where each open value's names begin
}

func newJSONReader(file io.Reader) *jsonReader {
	reader := &jsonReader{file: file, seed: maphash.MakeSeed()}
	reader.decoder = strictjson.NewDecoder(reader, strictjson.DuplicateNames)
	return reader
}

// Read implements io.Reader for the decoder, which keeps a token whole.
func (r *jsonReader) Read(into []byte) (int, error) {
	if r.taken-r.decoder.InputOffset() > maxToken {
		r.fault = tooLargeToken()
		return 0, r.fault
	}
	n, err := r.file.Read(into)
	r.taken += int64(n)
	for _, char := range into[:n] {
		// DEL and U+0080 to U+009F, by which a terminal is driven; JSON forbids only those
		// below U+0020. No other character has the first of these two bytes before the second.
		if char == 0x7f || r.last == 0xc2 && char < 0xa0 {
			r.fault = found(RuleMediaType, "before byte %d it has a control character: write it as an escape, \\u0085", r.taken)
			return 0, r.fault
		}
		r.last = char
	}
	return n, err
}

// read takes values to the end, at most most of them unless that is negative.
func (r *jsonReader) read(most int) (values int, err error) {
	for {
		token, err := r.decoder.ReadToken()
		switch {
		case r.fault != nil:
			return values, r.fault
		case errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) && r.decoder.StackDepth() == 0:
			return values, nil
		case err != nil:
			return values, found(RuleMediaType, "it is not valid JSON near byte %d: %s", r.decoder.InputOffset(), jsonHint)
		case values == most:
			return values, found(RuleMediaType, "it is not one JSON value: something follows at byte %d", r.decoder.InputOffset())
		}
		if err := r.token(token); err != nil {
			return values, err
		}
		if r.decoder.StackDepth() == 0 {
			values++
		}
	}
}

func (r *jsonReader) token(token strictjson.Token) error {
	switch token.Kind() {
	case '{', '[':
		if len(r.open) == maxNesting {
			return found(RuleMediaType, "it is nested deeper than %d levels, where readers give up", maxNesting)
		}
		r.open = append(r.open, len(r.names))
	case '}', ']':
		begin := r.open[len(r.open)-1]
		own := r.names[begin:]
		r.open, r.names = r.open[:len(r.open)-1], r.names[:begin]
		slices.Sort(own)
		for index := 1; index < len(own); index++ {
			if own[index] == own[index-1] {
				return found(RuleMediaType, "it is not valid JSON: an object that ends at byte %d has a name twice", r.decoder.InputOffset())
			}
		}
	case '0':
		if err := strictjson.CheckNumber(token.String()); err != nil {
			return found(RuleMediaType, "near byte %d: %s", r.decoder.InputOffset(), err)
		}
	case '"':
		if kind, length := r.decoder.StackIndex(r.decoder.StackDepth()); kind == '{' && length%2 == 1 {
			return r.name(token.String())
		}
	default:
	}
	return nil
}

func (r *jsonReader) name(name string) error {
	if len(name) > maxName || len(r.names) == maxNames {
		return found(RuleTooComplex, "it has a name of more than %d bytes, or objects with more than %d names: write a table as CSV or Parquet", maxName, maxNames)
	}
	r.names = append(r.names, maphash.String(r.seed, name))
	return nil
}
