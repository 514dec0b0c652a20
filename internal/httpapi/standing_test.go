package httpapi_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/access"
	"hotcell/internal/httpapi"
	"hotcell/internal/service"
)

var errRevoked = fmt.Errorf("%w: there is no such token", access.ErrUnknown)

const waitingRun = "POST /v1/runs HTTP/1.1\nHost: x\nAuthorization: Bearer anna\nPrefer: wait=60\nContent-Type: application/json\nContent-Length: 27\n\n" +
	`{"policy":"p","code":"w  "}`

// A token that was revoked ends what was begun with it: a stream, a wait, a mounted handler, and a
// download.
func TestWhatLastsEndsWithWhoAsks(t *testing.T) {
	for name, lost := range map[string]error{"revoked": errRevoked, "not to be asked for too long": errors.New("the disk is broken")} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, httpapi.Room{KeepAlive: 10 * time.Millisecond, Unasked: 100 * time.Millisecond})
			entered, ended := make(chan struct{}), make(chan error, 1)
			d.door.Mount("/mounted", http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				close(entered)
				<-r.Context().Done()
				ended <- r.Context().Err()
			}))
			id, from := d.create("anna", ""), &endless{}
			done := d.create("anna", "")
			d.fake.end(done, map[string]string{"a.csv": strings.Repeat("x", 1<<20)})
			d.fake.content = func(string) (io.ReadCloser, int64, error) { return from, 1 << 40, nil }
			socket, _ := d.listening()
			stream := dial(t, socket, following(id, ""))
			reader := bufio.NewReader(stream)
			until(t, stream, reader, "keep-alive")
			wait := dial(t, socket, waitingRun)
			mounted := dial(t, socket, "GET /mounted HTTP/1.1\nHost: x\nAuthorization: Bearer anna\n\n")
			<-entered
			download := dial(t, socket, "GET /v1/runs/"+done.String()+"/record HTTP/1.1\nHost: x\nAuthorization: Bearer anna\n\n")
			until(t, download, bufio.NewReader(download), "\r\n\r\n")
			require.NoError(t, download.SetReadDeadline(time.Time{}))
			go func() { _, _ = io.Copy(io.Discard, download) }()
			require.Eventually(t, func() bool { return d.fake.waits() == 1 }, 20*time.Second, time.Millisecond)

			d.lost.Store(lost)
			require.NotContains(t, until(t, stream, reader, "\r\n0\r\n\r\n"), "event: result")
			require.Eventually(t, func() bool { return d.fake.follows.Load() == 0 }, 20*time.Second, time.Millisecond)
			status := map[bool]string{true: " 401 ", false: " 503 "}[errors.Is(lost, errRevoked)]
			until(t, wait, bufio.NewReader(wait), "HTTP/1.1"+status)
			require.Eventually(t, from.closed.Load, 20*time.Second, time.Millisecond)
			require.ErrorContains(t, <-ended, "canceled")
			until(t, mounted, bufio.NewReader(mounted), "HTTP/1.1"+status)
		})
	}
}

// endless is content that is there piece by piece, until who reads it is gone.
type endless struct{ closed atomic.Bool }

func (e *endless) Read(p []byte) (int, error) {
	time.Sleep(time.Millisecond)
	if e.closed.Load() {
		return 0, io.ErrClosedPipe
	}
	return copy(p, strings.Repeat("x", 4096)), nil
}

func (e *endless) Close() error { e.closed.Store(true); return nil }

// Who is still known has the answer, however often they are asked.
func TestWhoIsKnownKeepsTheAnswer(t *testing.T) {
	d := newDesk(t, httpapi.Room{KeepAlive: time.Millisecond})
	id := d.create("anna", "")
	socket, _ := d.listening()
	stream := dial(t, socket, following(id, ""))
	reader := bufio.NewReader(stream)
	for range 5 {
		until(t, stream, reader, "keep-alive")
	}
	d.fake.end(id, nil)
	until(t, stream, reader, "event: result")
	require.NotContains(t, d.logged(), "401")
	require.Equal(t, http.StatusOK, d.do(asking{method: "GET", path: "/v1/runs", as: "anna"}).status)
	require.NotContains(t, d.logged(), "ERROR")
}

