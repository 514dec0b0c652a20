package client

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/api"
	"hotcell/internal/job"
)

func TestNewRefusesATokenInPlainText(t *testing.T) {
	for _, where := range []string{"http://example.org", "http://10.0.0.1:8080", "http://127.0.0.1.example.org", "http://[2001:db8::1]:80", "http://0.0.0.0:80", "http://LOCALHOST.evil"} {
		_, err := New(Options{URL: where, Token: "hc_secret"})
		require.ErrorContains(t, err, "plain text", where)
		require.NotContains(t, err.Error(), "hc_secret")
		_, err = New(Options{URL: where, TokenSource: func(context.Context) (string, error) { return "hc_secret", nil }})
		require.ErrorContains(t, err, "plain text", where)
		_, err = New(Options{URL: where})
		require.NoError(t, err, where)
	}
	for _, where := range []string{"https://example.org", "http://127.0.0.1:1", "http://[::1]:1", "http://localhost:1", "unix:///run/hotcell/hotcell.sock"} {
		_, err := New(Options{URL: where, Token: "hc_secret"})
		require.NoError(t, err, where)
	}
}

func TestANameThatLeadsElsewhereGetsNoToken(t *testing.T) {
	require.NoError(t, onlyLoopback(t.Context(), "tcp", "127.0.0.1:80", nil))
	require.NoError(t, onlyLoopback(t.Context(), "tcp", "[::1]:80", nil))
	require.Error(t, onlyLoopback(t.Context(), "tcp", "10.0.0.1:80", nil))
	require.Error(t, onlyLoopback(t.Context(), "tcp", "elsewhere", nil))
}

func TestNewRefusesWhatIsNoAddress(t *testing.T) {
	for _, where := range []string{
		"", "example.org", "ftp://example.org", "https://", "https://example.org/path", "https://example.org?a=b", "https://example.org#a",
		"https://user:pass@example.org", "unix://run/hotcell.sock", "unix:", "unix:run", "https://exa mple.org", "http://\x7f:pass@host",
	} {
		_, err := New(Options{URL: where})
		require.Error(t, err, where)
		require.NotContains(t, err.Error(), "pass@", where)
	}
	_, err := New(Options{URL: "https://example.org", Token: "a", TokenSource: func(context.Context) (string, error) { return "", nil }})
	require.Error(t, err)
	for _, token := range []string{"a b", "a\n", "\r\nX-Evil: 1", "ä", strings.Repeat("a", maxToken+1)} {
		_, err = New(Options{URL: "https://example.org", Token: token})
		require.Error(t, err)
		require.NotContains(t, err.Error(), token)
	}
}

func TestARequestSaysWhoAsks(t *testing.T) {
	service := serve(t, func(w http.ResponseWriter, _ *http.Request, _ int) { say(w, 202, queued()) })
	run, err := service.client(t).CreateRun(t.Context(), api.CreateRun{Policy: "p", Code: "print(1)"}, CreateOptions{Wait: 90 * time.Second})
	require.NoError(t, err)
	require.Equal(t, testID, run.RunID.String())
	asked := service.requests()[0]
	require.Equal(t, "Bearer hc_secret", asked.Header.Get("Authorization"))
	require.Equal(t, "wait=60", asked.Header.Get("Prefer"))
	require.Len(t, asked.Header.Get("Idempotency-Key"), 26)
	require.Equal(t, "hotcell-client", asked.UserAgent())
	require.Equal(t, "application/json", asked.Header.Get("Content-Type"))
}

