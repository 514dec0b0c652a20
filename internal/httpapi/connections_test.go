package httpapi

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// wire is a connection of TCP.
type wire struct {
	net.Conn

	from   string
	closed bool
}

func (w *wire) RemoteAddr() net.Addr { return address(w.from) }
func (w *wire) Close() error         { w.closed = true; return nil }

type address string

func (a address) Network() string { return "tcp" }
func (a address) String() string  { return string(a) }

// hall is connections of a server.
type hall struct {
	*connections

	ports int
}

// comes is a new one, in a state.
func (h *hall) comes(from string, state http.ConnState) (*wire, *connection) {
	h.ports++
	conn := &wire{from: fmt.Sprintf("%s:%d", from, h.ports)}
	ctx := h.begin(context.Background(), conn)
	h.changed(conn, http.StateNew)
	if !conn.closed && state != http.StateNew {
		h.changed(conn, state)
	}
	one, _ := ctx.Value(connectionKey{}).(*connection)
	return conn, one
}

func TestConnectionsHavePlaces(t *testing.T) {
	const anna, bert, carl = "192.0.2.1", "192.0.2.2", "192.0.2.3"
	t.Run("of one address half", func(t *testing.T) {
		h := hall{connections: newConnections(8)}
		for range 4 {
			conn, one := h.comes(anna, http.StateActive)
			one.by, one.waits = "user:anna", false
			require.False(t, conn.closed)
		}
		fifth, _ := h.comes(anna, http.StateActive)
		require.True(t, fifth.closed, "the newest, as somebody is known on all others")
		other, _ := h.comes(bert, http.StateActive)
		require.False(t, other.closed)
		require.Len(t, h.open, 5)
	})
	t.Run("and the idle ones go first", func(t *testing.T) {
		h := hall{connections: newConnections(8)}
		var idle []*wire
		for range 4 {
			conn, _ := h.comes(anna, http.StateIdle)
			idle = append(idle, conn)
		}
		_, _ = h.comes(bert, http.StateIdle)
		fifth, _ := h.comes(anna, http.StateIdle)
		require.False(t, fifth.closed)
		require.True(t, idle[0].closed, "the one that has waited for longest, of the same address")
		require.False(t, idle[1].closed)
	})
	t.Run("whatever nobody is asking", func(t *testing.T) {
		h := hall{connections: newConnections(8)}
		var busy []*wire
		for n := range 8 {
			conn, _ := h.comes([]string{anna, bert}[n%2], http.StateActive)
			busy = append(busy, conn)
		}
		third, _ := h.comes(carl, http.StateNew)
		require.False(t, third.closed)
		require.True(t, busy[0].closed, "a body that never comes keeps no place")
	})
	t.Run("what holds no place, of one principal everywhere", func(t *testing.T) {
		h := hall{connections: newConnections(16)}
		var busy []*wire
		for n := range 16 { // half of what each of four addresses has
			conn, one := h.comes(fmt.Sprintf("192.0.2.%d", 10+n%4), http.StateActive)
			require.True(t, h.isKnown(one, "user:anna"))
			busy = append(busy, conn)
		}
		other, _ := h.comes(bert, http.StateNew)
		require.False(t, other.closed)
		require.True(t, busy[0].closed)
	})
	t.Run("of all together", func(t *testing.T) {
		h := hall{connections: newConnections(8)}
		var first *wire
		for _, from := range []string{bert, anna, anna, anna, anna, bert, carl, carl} {
			conn, _ := h.comes(from, http.StateNew) // has not asked yet, or is in its handshake
			if first == nil && from == anna {
				first = conn
			}
		}
		conn, _ := h.comes("192.0.2.4", http.StateActive)
		require.False(t, conn.closed)
		require.True(t, first.closed, "of the address that has the most")
		require.Len(t, h.open, 8)
	})
	t.Run("who is known stays", func(t *testing.T) {
		h := hall{connections: newConnections(2)}
		known, one := h.comes(anna, http.StateIdle)
		require.True(t, h.isKnown(one, "user:anna"))
		other, _ := h.comes(bert, http.StateIdle)
		third, _ := h.comes(carl, http.StateIdle)
		require.False(t, known.closed)
		require.True(t, other.closed)
		require.False(t, third.closed)
		again, _ := h.comes(anna, http.StateIdle)
		require.True(t, known.closed, "but makes room from its own address, where there is no other")
		require.False(t, again.closed)
	})
	t.Run("a principal makes room for others from there", func(t *testing.T) {
		h := hall{connections: newConnections(40)} // twenty of a proxy's
		var idle []*wire
		for range 30 {
			conn, one := h.comes(anna, http.StateActive)
			require.True(t, h.isKnown(one, "user:anna"))
			h.changed(conn, http.StateIdle)
			idle = append(idle, conn)
		}
		require.Equal(t, 10, h.from["192.0.2.1"].open, "half of them")
		require.True(t, idle[0].closed)
		require.False(t, idle[29].closed)
		for n := range 20 { // those who come have theirs, however many there are
			conn, one := h.comes(anna, http.StateActive)
			require.False(t, conn.closed)
			require.True(t, h.isKnown(one, fmt.Sprintf("token:%d", n)))
			h.changed(conn, http.StateIdle)
		}
		require.LessOrEqual(t, h.from["192.0.2.1"].open, 20)
	})
	t.Run("and has no more where all are at work", func(t *testing.T) {
		h := hall{connections: newConnections(8)}
		for n := range 4 {
			conn, one := h.comes(anna, http.StateActive)
			require.False(t, conn.closed)
			require.Equal(t, n < 2, h.isKnown(one, "user:anna"), n)
			one.waits = false
			if n >= 2 {
				h.changed(conn, http.StateClosed) // as it is answered
			}
		}
		conn, one := h.comes(anna, http.StateActive)
		require.False(t, conn.closed)
		require.True(t, h.isKnown(one, "user:bert"))
		require.True(t, h.isKnown(one, "user:carl"), "a proxy's connection is another's then")
		require.Equal(t, map[string]int{"user:anna": 2, "user:carl": 1}, h.from["192.0.2.1"].by)
	})
	t.Run("what has ended has no place", func(t *testing.T) {
		h := hall{connections: newConnections(2)}
		for range 100 {
			conn, _ := h.comes(anna, http.StateActive)
			require.False(t, conn.closed)
			h.changed(conn, http.StateClosed)
			h.changed(conn, http.StateClosed)
		}
		require.Empty(t, h.open)
		require.Empty(t, h.from)
	})
}

// What is below TLS is closed, as TLS would first write, and wait.
func TestWhatIsCutOffIsNotWrittenTo(t *testing.T) {
	below := &wire{}
	cut(above{below})
	require.True(t, below.closed)
}

type above struct{ *wire }

func (a above) NetConn() net.Conn { return a.wire }
func (a above) Close() error      { return net.ErrClosed }
