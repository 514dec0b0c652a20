package httpapi_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/access"
	"hotcell/internal/httpapi"
	"hotcell/internal/service"
)

const runID = "1795219431042-9f86d081884c7d65"

func TestBodiesThatAreNotUnderstood(t *testing.T) {
	d := newDesk(t, noLimits)
	deep := strings.Repeat(`{"a":`, 70) + "1" + strings.Repeat("}", 70)
	for name, body := range map[string]string{
		"nothing":             " ",
		"no JSON":             "policy=p",
		"a list":              "[]",
		"a string":            `"x"`,
		"null":                "null",
		"no code":             `{"policy":"p"}`,
		"null code":           `{"policy":"p","code":null}`,
		"a number for a text": `{"policy":1,"code":"x"}`,
		"a text for a number": `{"policy":"p","code":"x","seed":"1"}`,
		"a fraction":          `{"policy":"p","code":"x","seed":1.5}`,
		"unknown key":         `{"policy":"p","code":"x","runtime":"runc"}`,
		"tools":               `{"policy":"p","code":"x","tools":[{"name":"sh","command":["/bin/sh"]}]}`,
		"unguarded":           `{"policy":"p","code":"x","allow_unguarded":true}`,
		"key in another case": `{"policy":"p","code":"x","Bundle":"b"}`,
		"key twice":           `{"policy":"p","code":"x","code":"y"}`,
		"a second value":      aRun + aRun,
		"trailing bytes":      aRun + "x",
		"too deep":            `{"policy":"p","code":"x","inputs":` + deep + "}",
		"no UTF-8":            "{\"policy\":\"p\",\"code\":\"\xff\"}",
		"half a surrogate":    `{"policy":"p","code":"\ud800"}`,
		"a huge number":       `{"policy":"p","code":"x","inputs":{"a":1e999999}}`,
		"BOM":                 "\xef\xbb\xbf" + aRun,
		"inputs are a list":   `{"policy":"p","code":"x","inputs":[1]}`,
		"negative limit":      `{"policy":"p","code":"x","limits":{"pids":-1}}`,
		"unknown limit":       `{"policy":"p","code":"x","limits":{"cpus":1}}`,
		"seed beyond 2^48":    `{"policy":"p","code":"x","seed":281474976710656}`,
		"priority":            `{"policy":"p","code":"x","priority":101}`,
	} {
		t.Run(name, func(t *testing.T) {
			for _, path := range []string{"/v1/runs", "/v1/checks"} {
				told := d.refused(asking{method: "POST", path: path, body: body, as: "anna"}, http.StatusBadRequest, "bad-request")
				require.NotContains(t, told.Detail, "runc")
			}
		})
	}
	require.Empty(t, d.fake.runs)
}

func TestBodiesOfOtherTypes(t *testing.T) {
	d := newDesk(t, noLimits)
	for _, header := range []map[string]string{
		{"Content-Type": ""}, {"Content-Type": "text/plain"}, {"Content-Type": "application/x-www-form-urlencoded"}, {"Content-Type": "application/json; charset=utf-16"},
		{"Content-Type": "application/json; charset"}, {"Content-Type": "application/problem+json"}, {"Content-Encoding": "gzip"}, {"Content-Encoding": "identity, br"},
	} {
		d.refused(asking{method: "POST", path: "/v1/runs", body: aRun, as: "anna", header: header}, http.StatusUnsupportedMediaType, "media-type")
	}
	for _, kind := range []string{"application/json;charset=UTF-8", "Application/JSON"} {
		require.Equal(t, 202, d.do(asking{method: "POST", path: "/v1/runs", body: aRun, as: "anna", header: map[string]string{"Content-Type": kind}}).status)
	}
}

