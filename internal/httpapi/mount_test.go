package httpapi_test

import (
	"bufio"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/api"
	"hotcell/client"
	"hotcell/internal/access"
	"hotcell/internal/budget"
	"hotcell/internal/httpapi"
	"hotcell/internal/job"
)

// TestAMountedHandlerAsksForItsCaller: what it asks of the door in this process is its
// caller's, and nobody else's.
func TestAMountedHandlerAsksForItsCaller(t *testing.T) {
	d := newDesk(t, noLimits)
	var wanted job.ID
	inner, err := client.New(client.Options{Token: "-", Transport: client.InProcess(d.door)})
	require.NoError(t, err)
	d.door.Mount("POST /mcp", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		run, err := inner.Run(r.Context(), wanted)
		if err != nil {
			http.Error(w, err.Error(), http.StatusTeapot)
			return
		}
		io.WriteString(w, access.Of(r.Context()).Name+" "+run.RunID.String())
	}))
	id := d.create("anna", "")
	wanted = id
	ask := asking{method: "POST", path: "/mcp?x=1", body: "{}", as: "anna"}
	require.Equal(t, "user:anna "+id.String(), d.serve(ask.request()).body)
	ask.as = "ben"
	require.Contains(t, d.serve(ask.request()).body, "there is no such")
	ask.as = "x"
	require.Equal(t, http.StatusUnauthorized, d.serve(ask.request()).status)
	ask.as, ask.header = "anna", map[string]string{"Origin": "https://evil.example"}
	require.Equal(t, http.StatusForbidden, d.serve(ask.request()).status)
	require.Contains(t, d.logged(), `"route":"POST /mcp"`)
}

// TestAMountedHandlerMayTakeItsTime: the deadline is the body's alone.
func TestAMountedHandlerMayTakeItsTime(t *testing.T) {
	d := newDesk(t, httpapi.Room{BodyTime: 200 * time.Millisecond})
	d.door.Mount("POST /mcp", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.ReadAll(r.Body); err != nil {
			return
		}
		select {
		case <-r.Context().Done():
		case <-time.After(time.Second):
			io.WriteString(w, "took its time")
		}
	}))
	socket, _ := d.listening()
	for _, body := range []string{"Content-Length: 2\n\n{}", "Transfer-Encoding: chunked\n\n2\n{}\n0\n\n"} {
		conn := dial(t, socket, "POST /mcp HTTP/1.1\nHost: x\nAuthorization: Bearer anna\n"+body)
		until(t, conn, bufio.NewReader(conn), "took its time")
	}
	conn := dial(t, socket, "POST /mcp HTTP/1.1\nHost: x\nAuthorization: Bearer anna\nContent-Length: 2\n\n{")
	require.NoError(t, conn.SetReadDeadline(time.Now().Add(10*time.Second)))
	answer, err := io.ReadAll(conn)
	require.NoError(t, err, "the connection ends")
	require.Contains(t, string(answer), "408 Request Timeout")
	for _, broken := range []string{"Transfer-Encoding: chunked\n\nx\n", "Transfer-Encoding: chunked\n\n2\n{}0\n\n"} {
		conn := dial(t, socket, "POST /mcp HTTP/1.1\nHost: x\nAuthorization: Bearer anna\n"+broken)
		until(t, conn, bufio.NewReader(conn), "400 Bad Request")
	}
}

// TestAMountedHandlerHasItsPlaces: of its own, and its bodies among all others, as long as it has
// them.
func TestAMountedHandlerHasItsPlaces(t *testing.T) {
	d := newDesk(t, httpapi.Room{Mounted: 4, BodiesBytes: 1 << 20})
	entered, leave := make(chan int), make(chan struct{})
	d.door.Mount("POST /mcp", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		entered <- len(body)
		<-leave
	}))
	ask := asking{method: "POST", path: "/mcp", body: strings.Repeat("x", 300<<10), as: "anna"}
	answers := make(chan int, 3)
	send := func() { answers <- d.serve(ask.request()).status }
	go send()
	require.Equal(t, 300<<10, <-entered)
	require.Equal(t, http.StatusServiceUnavailable, d.serve(ask.request()).status, "of bodies a principal has half")
	large := asking{method: "POST", path: "/v1/runs", body: `{"policy":"p","code":"` + strings.Repeat("x", 300<<10) + `"}`, as: "anna"}
	require.Equal(t, http.StatusServiceUnavailable, d.serve(large.request()).status)
	ask.body = "x"
	go send()
	require.Equal(t, 1, <-entered)
	require.Equal(t, http.StatusServiceUnavailable, d.serve(ask.request()).status, "and of places")
	ask.as = "ben"
	go send()
	require.Equal(t, 1, <-entered)
	close(leave)
	for range 3 {
		require.Equal(t, http.StatusOK, <-answers)
	}
	require.Equal(t, http.StatusAccepted, d.serve(large.request()).status)
	ask.as = "shapes"
	require.Equal(t, http.StatusForbidden, d.serve(ask.request()).status)
}

func TestRequestsAreObserved(t *testing.T) {
	d := newDesk(t, noLimits)
	var routes []string
	d.door.Observe = func(route string, status int, _ time.Duration) {
		routes = append(routes, route+" "+http.StatusText(status))
	}
	d.do(asking{method: "GET", path: "/v1/policies/p", as: "anna"})
	d.do(asking{method: "GET", path: "/none", as: "anna"})
	require.Equal(t, []string{"GET /v1/policies/{name} OK", " Not Found"}, routes)
}

