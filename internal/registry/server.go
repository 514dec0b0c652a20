package registry

import (
	"bytes"
	"context"
	"log"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"hotcell/internal/access"
)

const (
	headerTime = 10 * time.Second
	idleTime   = time.Minute
	maxHeader  = 32 << 10
	// maxConnections are of all clients together, and maxOfOne of one address, or one /64 with IPv6: whoever comes then is turned out.
	maxConnections = 1024
	maxOfOne       = 256
)

// Server makes a server for the registry, which is to be given a listener. There is no time by which an
// answer has to be written: each write has one.
func (g *Registry) Server() *http.Server {
	room := &room{of: map[string]int{}, at: map[net.Conn]string{}}
	return &http.Server{
		Handler: g, ConnContext: access.ConnContext, ConnState: room.changed,
		ReadHeaderTimeout: headerTime, IdleTimeout: idleTime, MaxHeaderBytes: maxHeader,
		// For what is written without a time of its own, which no answer is; it is set anew with each request.
		WriteTimeout: writeTime + turnTime,
		ErrorLog:     log.New(faults{g.Logger, access.NewLines()}, "", 0),
		// Else OPTIONS * is answered to whoever asks.
		DisableGeneralOptionsHandler: true,
	}
}

// faults is what net/http reports. Its words repeat what clients have sent, which no log has.
type faults struct {
	to    *slog.Logger
	lines *access.Lines
}

// Write implements io.Writer.
func (l faults) Write(line []byte) (int, error) {
	kind := "other"
	if bytes.Contains(line, []byte("TLS handshake error")) {
		kind = "TLS handshake: a client has no certificate that the client_ca has signed, or does not trust this one's"
	}
	if attributes, ok := l.lines.Take(true); ok {
		l.to.Warn("the HTTP server reports a fault", append(attributes, slog.String("kind", kind))...)
	}
	return len(line), nil
}

// room bounds connections.
type room struct {
	mu sync.Mutex
	of map[string]int      // by network: whoever has one IPv6 address has 2^64
	at map[net.Conn]string // those that count
}

// changed is told by net/http, of a new connection before anything is read from it.
func (r *room) changed(conn net.Conn, state http.ConnState) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch state {
	case http.StateNew:
		from := access.Origin(context.Background(), conn.RemoteAddr().String())
		if len(r.at) >= maxConnections || r.of[from] >= maxOfOne {
			_ = conn.Close() // what is read from it says so
			return
		}
		r.at[conn] = from
		r.of[from]++
	case http.StateClosed, http.StateHijacked:
		from, counted := r.at[conn]
		if !counted {
			return
		}
		delete(r.at, conn)
		if r.of[from]--; r.of[from] == 0 {
			delete(r.of, from)
		}
	case http.StateActive, http.StateIdle:
	}
}
