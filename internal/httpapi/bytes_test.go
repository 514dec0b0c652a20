package httpapi_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/api"
	"hotcell/internal/httpapi"
	"hotcell/internal/job"
)

// endLarge ends a run with so many bytes that it has printed.
func (d *desk) endLarge(id job.ID, bytes int) {
	d.fake.end(id, nil)
	d.fake.mu.Lock()
	defer d.fake.mu.Unlock()
	d.fake.runs[id].run.Result.Stdout = strings.Repeat("x", bytes)
}

// status reads the first line of an answer.
func status(t *testing.T, conn net.Conn) string {
	t.Helper()
	require.NoError(t, conn.SetReadDeadline(time.Now().Add(20*time.Second)))
	line := make([]byte, len("HTTP/1.1 200"))
	_, err := io.ReadFull(conn, line)
	require.NoError(t, err)
	return string(line[9:])
}

// TestWhatManyReadIsThereOnce: a result is there once for all who read it, however slowly, and in
// whichever way; and those of one principal have a bound together.
func TestWhatManyReadIsThereOnce(t *testing.T) {
	const size = 3 << 20
	d := newDesk(t, httpapi.Room{AnswerBytes: 4 * size})
	socket, _ := d.listening()
	var ids []job.ID
	for range 2 {
		id := d.create("anna", "k"+strconv.Itoa(len(ids)))
		d.endLarge(id, size)
		ids = append(ids, id)
	}
	get := func(id job.ID) string {
		return "GET /v1/runs/" + id.String() + " HTTP/1.1\nHost: x\nAuthorization: Bearer anna\n\n"
	}
	var deaf []net.Conn
	for range 10 {
		again := fmt.Sprintf("POST /v1/runs HTTP/1.1\nHost: x\nAuthorization: Bearer anna\nContent-Type: application/json\nIdempotency-Key: k0\nContent-Length: %d\n\n%s", len(aRun), aRun)
		for _, request := range []string{get(ids[0]), following(ids[0], ""), again} {
			conn := dial(t, socket, request)
			require.Contains(t, []string{"200", "201"}, status(t, conn))
			deaf = append(deaf, conn)
		}
	}
	held := d.door.AnswersHeld()
	require.Less(t, held, int64(size+size/4), "thirty have one text")
	require.GreaterOrEqual(t, held, int64(size))
	other := asking{method: "GET", path: "/v1/runs/" + ids[1].String(), as: "anna"}
	d.refused(other, http.StatusServiceUnavailable, "overload")
	stream := other
	stream.path += "/events?after=1"
	d.refused(stream, http.StatusServiceUnavailable, "overload")
	list := asking{method: "GET", path: "/v1/runs", as: "anna"}
	require.Equal(t, http.StatusOK, d.do(list).status, "what is small has its place")
	for _, conn := range deaf {
		conn.Close()
	}
	require.Eventually(t, func() bool { return d.door.AnswersHeld() == 0 }, 20*time.Second, time.Millisecond)
	require.Equal(t, http.StatusOK, d.do(other).status)
	require.Zero(t, d.door.AnswersHeld())
}

// TestLargeEventsArePlaced: those of a session's steps, which have results, are as large.
func TestLargeEventsArePlaced(t *testing.T) {
	const size = 3 << 20
	d := newDesk(t, httpapi.Room{AnswerBytes: 5 * size})
	socket, _ := d.listening()
	session := idOfSession(t, d.do(asking{method: "POST", path: "/v1/sessions", body: `{"policy":"p"}`, as: "anna"}))
	log := d.fake.sessions[session].log
	log.Append(api.EventStep, fmt.Appendf(nil, `{"step":1,"text":"%s"}`, strings.Repeat("x", size)))
	path := "/v1/sessions/" + session.String() + "/events"
	var deaf []net.Conn
	for range 10 {
		conn := dial(t, socket, "GET "+path+" HTTP/1.1\nHost: x\nAuthorization: Bearer anna\n\n")
		require.Equal(t, "200", status(t, conn))
		deaf = append(deaf, conn)
	}
	require.Eventually(t, func() bool { return d.door.AnswersHeld() > size }, 20*time.Second, time.Millisecond)
	require.Less(t, d.door.AnswersHeld(), int64(size+size/4))
	log.Append(api.EventStep, fmt.Appendf(nil, `{"step":2,"text":"%s"}`, strings.Repeat("y", 2*size)))
	late := dial(t, socket, "GET "+path+" HTTP/1.1\nHost: x\nAuthorization: Bearer anna\nLast-Event-ID: 1\n\n")
	require.NoError(t, late.SetReadDeadline(time.Now().Add(20*time.Second)))
	text, _ := io.ReadAll(late)
	require.NotContains(t, string(text), "id: 2", "there is no place for it, and whoever follows comes again")
	for _, conn := range deaf {
		conn.Close()
	}
	require.Eventually(t, func() bool { return d.door.AnswersHeld() == 0 }, 20*time.Second, time.Millisecond)
	late = dial(t, socket, "GET "+path+" HTTP/1.1\nHost: x\nAuthorization: Bearer anna\nLast-Event-ID: 1\n\n")
	until(t, late, bufio.NewReader(late), "id: 2")
}

