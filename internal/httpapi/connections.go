package httpapi

import (
	"cmp"
	"context"
	"net"
	"net/http"
	"sync"

	"hotcell/internal/access"
)

// connections are counted as the server tells of them, rather than by a listener of our own:
// what access looks for below a connection has to be what was accepted. Each place that they come
// from has at most half of them, and one principal half of what others leave there. Where there is no
// room, one goes on which nobody is known, or no request has its place: see goesBefore; where there is none, the newest.
type connections struct {
	most int

	mu   sync.Mutex
	open map[net.Conn]*connection
	from map[string]*place
	turn int64
}

// place is where connections come from: an address, or a user of a socket, and perhaps a proxy with
// many behind it.
type place struct {
	open  int
	known int            // of those, on which somebody is known
	by    map[string]int // of those, by principal
}

// connection is one. What stands below the line is guarded by connections.mu.
type connection struct {
	of   *connections
	conn net.Conn
	from string

	// --
	by    string // who is known that has asked over it last, or ""
	waits bool   // no request of it has its place
	turn  int64
}

type connectionKey struct{}

func newConnections(most int) *connections {
	return &connections{most: most, open: map[net.Conn]*connection{}, from: map[string]*place{}}
}

// share is how many one place has.
func (c *connections) share() int { return (c.most + 1) / 2 }

// begin is http.Server.ConnContext, which is called before the server tells of a connection.
func (c *connections) begin(ctx context.Context, conn net.Conn) context.Context {
	ctx = access.ConnContext(ctx, conn)
	one := &connection{of: c, conn: conn, from: access.Origin(ctx, conn.RemoteAddr().String())}
	c.mu.Lock()
	defer c.mu.Unlock()
	at := c.from[one.from]
	switch {
	case at != nil && at.open >= c.share():
		c.close(func(other *connection) bool { return other.from == one.from })
	case len(c.open) >= c.most:
		c.close(func(*connection) bool { return true })
	}
	if at = c.from[one.from]; at == nil {
		at = &place{by: map[string]int{}}
		c.from[one.from] = at
	}
	at.open++
	c.open[conn] = one
	return context.WithValue(ctx, connectionKey{}, one)
}

// close closes one connection on which nobody is known, or no request has its place, of those that may
// be, and reports whether there was one. How long a body takes, or who reads what anybody may, is the
// other end's to choose, and only places are counted for each principal, wherever that comes from.
// mu is held.
func (c *connections) close(may func(*connection) bool) bool {
	var found *connection
	for _, one := range c.open {
		if (one.waits || one.by == "") && may(one) && (found == nil || c.goesBefore(one, found)) {
			found = one
		}
	}
	if found == nil {
		return false
	}
	c.drop(found.conn)
	cut(found.conn)
	return true
}

// goesBefore says which of two makes room: one on which nobody is known, then one from where the most
// come, of who has the most there, and that has waited for longest. mu is held.
func (c *connections) goesBefore(one, other *connection) bool {
	if (one.by == "") != (other.by == "") {
		return one.by == ""
	}
	at, beside := c.from[one.from], c.from[other.from]
	return cmp.Or(
		cmp.Compare(beside.open, at.open),
		cmp.Compare(beside.by[other.by], at.by[one.by]),
		cmp.Compare(one.turn, other.turn),
	) < 0
}

// cut closes what is below TLS, whose own end would be written first, to who may not read.
func cut(conn net.Conn) {
	if above, ok := conn.(interface{ NetConn() net.Conn }); ok {
		conn = above.NetConn()
	}
	conn.Close()
}

// drop forgets one. mu is held.
func (c *connections) drop(conn net.Conn) {
	one := c.open[conn]
	if one == nil {
		return
	}
	delete(c.open, conn)
	c.name(one, "")
	if at := c.from[one.from]; at.open == 1 {
		delete(c.from, one.from)
	} else {
		at.open--
	}
}

// name says who is known on a connection, or that nobody is. mu is held.
func (c *connections) name(one *connection, by string) {
	at := c.from[one.from]
	if one.by != "" {
		at.known--
		if at.by[one.by]--; at.by[one.by] == 0 {
			delete(at.by, one.by)
		}
	}
	if one.by = by; by != "" {
		at.known++
		at.by[by]++
	}
}

// changed is http.Server.ConnState.
func (c *connections) changed(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	one := c.open[conn]
	if one == nil {
		return
	}
	c.turn++
	one.waits, one.turn = true, c.turn
	switch state {
	case http.StateNew:
		if len(c.open) > c.most || c.from[one.from].open > c.share() {
			c.drop(conn)
			cut(conn)
		}
	case http.StateClosed, http.StateHijacked:
		c.drop(conn)
	case http.StateActive, http.StateIdle:
	}
}

// works says that a request has its place: its connection makes no room until it is answered.
func works(r *http.Request) {
	one, ok := r.Context().Value(connectionKey{}).(*connection)
	if !ok {
		return
	}
	one.of.mu.Lock()
	defer one.of.mu.Unlock()
	one.waits = false
}

// isKnown says who asks over a request's connection, and reports whether they may have one more from
// there: those on which they have none at work go for it.
func isKnown(r *http.Request, by string) bool {
	one, ok := r.Context().Value(connectionKey{}).(*connection)
	return !ok || one.of.isKnown(one, by)
}

func (c *connections) isKnown(one *connection, by string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if one.by == by || c.open[one.conn] != one {
		return true
	}
	at := c.from[one.from]
	full := func() bool {
		own := at.by[by]
		left := c.share() - (at.known - own)
		return own >= (left+1)/2
	}
	for full() {
		if !c.close(func(other *connection) bool { return other.from == one.from && other.by == by }) {
			return false
		}
	}
	c.name(one, by)
	return true
}