func TestLargeBodies(t *testing.T) {
	d := newDesk(t, httpapi.Room{BodyBytes: 100 << 10, BodiesBytes: 150 << 10})
	large := asking{method: "POST", path: "/v1/runs", body: fmt.Sprintf(`{"policy":"p","code":"%s"}`, strings.Repeat("x", 100<<10)), as: "anna"}
	d.refused(large, http.StatusRequestEntityTooLarge, "too-large")
	chunked := large.request()
	chunked.ContentLength = -1
	require.Equal(t, http.StatusServiceUnavailable, d.serve(chunked).status, "it is more than half of the room")
	d = newDesk(t, httpapi.Room{BodyBytes: 100 << 10, BodiesBytes: 300 << 10})
	chunked = large.request()
	chunked.ContentLength = -1
	require.Equal(t, http.StatusRequestEntityTooLarge, d.serve(chunked).status)
	require.Equal(t, 202, d.do(asking{method: "POST", path: "/v1/runs", body: aRun, as: "anna"}).status, "places are given back")
	d.refused(asking{method: "GET", path: "/v1/runs", body: "{}", as: "anna"}, http.StatusBadRequest, "bad-request")
	d.refused(asking{method: "POST", path: "/v1/runs/" + runID + "/cancel", body: "{}", as: "anna"}, http.StatusBadRequest, "bad-request")
}

func TestWhoAsksHasToBeKnown(t *testing.T) {
	d := newDesk(t, noLimits)
	for _, as := range []string{"", "nobody"} {
		for _, path := range []string{"/v1/runs", "/v1/version", "/v1/openapi.json", "/v1/policies", "/v1/host", "/v1/runs/" + runID + "/events"} {
			require.Equal(t, "Bearer", d.do(asking{method: "GET", path: path, as: as}).header.Get("WWW-Authenticate"))
			told := d.refused(asking{method: "GET", path: path, as: as}, http.StatusUnauthorized, "unauthenticated")
			require.NotContains(t, told.Detail, "nobody")
		}
	}
	for _, path := range []string{"/livez", "/readyz"} {
		got := d.do(asking{method: "GET", path: path})
		require.Equal(t, http.StatusNoContent, got.status)
	}
	d.fake.load.Draining = true
	d.refused(asking{method: "GET", path: "/readyz"}, http.StatusServiceUnavailable, "not-ready")
	require.Equal(t, http.StatusNoContent, d.do(asking{method: "GET", path: "/livez"}).status)
}

func TestScopes(t *testing.T) {
	d := newDesk(t, noLimits)
	id := d.create("anna", "").String()
	d.fake.end(onlyRun(d), nil)
	run := "/v1/runs/" + id
	for _, one := range []struct {
		as, method, path, body string
		status                 int
	}{
		{"checker", "POST", "/v1/checks", aRun, 200}, {"checker", "POST", "/v1/runs", aRun, 403}, {"checker", "GET", run, "", 403}, {"checker", "GET", "/v1/runs", "", 403},
		{"checker", "GET", "/v1/policies", "", 200}, {"checker", "GET", "/v1/bundles", "", 403},
		{"reader", "GET", run, "", 200}, {"reader", "GET", run + "/events", "", 200}, {"reader", "GET", run + "/record", "", 200}, {"reader", "POST", "/v1/runs", aRun, 403},
		{"reader", "POST", run + "/cancel", "", 403}, {"reader", "POST", "/v1/sessions", `{"policy":"p"}`, 403},
		{"runner", "GET", run, "", 200}, {"runner", "GET", run + "/files", "", 403}, {"runner", "GET", run + "/record", "", 403}, {"runner", "GET", run + "/attestation", "", 403},
		{"runner", "POST", "/v1/checks", aRun, 200}, {"runner", "GET", "/v1/bundles", "", 403}, {"runner", "GET", "/v1/host", "", 403}, {"anna", "GET", "/v1/host", "", 403},
		{"root", "GET", "/v1/host", "", 200}, {"root", "GET", run + "/record", "", 200}, {"root", "POST", "/v1/runs", aRun, 202},
	} {
		got := d.do(asking{method: one.method, path: one.path, body: one.body, as: one.as})
		require.Equal(t, one.status, got.status, "%s %s %s", one.as, one.method, one.path)
	}
}