func TestALostAnswerIsAskedForAgainWithTheSameKey(t *testing.T) {
	service := serve(t, func(w http.ResponseWriter, _ *http.Request, time int) {
		switch time {
		case 1:
			abort(w)
		case 2:
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte(`{"run_id":`))
			abort(w)
		case 3: // the first one is carried out still
			refuse(w, 409, 0, "in flight")
		case 4:
			w.WriteHeader(http.StatusBadGateway)
		default:
			say(w, 202, queued())
		}
	})
	_, err := service.client(t).CreateRun(t.Context(), api.CreateRun{Policy: "p", Code: "1"}, CreateOptions{})
	require.NoError(t, err)
	keys := map[string]bool{}
	for _, asked := range service.requests() {
		keys[asked.Header.Get("Idempotency-Key")] = true
	}
	require.Len(t, service.requests(), 5)
	require.Len(t, keys, 1)
}

func TestAKeyOfSomebodyElseIsTold(t *testing.T) {
	service := serve(t, func(w http.ResponseWriter, _ *http.Request, _ int) { refuse(w, 409, 0, "in flight") })
	_, err := service.client(t).CreateRun(t.Context(), api.CreateRun{}, CreateOptions{Key: "mine"})
	problem, ok := errors.AsType[*api.Problem](err)
	require.True(t, ok)
	require.Equal(t, 409, problem.Status)
	require.Len(t, service.requests(), 1)
	for _, key := range []string{"a b", strings.Repeat("k", 256), "é"} {
		_, err := service.client(t).CreateRun(t.Context(), api.CreateRun{}, CreateOptions{Key: key})
		require.ErrorContains(t, err, "key", key)
	}
}

func TestWhoAsksOnceLeavesNoKey(t *testing.T) {
	service := serve(t, func(w http.ResponseWriter, _ *http.Request, _ int) { w.WriteHeader(http.StatusBadGateway) })
	_, err := service.client(t).CreateRun(t.Context(), api.CreateRun{}, CreateOptions{Once: true})
	require.Error(t, err)
	require.Len(t, service.requests(), 1)
	require.Empty(t, service.requests()[0].Header.Values("Idempotency-Key"))
	_, err = service.client(t).CreateRun(t.Context(), api.CreateRun{}, CreateOptions{Once: true, Key: "a b"})
	require.ErrorContains(t, err, "key")
}

func TestWhatIsNotRepeatableIsAskedOnce(t *testing.T) {
	id := parseID(t, testID)
	service := serve(t, func(w http.ResponseWriter, _ *http.Request, _ int) { abort(w) })
	client := service.client(t)
	_, err := client.Step(t.Context(), id, api.CreateStep{Code: "1"})
	lost, ok := errors.AsType[*TransportError](err)
	require.True(t, ok, "%v", err)
	require.Equal(t, service.URL, lost.Service)
	require.NotContains(t, err.Error(), "hc_secret")
	_, err = client.OpenSession(t.Context(), api.OpenSession{})
	require.Error(t, err)
	require.Error(t, client.CancelStep(t.Context(), id))
	_, err = client.Policies(t.Context())
	require.Error(t, err)
	require.Len(t, service.requests(), 4)
}

// inBubble makes a client of a handler, with the clock of the bubble.
func inBubble(t *testing.T, options Options, answer http.HandlerFunc) *Client {
	t.Helper()
	options.Transport = InProcess(answer)
	client, err := New(options)
	require.NoError(t, err)
	return client
}

func TestWhoIsBusySaysWhenToComeAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		times, begun := 0, time.Now()
		var told []time.Duration
		client := inBubble(t, Options{Waiting: func(_ error, pause time.Duration) { told = append(told, pause) }}, func(w http.ResponseWriter, _ *http.Request) {
			if times++; times < 3 {
				refuse(w, []int{0, 429, 503}[times], 20*times, "busy")
				return
			}
			say(w, 200, map[string]any{"policies": []any{}})
		})
		_, err := client.Policies(t.Context())
		require.NoError(t, err)
		require.Equal(t, time.Minute, time.Since(begun))
		require.Equal(t, []time.Duration{20 * time.Second, 40 * time.Second}, told)
	})
}

