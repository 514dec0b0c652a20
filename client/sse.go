package client

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// message is one of a stream of events (text/event-stream).
type message struct {
	id   int64 // or 0: it has none of its own
	kind string
	data []byte
}

// messages reads a stream of events. When to come back is our own choice, not what the stream
// says to browsers (retry). It is our own because it has to be known whether an
// event has a number of its own: a library gives it that of the one before, as a browser does.
type messages struct {
	from    *bufio.Reader
	most    int    // bytes of an event
	until   string // events of this type are told without their data, which is not read
	afterCR bool
}

func newMessages(from io.Reader, most int) *messages {
	return &messages{from: bufio.NewReaderSize(from, 64<<10), most: most}
}

var (
	errLong = errors.New("an event is too long")
	errID   = errors.New("the number of an event is none")
)

// next returns the next event. At the end of the stream what has no end of its own is none, and
// the error is io.EOF.
func (m *messages) next() (message, error) {
	var got message
	var data bytes.Buffer
	begun := false
	for {
		line, err := m.line()
		if err != nil {
			return message{}, err
		}
		if len(line) == 0 {
			if !begun { // nothing to say, or a comment
				got = message{}
				continue
			}
			got.data = bytes.TrimSuffix(data.Bytes(), []byte("\n"))
			return got, nil
		}
		name, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch string(name) {
		case "data":
			begun = true
			if data.Len()+len(value) > m.most {
				return message{}, errLong
			}
			data.Write(value)
			data.WriteByte('\n')
		case "event":
			got.kind = string(value)
			if got.kind == m.until && m.until != "" {
				return got, nil
			}
		case "id":
			if got.id, err = number(value); err != nil {
				return message{}, err
			}
		}
	}
}

// number reads the id of an event, which is how many there were of its run.
func number(text []byte) (int64, error) {
	value, err := strconv.ParseInt(string(text), 10, 64)
	if err != nil || value < 1 || strconv.FormatInt(value, 10) != string(text) {
		return 0, errID
	}
	return value, nil
}

// line reads one without its end, which is CR, LF or both.
func (m *messages) line() ([]byte, error) {
	var line []byte
	for {
		letter, err := m.from.ReadByte()
		if err != nil {
			return nil, err
		}
		after := m.afterCR
		m.afterCR = letter == '\r'
		switch {
		case letter == '\n' && after:
			continue
		case letter == '\n' || letter == '\r':
			return line, nil
		case len(line) > m.most:
			return nil, fmt.Errorf("%w: more than %d bytes", errLong, m.most)
		}
		line = append(line, letter)
	}
}