func TestPathsAndMethodsThatAreNone(t *testing.T) {
	d := newDesk(t, noLimits)
	for _, path := range []string{"/", "/v1", "/v2/runs", "/v1/runs/", "/v1/runs/x", "/v1/runs/" + runID + "/none", "/metrics", "/v1/../v1/runs", "//v1/runs", "/v1/runs/%2e%2e", "/V1/runs"} {
		d.refused(asking{method: "GET", path: path, as: "anna"}, http.StatusNotFound, "not-found")
	}
	for path, allow := range map[string]string{"/v1/runs": "GET, HEAD, POST", "/v1/sessions/" + runID: "DELETE, GET, HEAD", "/v1/checks": "POST", "/livez": "GET, HEAD"} {
		for _, method := range []string{"PUT", "PATCH", "OPTIONS", "TRACE", "BREW"} {
			d.refused(asking{method: method, path: path, as: "anna"}, http.StatusMethodNotAllowed, "method")
			require.Equal(t, allow, d.do(asking{method: method, path: path, as: "anna"}).header.Get("Allow"))
		}
	}
	connect := asking{method: "CONNECT", path: "/v1/runs", as: "anna"}.request()
	connect.URL.Path = ""
	require.Equal(t, http.StatusNotFound, d.serve(connect).status)
	socket, _ := d.listening()
	star := dial(t, socket, "OPTIONS * HTTP/1.1\nHost: x\n\n") // net/http would answer by itself
	until(t, star, bufio.NewReader(star), "HTTP/1.1 404 ")
}

func TestOtherPagesMayNotAsk(t *testing.T) {
	d := newDesk(t, noLimits)
	for _, header := range []map[string]string{
		{"Origin": "https://evil.example"}, {"Origin": "null"}, {"Origin": "http://hotcell.test:81"}, {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"},
	} {
		for _, one := range []asking{{method: "POST", path: "/v1/runs", body: aRun}, {method: "GET", path: "/v1/runs"}, {method: "GET", path: "/livez"}} {
			one.as, one.header = "anna", header
			if one.path != "/livez" {
				d.refused(one, http.StatusForbidden, "cross-origin")
			}
			require.Empty(t, d.serve(one.request()).header.Get("Access-Control-Allow-Origin"))
		}
	}
	require.Equal(t, 200, d.do(asking{method: "GET", path: "/v1/runs", as: "anna", header: map[string]string{"Origin": "http://hotcell.test"}}).status)
}

func TestPagesThatAreListedMayAsk(t *testing.T) {
	d := newDesk(t, noLimits, func(o *httpapi.Options) { o.Origins = []string{"https://tools.example"} })
	for origin, want := range map[string]int{"https://tools.example": 200, "http://tools.example": 403, "https://tools.example:444": 403, "https://tools.example.evil": 403} {
		got := d.serve(asking{method: "GET", path: "/v1/runs", as: "anna", header: map[string]string{"Origin": origin, "Sec-Fetch-Site": "cross-site"}}.request())
		require.Equal(t, want, got.status, origin)
	}
}

// TestANameThatWasReboundIsRefused: a page whose name leads to 127.0.0.1 by now is of the same origin
// as what it asks, and could ask whatever needs no token.
func TestANameThatWasReboundIsRefused(t *testing.T) {
	d := newDesk(t, noLimits, func(o *httpapi.Options) { o.Hosts = []string{"Hotcell.example"} })
	d.door.Mount("POST /mcp", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "told") }))
	ask := func(host string, at net.Addr, one asking) answered {
		r := one.request()
		r.Host = host
		return d.serve(r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, at)))
	}
	loopback := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 80}
	for _, one := range []asking{
		{method: "GET", path: "/livez"}, {method: "GET", path: "/v1/runs", as: "anna"}, {method: "POST", path: "/mcp", body: "{}", as: "anna"}, {method: "GET", path: "/none"},
	} {
		for _, host := range []string{
			"evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost.evil.example", "localhost.", "10.0.0.1", "[2001:db8::1]:80", "", "x@localhost",
		} {
			got := ask(host, loopback, one)
			require.Equal(t, http.StatusForbidden, got.status, "%s %s", one.path, host)
			require.Contains(t, got.body, "urn:hotcell:problem:host")
		}
		for _, host := range []string{
			"localhost", "LOCALHOST:8080", "127.0.0.1", "127.9.9.9:1", "[::1]:80", "::1", "hotcell.example", "HOTCELL.example:443", "[::ffff:127.0.0.1]:80",
		} {
			require.NotEqual(t, http.StatusForbidden, ask(host, loopback, one).status, "%s %s", one.path, host)
		}
		require.NotEqual(t, http.StatusForbidden, ask("any.example", &net.UnixAddr{Name: "/run/x"}, one).status)
	}
	shown := d.door.ForPrograms(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "metrics") }))
	for host, want := range map[string]int{"evil.example": 403, "": 403, "127.0.0.1:9464": 200, "localhost": 200, "hotcell.example": 200} {
		r := asking{method: "GET", path: "/metrics"}.request()
		r.Host = host
		w := newRecorder()
		shown.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, loopback)))
		require.Equal(t, want, w.Code, host)
		require.Equal(t, want == 200, strings.Contains(w.Body.String(), "metrics"), host)
	}
}