func TestNobodyWaitsLongerThanTheyWant(t *testing.T) {
	for name, after := range map[string]int{"no time told": 0, "beyond patience": 3600, "negative": -1, "beyond reason": 1 << 40} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				begun := time.Now()
				client := inBubble(t, Options{}, func(w http.ResponseWriter, _ *http.Request) {
					if after < 0 {
						w.Header().Set("Retry-After", "-1")
					}
					refuse(w, 429, after, "busy")
				})
				_, err := client.Policies(t.Context())
				problem, ok := errors.AsType[*api.Problem](err)
				require.True(t, ok)
				require.Equal(t, 429, problem.Status)
				require.Zero(t, time.Since(begun))
			})
		})
	}
	synctest.Test(t, func(t *testing.T) { // the deadline of the caller is before
		begun := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		client := inBubble(t, Options{}, func(w http.ResponseWriter, _ *http.Request) { refuse(w, 503, 6, "busy") })
		_, err := client.Policies(ctx)
		require.ErrorContains(t, err, "busy")
		require.Zero(t, time.Since(begun))
	})
}

func TestASlowServiceIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		client := inBubble(t, Options{}, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
		_, err := client.Policies(t.Context())
		require.ErrorIs(t, err, errSlow)
		require.Equal(t, answerTime, time.Since(begun))
	})
	synctest.Test(t, func(t *testing.T) { // it begins, and does not go on
		client := inBubble(t, Options{}, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte("{"))
			<-r.Context().Done()
		})
		_, err := client.Policies(t.Context())
		require.ErrorIs(t, err, errSlow)
	})
	synctest.Test(t, func(t *testing.T) { // a creation is asked for as long as patience lasts
		begun := time.Now()
		var times atomic.Int32
		client := inBubble(t, Options{Patience: 2 * time.Minute}, func(_ http.ResponseWriter, r *http.Request) { times.Add(1); <-r.Context().Done() })
		_, err := client.CreateRun(t.Context(), api.CreateRun{}, CreateOptions{})
		require.ErrorIs(t, err, errSlow)
		require.Equal(t, int32(4), times.Load())
		require.Less(t, time.Since(begun), 3*time.Minute)
	})
}

func TestACreationThatIsOnItsWayIsKnown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		client := inBubble(t, Options{}, func(w http.ResponseWriter, _ *http.Request) {
			cancel()
			time.Sleep(time.Second)
			say(w, 202, queued())
		})
		run, err := client.CreateRun(ctx, api.CreateRun{}, CreateOptions{})
		require.NoError(t, err)
		require.Equal(t, testID, run.RunID.String())
		_, err = client.CreateRun(ctx, api.CreateRun{}, CreateOptions{}) // one that has not begun is not
		require.ErrorIs(t, err, context.Canceled)
	})
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		ctx, cancel := context.WithCancel(t.Context())
		client := inBubble(t, Options{}, func(_ http.ResponseWriter, r *http.Request) { cancel(); <-r.Context().Done() })
		_, err := client.CreateRun(ctx, api.CreateRun{}, CreateOptions{})
		require.ErrorIs(t, err, context.Canceled)
		require.Equal(t, lastWords, time.Since(begun))
	})
}

func TestNothingGoesToWhereAServiceSends(t *testing.T) {
	other := serve(t, func(w http.ResponseWriter, _ *http.Request, _ int) { say(w, 200, queued()) })
	for _, status := range []int{301, 302, 303, 307, 308} {
		service := serve(t, func(w http.ResponseWriter, r *http.Request, _ int) { http.Redirect(w, r, other.URL+r.URL.Path, status) })
		_, err := service.client(t).Run(t.Context(), parseID(t, testID))
		told, ok := errors.AsType[*StatusError](err)
		require.True(t, ok, "%v", err)
		require.Equal(t, status, told.Status)
		_, err = service.client(t).CreateRun(t.Context(), api.CreateRun{}, CreateOptions{})
		require.ErrorContains(t, err, "another address")
	}
	require.Empty(t, other.requests())
}

