package engineapi

import (
	"context"
	"net"

	"hotcell/internal/unixsocket"
)

// peerKey is of the other end's user in a connection's context.
type peerKey struct{}

// withPeer asks the kernel once per connection: who connected is who asks.
func withPeer(ctx context.Context, conn net.Conn) context.Context {
	uid, err := unixsocket.PeerUID(conn)
	if err != nil {
		return ctx // nobody that is known, without rights
	}
	return context.WithValue(ctx, peerKey{}, uid)
}

func peerOf(ctx context.Context) (uid uint32, known bool) {
	uid, known = ctx.Value(peerKey{}).(uint32)
	return uid, known
}