func TestErrorsOfTheBackEndAreProblems(t *testing.T) {
	d := newDesk(t, noLimits)
	for _, one := range []struct {
		err    error
		status int
		word   string
		retry  int
		detail string
	}{
		{service.ErrNotFound, 404, "not-found", 0, ""},
		{fmt.Errorf("%w: the policy lacks x", service.ErrRefused), 422, "refused", 0, "the policy lacks x"},
		{errors.Join(fmt.Errorf("%w: one", service.ErrRefused), fmt.Errorf("%w: two", service.ErrRefused)), 422, "refused", 0, "one; two"},
		{service.ErrKeyReused, 422, "key-reused", 0, ""},
		{service.ErrQueueFull, 503, "queue-full", 10, ""},
		{service.ErrSessionsFull, 503, "sessions-full", 10, ""},
		{service.ErrDraining, 503, "draining", 10, ""},
		{fmt.Errorf("%w: the engine is of version 9", service.ErrUnavailable), 503, "engine-unavailable", 10, "the engine is of version 9"},
		{fmt.Errorf("%w: /var/secret/place is full", service.ErrStorage), 503, "storage", 10, ""},
		{&service.QuotaError{Quota: "queued", Limit: 5, Used: 5, After: 90 * time.Second}, 429, "quota", 90, "the quota queued is used up: 5 of 5"},
		{fmt.Errorf("x: %w", &service.QuotaError{Quota: "running", After: time.Millisecond}), 429, "quota", 1, "the quota running is used up"},
		{service.ErrCursor, 400, "bad-request", 0, ""},
		{errors.New("secret of ours"), 500, "internal", 0, ""},
	} {
		d.fake.fails = one.err
		told := d.refused(asking{method: "POST", path: "/v1/runs", body: aRun, as: "anna", header: map[string]string{"Prefer": "wait=1"}}, one.status, one.word)
		require.Equal(t, one.retry, told.RetryAfter, one.word)
		require.Equal(t, one.word == "quota", told.Quota != "", one.word)
		require.Contains(t, told.Detail, one.detail)
		require.NotContains(t, told.Detail, told.Title, "which says it already")
		require.NotContains(t, told.Detail, "secret")
	}
	require.Contains(t, d.logged(), "secret of ours", "the log has it")
	d.fake.fails = fmt.Errorf("%w: a\r\nb\x00%s\xff", service.ErrRefused, strings.Repeat("x", 5000))
	told := d.refused(asking{method: "POST", path: "/v1/runs", body: aRun, as: "anna"}, 422, "refused")
	require.Len(t, []rune(told.Detail), 1000)
	require.NotContains(t, told.Detail, "\n")
}