func idOfSession(t *testing.T, got answered) job.ID {
	t.Helper()
	var session api.Session
	require.NoError(t, decodeAny([]byte(got.body), &session))
	return session.SessionID
}

// TestWhatWasMadeIsToldWithoutAPlaceForItsResult: a 503 would have it made again.
func TestWhatWasMadeIsToldWithoutAPlaceForItsResult(t *testing.T) {
	const size = 3 << 20
	d := newDesk(t, httpapi.Room{AnswerBytes: 4 * size})
	socket, _ := d.listening()
	first := d.create("anna", "")
	d.endLarge(first, size)
	require.Equal(t, "200", status(t, dial(t, socket, "GET /v1/runs/"+first.String()+" HTTP/1.1\nHost: x\nAuthorization: Bearer anna\n\n")))
	answer := make(chan answered, 1)
	go func() {
		answer <- d.do(asking{method: "POST", path: "/v1/runs", body: aRun, as: "anna", header: map[string]string{"Prefer": "wait=60"}})
	}()
	var second job.ID
	require.Eventually(t, func() bool {
		d.fake.mu.Lock()
		defer d.fake.mu.Unlock()
		for id := range d.fake.runs {
			if id != first && d.fake.waiting == 1 {
				second = id
			}
		}
		return second != job.ID{}
	}, 20*time.Second, time.Millisecond)
	d.fake.large = size
	d.fake.end(second, nil)
	got := <-answer
	require.Equal(t, http.StatusAccepted, got.status)
	require.Equal(t, "wait=0", got.header.Get("Preference-Applied"))
	require.Equal(t, "/v1/runs/"+second.String(), got.header.Get("Location"))
	require.Contains(t, got.body, `"queued"`)
}

func TestAnAnswerThatNeverHasAPlaceSaysWhereItIs(t *testing.T) {
	d := newDesk(t, httpapi.Room{AnswerBytes: 2 << 20})
	id := d.create("anna", "")
	d.endLarge(id, 1<<20)
	told := d.refused(asking{method: "GET", path: "/v1/runs/" + id.String(), as: "anna"}, http.StatusServiceUnavailable, "overload")
	require.Contains(t, told.Detail, "/record")
	require.Zero(t, told.RetryAfter, "another time it is as large")
}

// TestABodyHasItsPlaceUntilItIsAsked: whoever carries it out has copies of it until then.
func TestABodyHasItsPlaceUntilItIsAsked(t *testing.T) {
	d := newDesk(t, httpapi.Room{BodyBytes: 1 << 20, BodiesBytes: 4 << 20})
	large := `{"policy":"p","code":"` + strings.Repeat("x", 1<<20-100) + `"}`
	for _, path := range []string{"/v1/checks", "/v1/runs"} {
		entered, leave := make(chan struct{}), make(chan struct{})
		d.fake.asked = func() { entered <- struct{}{}; <-leave }
		answers := make(chan int, 1)
		ask := asking{method: "POST", path: path, body: large, as: "anna"}
		go func() { answers <- d.serve(ask.request()).status }()
		<-entered
		require.Equal(t, http.StatusServiceUnavailable, d.serve(ask.request()).status, path)
		ask.as = "ben"
		go func() { answers <- d.serve(ask.request()).status }()
		<-entered
		close(leave)
		for range 2 {
			require.Less(t, <-answers, 300)
		}
		d.fake.asked = nil
	}
	wait := asking{method: "POST", path: "/v1/runs", body: large, as: "anna", header: map[string]string{"Prefer": "wait=60"}}
	done := make(chan int, 1)
	go func() { done <- d.serve(wait.request()).status }()
	require.Eventually(t, func() bool { d.fake.mu.Lock(); defer d.fake.mu.Unlock(); return d.fake.waiting == 1 }, 20*time.Second, time.Millisecond)
	require.Equal(t, 202, d.do(asking{method: "POST", path: "/v1/runs", body: large, as: "anna"}).status, "what waits keeps no body")
	d.fake.mu.Lock()
	for id := range d.fake.runs {
		d.fake.endLocked(id, nil, job.Succeeded)
	}
	d.fake.mu.Unlock()
	require.Equal(t, 201, <-done)
}

