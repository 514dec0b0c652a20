package bundle

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"hotcell/internal/strictjson"
)

// jsonlCheck reads JSON Lines. It wants JSON of RFC 8259, one object on a line,
// and takes besides what writers are known to leave in it and pandas loads: NaN
// and infinities, control characters in strings, half surrogates, a name twice.
type jsonlCheck struct {
	held  []byte // of the line that has not ended
	line  int    // lines that have ended
	found string
}

// Bounds of a line. pandas 2.2 refuses deeper nesting; it counts the array that
// it makes of the lines.
const (
	maxJSONLine  = 64 << 20 // bytes
	maxJSONDepth = 1023
)

// Write implements io.Writer.
func (c *jsonlCheck) Write(chunk []byte) (int, error) {
	rest := chunk
	for len(rest) > 0 && c.found == "" {
		part, after, ended := bytes.Cut(rest, []byte{'\n'})
		if len(c.held)+len(part) > maxJSONLine {
			c.found = fmt.Sprintf("line %d is longer than %d MiB: put one object on each line", c.line+1, maxJSONLine>>20)
			break
		}
		c.held = append(c.held, part...)
		if ended {
			c.endLine()
		}
		rest = after
	}
	return len(chunk), nil
}

func (c *jsonlCheck) endLine() {
	c.line++
	if problem := jsonLineProblem(c.held, c.line); problem != "" {
		c.found = problem
	}
	c.held = c.held[:0]
}

// end implements tableCheck.
func (c *jsonlCheck) end() string {
	if c.found == "" && len(c.held) > 0 {
		c.endLine()
	}
	return c.found
}

// jsonLineProblem overwrites the line.
func jsonLineProblem(line []byte, number int) string {
	if !utf8.Valid(line) {
		return notUTF8(number)
	}
	line = bytes.TrimFunc(line, isPythonSpace)
	if len(line) == 0 {
		return ""
	}
	if bytes.HasPrefix(line, []byte(string(byteOrderMark))) {
		return fmt.Sprintf("line %d begins with a byte order mark: save the file as UTF-8 without one, or make the bundle with \"--encoding utf-8-sig\"", number)
	}
	if err := checkObject(plainJSON(line)); err != nil {
		return fmt.Sprintf("line %d %s", number, err)
	}
	return ""
}

// isPythonSpace is what str.strip of Python strips.
func isPythonSpace(r rune) bool { return unicode.IsSpace(r) || '\x1c' <= r && r <= '\x1f' }

var (
	errNotJSON   = errors.New("is not valid JSON: put one whole object on each line")
	errNotObject = errors.New("is not a JSON object: put one object on each line")
	errTooDeep   = fmt.Errorf("is nested more than %d deep, which pandas cannot read", maxJSONDepth)
	errTooBig    = errors.New("has a number beyond 64 bits, which pandas cannot read: write it as a string")
)

// checkObject wants one object. No error quotes the line.
func checkObject(line []byte) error {
	if line[0] != '{' {
		return errNotObject
	}
	decoder := strictjson.NewDecoder(bytes.NewBuffer(line), strictjson.DuplicateNames, strictjson.InvalidUTF8)
	for {
		token, err := decoder.ReadToken()
		switch {
		case err != nil:
			return errNotJSON
		case decoder.StackDepth() > maxJSONDepth:
			return errTooDeep
		case token.Kind() == '0' && !fitsPandas(token.String()):
			return errTooBig
		case decoder.StackDepth() == 0:
			return wantEnd(decoder)
		}
	}
}

func wantEnd(decoder *strictjson.Decoder) error {
	if _, err := decoder.ReadToken(); !errors.Is(err, io.EOF) {
		return errNotJSON
	}
	return nil
}

// fitsPandas reports whether the digits before the point fit into 64 bits.
func fitsPandas(number string) bool {
	whole := number
	if index := strings.IndexAny(number, ".eE"); index >= 0 {
		whole = number[:index]
	}
	var err error
	if strings.HasPrefix(whole, "-") {
		_, err = strconv.ParseInt(whole, 10, 64)
	} else {
		_, err = strconv.ParseUint(whole, 10, 64)
	}
	return err == nil
}

// plainJSON puts numbers and blanks, in place, for what pandas reads and RFC 8259
// does not allow. NUL stays: it ends the text for pandas too.
func plainJSON(line []byte) []byte {
	quoted := false
	for i := 0; i < len(line); i++ {
		switch char := line[i]; {
		case char == '"':
			quoted = !quoted
		case quoted && char == '\\':
			i++
		case quoted && 0 < char && char < ' ':
			line[i] = ' '
		case !quoted && (char == 'N' || char == 'I'):
			i += replaceNumber(line[i:])
		}
	}
	return line
}

// replaceNumber writes a zero as long as NaN or Infinity over it, and returns how
// many bytes beyond the first it has dealt with.
func replaceNumber(text []byte) int {
	for _, word := range []struct{ word, zero string }{{"NaN", "0e0"}, {"Infinity", "0e000000"}} {
		if bytes.HasPrefix(text, []byte(word.word)) {
			copy(text, word.zero)
			return len(word.word) - 1
		}
	}
	return 0
}