// What is only used up is no fault that somebody has to see to.
func TestWhatIsUsedUpIsNoErrorInTheLog(t *testing.T) {
	d := newDesk(t, noLimits)
	for _, err := range []error{service.ErrQueueFull, service.ErrSessionsFull, service.ErrDraining, &service.QuotaError{Quota: "queued_bytes", After: time.Second}} {
		d.fake.fails = err
		require.GreaterOrEqual(t, d.do(asking{method: "POST", path: "/v1/runs", body: aRun, as: "anna"}).status, 400)
	}
	require.NotContains(t, d.logged(), "ERROR")
	d.fake.fails = service.ErrStorage
	d.refused(asking{method: "POST", path: "/v1/runs", body: aRun, as: "anna"}, 503, "storage")
	require.Contains(t, d.logged(), "ERROR")
}

// Each request is counted, those without a word of a back end's and those that are refused too.
func TestEveryRequestIsCounted(t *testing.T) {
	d := newDesk(t, noLimits)
	d.door.Mount("/mounted", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) }))
	d.fake.full = &service.QuotaError{Quota: "reads_per_minute", Limit: 2, After: time.Second}
	id := "/1795816902077-d16b0f87c603d5d5"
	for _, one := range []string{
		"GET /v1/runs", "GET /v1/runs" + id, "HEAD /v1/runs" + id, "POST /v1/runs" + id + "/cancel", "GET /v1/runs" + id + "/events", "GET /v1/runs" + id + "/files",
		"GET /v1/runs" + id + "/files/a/b", "GET /v1/runs" + id + "/record", "GET /v1/runs" + id + "/attestation", "GET /v1/sessions" + id,
		"DELETE /v1/sessions" + id, "GET /v1/sessions" + id + "/steps/1", "POST /v1/sessions" + id + "/cancel", "GET /v1/sessions" + id + "/events",
		"GET /v1/policies", "GET /v1/policies/p", "GET /v1/bundles", "GET /v1/bundles/b", "GET /v1/tools", "GET /v1/host", "GET /v1/me", "GET /v1/openapi.json",
		"GET /v1/version",
	} {
		method, path, _ := strings.Cut(one, " ")
		require.Equal(t, http.StatusTooManyRequests, d.do(asking{method: method, path: path, as: "root"}).status, one)
	}
	require.Equal(t, http.StatusTooManyRequests, d.serve(asking{method: "POST", path: "/mounted", as: "root"}.request()).status)
	require.Equal(t, http.StatusNoContent, d.do(asking{method: "GET", path: "/livez"}).status)
	for _, refused := range []asking{
		{method: "POST", path: "/v1/runs", body: "{", as: "anna"}, {method: "POST", path: "/v1/runs", body: aRun, as: "checker"}, {method: "GET", path: "/v1/runs?x=1", as: "anna"},
	} {
		require.Equal(t, http.StatusTooManyRequests, d.do(refused).status, "what would be refused is counted, too: %v", refused)
	}
}

// TestAPanicIsAProblem: with the place, and without what was thrown, which may be what a
// caller has sent.
func TestAPanicIsAProblem(t *testing.T) {
	d := newDesk(t, noLimits)
	d.fake.thrown = "print('canary')"
	d.refused(asking{method: "POST", path: "/v1/runs", body: aRun, as: "anna"}, http.StatusInternalServerError, "internal")
	require.Contains(t, d.logged(), "panic")
	require.NotContains(t, d.logged(), "canary")
	d.fake.thrown = nil
	require.Equal(t, 202, d.do(asking{method: "POST", path: "/v1/runs", body: aRun, as: "anna"}).status)
}

