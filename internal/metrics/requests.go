package metrics

import (
	"net/http"
	"strconv"
	"time"
)

func (m *Metrics) makeRequests() {
	m.requests = counter("hotcell_http_requests_total", "Requests, by the route that they met.", "route", "code")
	m.took = histogram("hotcell_http_request_seconds", "How long requests took; streams are open as long as they are read.", "route")
}

// Request counts a request that was answered. route is a pattern of the server's mux, or ""
// where none was met; never a path.
func (m *Metrics) Request(route string, status int, took time.Duration) {
	if route == "" {
		route = none
	}
	m.requests.WithLabelValues(route, code(status)).Inc()
	m.took.WithLabelValues(route).Observe(took.Seconds())
}

// code is one that HTTP has.
func code(status int) string {
	if http.StatusText(status) == "" {
		return other
	}
	return strconv.Itoa(status)
}
