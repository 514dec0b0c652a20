package docker

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"

	"golang.org/x/sys/unix"
)

// dialDaemon connects only to a daemon of root or of this user. A daemon names
// processes, which root then moves, limits and kills, and files, which are read, and it
// gets code and data. The connection says whose it is, because a name proves nothing: an
// abstract one has no owner, and what a path leads to can be exchanged (CWE-367).
//
// SO_PEERCRED is who called listen(2), as this user namespace sees that user. For
// docker.socket and podman.socket that is the systemd which starts the daemon, root's or
// the user's; for a rootless daemon, root of a namespace of its own, it is the user.
func dialDaemon(ctx context.Context, path string) (net.Conn, error) {
	var dialer net.Dialer
	connection, err := dialer.DialContext(ctx, "unix", path)
	if err != nil {
		return nil, err
	}
	uid, err := peerOf(connection)
	if err == nil {
		err = checkPeer(path, uid, os.Geteuid())
	}
	if err != nil {
		return nil, errors.Join(err, connection.Close())
	}
	return connection, nil
}

func peerOf(connection net.Conn) (uid int, err error) {
	socket, ok := connection.(*net.UnixConn)
	if !ok {
		return 0, fmt.Errorf("look at the daemon's user: the connection is a %T", connection)
	}
	raw, err := socket.SyscallConn()
	if err != nil {
		return 0, fmt.Errorf("look at the daemon's user: %w", err)
	}
	var peer *unix.Ucred
	controlErr := raw.Control(func(fd uintptr) { peer, err = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED) })
	if err := errors.Join(controlErr, err); err != nil {
		return 0, fmt.Errorf("look at the daemon's user: %w", err)
	}
	return int(peer.Uid), nil
}

func checkPeer(path string, peer, own int) error {
	if peer == 0 || peer == own {
		return nil
	}
	return &foreignDaemonError{path: path, peer: peer, own: own}
}
