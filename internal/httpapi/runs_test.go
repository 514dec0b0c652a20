package httpapi_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/api"
	"hotcell/internal/httpapi"
	"hotcell/internal/job"
)

var noLimits = httpapi.Room{}

const aRun = `{"policy":"p","code":"print(1)"}`

// create makes a run, and returns its id.
func (d *desk) create(as, key string) job.ID {
	d.t.Helper()
	header := map[string]string{}
	if key != "" {
		header["Idempotency-Key"] = key
	}
	got := d.do(asking{method: "POST", path: "/v1/runs", body: aRun, as: as, header: header})
	require.Equal(d.t, http.StatusAccepted, got.status, got.body)
	return idOf(d.t, got)
}

func idOf(t testing.TB, got answered) job.ID {
	t.Helper()
	var run api.Run
	require.NoError(t, decodeAny([]byte(got.body), &run))
	return run.RunID
}

func TestARunIsAcceptedFollowedAndLookedAt(t *testing.T) {
	d := newDesk(t, noLimits)
	got := d.do(asking{method: "POST", path: "/v1/runs", body: aRun, as: "anna"})
	require.Equal(t, http.StatusAccepted, got.status)
	id := idOf(t, got)
	require.Equal(t, "/v1/runs/"+id.String(), got.header.Get("Location"))
	require.Empty(t, got.header.Get("Idempotency-Replayed"))
	require.Equal(t, "no-store", got.header.Get("Cache-Control"))
	require.Equal(t, http.StatusOK, d.do(asking{method: "GET", path: "/v1/runs/" + id.String(), as: "anna"}).status)
	require.Equal(t, http.StatusOK, d.do(asking{method: "HEAD", path: "/v1/runs/" + id.String(), as: "anna"}).status)
	d.fake.end(id, nil)
	got = d.do(asking{method: "GET", path: "/v1/runs/" + id.String(), as: "anna"})
	require.Contains(t, got.body, `"succeeded"`)
}

func TestAKeyGivesTheSameRun(t *testing.T) {
	d := newDesk(t, noLimits)
	id := d.create("anna", "k1")
	again := asking{method: "POST", path: "/v1/runs", body: aRun, as: "anna", header: map[string]string{"Idempotency-Key": "k1"}}
	got := d.do(again)
	require.Equal(t, http.StatusAccepted, got.status)
	require.Equal(t, "true", got.header.Get("Idempotency-Replayed"))
	require.Equal(t, id, idOf(t, got))
	d.fake.end(id, nil)
	got = d.do(again)
	require.Equal(t, http.StatusCreated, got.status, "what has ended is there at once")
	require.Equal(t, id, idOf(t, got))
	again.body = `{"policy":"p","code":"print(2)"}`
	d.refused(again, http.StatusUnprocessableEntity, "key-reused")
	require.NotEqual(t, id, d.create("ben", "k1"), "keys are a principal's own")
	for _, key := range []string{" ", "a b", strings.Repeat("x", 256), "ü"} {
		again.header["Idempotency-Key"] = key
		d.refused(again, http.StatusBadRequest, "bad-request")
	}
}

func TestARequestWaitsForTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, noLimits)
		waits := func(prefer string) (answered, time.Duration) {
			began := time.Now()
			got := d.do(asking{method: "POST", path: "/v1/runs", body: aRun, as: "anna", header: map[string]string{"Prefer": prefer}})
			return got, time.Since(began)
		}
		got, took := waits("wait=7")
		require.Equal(t, http.StatusAccepted, got.status)
		require.Equal(t, 7*time.Second, took)
		require.Equal(t, "wait=7", got.header.Get("Preference-Applied"))
		got, took = waits("respond-async, wait=100000")
		require.Equal(t, time.Minute, took)
		require.Equal(t, "wait=60", got.header.Get("Preference-Applied"))
		_, took = waits("wait=0")
		require.Zero(t, took)
		go func() {
			time.Sleep(3 * time.Second)
			d.fake.mu.Lock()
			defer d.fake.mu.Unlock()
			for id := range d.fake.runs {
				d.fake.endLocked(id, nil, job.Succeeded)
			}
		}()
		got, took = waits("wait=30")
		require.Equal(t, http.StatusCreated, got.status)
		require.Equal(t, 3*time.Second, took)
		d.refused(asking{method: "POST", path: "/v1/runs", body: aRun, as: "anna", header: map[string]string{"Prefer": "wait=soon"}}, 400, "bad-request")
	})
}

func TestWaitsHavePlaces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, httpapi.Room{Waits: 2, Requests: 2})
		long := asking{method: "POST", path: "/v1/runs", body: aRun, as: "anna", header: map[string]string{"Prefer": "wait=60"}}
		go d.do(long)
		synctest.Wait()
		got := d.do(long)
		require.Equal(t, http.StatusAccepted, got.status, "half of the places are one principal's")
		require.Equal(t, "wait=0", got.header.Get("Preference-Applied"))
		require.Equal(t, http.StatusOK, d.do(asking{method: "GET", path: "/v1/runs", as: "anna"}).status, "who waits takes no place of a request")
		time.Sleep(time.Minute)
	})
}

