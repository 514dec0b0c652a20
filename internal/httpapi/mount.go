package httpapi

import (
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
		held, err := c.hold()
		if err != nil {
			return err
		}
		answer, _ := d.texts.bytes.Take(c.by.Name, 0)
		defer answer.Free()
		asked := c.r.WithContext(budget.With(ctx, answer))
		asked.Body = held
		handler.ServeHTTP(c.w, asked)
		if held.refused && c.w.status == 0 {
			c.w.Header().Set("Connection", "close") // the rest of it is nothing to wait for
			return busy("bodies")
		}
		return nil
	}}
	d.mux.HandleFunc(pattern, one.handler)
}

// heldBody is a body that has its place among bodies as far as it was read: whoever reads it has it
// until the place is given back.
type heldBody struct {
	io.ReadCloser
	share   *budget.Share
	read    int64
	refused bool
}

// pieceHeld is what a place is taken for at a time.
const pieceHeld = 64 << 10

var errNoPlace = errors.New("there is no place for more bodies")

// hold gives the body, whose place is the call's: it is for what has come, and not for what
// somebody says will.
func (c *call) hold() (*heldBody, error) {
	var ok bool
	if c.held, ok = c.door.bodies.Take(c.by.Name, 0); !ok {
		return nil, busy("bodies")
	}
	return &heldBody{ReadCloser: http.MaxBytesReader(c.w, c.r.Body, c.door.Limits.BodyBytes), share: c.held}, nil
}

// Read implements io.Reader. Nothing is read for which there is no place.
func (b *heldBody) Read(p []byte) (int, error) {
	room := b.share.Has() - b.read
	if room <= 0 {
		if !b.share.Grow(b.read + pieceHeld) {
			b.refused = true
			return 0, errNoPlace
		}
		room = pieceHeld
	}
	n, err := b.ReadCloser.Read(p[:min(int64(len(p)), room)])
	b.read += int64(n)
	return n, err
}
