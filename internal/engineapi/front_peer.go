package engineapi

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"sync"

	"hotcell/internal/unixsocket"
)

// onlyFrom is a listener that one user's connections pass, so many at a time. Others are
// closed before a byte of theirs is read.
func onlyFrom(listener net.Listener, uid uint32, apart bool, logger *slog.Logger) net.Listener {
	return &oneUser{Listener: listener, uid: uid, apart: apart, places: make(chan struct{}, frontConnections), logger: logger}
}

type oneUser struct {
	net.Listener
	uid    uint32
	apart  bool
	places chan struct{}
	logger *slog.Logger
}

// Accept implements net.Listener.
func (l *oneUser) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		local, ok := conn.(*net.UnixConn)
		if err := l.fault(conn); !ok || err != nil {
			l.logger.Warn("a connection to the front's socket is not the front's", "reason", err)
			_ = conn.Close() // nothing was said on it
			continue
		}
		select {
		case l.places <- struct{}{}:
			return &placed{UnixConn: local, leave: sync.OnceFunc(func() { <-l.places })}, nil
		default:
			l.logger.Warn("the front has too many connections", "most", frontConnections)
			_ = conn.Close() // nothing was said on it
		}
	}
}

// fault is why a connection is not the front's.
func (l *oneUser) fault(conn net.Conn) error {
	uid, err := unixsocket.PeerUID(conn)
	if err == nil && uid != l.uid {
		err = fmt.Errorf("it is of user %d", uid)
	}
	if err != nil || !l.apart {
		return err
	}
	seen, err := unixsocket.PeerSeen(conn)
	if err == nil && seen {
		err = errors.New("its process has this one's user, and shares a pid namespace with it: give the front a user of its own, or a container with processes of its own")
	}
	return err
}

// placed is a connection that gives its place back.
type placed struct {
	*net.UnixConn
	leave func()
}

// Close implements net.Conn.
func (p *placed) Close() error {
	defer p.leave()
	return p.UnixConn.Close()
}

// NetConn is what unixsocket.PeerUID looks at.
func (p *placed) NetConn() net.Conn { return p.UnixConn }