func TestRunsOfOthersAreNotThere(t *testing.T) {
	d := newDesk(t, noLimits)
	id := d.create("anna", "").String()
	d.fake.end(onlyRun(d), map[string]string{"a.csv": "1"})
	for _, path := range []string{"", "/events", "/files", "/files/a.csv", "/record", "/attestation"} {
		ask := asking{method: "GET", path: "/v1/runs/" + id + path, as: "ben"}
		others := d.refused(ask, http.StatusNotFound, "not-found")
		ask.path = "/v1/runs/1795219431042-9f86d081884c7d65" + path
		require.Equal(t, others.Detail, d.refused(ask, http.StatusNotFound, "not-found").Detail, "nothing tells them from none")
		ask.path, ask.as = "/v1/runs/"+id+path, "root"
		require.Less(t, d.do(ask).status, 300)
	}
	d.refused(asking{method: "POST", path: "/v1/runs/" + id + "/cancel", as: "ben"}, http.StatusNotFound, "not-found")
}

func onlyRun(d *desk) job.ID {
	for id := range d.fake.runs {
		return id
	}
	return job.ID{}
}

func TestARunIsCancelledAsOftenAsIsAsked(t *testing.T) {
	d := newDesk(t, noLimits)
	id := d.create("anna", "").String()
	for range 3 {
		got := d.do(asking{method: "POST", path: "/v1/runs/" + id + "/cancel", as: "anna"})
		require.Equal(t, http.StatusAccepted, got.status)
		require.Contains(t, got.body, `"cancelled"`)
	}
}

func TestAListHasPages(t *testing.T) {
	d := newDesk(t, noLimits)
	for range 5 {
		d.create("anna", "")
	}
	seen, path := 0, "/v1/runs?limit=2&status=queued&policy=p&since=2020-01-01T00%3A00%3A00Z"
	for path != "" {
		got := d.do(asking{method: "GET", path: path, as: "anna"})
		var page api.Runs
		require.NoError(t, decodeAny([]byte(got.body), &page))
		seen += len(page.Runs)
		path = ""
		if link := got.header.Get("Link"); link != "" {
			path, _, _ = strings.Cut(strings.TrimPrefix(link, "<"), ">")
			require.Contains(t, path, "status=queued")
		}
	}
	require.Equal(t, 5, seen)
	require.Equal(t, api.StateQueued, d.fake.filters[2].Status)
	require.Equal(t, "p", d.fake.filters[2].Policy)
	require.Equal(t, 2020, d.fake.filters[2].Since.Year())
	for _, query := range []string{
		"limit=0", "limit=201", "limit=x", "limit=1&limit=2", "status=done", "policy=", "policy=..", "since=yesterday", "cursor=%00", "cursor=",
		"stauts=queued", "a;b", "%zz", "cursor=" + strings.Repeat("a", 513),
	} {
		d.refused(asking{method: "GET", path: "/v1/runs?" + query, as: "anna"}, http.StatusBadRequest, "bad-request")
	}
}

func TestCodeIsVetted(t *testing.T) {
	d := newDesk(t, noLimits)
	got := d.do(asking{method: "POST", path: "/v1/checks", body: aRun, as: "checker"})
	require.Equal(t, http.StatusOK, got.status, "code that is refused is an answer")
	require.Contains(t, got.body, "import.denied")
}

func TestTheCatalogue(t *testing.T) {
	d := newDesk(t, noLimits)
	for _, path := range []string{"/v1/policies", "/v1/policies/p", "/v1/bundles", "/v1/bundles/demo@1", "/v1/tools", "/v1/me", "/v1/version"} {
		require.Equal(t, http.StatusOK, d.do(asking{method: "GET", path: path, as: "anna"}).status, path)
	}
	require.Equal(t, http.StatusOK, d.do(asking{method: "GET", path: "/v1/host", as: "root"}).status)
	for _, path := range []string{"/v1/policies/q", "/v1/bundles/demo@2", "/v1/bundles/" + strings.Repeat("x", 301)} {
		d.refused(asking{method: "GET", path: path, as: "anna"}, http.StatusNotFound, "not-found")
	}
}