func TestAnswersThatCannotBeUsed(t *testing.T) {
	another := ended("succeeded")
	another["result"].(map[string]any)["run_id"] = otherID
	otherwise := ended("succeeded")
	otherwise["result"].(map[string]any)["status"] = "failed"
	without := ended("failed")
	delete(without, "result")
	for name, answer := range map[string]func(w http.ResponseWriter){
		"another content type": func(w http.ResponseWriter) { _, _ = w.Write([]byte("<html>")) },
		"no content type":      func(w http.ResponseWriter) { w.Header()["Content-Type"] = nil; _, _ = w.Write([]byte("{}")) },
		"no JSON": func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte("{"))
		},
		"nothing": func(w http.ResponseWriter) { w.WriteHeader(http.StatusNoContent) },
		"duplicate names": func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte(`{"run_id":"` + testID + `","run_id":"` + testID + `","status":"queued"}`))
		},
		"an empty object":           func(w http.ResponseWriter) { say(w, 200, map[string]any{}) },
		"another run":               func(w http.ResponseWriter) { run := queued(); run["run_id"] = otherID; say(w, 200, run) },
		"a result of another run":   func(w http.ResponseWriter) { say(w, 200, another) },
		"a result that differs":     func(w http.ResponseWriter) { say(w, 200, otherwise) },
		"an end without a result":   func(w http.ResponseWriter) { say(w, 200, without) },
		"an error without a reason": func(w http.ResponseWriter) { run := queued(); run["status"] = "error"; say(w, 200, run) },
		"a file outside":            func(w http.ResponseWriter) { say(w, 200, ended("succeeded", file("../x", "a"))) },
		"too much": func(w http.ResponseWriter) {
			run := queued()
			run["policy"] = strings.Repeat("p", 5000)
			say(w, 200, run)
		},
	} {
		t.Run(name, func(t *testing.T) {
			service := serve(t, func(w http.ResponseWriter, _ *http.Request, _ int) { answer(w) })
			client := service.client(t)
			client.most = 4096
			run, err := client.Run(t.Context(), parseID(t, testID))
			_, ok := errors.AsType[*AnswerError](err)
			require.True(t, ok, "%v", err)
			require.Zero(t, run)
			require.Equal(t, name == "too much", strings.Contains(err.Error(), "more than 4096 bytes"))
		})
	}
}

func TestANewerServiceMaySayMore(t *testing.T) {
	service := serve(t, func(w http.ResponseWriter, _ *http.Request, _ int) {
		run := ended("succeeded")
		run["new"] = map[string]any{"a": 1}
		run["result"].(map[string]any)["newer"] = true
		say(w, 200, run)
	})
	run, err := service.client(t).Run(t.Context(), parseID(t, testID))
	require.NoError(t, err)
	require.Equal(t, job.Succeeded, run.Result.Status)
}

func TestProblemsAreToldAsTheyCame(t *testing.T) {
	service := serve(t, func(w http.ResponseWriter, _ *http.Request, time int) {
		switch time {
		case 1:
			w.Header().Set("Content-Type", "application/problem+json; charset=utf-8")
			w.WriteHeader(http.StatusUnprocessableEntity)
			_, _ = w.Write([]byte(`{"type":"urn:hotcell:problem:refused","title":"no","status":200,"detail":"why","newer":[{"line":1}]}`))
		case 2:
			w.Header().Set("Content-Type", "application/problem+json")
			w.WriteHeader(http.StatusBadRequest)
			_, _ = w.Write([]byte(`not JSON`))
		case 3:
			w.WriteHeader(http.StatusInternalServerError)
			_, _ = w.Write([]byte(strings.Repeat("<html>", 1<<18)))
		}
	})
	client := service.client(t)
	_, err := client.Policies(t.Context())
	problem, ok := errors.AsType[*api.Problem](err)
	require.True(t, ok)
	require.Equal(t, 422, problem.Status, "what HTTP says")
	require.Equal(t, "why", problem.Detail)
	for _, status := range []int{400, 500} {
		_, err = client.Policies(t.Context())
		other, ok := errors.AsType[*StatusError](err)
		require.True(t, ok)
		require.Equal(t, status, other.Status)
		require.Less(t, len(err.Error()), 300)
	}
}

