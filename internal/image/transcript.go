package image

import (
	"bytes"
	"io"
	"strings"
)

// transcript passes a child's output on, line by line, and keeps what its error
// should say. It is for one writer at a time.
type transcript struct {
	to     io.Writer
	line   []byte
	first  string // first line that apt or mmdebstrap marked as an error
	latest string // last line that was not empty
}

// maxLine bounds what is kept of a line, in bytes.
const maxLine = 4096

// Write implements io.Writer.
func (t *transcript) Write(p []byte) (int, error) {
	for chunk := range bytes.Lines(p) {
		t.line = append(t.line, chunk[:min(len(chunk), maxLine-min(maxLine, len(t.line)))]...)
		if chunk[len(chunk)-1] == '\n' {
			if err := t.flush(); err != nil {
				return 0, err
			}
		}
	}
	return len(p), nil
}

func (t *transcript) flush() error {
	text := strings.TrimRight(string(t.line), "\r\n")
	t.line = t.line[:0]
	if strings.TrimSpace(text) == "" || strings.HasPrefix(text, "I: skipping ") {
		return nil
	}
	t.latest = text
	if t.first == "" && strings.HasPrefix(text, "E: ") {
		t.first = strings.TrimPrefix(text, "E: ")
	}
	_, err := io.WriteString(t.to, text+"\n")
	return err
}

// reason returns the one line that tells best why the child failed. The others
// are in the progress output.
func (t *transcript) reason() string {
	if err := t.flush(); err != nil {
		return err.Error()
	}
	if t.first != "" {
		return t.first
	}
	return t.latest
}