func TestSessionsAreListed(t *testing.T) {
	d := newDesk(t, noLimits)
	got := d.do(asking{method: "GET", path: "/v1/sessions", as: "anna"})
	require.JSONEq(t, `{"sessions":[]}`, got.body)
	for _, inputs := range []string{"", `,"inputs":null`, `,"inputs":{"a":[1]}`} {
		require.Equal(t, http.StatusAccepted, d.do(asking{method: "POST", path: "/v1/sessions", body: `{"policy":"p"` + inputs + `}`, as: "anna"}).status)
	}
	d.refused(asking{method: "POST", path: "/v1/sessions", body: `{"policy":"p","inputs":[1]}`, as: "anna"}, http.StatusBadRequest, "bad-request")
	got = d.do(asking{method: "GET", path: "/v1/sessions?status=opening&limit=1", as: "anna"})
	require.Equal(t, `</v1/sessions?cursor=next&limit=1&status=opening>; rel="next"`, got.header.Get("Link"))
	require.Equal(t, 3, strings.Count(got.body, `"principal":`), got.body)
	require.JSONEq(t, `{"sessions":[]}`, d.do(asking{method: "GET", path: "/v1/sessions?status=closed&cursor=next", as: "anna"}).body)
	require.JSONEq(t, `{"sessions":[]}`, d.do(asking{method: "GET", path: "/v1/sessions", as: "ben"}).body)
	for _, query := range []string{"limit=0", "limit=201", "status=queued", "status=", "cursor=", "cursor=other", "policy=p", "since=2026-11-27T09:00:00Z"} {
		d.refused(asking{method: "GET", path: "/v1/sessions?" + query, as: "anna"}, http.StatusBadRequest, "bad-request")
	}
}

func TestASessionTakesSteps(t *testing.T) {
	d := newDesk(t, noLimits)
	got := d.do(asking{method: "POST", path: "/v1/sessions", body: `{"policy":"p"}`, as: "anna"})
	require.Equal(t, http.StatusAccepted, got.status, got.body)
	path := got.header.Get("Location")
	step := asking{method: "POST", path: path + "/steps", body: `{"code":"1"}`, as: "anna"}
	got = d.do(step)
	require.Equal(t, http.StatusAccepted, got.status)
	require.Equal(t, path+"/steps/1", got.header.Get("Location"))
	require.Equal(t, http.StatusOK, d.do(asking{method: "GET", path: path + "/steps/1", as: "anna"}).status)
	for _, number := range []string{"0", "2", "01", "-1", "x", "99999999999999999999"} {
		d.refused(asking{method: "GET", path: path + "/steps/" + number, as: "anna"}, http.StatusNotFound, "not-found")
	}
	d.refused(step, http.StatusConflict, "session-busy")
	require.Equal(t, http.StatusAccepted, d.do(asking{method: "POST", path: path + "/cancel", as: "anna"}).status)
	step.body, step.header = `{"code":"end"}`, map[string]string{"Prefer": "wait=1"}
	require.Equal(t, http.StatusCreated, d.do(step).status)
	d.refused(asking{method: "GET", path: path, as: "ben"}, http.StatusNotFound, "not-found")
	require.Equal(t, http.StatusOK, d.do(asking{method: "GET", path: path, as: "anna"}).status)
	for range 2 {
		require.Equal(t, http.StatusAccepted, d.do(asking{method: "DELETE", path: path, as: "anna"}).status)
	}
	d.refused(step, http.StatusConflict, "session-closed")
	got = d.do(asking{method: "GET", path: path + "/events", as: "anna"})
	require.Equal(t, 2, strings.Count(got.body, "event: step"))
	for _, body := range []string{`{}`, `{"policy":null}`, `{"policy":"p","idle_ms":-1}`, `{"policy":"p","seed":-1}`, `{"policy":"p","code":"x"}`} {
		d.refused(asking{method: "POST", path: "/v1/sessions", body: body, as: "anna"}, http.StatusBadRequest, "bad-request")
	}
	require.NotContains(t, fmt.Sprint(d.fake.reads), "files")
}

// TestAnAnswerThatWasWaitedForHasAPlace: where there is none, the answer is what was there before.
func TestAnAnswerThatWasWaitedForHasAPlace(t *testing.T) {
	d := newDesk(t, httpapi.Room{Requests: 2})
	from, to := io.Pipe()
	d.fake.content = func(string) (io.ReadCloser, int64, error) { return from, 2, nil }
	answers := make(chan answered, 1)
	wait := asking{method: "POST", path: "/v1/runs", body: aRun, as: "anna", header: map[string]string{"Prefer": "wait=30"}}
	go func() { answers <- d.serve(wait.request()) }()
	require.Eventually(t, func() bool { d.fake.mu.Lock(); defer d.fake.mu.Unlock(); return d.fake.waiting == 1 }, 5*time.Second, time.Millisecond)
	id := onlyRun(d)
	other := d.create("anna", "")
	d.fake.end(other, nil)
	read := asking{method: "GET", path: "/v1/runs/" + other.String() + "/record", as: "anna"}
	whole := make(chan int, 1)
	go func() { whole <- d.serve(read.request()).status }()
	_, err := to.Write([]byte("{")) // it is read, and its request goes on
	require.NoError(t, err)
	d.fake.end(id, nil)
	got := <-answers
	require.Equal(t, http.StatusAccepted, got.status)
	require.Equal(t, "wait=0", got.header.Get("Preference-Applied"))
	require.Contains(t, got.body, id.String())
	_, err = to.Write([]byte("}"))
	require.NoError(t, err)
	require.NoError(t, to.Close())
	require.Equal(t, http.StatusOK, <-whole)
}
