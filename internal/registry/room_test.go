package registry

import (
	"fmt"
	"net"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

type connection struct {
	net.Conn
	from   net.Addr
	closed bool
}

// Close implements net.Conn.
func (c *connection) Close() error {
	c.closed = true
	return nil
}

// RemoteAddr implements net.Conn.
func (c *connection) RemoteAddr() net.Addr { return c.from }

// TestOneNetworkHasPartOfAllConnections: whoever has an address of IPv6 has 2^64.
func TestOneNetworkHasPartOfAllConnections(t *testing.T) {
	r := &room{of: map[string]int{}, at: map[net.Conn]string{}}
	from := func(address string) *connection {
		made := &connection{from: &net.TCPAddr{IP: net.ParseIP(address), Port: 4000}}
		r.changed(made, http.StateNew)
		return made
	}
	for number := range maxOfOne {
		require.False(t, from(fmt.Sprintf("2001:db8::%x", number+1)).closed)
	}
	require.True(t, from("2001:db8::ffff").closed)
	node := from("2001:db8:1::1")
	require.False(t, node.closed)
	require.True(t, from("2001:db8::fffe").closed)
	r.changed(node, http.StateClosed)
	require.Len(t, r.at, maxOfOne)
}
