package httpapi

import (
	"errors"
	"io"
	"net/http"

	"hotcell/internal/access"
)

// Mount has another handler answer for a pattern of a method and a path, to principals that are
// known, and may run, check or read records: access.Of tells it who asks. Requests that it makes
// of the Door in this process, with the context of its own, are that principal's. It is called
// before anything is served.
func (d *Door) Mount(pattern string, handler http.Handler) {
	scopes := []access.Scope{access.ScopeRun, access.ScopeCheck, access.ScopeRecords}
	one := route{pattern: pattern, foreign: true, scopes: scopes, answer: func(c *call) error {
		ctx, end := d.long.begin(c.r.Context())
		defer end(nil)
		held := &heldBody{from: http.MaxBytesReader(c.w, c.r.Body, d.Limits.BodyBytes), bodies: d.bodies, by: c.by.Name}
		defer held.free()
		asked := c.r.WithContext(ctx)
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

// heldBody is a body that has its place among bodies as far as it was read, and until its request
// is answered: whoever reads it has it until then.
type heldBody struct {
	from    io.ReadCloser
	bodies  *places
	by      string
	read    int64
	backs   []func()
	refused bool
}

// pieceHeld is what a place is taken for at a time.
const pieceHeld = 64 << 10

var errNoPlace = errors.New("there is no place for more bodies")

// Read implements io.Reader. Nothing is read for which there is no place.
func (b *heldBody) Read(p []byte) (int, error) {
	room := int64(len(b.backs))*pieceHeld - b.read
	if room == 0 {
		back, ok := b.bodies.take(b.by, pieceHeld)
		if !ok {
			b.refused = true
			return 0, errNoPlace
		}
		b.backs = append(b.backs, back)
		room = pieceHeld
	}
	n, err := b.from.Read(p[:min(int64(len(p)), room)])
	b.read += int64(n)
	return n, err
}

// Close implements io.Closer. The place stays.
func (b *heldBody) Close() error { return b.from.Close() }

func (b *heldBody) free() {
	for _, back := range b.backs {
		back()
	}
}