// A fault of what says who asks is no word on them: what lasts goes on, and who has had something made
// is told where it is.
func TestAFaultToAskEndsNothing(t *testing.T) {
	for name, fault := range map[string]any{"an error": errors.New("the disk is broken"), "a panic": "a fault of ours"} {
		t.Run(name, func(t *testing.T) {
			var asked atomic.Int64
			faulty := func(o *httpapi.Options) { o.Authenticator = broken{o.Authenticator, &asked, fault} }
			d := newDesk(t, httpapi.Room{KeepAlive: 5 * time.Millisecond}, faulty)
			id := d.create("anna", "")
			socket, _ := d.listening()
			stream := dial(t, socket, following(id, ""))
			reader := bufio.NewReader(stream)
			until(t, stream, reader, "keep-alive")
			wait := dial(t, socket, waitingRun)
			require.Eventually(t, func() bool { return d.fake.waits() == 1 }, 20*time.Second, time.Millisecond)
			d.lost.Store(errors.New("from now on"))
			before := asked.Load()
			require.Eventually(t, func() bool { return asked.Load() > before+20 }, 20*time.Second, time.Millisecond)
			d.fake.mu.Lock()
			for one := range d.fake.runs {
				d.fake.endLocked(one, nil, "succeeded")
			}
			d.fake.mu.Unlock()
			until(t, stream, reader, "event: result")
			told := until(t, wait, bufio.NewReader(wait), "}\n")
			require.Contains(t, told, "HTTP/1.1 201 ")
			require.Contains(t, told, "Location: /v1/runs/")
		})
	}
}

// broken fails to say who asks, as long as somebody is lost.
type broken struct {
	access.Authenticator

	asked *atomic.Int64
	fault any
}

func (b broken) Authenticate(r *http.Request) (access.Principal, error) {
	b.asked.Add(1)
	by, err := b.Authenticator.Authenticate(r)
	if err == nil {
		return by, nil
	}
	if fault, ok := b.fault.(error); ok {
		return by, fault
	}
	panic(b.fault)
}

// What cannot be waited for any more is there all the same: 202, and where.
func TestAWaitThatFailsSaysWhatWasMade(t *testing.T) {
	d := newDesk(t, noLimits)
	d.fake.waited = fmt.Errorf("ask for its record: %w", service.ErrUnavailable)
	ask := asking{method: "POST", path: "/v1/runs", body: aRun, as: "anna", header: map[string]string{"Prefer": "wait=30"}}
	got := d.do(ask)
	require.Equal(t, http.StatusAccepted, got.status)
	require.Equal(t, "/v1/runs/"+onlyRun(d).String(), got.header.Get("Location"))
	require.Equal(t, "wait=0", got.header.Get("Preference-Applied"))
	require.Contains(t, d.logged(), "ask for its record")
	opened := d.do(asking{method: "POST", path: "/v1/sessions", body: `{"policy":"p"}`, as: "anna"})
	ask.path, ask.body = opened.header.Get("Location")+"/steps", `{"code":"w"}`
	got = d.do(ask)
	require.Equal(t, http.StatusAccepted, got.status)
	require.Equal(t, ask.path+"/1", got.header.Get("Location"))
}

// Nothing is begun for whom nobody can be asked about while their request comes.
func TestNothingIsBegunForWhomNobodyCanBeAskedAbout(t *testing.T) {
	var asked atomic.Int64
	fault := errors.New("the disk is broken")
	d := newDesk(t, noLimits, func(o *httpapi.Options) { o.Authenticator = broken{o.Authenticator, &asked, fault} })
	socket, _ := d.listening()
	conn := dial(t, socket, fmt.Sprintf("POST /v1/runs HTTP/1.1\nHost: x\nAuthorization: Bearer anna\nContent-Type: application/json\nContent-Length: %d\n\n%s",
		len(aRun), aRun[:len(aRun)-1]))
	require.Eventually(t, func() bool { return asked.Load() == 1 }, 20*time.Second, time.Millisecond)
	time.Sleep(2 * time.Second) // a body that is as slow is asked about again
	d.lost.Store(fault)
	_, err := io.WriteString(conn, aRun[len(aRun)-1:])
	require.NoError(t, err)
	until(t, conn, bufio.NewReader(conn), "HTTP/1.1 503 ")
	d.fake.mu.Lock()
	defer d.fake.mu.Unlock()
	require.Empty(t, d.fake.runs)
}

// Who was turned out while their request came has nothing done for it.
func TestARequestThatIsNotThereYetEndsWithWhoAsks(t *testing.T) {
	for path, body := range map[string]string{"/v1/sessions": `{"policy":"p"}`, "/v1/runs": aRun, "/v1/checks": aRun, "/mcp": "{}"} {
		d := newDesk(t, httpapi.Room{KeepAlive: 10 * time.Millisecond})
		asked := false
		d.fake.asked = func() { asked = true }
		d.door.Mount("POST /mcp", http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked = true }))
		socket, _ := d.listening()
		conn := dial(t, socket, fmt.Sprintf("POST %s HTTP/1.1\nHost: x\nAuthorization: Bearer anna\nContent-Type: application/json\nContent-Length: %d\n\n%s",
			path, len(body), body[:len(body)-1]))
		d.lost.Store(errRevoked)
		time.Sleep(100 * time.Millisecond) // it is asked again, or else the rest is what asks
		_, err := io.WriteString(conn, body[len(body)-1:])
		require.NoError(t, err)
		until(t, conn, bufio.NewReader(conn), "HTTP/1.1 401 ")
		require.False(t, asked, path)
		d.fake.mu.Lock()
		require.Empty(t, d.fake.sessions, path)
		d.fake.mu.Unlock()
	}
}