// TestListsOfRequestsHaveABound: every one that there is.
func TestListsOfRequestsHaveABound(t *testing.T) {
	d := newDesk(t, noLimits)
	names := func(count int) string { return `["n"` + strings.Repeat(`,"n"`, count-1) + `]` }
	lists := 0
	for path, shape := range map[string]any{"/v1/runs": api.CreateRun{}, "/v1/checks": api.CreateRun{}, "/v1/sessions": api.OpenSession{}, "/v1/sessions/" + runID + "/steps": api.CreateStep{}} {
		for field := range reflect.TypeOf(shape).Fields() {
			if field.Type.Kind() == reflect.Slice && field.Type.Elem().Kind() != reflect.Uint8 {
				name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
				body := func(count int) string { return fmt.Sprintf(`{"policy":"p","code":"1","%s":%s}`, name, names(count)) }
				if path == "/v1/sessions" {
					body = func(count int) string { return fmt.Sprintf(`{"policy":"p","%s":%s}`, name, names(count)) }
				}
				require.Contains(t, d.refused(asking{method: "POST", path: path, body: body(4097), as: "anna"}, http.StatusBadRequest, "bad-request").Detail, name)
				require.Less(t, d.do(asking{method: "POST", path: path, body: body(4096), as: "anna"}).status, 300)
				lists++
			}
		}
	}
	require.Equal(t, 6, lists)
}

// TestAChunkedRequestEndsItsConnection: it may have had a length as well, and somebody between who
// believed that takes what follows for the next one.
func TestAChunkedRequestEndsItsConnection(t *testing.T) {
	d := newDesk(t, noLimits)
	socket, _ := d.listening()
	const head = "POST /v1/runs HTTP/1.1\nHost: x\nAuthorization: Bearer anna\nContent-Type: application/json\n"
	for _, length := range []string{"", "Content-Length: 4\n"} {
		next := "GET /v1/version HTTP/1.1\nHost: x\nAuthorization: Bearer anna\n\n"
		conn := dial(t, socket, head+length+fmt.Sprintf("Transfer-Encoding: chunked\n\n%x\n%s\n0\n\n", len(aRun), aRun)+next)
		require.NoError(t, conn.SetReadDeadline(time.Now().Add(20*time.Second)))
		text, err := io.ReadAll(conn)
		require.NoError(t, err, "the connection ends")
		require.Contains(t, string(text), "Connection: close")
		require.Equal(t, 1, strings.Count(string(text), "HTTP/1.1 "))
	}
}

// Bodies of which nothing has come hold no place, whatever they say will come.
func TestABodyHoldsWhatHasCome(t *testing.T) {
	d := newDesk(t, httpapi.Room{BodyBytes: 1 << 20, BodiesBytes: 4 << 20})
	socket, _ := d.listening()
	for _, as := range []string{"anna", "anna", "anna", "checker", "checker", "root"} {
		path := "/v1/runs"
		if as == "checker" {
			path = "/v1/checks"
		}
		dial(t, socket, "POST "+path+" HTTP/1.1\nHost: x\nAuthorization: Bearer "+as+"\nContent-Type: application/json\nContent-Length: 1048576\n\n{")
	}
	for range 20 { // as they come in
		require.Equal(t, http.StatusAccepted, d.do(asking{method: "POST", path: "/v1/runs", body: aRun, as: "ben"}).status)
		require.Equal(t, http.StatusAccepted, d.do(asking{method: "POST", path: "/v1/runs", body: aRun, as: "anna"}).status)
		time.Sleep(5 * time.Millisecond)
	}
}
