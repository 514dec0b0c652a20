package httpapi

import (
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// mostAtOnce is how much of an answer a reader has to take within Limits.WriteTime.
const mostAtOnce = 64 << 10

// writer is a response each of whose writes has a deadline, whoever makes it: a reader that
// takes nothing ends its own connection, and keeps no more than that.
type writer struct {
	http.ResponseWriter
	control *http.ResponseController
	each    time.Duration
	status  int          // 0 until it is written
	fallen  func() error // why nothing more may be written, or nil
}

func newWriter(w http.ResponseWriter, each time.Duration) *writer {
	return &writer{ResponseWriter: w, control: http.NewResponseController(w), each: each, fallen: func() error { return nil }}
}

// Unwrap is for http.ResponseController.
func (w *writer) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// WriteHeader implements http.ResponseWriter.
func (w *writer) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (w *writer) Write(data []byte) (written int, err error) {
	if w.status == 0 {
		w.WriteHeader(http.StatusOK)
	}
	for piece := range bytesChunks(data) {
		if err := w.fallen(); err != nil {
			return written, err
		}
		if err := w.control.SetWriteDeadline(time.Now().Add(w.each)); err != nil {
			return written, fmt.Errorf("bound the time of a write: %w", err)
		}
		n, err := w.ResponseWriter.Write(piece)
		written += n
		if err != nil {
			return written, err
		}
	}
	return written, nil
}

// bytesChunks cuts data into pieces of mostAtOnce.
func bytesChunks(data []byte) func(yield func([]byte) bool) {
	return func(yield func([]byte) bool) {
		for len(data) > 0 {
			piece := data[:min(len(data), mostAtOnce)]
			data = data[len(piece):]
			if !yield(piece) {
				return
			}
		}
	}
}

// flush sends what has been written.
func (w *writer) flush() error {
	if err := w.control.SetWriteDeadline(time.Now().Add(w.each)); err != nil {
		return fmt.Errorf("bound the time of a write: %w", err)
	}
	return w.control.Flush()
}

// json answers with a value that is at hand.
func (c *call) json(status int, value any) error {
	line, err := encoded(value)
	if err != nil {
		return err
	}
	held, err := c.door.texts.hold(c.by.Name, "", line)
	if err != nil {
		return err
	}
	defer held.free()
	return c.text(status, "application/json", held.line)
}

func (c *call) text(status int, mediaType string, text []byte) error {
	c.w.Header().Set("Content-Type", mediaType)
	c.w.Header().Set("Content-Length", strconv.Itoa(len(text)))
	c.w.WriteHeader(status)
	if c.r.Method == http.MethodHead {
		return nil
	}
	_, err := c.w.Write(text)
	return err
}
