package unixsocket

import (
	"errors"
	"fmt"
	"net"
	"syscall"

	"golang.org/x/sys/unix"
)

// PeerUID is the user whose process connected, or listens, by the kernel's word (SO_PEERCRED). It
// looks through what wraps a connection and says so (NetConn), as crypto/tls does.
func PeerUID(conn net.Conn) (uint32, error) {
	local, ok := innermost(conn).(*net.UnixConn)
	if !ok {
		return 0, errors.New("look at peer: not a unix socket")
	}
	raw, err := local.SyscallConn()
	if err != nil {
		return 0, fmt.Errorf("look at peer: %w", err)
	}
	return ask(raw)
}

func ask(raw syscall.RawConn) (uint32, error) {
	var peer *unix.Ucred
	var fault error
	err := raw.Control(func(fd uintptr) { peer, fault = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED) })
	if err = errors.Join(err, fault); err != nil {
		return 0, fmt.Errorf("look at peer: %w", err)
	}
	return peer.Uid, nil
}