type failing struct{}

func (failing) Authenticate(*http.Request) (access.Principal, error) {
	return access.Principal{}, errors.New("the provider does not answer")
}

type tired struct{}

func (tired) Authenticate(*http.Request) (access.Principal, error) {
	return access.Principal{}, &access.TooManyError{After: 3 * time.Second}
}

type early struct{}

func (early) Authenticate(*http.Request) (access.Principal, error) {
	return access.Principal{}, &access.TooEarlyError{After: 19500 * time.Millisecond, Why: "the key may be a new one"}
}

func TestAnAuthenticatorThatFailsIsOurFault(t *testing.T) {
	d := newDesk(t, noLimits)
	d.door.Authenticator = failing{}
	d.refused(asking{method: "GET", path: "/v1/runs", as: "anna"}, http.StatusServiceUnavailable, "authentication-unavailable")
	require.Contains(t, d.logged(), "the provider does not answer")
	d.door.Authenticator = early{}
	told := d.refused(asking{method: "GET", path: "/v1/runs", as: "anna"}, http.StatusServiceUnavailable, "authentication-unavailable")
	require.Equal(t, "the key may be a new one", told.Detail)
	require.Equal(t, 20, told.RetryAfter)
	require.NotContains(t, d.logged(), "may be a new one", "strangers choose when")
	d.door.Authenticator = tired{}
	d.refused(asking{method: "GET", path: "/v1/runs", as: "anna"}, http.StatusTooManyRequests, "unauthenticated-often")
	d.door.Authenticator = tokens{"x": {}}
	d.refused(asking{method: "GET", path: "/v1/runs", as: "x"}, http.StatusUnauthorized, "unauthenticated")
}

// TestTheLogHasNothingOfARequest but what names it: the canary is in every other place.
func TestTheLogHasNothingOfARequest(t *testing.T) {
	d := newDesk(t, noLimits)
	id := d.create("anna", "")
	d.fake.end(id, map[string]string{"canary.csv": content})
	run := "/v1/runs/" + id.String()
	for _, one := range []asking{
		{method: "GET", path: run + "/files/canary.csv"},
		{method: "GET", path: run + "/files/canary2.csv"},
		{method: "GET", path: "/canary"},
		{method: "CANARY", path: "/v1/runs"},
		{method: "GET", path: "/v1/runs?canary=1"},
		{method: "GET", path: "/v1/runs?cursor=canary"},
		{method: "POST", path: "/v1/runs", body: `{"policy":"canary","code":"canary","script_name":"canary"}`, header: map[string]string{"Idempotency-Key": "canary"}},
		{method: "POST", path: "/v1/runs", body: `{"canary":"canary"}`},
		{method: "GET", path: "/v1/runs", header: map[string]string{"X-Canary": "canary", "User-Agent": "canary", "X-Request-Id": "canary canary"}},
		{method: "GET", path: "/v1/policies/canary"},
	} {
		one.as = "anna"
		d.serve(one.request())
	}
	logged := d.logged()
	require.NotContains(t, strings.ToLower(logged), "canary")
	require.Contains(t, logged, `"route":"GET /v1/runs/{id}/files/{path...}"`)
	require.Contains(t, logged, `"run_id":"`+id.String())
	require.Contains(t, logged, `"principal":"user:anna"`)
	require.Contains(t, logged, `"method":"other"`)
}

func TestARequestKeepsItsName(t *testing.T) {
	d := newDesk(t, noLimits)
	ask := asking{method: "GET", path: "/v1/runs", as: "anna", header: map[string]string{"X-Request-Id": "job-7.a_B"}}
	require.Equal(t, "job-7.a_B", d.do(ask).header.Get("X-Request-ID"))
	require.Contains(t, d.logged(), `"request_id":"job-7.a_B"`)
	for _, name := range []string{"a b", "-a", strings.Repeat("a", 65), "<x>", "ü"} {
		ask.header["X-Request-Id"] = name
		require.NotContains(t, d.do(ask).header.Get("X-Request-ID"), name)
	}
}

