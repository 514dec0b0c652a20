package httpapi_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/api"
	"hotcell/internal/httpapi"
	"hotcell/internal/job"
)

// listening serves a desk on a unix socket until the test ends, and says where.
func (d *desk) listening() (socket string, server *http.Server) {
	d.t.Helper()
	socket = filepath.Join(d.t.(*testing.T).TempDir(), "s")
	listener, err := new(net.ListenConfig).Listen(d.t.Context(), "unix", socket)
	require.NoError(d.t, err)
	server = d.door.Server()
	ended := make(chan error)
	go func() { ended <- server.Serve(listener) }()
	d.t.Cleanup(func() {
		server.Close()
		require.ErrorIs(d.t, <-ended, http.ErrServerClosed)
	})
	return socket, server
}

// dial is a connection on which a request has been written.
func dial(t testing.TB, socket, request string) net.Conn {
	t.Helper()
	conn, err := net.Dial("unix", socket)
	require.NoError(t, err)
	t.Cleanup(func() { conn.Close() })
	_, err = io.WriteString(conn, strings.ReplaceAll(request, "\n", "\r\n"))
	require.NoError(t, err)
	return conn
}

func following(id job.ID, headers string) string {
	return "GET /v1/runs/" + id.String() + "/events HTTP/1.1\nHost: x\nAuthorization: Bearer anna\n" + headers + "\n"
}

// until reads a connection up to a text, within a while.
func until(t testing.TB, conn net.Conn, reader *bufio.Reader, text string) string {
	t.Helper()
	require.NoError(t, conn.SetReadDeadline(time.Now().Add(20*time.Second)))
	var read strings.Builder
	for !strings.Contains(read.String(), text) {
		letter, err := reader.ReadByte()
		require.NoError(t, err, "%q", read.String())
		read.WriteByte(letter)
	}
	return read.String()
}

func TestARunIsFollowedFromAnyNumberOn(t *testing.T) {
	d := newDesk(t, noLimits)
	id := d.create("anna", "")
	d.fake.runs[id].log.Append(api.EventStdout, []byte("{\"text\":\n\r\"1\"}"))
	d.fake.end(id, nil)
	path := "/v1/runs/" + id.String() + "/events"
	got := d.do(asking{method: "GET", path: path, as: "anna"})
	require.Equal(t, "no", got.header.Get("X-Accel-Buffering"))
	require.Equal(t, "no-store", got.header.Get("Cache-Control"))
	require.Regexp(t, `^retry: 2000\n\nid: 1\nevent: state\ndata: \{.*\}\n\nid: 2\nevent: stdout\ndata: \{"text":  "1"\}\n\nid: 3\nevent: result\ndata: .*"succeeded".*\n\n$`, got.body)
	got = d.do(asking{method: "GET", path: path + "?after=1", as: "anna", header: map[string]string{"Last-Event-ID": "2"}})
	require.Regexp(t, `^retry: 2000\n\nid: 3\n`, got.body, "the header goes before the query")
	for _, query := range []string{"?after=3", "?after=99"} {
		got = d.do(asking{method: "GET", path: path + query, as: "anna"})
		require.Equal(t, http.StatusNoContent, got.status)
		require.Empty(t, got.body)
	}
	for _, seen := range []string{"-1", "x", "1 ", "9223372036854775808", "0x1", "1,2"} {
		d.refused(asking{method: "GET", path: path, as: "anna", header: map[string]string{"Last-Event-ID": seen}}, 400, "bad-request")
	}
	got = d.do(asking{method: "HEAD", path: path, as: "anna"})
	require.Equal(t, "text/event-stream", got.header.Get("Content-Type"))
	require.Empty(t, got.body)
}

func TestWhatIsNotKeptIsAGapWithoutANumber(t *testing.T) {
	d := newDesk(t, noLimits)
	id := d.create("anna", "")
	d.fake.runs[id].log.Append(api.EventStdout, fmt.Appendf(nil, `{"text":"%s"}`, strings.Repeat("x", 1<<20)))
	d.fake.end(id, nil)
	got := d.do(asking{method: "GET", path: "/v1/runs/" + id.String() + "/events", as: "anna"})
	require.Contains(t, got.body, "retry: 2000\n\nevent: gap\ndata: {\"from\":1,\"to\":")
}

func TestAStreamBreaksAndComesBack(t *testing.T) {
	d := newDesk(t, noLimits)
	socket, _ := d.listening()
	id := d.create("anna", "")
	conn := dial(t, socket, following(id, ""))
	until(t, conn, bufio.NewReader(conn), "id: 1\n")
	conn.Close()
	require.Eventually(t, func() bool { return d.fake.follows.Load() == 0 }, 10*time.Second, time.Millisecond, "who has gone follows no more")
	d.fake.runs[id].log.Append(api.EventStdout, []byte(`{"text":"meanwhile"}`))
	again := dial(t, socket, following(id, "Last-Event-ID: 1\n"))
	reader := bufio.NewReader(again)
	require.NotContains(t, until(t, again, reader, "meanwhile"), "id: 1\n")
	d.fake.end(id, nil)
	until(t, again, reader, "event: result")
	until(t, again, reader, "0\r\n\r\n") // the end of the body
}

func TestAStreamHasSignsOfLife(t *testing.T) {
	d := newDesk(t, httpapi.Room{KeepAlive: 20 * time.Millisecond})
	socket, _ := d.listening()
	conn := dial(t, socket, following(d.create("anna", ""), ""))
	reader := bufio.NewReader(conn)
	for range 3 {
		until(t, conn, reader, ": keep-alive\n\n")
	}
}

