package engineapi

import (
	"log/slog"
	"net"
	"sync"

	"hotcell/internal/unixsocket"
)

// onlyFrom is a listener that one user's connections pass, so many at a time. Others are
// closed before a byte of theirs is read.
func onlyFrom(listener net.Listener, uid uint32, logger *slog.Logger) net.Listener {
	return &oneUser{Listener: listener, uid: uid, places: make(chan struct{}, frontConnections), logger: logger}
}

type oneUser struct {
	net.Listener
	uid    uint32
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
		if uid, err := unixsocket.PeerUID(conn); !ok || err != nil || uid != l.uid {
			l.logger.Warn("a connection to the front's socket is of another user", "uid", uid, "reason", err)
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
