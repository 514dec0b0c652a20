package records

import (
	"bytes"
	"errors"
	"fmt"
	"os"
)

// backward calls visit with the events that end before size, the last first, until it
// returns false. They are whole, and not compared with each other.
func (c *chain) backward(size int64, visit func(Event) bool) (err error) {
	if size == 0 {
		return nil
	}
	file, err := openFile(c.path)
	if err != nil {
		return fmt.Errorf("read audit chain: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	for size > 0 {
		text, err := lineBefore(file, size)
		if err != nil {
			return fmt.Errorf("read audit chain: %w", err)
		}
		event, err := parseLine(text)
		if err != nil {
			return c.damaged(err)
		}
		if !visit(event) {
			return nil
		}
		size -= int64(len(text)) + 1
	}
	return nil
}

// lineBefore reads the line whose newline is the last byte before end.
func lineBefore(file *os.File, end int64) ([]byte, error) {
	buffer := make([]byte, min(end, maxLine+1))
	if _, err := file.ReadAt(buffer, end-int64(len(buffer))); err != nil {
		return nil, err
	}
	text, whole := bytes.CutSuffix(buffer, []byte("\n"))
	begin := bytes.LastIndexByte(text, '\n')
	if !whole || begin < 0 && int64(len(buffer)) < end {
		return nil, errors.New("a line is longer than any of ours")
	}
	return text[begin+1:], nil
}