func TestASocketOfThisHost(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	listener, err := net.Listen("unix", path)
	require.NoError(t, err)
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/readyz" {
			say(w, 200, map[string]any{"version": "1", "api": "v2", "engine": "oci"})
		}
	})}
	go func() { _ = server.Serve(listener) }()
	defer server.Close()
	client, err := New(Options{URL: "unix://" + path, Token: "t"})
	require.NoError(t, err)
	require.NoError(t, client.Ready(t.Context()))
	_, err = client.Version(t.Context())
	require.ErrorContains(t, err, `"v2"`)
	gone, err := New(Options{URL: "unix://" + path + "none"})
	require.NoError(t, err)
	_, ok := errors.AsType[*TransportError](gone.Ready(t.Context()))
	require.True(t, ok)
}

func TestATokenIsAskedForEachTime(t *testing.T) {
	service := serve(t, func(w http.ResponseWriter, _ *http.Request, _ int) { say(w, 200, map[string]any{"tools": []any{}}) })
	tokens := []string{"first", "second", "third\nX: 1"}
	client, err := New(Options{URL: service.URL, TokenSource: func(context.Context) (string, error) {
		if len(tokens) == 0 {
			return "", io.ErrUnexpectedEOF
		}
		next := tokens[0]
		tokens = tokens[1:]
		return next, nil
	}})
	require.NoError(t, err)
	for range 2 {
		_, err = client.Tools(t.Context())
		require.NoError(t, err)
	}
	_, err = client.Tools(t.Context())
	require.ErrorContains(t, err, "white space")
	require.NotContains(t, err.Error(), "third")
	_, err = client.Tools(t.Context())
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	asked := service.requests()
	require.Len(t, asked, 2)
	require.Equal(t, "Bearer second", asked[1].Header.Get("Authorization"))
}

func TestRunsAreReadPageByPage(t *testing.T) {
	service := serve(t, func(w http.ResponseWriter, r *http.Request, _ int) {
		switch r.URL.Query().Get("cursor") {
		case "":
			say(w, 200, map[string]any{"runs": []any{queued(), queued()}, "next_cursor": "b&c"})
		case "b&c":
			say(w, 200, map[string]any{"runs": []any{queued()}})
		}
	})
	count := 0
	for run, err := range service.client(t).Runs(t.Context(), Filter{Status: api.StateQueued, Since: time.Unix(5, 0), Page: 2}) {
		require.NoError(t, err)
		require.Equal(t, testID, run.RunID.String())
		count++
	}
	require.Equal(t, 3, count)
	require.Equal(t, "limit=2&since=1970-01-01T00%3A00%3A05Z&status=queued", service.requests()[0].URL.RawQuery)

	round := serve(t, func(w http.ResponseWriter, _ *http.Request, _ int) {
		say(w, 200, map[string]any{"runs": []any{queued()}, "next_cursor": "same"})
	})
	var last error
	for _, err := range round.client(t).Runs(t.Context(), Filter{}) {
		last = err
	}
	require.ErrorIs(t, last, ErrCut)
	require.Len(t, round.requests(), 2)
}

func TestNamesCannotLeaveTheirPlaceInAPath(t *testing.T) {
	service := serve(t, func(w http.ResponseWriter, _ *http.Request, _ int) { refuse(w, 404, 0, "no") })
	client := service.client(t)
	_, err := client.Policy(t.Context(), "a/../../b?x=1#y%2e")
	require.Error(t, err)
	require.Equal(t, "/v1/policies/a%2F..%2F..%2Fb%3Fx=1%23y%252e", service.requests()[0].RequestURI)
}