// TestTheClientAndTheFrontMeanTheSame: what one writes, the other reads.
func TestTheClientAndTheFrontMeanTheSame(t *testing.T) {
	d := newDesk(t, noLimits)
	socket, _ := d.listening()
	c, err := client.New(client.Options{URL: "unix:" + socket, Token: "anna"})
	require.NoError(t, err)
	defer c.Close()
	run, err := c.CreateRun(t.Context(), api.CreateRun{Policy: "p", Code: "print(1)"}, client.CreateOptions{Key: "k"})
	require.NoError(t, err)
	again, err := c.CreateRun(t.Context(), api.CreateRun{Policy: "p", Code: "print(1)"}, client.CreateOptions{Key: "k", Wait: time.Millisecond})
	require.NoError(t, err)
	require.Equal(t, run.RunID, again.RunID)
	go func() {
		time.Sleep(50 * time.Millisecond)
		d.fake.end(run.RunID, map[string]string{"sub/a.csv": content})
	}()
	ended, err := c.Wait(t.Context(), run.RunID)
	require.NoError(t, err)
	require.EqualValues(t, job.Succeeded, ended.Status)
	var types []api.EventType
	require.NoError(t, c.Follow(t.Context(), run.RunID, 0, func(event api.Event) error { types = append(types, event.Type); return nil }))
	require.Equal(t, []api.EventType{api.EventState, api.EventResult}, types)
	file, err := c.OpenFile(t.Context(), run.RunID, "sub/a.csv")
	require.NoError(t, err)
	text, err := io.ReadAll(file)
	require.NoError(t, err)
	require.Equal(t, content, string(text))
	require.NoError(t, file.Close())
	_, err = c.CreateRun(t.Context(), api.CreateRun{Policy: "p", Code: "print(2)"}, client.CreateOptions{Key: "k"})
	var told *api.Problem
	require.ErrorAs(t, err, &told)
	require.Equal(t, "urn:hotcell:problem:key-reused", told.Type)
	listed := 0
	for _, err := range c.Runs(t.Context(), client.Filter{}) {
		require.NoError(t, err)
		listed++
	}
	require.Equal(t, 1, listed)
	require.NoError(t, c.Ready(t.Context()))
	session, err := c.OpenSession(t.Context(), api.OpenSession{Policy: "p"})
	require.NoError(t, err)
	step, err := c.Step(t.Context(), session.SessionID, api.CreateStep{Code: "1"})
	require.NoError(t, err)
	require.Equal(t, 1, step.Number)
	require.NoError(t, c.CancelStep(t.Context(), session.SessionID))
	_, err = c.CloseSession(t.Context(), session.SessionID)
	require.NoError(t, err)
}

// TestHTTP2: its streams have deadlines of their own.
func TestHTTP2(t *testing.T) {
	d := newDesk(t, httpapi.Room{BodyTime: 300 * time.Millisecond, KeepAlive: 100 * time.Millisecond})
	server := httptest.NewUnstartedServer(nil)
	server.Config, server.EnableHTTP2 = d.door.Server(), true
	server.StartTLS()
	defer server.Close()
	ask := func(method, path string, body io.Reader) *http.Response {
		request, err := http.NewRequestWithContext(t.Context(), method, server.URL+path, body)
		require.NoError(t, err)
		request.Header.Set("Authorization", "Bearer anna")
		if body != nil {
			request.Header.Set("Content-Type", "application/json")
		}
		response, err := server.Client().Do(request)
		require.NoError(t, err)
		require.Equal(t, 2, response.ProtoMajor)
		t.Cleanup(func() { response.Body.Close() })
		return response
	}
	require.Equal(t, http.StatusAccepted, ask("POST", "/v1/runs", strings.NewReader(aRun)).StatusCode) //nolint:bodyclose // it is closed with the test
	never, end := io.Pipe()
	defer end.Close()
	require.Equal(t, http.StatusRequestTimeout, ask("POST", "/v1/runs", io.MultiReader(strings.NewReader("{"), never)).StatusCode) //nolint:bodyclose // it is closed with the test
	id := onlyRun(d)
	events := ask("GET", "/v1/runs/"+id.String()+"/events", nil) //nolint:bodyclose // it is closed with the test
	lines := bufio.NewScanner(events.Body)
	for lines.Scan() && lines.Text() != ": keep-alive" {
	}
	require.Equal(t, ": keep-alive", lines.Text())
	d.fake.end(id, nil)
	var rest []string
	for lines.Scan() {
		rest = append(rest, lines.Text())
	}
	require.Contains(t, rest, "event: result")
}

// TestAMountedHandlersAnswerCountsAmongAnswers: for as long as it is written, and of one principal at most
// half of what others leave.
func TestAMountedHandlersAnswerCountsAmongAnswers(t *testing.T) {
	d := newDesk(t, httpapi.Room{AnswerBytes: 1 << 20})
	d.fake.large = 400 << 10
	ended := d.create("anna", "")
	d.fake.end(ended, nil)
	entered, leave := make(chan bool, 1), make(chan struct{})
	d.door.Mount("POST /mcp", http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		entered <- budget.Of(r.Context()).Grow(300 << 10)
		<-leave
	}))
	done := make(chan int, 1)
	go func() { done <- d.serve(asking{method: "POST", path: "/mcp", body: "{}", as: "anna"}.request()).status }()
	require.True(t, <-entered)
	run := asking{method: "GET", path: "/v1/runs/" + ended.String(), as: "anna"}
	d.refused(run, http.StatusServiceUnavailable, "overload")
	close(leave)
	<-done
	require.Equal(t, http.StatusOK, d.do(run).status, "it is given back")
}