// TestASlowReaderEndsItsOwnConnection: what it does not take stays with the kernel and the
// run, and the others go on.
func TestASlowReaderEndsItsOwnConnection(t *testing.T) {
	d := newDesk(t, httpapi.Room{WriteTime: 300 * time.Millisecond, KeepAlive: 50 * time.Millisecond})
	socket, _ := d.listening()
	id := d.create("anna", "")
	slow := dial(t, socket, following(id, ""))
	until(t, slow, bufio.NewReaderSize(slow, 16), "id: 1\n")
	quick := dial(t, socket, following(id, ""))
	go io.Copy(io.Discard, quick)
	require.Eventually(t, func() bool { return d.fake.follows.Load() == 2 }, 10*time.Second, time.Millisecond)
	piece := fmt.Appendf(nil, `{"text":"%s"}`, strings.Repeat("x", 32<<10))
	for range 40 {
		d.fake.runs[id].log.Append(api.EventStdout, piece)
	}
	require.Eventually(t, func() bool { return d.fake.follows.Load() == 1 }, 10*time.Second, 5*time.Millisecond)
	time.Sleep(2 * time.Second / 5)
	require.EqualValues(t, 1, d.fake.follows.Load(), "the quick one goes on")
}

func TestStreamsHavePlaces(t *testing.T) {
	d := newDesk(t, httpapi.Room{Streams: 4})
	socket, _ := d.listening()
	id := d.create("anna", "")
	for range 2 {
		conn := dial(t, socket, following(id, ""))
		until(t, conn, bufio.NewReader(conn), "id: 1\n")
	}
	told := d.refused(asking{method: "GET", path: "/v1/runs/" + id.String() + "/events", as: "anna"}, http.StatusServiceUnavailable, "overload")
	require.Positive(t, told.RetryAfter)
	require.Equal(t, 200, d.do(asking{method: "HEAD", path: "/v1/runs/" + d.create("ben", "").String() + "/events", as: "ben"}).status, "others have theirs")
}

func TestAServerThatEndsWaitsForNoStream(t *testing.T) {
	d := newDesk(t, noLimits)
	socket, server := d.listening()
	id := d.create("anna", "")
	conn := dial(t, socket, following(id, ""))
	reader := bufio.NewReader(conn)
	until(t, conn, reader, "id: 1\n")
	waits := dial(t, socket, "POST /v1/runs HTTP/1.1\nHost: x\nAuthorization: Bearer anna\nPrefer: wait=60\nContent-Type: application/json\n"+
		fmt.Sprintf("Content-Length: %d\n\n%s", len(aRun), aRun))
	require.Eventually(t, func() bool { d.fake.mu.Lock(); defer d.fake.mu.Unlock(); return d.fake.waiting == 1 }, 10*time.Second, time.Millisecond)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	require.NoError(t, server.Shutdown(ctx))
	rest, err := io.ReadAll(reader)
	require.NoError(t, err)
	require.Contains(t, string(rest), "0\r\n\r\n", "it ended in order")
	told, err := io.ReadAll(waits)
	require.NoError(t, err)
	require.Contains(t, string(told), "202 Accepted")
}

func TestAStreamOfWhatIsNoEventIsCutOff(t *testing.T) {
	d := newDesk(t, noLimits)
	id := d.create("anna", "")
	d.fake.runs[id].log.Append("stdout\ndata: forged", []byte(`{}`))
	d.fake.end(id, nil)
	r := asking{method: "GET", path: "/v1/runs/" + id.String() + "/events", as: "anna"}.request()
	require.NotContains(t, d.serve(r).body, "forged")
}

// What an idle stream may cost.
const (
	mostGoroutines = 2.1
	mostBytes      = 48 << 10
)

// TestAThousandIdleStreams: their cost is the server's two goroutines for a connection, and
// its buffers. No goroutine of ours waits beside them.
func TestAThousandIdleStreams(t *testing.T) {
	const streams = 1000
	d := newDesk(t, httpapi.Room{Requests: 4 * streams}) // they come at once, and of one principal
	socket, _ := d.listening()
	id := d.create("anna", "")
	dial(t, socket, following(id, "")) // what the first one makes for all
	measure := func() (goroutines int, bytes uint64) {
		runtime.GC()
		runtime.GC()
		var memory runtime.MemStats
		runtime.ReadMemStats(&memory)
		return runtime.NumGoroutine(), memory.HeapAlloc + memory.StackInuse
	}
	conns := make([]net.Conn, streams)
	beforeGoroutines, before := measure()
	for i := range conns {
		conns[i] = dial(t, socket, following(id, ""))
	}
	require.Eventually(t, func() bool { return d.fake.follows.Load() == streams+1 }, 30*time.Second, 10*time.Millisecond)
	time.Sleep(100 * time.Millisecond)
	afterGoroutines, after := measure()
	goroutines, bytes := float64(afterGoroutines-beforeGoroutines)/streams, int64(after-before)/streams
	t.Logf("an idle stream: %.2f goroutines, %d bytes", goroutines, bytes)
	require.LessOrEqual(t, goroutines, mostGoroutines)
	require.LessOrEqual(t, bytes, int64(mostBytes))
	d.fake.end(id, nil)
	for _, conn := range conns {
		until(t, conn, bufio.NewReaderSize(conn, 16), "event: result")
	}
	require.Eventually(t, func() bool { return d.fake.follows.Load() == 0 }, 30*time.Second, 10*time.Millisecond)
}
