package httpapi

import (
	"bytes"
	"log"
	"log/slog"
	"net"
	"net/http"
	"sync"
)

// maxHeader is of all the header lines of a request together.
const maxHeader = 32 << 10

// Server makes a server for the Door, which is to be given listeners, and perhaps a
// TLSConfig and a ConnContext. Its Shutdown ends streams and requests that wait, and gives
// all others time. There is no time by which an answer has to be written: each write has one.
func (d *Door) Server() *http.Server {
	connections := &connections{most: d.Limits.Connections}
	server := &http.Server{
		Handler:           d,
		ReadHeaderTimeout: d.Limits.HeaderTime,
		IdleTimeout:       d.Limits.IdleTime,
		MaxHeaderBytes:    maxHeader,
		ConnState:         connections.changed,
		ErrorLog:          log.New(faults{d.Logger}, "", 0),
	}
	server.RegisterOnShutdown(d.long.endAll)
	return server
}

// connections are counted as the server tells of them, rather than by a listener of our own:
// what access looks for below a connection has to be what was accepted.
type connections struct {
	most int

	mu   sync.Mutex
	open map[net.Conn]struct{}
}

func (c *connections) changed(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open == nil {
		c.open = map[net.Conn]struct{}{}
	}
	switch state {
	case http.StateNew:
		if len(c.open) >= c.most {
			conn.Close()
			return
		}
		c.open[conn] = struct{}{}
	case http.StateClosed, http.StateHijacked:
		delete(c.open, conn)
	case http.StateActive, http.StateIdle:
	}
}

// faults is what net/http reports. Its words repeat what callers have sent (names, versions,
// values of headers), which no log has: it is told which kind it was.
type faults struct{ to *slog.Logger }

// Write implements io.Writer.
func (l faults) Write(line []byte) (int, error) {
	kind := "other"
	for _, known := range []string{"TLS handshake error", "Accept error", "superfluous", "panic serving", "http2"} {
		if bytes.Contains(line, []byte(known)) {
			kind = known
			break
		}
	}
	l.to.Warn("the HTTP server reports a fault", "kind", kind)
	return len(line), nil
}
