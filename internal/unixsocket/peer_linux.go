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
	peer, err := peerOf(conn)
	if err != nil {
		return 0, err
	}
	return peer.Uid, nil
}

// PeerSeen reports whether the process that connected, or listens, is in this one's pid namespace or
// below it. The kernel has no number for one that is not, and says 0.
func PeerSeen(conn net.Conn) (bool, error) {
	peer, err := peerOf(conn)
	if err != nil {
		return false, err
	}
	return peer.Pid != 0, nil
}

func peerOf(conn net.Conn) (*unix.Ucred, error) {
	local, ok := innermost(conn).(*net.UnixConn)
	if !ok {
		return nil, errors.New("look at peer: not a unix socket")
	}
	raw, err := local.SyscallConn()
	if err != nil {
		return nil, fmt.Errorf("look at peer: %w", err)
	}
	return ask(raw)
}

func ask(raw syscall.RawConn) (*unix.Ucred, error) {
	var peer *unix.Ucred
	var fault error
	err := raw.Control(func(fd uintptr) { peer, fault = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED) })
	if err = errors.Join(err, fault); err != nil {
		return nil, fmt.Errorf("look at peer: %w", err)
	}
	return peer, nil
}
