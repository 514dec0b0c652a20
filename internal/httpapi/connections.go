package httpapi

import (
	"context"
	"net"
	"net/http"
	"sync"
	"sync/atomic"

	"hotcell/internal/access"
)

// connections are counted as the server tells of them, rather than by a listener of our own:
// what access looks for below a connection has to be what was accepted. Each place that they come
// from has at most half of them. Where there is no room, the one goes that has waited for longest of
// those on which nobody is known and nothing is asked just now; where there is none of these, the
// newest.
type connections struct {
	most int

	mu   sync.Mutex
	open map[net.Conn]*connection
	from map[string]int // of those
	turn int64
}

// connection is one. What stands below the line is guarded by connections.mu.
type connection struct {
	from  string
	known atomic.Bool // somebody has asked over it who is known

	// --
	waits bool // nothing is asked just now
	turn  int64
}

type connectionKey struct{}

func newConnections(most int) *connections {
	return &connections{most: most, open: map[net.Conn]*connection{}, from: map[string]int{}}
}

// begin is http.Server.ConnContext, which is called before the server tells of a connection.
func (c *connections) begin(ctx context.Context, conn net.Conn) context.Context {
	ctx = access.ConnContext(ctx, conn)
	one := &connection{from: access.Origin(ctx, conn.RemoteAddr().String())}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.open) >= c.most || c.from[one.from] >= (c.most+1)/2 {
		c.makeRoom(one.from)
	}
	c.open[conn] = one
	c.from[one.from]++
	return context.WithValue(ctx, connectionKey{}, one)
}

// makeRoom closes one connection that waits, of a place that has its share, or else of the one that
// has the most of these. mu is held.
func (c *connections) makeRoom(from string) {
	own := c.from[from] >= (c.most+1)/2
	var found net.Conn
	for conn, one := range c.open {
		if !one.waits || one.known.Load() || own && one.from != from {
			continue
		}
		best := c.open[found]
		if best == nil || c.from[one.from] > c.from[best.from] || c.from[one.from] == c.from[best.from] && one.turn < best.turn {
			found = conn
		}
	}
	if found != nil {
		c.drop(found)
		cut(found)
	}
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
	if c.from[one.from]--; c.from[one.from] == 0 {
		delete(c.from, one.from)
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
	one.waits, one.turn = state == http.StateNew || state == http.StateIdle, c.turn
	switch state {
	case http.StateNew:
		if len(c.open) > c.most || c.from[one.from] > (c.most+1)/2 {
			c.drop(conn)
			cut(conn)
		}
	case http.StateClosed, http.StateHijacked:
		c.drop(conn)
	case http.StateActive, http.StateIdle:
	}
}

// isKnown says that somebody who is known asks over a request's connection.
func isKnown(r *http.Request) {
	if one, ok := r.Context().Value(connectionKey{}).(*connection); ok {
		one.known.Store(true)
	}
}
