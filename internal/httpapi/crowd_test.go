package httpapi_test

import (
	"bufio"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/httpapi"
)

// Connections on which nobody is known shut nobody out, and those of who is known stay.
func TestACrowdOfStrangersShutsNobodyOut(t *testing.T) {
	d := newDesk(t, httpapi.Room{Connections: 16})
	socket, _ := d.listening()
	known := dial(t, socket, "GET /v1/version HTTP/1.1\nHost: x\nAuthorization: Bearer anna\n\n")
	reader := bufio.NewReader(known)
	until(t, known, reader, "200 OK")
	crowd := func() {
		for range 50 {
			conn := dial(t, socket, "GET /livez HTTP/1.1\nHost: x\n\n")
			until(t, conn, bufio.NewReader(conn), "204")
			silent, err := net.Dial("unix", socket) // says nothing at all
			require.NoError(t, err)
			t.Cleanup(func() { silent.Close() })
		}
	}
	crowd()
	other := dial(t, socket, "GET /v1/version HTTP/1.1\nHost: x\nAuthorization: Bearer ben\n\n")
	until(t, other, bufio.NewReader(other), "200 OK")
	crowd()
	_, err := known.Write([]byte("GET /v1/version HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer anna\r\n\r\n"))
	require.NoError(t, err)
	until(t, known, reader, "200 OK")
}

// The log grows by so many lines of strangers, and says how many it has not.
func TestLinesOfStrangersAreBounded(t *testing.T) {
	d := newDesk(t, noLimits)
	for range 1000 {
		d.serve(asking{method: "GET", path: "/v1/runs", as: "nobody"}.request())
		d.serve(asking{method: "GET", path: "/livez"}.request())
		d.serve(asking{method: "GET", path: "/nowhere"}.request())
	}
	require.Less(t, strings.Count(d.logged(), "\n"), 200)
	require.Equal(t, http.StatusOK, d.do(asking{method: "GET", path: "/v1/runs", as: "anna"}).status)
	require.Regexp(t, `"principal":"user:anna","lines_left_out":2[89]\d\d}`, d.logged())
}

// TestACrowdOfOneWhoIsKnownShutsNobodyOut: those who come from the same place are answered beside
// connections of one principal on which nothing is asked, and beside streams.
func TestACrowdOfOneWhoIsKnownShutsNobodyOut(t *testing.T) {
	d := newDesk(t, httpapi.Room{Connections: 16})
	id := d.create("anna", "")
	socket, _ := d.listening()
	ask := func(as, path string) string {
		conn := dial(t, socket, "GET "+path+" HTTP/1.1\nHost: x\nAuthorization: Bearer "+as+"\n\n")
		return until(t, conn, bufio.NewReader(conn), "\r\n")
	}
	answered := func(as string) { // once the server knows that another one of theirs is idle
		require.Eventually(t, func() bool { return strings.Contains(ask(as, "/v1/me"), " 200 ") }, 20*time.Second, time.Millisecond)
	}
	for range 20 {
		answered("anna") // and the connection stays
	}
	answered("ben")
	follows := func() bool { return strings.Contains(ask("anna", "/v1/runs/"+id.String()+"/events"), " 200 ") }
	for range 4 { // half of what one place has, and each once the server knows that another one is idle
		require.Eventually(t, follows, 20*time.Second, time.Millisecond)
	}
	for range 10 {
		require.False(t, follows())
	}
	for range 3 {
		answered("ben")
	}
}

// TestBodiesThatDoNotComeShutNobodyOut: what holds no place among requests makes room, whoever is
// known to have announced it.
func TestBodiesThatDoNotComeShutNobodyOut(t *testing.T) {
	d := newDesk(t, httpapi.Room{Connections: 8})
	socket, _ := d.listening()
	for _, as := range []string{"anna", "anna", "ben", "checker"} { // all that one place has
		conn := dial(t, socket, "POST /v1/checks HTTP/1.1\nHost: x\nAuthorization: Bearer "+as+
			"\nContent-Type: application/json\nContent-Length: 10\nExpect: 100-continue\n\n")
		until(t, conn, bufio.NewReader(conn), "100 Continue")
	}
	conn := dial(t, socket, "GET /v1/me HTTP/1.1\nHost: x\nAuthorization: Bearer root\n\n")
	until(t, conn, bufio.NewReader(conn), "200 OK")
}
