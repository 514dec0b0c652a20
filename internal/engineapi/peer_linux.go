package engineapi

import (
	"context"
	"errors"
	"fmt"
	"net"

	"golang.org/x/sys/unix"
)

// peerKey is of the other end's user in a connection's context.
type peerKey struct{}

// withPeer asks the kernel once per connection: who connected is who asks.
func withPeer(ctx context.Context, conn net.Conn) context.Context {
	uid, err := peerUID(conn)
	if err != nil {
		return ctx // nobody that is known, without rights
	}
	return context.WithValue(ctx, peerKey{}, uid)
}

func peerOf(ctx context.Context) (uid uint32, known bool) {
	uid, known = ctx.Value(peerKey{}).(uint32)
	return uid, known
}

// peerUID is the user whose process connected, or listens.
func peerUID(conn net.Conn) (uint32, error) {
	if within, ok := conn.(*placed); ok {
		conn = within.UnixConn
	}
	local, ok := conn.(*net.UnixConn)
	if !ok {
		return 0, errors.New("look at peer: not a unix socket")
	}
	raw, err := local.SyscallConn()
	if err != nil {
		return 0, fmt.Errorf("look at peer: %w", err)
	}
	var peer *unix.Ucred
	var fault error
	err = raw.Control(func(fd uintptr) { peer, fault = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED) })
	if err = errors.Join(err, fault); err != nil {
		return 0, fmt.Errorf("look at peer: %w", err)
	}
	return peer.Uid, nil
}
