package httpapi

import (
	"bytes"
	"log"
	"log/slog"
	"net/http"

	"hotcell/internal/access"
)

// maxHeader is of all the header lines of a request together.
const maxHeader = 32 << 10

// Server makes a server for the Door, which is to be given listeners, and perhaps a
// TLSConfig. Its Shutdown ends streams and requests that wait, and gives
// all others time. There is no time by which an answer has to be written: each write has one.
func (d *Door) Server() *http.Server {
	connections := newConnections(d.Limits.Connections)
	server := &http.Server{
		Handler:           d,
		ReadHeaderTimeout: d.Limits.HeaderTime,
		IdleTimeout:       d.Limits.IdleTime,
		MaxHeaderBytes:    maxHeader,
		ConnContext:       connections.begin,
		ConnState:         connections.changed,
		ErrorLog:          log.New(faults{d.Logger, d.lines}, "", 0),
		// Else OPTIONS * is answered without the Door, to whoever asks.
		DisableGeneralOptionsHandler: true,
	}
	server.RegisterOnShutdown(d.long.endAll)
	return server
}

// faults is what net/http reports. Its words repeat what callers have sent (names, versions,
// values of headers), which no log has: it is told which kind it was.
type faults struct {
	to    *slog.Logger
	lines *access.Lines
}

// Write implements io.Writer.
func (l faults) Write(line []byte) (int, error) {
	kind := "other"
	for _, known := range []string{"TLS handshake error", "Accept error", "superfluous", "panic serving", "http2"} {
		if bytes.Contains(line, []byte(known)) {
			kind = known
			break
		}
	}
	if attributes, ok := l.lines.Take(true); ok {
		l.to.Warn("the HTTP server reports a fault", append(attributes, slog.String("kind", kind))...)
	}
	return len(line), nil
}