func TestRequestsHavePlaces(t *testing.T) {
	d := newDesk(t, httpapi.Room{Requests: 2})
	entered, leave := make(chan struct{}), make(chan struct{})
	d.fake.asked = func() { entered <- struct{}{}; <-leave }
	answer := make(chan int, 1)
	go func() {
		answer <- d.serve(asking{method: "POST", path: "/v1/checks", body: aRun, as: "anna"}.request()).status
	}()
	<-entered
	require.Equal(t, 503, d.serve(asking{method: "GET", path: "/v1/runs", as: "anna"}.request()).status)
	require.Equal(t, 200, d.do(asking{method: "GET", path: "/v1/runs", as: "ben"}).status)
	require.Equal(t, 204, d.do(asking{method: "GET", path: "/livez"}).status)
	close(leave)
	require.Equal(t, 200, <-answer)
}

// TestABodyThatDoesNotComeHasNoPlace, however many principals announce one.
func TestABodyThatDoesNotComeHasNoPlace(t *testing.T) {
	d := newDesk(t, httpapi.Room{Requests: 2, Mounted: 2, BodiesBytes: 1 << 10})
	d.door.Mount("POST /mcp", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "here") }))
	socket, _ := d.listening()
	for _, path := range []string{"/v1/checks", "/mcp"} {
		for _, as := range []string{"anna", "checker", "root", "root", "checker", "anna"} {
			dial(t, socket, "POST "+path+" HTTP/1.1\nHost: x\nAuthorization: Bearer "+as+"\nContent-Type: application/json\nContent-Length: 100\n\n{")
		}
	}
	for range 20 { // as they come in
		require.Equal(t, 200, d.do(asking{method: "POST", path: "/v1/checks", body: aRun, as: "ben"}).status)
		require.Equal(t, 200, d.serve(asking{method: "POST", path: "/mcp", body: "{}", as: "ben"}.request()).status)
		time.Sleep(5 * time.Millisecond)
	}
}

// TestWhatIsRefusedWaitsForNoBody: else whoever is nobody has a connection for as long as a body may
// take.
func TestWhatIsRefusedWaitsForNoBody(t *testing.T) {
	d := newDesk(t, httpapi.Room{BodyTime: time.Hour})
	socket, _ := d.listening()
	for head, want := range map[string]string{
		"POST /v1/runs HTTP/1.1\nHost: x":                                "401 Unauthorized",
		"POST /v1/runs HTTP/1.1\nHost: x\nAuthorization: Bearer x":       "401 Unauthorized",
		"POST /v1/runs HTTP/1.1\nHost: x\nAuthorization: Bearer checker": "403 Forbidden",
		"POST /none HTTP/1.1\nHost: x":                                   "404 Not Found",
		"POST /livez HTTP/1.1\nHost: x":                                  "405 Method Not Allowed",
		"POST /v1/runs HTTP/1.1\nHost: x\nOrigin: https://evil.example":  "403 Forbidden",
		"GET /v1/me HTTP/1.1\nHost: x\nAuthorization: Bearer anna":       "400 Bad Request",
		"POST /v1/runs HTTP/1.1\nHost: x\nAuthorization: Bearer anna":    "415 Unsupported Media Type",
	} {
		for _, body := range []string{"Content-Length: 100\n\n{", "Transfer-Encoding: chunked\n\n1\n{\n"} {
			conn := dial(t, socket, head+"\n"+body)
			require.NoError(t, conn.SetReadDeadline(time.Now().Add(30*time.Second)))
			answer, err := io.ReadAll(conn)
			require.NoError(t, err, "the connection ends: %s", head)
			require.Contains(t, string(answer), want, head)
		}
	}
}

