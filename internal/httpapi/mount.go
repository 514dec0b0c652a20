package httpapi

import (
	"bytes"
	"errors"
	"io"
	"net/http"

	"hotcell/internal/access"
	"hotcell/internal/budget"
)

// Mount has another handler answer for a pattern of a method and a path, to principals that are
// known, and may run, check or read records: access.Of tells it who asks. Requests that it makes
// of the Door in this process, with the context of its own, are that principal's; budget.Of is the share
// that what it answers takes of all answers. It is called before anything is served.
func (d *Door) Mount(pattern string, handler http.Handler) {
	scopes := []access.Scope{access.ScopeRun, access.ScopeCheck, access.ScopeRecords}
	one := route{pattern: pattern, foreign: true, scopes: scopes, answer: func(c *call) error {
		ctx, end := d.long.begin(c.r.Context())
		defer end(nil)
		text, err := c.whole()
		if err != nil {
			return err
		}
		answer, _ := d.texts.bytes.Take(c.by.Name, 0)
		defer answer.Free()
		asked := c.r.WithContext(budget.With(ctx, answer))
		asked.Body, asked.ContentLength = io.NopCloser(bytes.NewReader(text)), int64(len(text))
		handler.ServeHTTP(c.w, asked)
		return nil
	}}
	d.mux.HandleFunc(pattern, one.handler)
}

// heldBody is a body that has its place among bodies as far as it was read, and its time as far as it
// comes: whoever reads it has both until they are given back.
type heldBody struct {
	io.ReadCloser
	call    *call
	read    int64
	refused bool
}

// pieceHeld is how much is read for which no place was taken yet.
const pieceHeld = 64 << 10

var errNoPlace = errors.New("there is no place for more bodies")

// hold gives the body, whose place is the call's: it is for what has come, and not for what
// somebody says will.
func (c *call) hold() (*heldBody, error) {
	var ok bool
	if c.held, ok = c.door.bodies.Take(c.by.Name, 0); !ok {
		return nil, busy("bodies")
	}
	if c.r.ContentLength != 0 {
		if err := c.bodyWithin(c.door.Limits.BodyTime); err != nil {
			return nil, err
		}
	}
	return &heldBody{ReadCloser: http.MaxBytesReader(c.w, c.r.Body, c.door.Limits.BodyBytes), call: c}, nil
}

// Read implements io.Reader.
func (b *heldBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p[:min(len(p), pieceHeld)])
	before := b.read
	b.read += int64(n)
	if !b.call.held.Grow(b.read) {
		b.refused = true
		return 0, errNoPlace
	}
	if err == nil && b.read/perPiece > before/perPiece {
		err = b.call.bodyWithin(b.call.door.Limits.BodyTime)
	}
	return n, err
}