// TestSlowRequests: neither headers nor bodies that do not come keep a connection.
func TestSlowRequests(t *testing.T) {
	d := newDesk(t, httpapi.Room{HeaderTime: 200 * time.Millisecond, BodyTime: 200 * time.Millisecond, IdleTime: 200 * time.Millisecond})
	socket, _ := d.listening()
	const begins = " HTTP/1.1\nHost: x\nAuthorization: Bearer "
	for name, one := range map[string]struct{ sent, want string }{
		"header":                  {"GET /livez HTTP/1.1\nHost: x\nX-", ""},
		"body":                    {"POST /v1/runs" + begins + "anna\nContent-Type: application/json\nContent-Length: 10\n\n{", "408 Request Timeout"},
		"chunks":                  {"POST /v1/runs" + begins + "anna\nContent-Type: application/json\nTransfer-Encoding: chunked\n\n1\n{\n", "408 Request Timeout"},
		"body that nobody wants":  {"POST /v1/runs" + begins + "x\nContent-Type: application/json\nContent-Length: 10\n\n{", "401 Unauthorized"},
		"body of another request": {"GET /v1/version" + begins + "anna\nContent-Length: 10\n\n{", "400 Bad Request"},
		"after a request":         {"GET /livez HTTP/1.1\nHost: x\n\n", "204 No Content"},
	} {
		t.Run(name, func(t *testing.T) {
			conn := dial(t, socket, one.sent)
			require.NoError(t, conn.SetReadDeadline(time.Now().Add(10*time.Second)))
			answer, err := io.ReadAll(conn)
			require.NoError(t, err, "the connection ends")
			require.Contains(t, string(answer), one.want)
		})
	}
}

func TestAConnectionIsUsedAgain(t *testing.T) {
	d := newDesk(t, noLimits)
	socket, _ := d.listening()
	post := "POST /v1/runs HTTP/1.1\nHost: x\nAuthorization: Bearer anna\nContent-Type: application/json\n" + fmt.Sprintf("Content-Length: %d\n\n%s", len(aRun), aRun)
	conn := dial(t, socket, post+"GET /livez HTTP/1.1\nHost: x\n\n"+post)
	reader := bufio.NewReader(conn)
	until(t, conn, reader, "202 Accepted")
	until(t, conn, reader, "204 No Content")
	until(t, conn, reader, "202 Accepted")
}

func TestAFrontNeedsItsParts(t *testing.T) {
	_, err := httpapi.New(httpapi.Options{})
	require.ErrorContains(t, err, "a back end, an authenticator, a logger and a version")
}

func TestACallerWhoHasGoneIsNoFault(t *testing.T) {
	d := newDesk(t, noLimits)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	d.fake.fails = context.Canceled
	d.serve(asking{method: "GET", path: "/v1/runs", as: "anna"}.request().WithContext(ctx))
	require.NotContains(t, d.logged(), "ERROR")
}

func TestWhatIsKnownIsNamedToWhoeverNamesSomethingElse(t *testing.T) {
	d := newDesk(t, noLimits)
	for body, detail := range map[string]string{
		`{"policy":"p","Code":"1"}`:                   `"Code": the name is unknown: known are policy, bundle, code, `,
		`{"policy":"p","code":"1","limit":{}}`:        "known are policy, bundle",
		`{"policy":"p"}`:                              "the body lacks code",
		`{"code":null}`:                               "the body lacks policy, code",
		`{"policy":"p","code":"1","limits":{"x":1}}`:  `"limits/x": the name is unknown: known are wall_clock_ms, `,
		`{"policy":"p","code":"1","inputs":{"x":[}}}`: "it is not valid JSON",
	} {
		told := d.refused(asking{method: "POST", path: "/v1/runs", body: body, as: "anna"}, 400, "bad-request")
		require.Contains(t, told.Detail, detail)
	}
	told := d.refused(asking{method: "GET", path: "/v1/runs?status=bogus", as: "anna"}, 400, "bad-request")
	require.Contains(t, told.Detail, "queued, running, error, succeeded, ")
}
