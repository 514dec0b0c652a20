package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/api"
	"hotcell/internal/job"
)

// followed is what Follow handed on, as "seq type data".
func followed(t *testing.T, client *Client, after int64) (got []string, err error) {
	t.Helper()
	err = client.Follow(t.Context(), parseID(t, testID), after, func(event api.Event) error {
		data := string(event.Data)
		if event.Type == api.EventResult {
			data = ""
		}
		got = append(got, strings.TrimSpace(fmt.Sprintf("%d %s %s", event.Seq, event.Type, data)))
		return nil
	})
	return got, err
}

func TestFollowGoesOnWhereAConnectionBreaks(t *testing.T) {
	service := serve(t, func(w http.ResponseWriter, r *http.Request, time int) {
		stream(w)
		switch time {
		case 1:
			_, _ = w.Write([]byte("retry: 1\n\n: keep-alive\n\n"))
			event(w, 0, "state", map[string]any{"state": "queued", "position": 2})
			event(w, 1, "state", map[string]any{"state": "running"})
			event(w, 2, "stdout", text("a"))
			_, _ = w.Write([]byte("id: 3\nevent: stdout\ndata: {\"text\":"))
			abort(w)
		case 2: // in order, and not over
			event(w, 2, "stdout", text("a"))
			event(w, 3, "stdout", text("b"))
		case 3:
			w.WriteHeader(http.StatusBadGateway)
		case 4:
			refuse(w, 503, 1, "draining")
		case 5:
			abort(w)
		default:
			event(w, 4, "unheard_of", map[string]any{"x": 1})
			event(w, 5, "result", ended("succeeded"))
			<-r.Context().Done() // it is not waited for
		}
	})
	got, err := followed(t, service.client(t), 0)
	require.NoError(t, err)
	require.Equal(t, []string{
		`0 state {"position":2,"state":"queued"}`, `1 state {"state":"running"}`, `2 stdout {"text":"a"}`, `3 stdout {"text":"b"}`,
		`4 unheard_of {"x":1}`, `5 result`,
	}, got)
	var from []string
	for _, asked := range service.requests() {
		from = append(from, asked.Header.Get("Last-Event-ID"))
	}
	require.Equal(t, []string{"", "2", "3", "3", "3", "3"}, from)
}

func TestWhatIsMissingIsTold(t *testing.T) {
	service := serve(t, func(w http.ResponseWriter, _ *http.Request, _ int) {
		event(w, 0, "gap", map[string]any{"from": 3, "to": 7}) // five is known
		event(w, 8, "stdout", text("a"))
		event(w, 0, "gap", map[string]any{"from": 1, "to": 4}) // all of it is
		event(w, 11, "stdout", text("b"))                      // and nobody says why
		event(w, 12, "result", ended("failed"))
	})
	got, err := followed(t, service.client(t), 5)
	require.NoError(t, err)
	require.Equal(t, []string{`0 gap {"from":6,"to":7}`, `8 stdout {"text":"a"}`, `0 gap {"from":9,"to":10}`, `11 stdout {"text":"b"}`, `12 result`}, got)
}

func TestAResultIsHandedOnWhateverItsNumber(t *testing.T) {
	service := serve(t, func(w http.ResponseWriter, _ *http.Request, _ int) {
		event(w, 2, "stdout", text("old"))
		event(w, 3, "result", ended("failed"))
	})
	got, err := followed(t, service.client(t), 900)
	require.NoError(t, err)
	require.Equal(t, []string{"3 result"}, got)
}

func TestNothingMoreIsTheEnd(t *testing.T) {
	service := serve(t, func(w http.ResponseWriter, _ *http.Request, _ int) { w.WriteHeader(http.StatusNoContent) })
	got, err := followed(t, service.client(t), 12)
	require.NoError(t, err)
	require.Empty(t, got)
}

func TestStreamsThatCannotBeUsed(t *testing.T) {
	for name, raw := range map[string]string{
		"a number that is none":    "id: x\nevent: stdout\ndata: {}\n\n",
		"a number with a zero":     "id: 01\nevent: stdout\ndata: {}\n\n",
		"the number zero":          "id: 0\nevent: stdout\ndata: {}\n\n",
		"no type":                  "id: 1\ndata: {}\n\n",
		"no JSON":                  "id: 1\nevent: stdout\ndata: {\n\n",
		"two values":               "id: 1\nevent: stdout\ndata: {}\ndata: {}\n\n",
		"a gap of nothing":         "event: gap\ndata: {}\n\n",
		"a gap backwards":          "event: gap\ndata: {\"from\":5,\"to\":4}\n\n",
		"a result of another run":  "event: result\ndata: {\"run_id\":\"" + otherID + "\",\"status\":\"cancelled\"}\n\n",
		"a result that is no end":  "event: result\ndata: {\"run_id\":\"" + testID + "\",\"status\":\"running\"}\n\n",
		"a result of nothing":      "event: result\ndata: {}\n\n",
		"a line without an end":    "data: " + strings.Repeat("x", 5000),
		"an event without an end":  strings.Repeat("data: "+strings.Repeat("x", 900)+"\n", 6),
		"an event of empty pieces": strings.Repeat("data\n", 5000),
	} {
		t.Run(name, func(t *testing.T) {
			service := serve(t, func(w http.ResponseWriter, r *http.Request, _ int) {
				stream(w)
				_, _ = w.Write([]byte(raw))
				_ = http.NewResponseController(w).Flush()
				<-r.Context().Done()
			})
			client := service.client(t)
			client.most = 4096
			got, err := followed(t, client, 0)
			_, ok := errors.AsType[*AnswerError](err)
			require.True(t, ok, "%v", err)
			require.Empty(t, got)
			require.Len(t, service.requests(), 1)
		})
	}
}

func TestFollowEndsWhereItCannotGoOn(t *testing.T) {
	mine := errors.New("mine")
	service := serve(t, func(w http.ResponseWriter, r *http.Request, _ int) {
		if r.Header.Get("Last-Event-ID") != "" {
			refuse(w, 404, 0, "gone")
			return
		}
		event(w, 1, "stdout", text("a"))
	})
	_, err := followed(t, service.client(t), 0)
	problem, ok := errors.AsType[*api.Problem](err)
	require.True(t, ok, "%v", err)
	require.Equal(t, 404, problem.Status)
	err = service.client(t).Follow(t.Context(), parseID(t, testID), 0, func(api.Event) error { return mine })
	require.Equal(t, mine, err)
	html := serve(t, func(w http.ResponseWriter, _ *http.Request, _ int) { _, _ = w.Write([]byte("<html>")) })
	_, err = followed(t, html.client(t), 0)
	require.ErrorContains(t, err, "text/event-stream")
}

func TestAServiceThatIsAwayIsWaitedForWithinPatience(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun, times := time.Now(), 0
		client := inBubble(t, Options{Patience: time.Minute}, func(w http.ResponseWriter, _ *http.Request) {
			times++
			stream(w) // and breaks off at once, each time
		})
		_, err := followed(t, client, 0)
		_, ok := errors.AsType[*TransportError](err)
		require.True(t, ok, "%v", err)
		require.Less(t, time.Since(begun), time.Minute)
		require.Greater(t, time.Since(begun), 45*time.Second)
		require.Less(t, times, 25)
	})
	synctest.Test(t, func(t *testing.T) { // one that says nothing for long
		begun, times := time.Now(), 0
		client := inBubble(t, Options{}, func(w http.ResponseWriter, r *http.Request) {
			stream(w)
			if times++; times == 1 {
				w.(http.Flusher).Flush()
				<-r.Context().Done()
				return
			}
			event(w, 1, "result", ended("succeeded"))
		})
		_, err := followed(t, client, 0)
		require.NoError(t, err)
		require.Less(t, time.Since(begun), quiet+time.Second)
	})
	synctest.Test(t, func(t *testing.T) { // one that is there the whole day, behind a proxy that breaks
		begun := time.Now()
		client := inBubble(t, Options{}, func(w http.ResponseWriter, _ *http.Request) {
			stream(w)
			for range 4 {
				time.Sleep(15 * time.Second)
				_, _ = w.Write([]byte(": keep-alive\n\n"))
			}
			if time.Since(begun) > 24*time.Hour {
				event(w, 1, "result", ended("succeeded"))
			}
		})
		_, err := followed(t, client, 0)
		require.NoError(t, err)
	})
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		client := inBubble(t, Options{}, func(w http.ResponseWriter, r *http.Request) {
			stream(w)
			for r.Context().Err() == nil {
				_, _ = w.Write([]byte(": keep-alive\n\n"))
				select {
				case <-time.After(15 * time.Second):
				case <-r.Context().Done():
				}
			}
		})
		err := client.Follow(ctx, parseID(t, testID), 0, func(api.Event) error { return nil })
		require.ErrorIs(t, err, context.DeadlineExceeded)
	})
}

func TestWaitAsksOnce(t *testing.T) {
	service := serve(t, func(w http.ResponseWriter, r *http.Request, _ int) {
		if strings.HasSuffix(r.URL.Path, "/events") {
			event(w, 7, "stdout", text("a"))
			event(w, 8, "result", ended("out_of_memory"))
		}
	})
	run, err := service.client(t).Wait(t.Context(), parseID(t, testID))
	require.NoError(t, err)
	require.Equal(t, job.OutOfMemory, run.Result.Status)
	require.Len(t, service.requests(), 1)

	over := serve(t, func(w http.ResponseWriter, r *http.Request, _ int) {
		if strings.HasSuffix(r.URL.Path, "/events") {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		run := queued()
		run["status"], run["error"] = "error", api.Problem{Title: "the engine has gone"}
		say(w, 200, run)
	})
	run, err = over.client(t).Wait(t.Context(), parseID(t, testID))
	require.NoError(t, err)
	require.Equal(t, api.StateError, run.Status)
	require.EqualError(t, run.Error, "the engine has gone")
}

// FuzzMessages holds the parser to what it is for: no panic, nothing beyond its bound, and the
// same events however the bytes come.
func FuzzMessages(f *testing.F) {
	f.Add([]byte("retry: 2000\n\n: keep-alive\n\nid: 1\nevent: state\ndata: {}\n\n"))
	f.Add([]byte("id:1\r\nevent:x\r\ndata:a\r\ndata: b\r\n\r\n"))
	f.Add([]byte("data\r\rid: 2\rdata:\r\r"))
	f.Add([]byte("data: \xff\x00\n\nid: 9223372036854775808\n\n"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		const most = 64
		whole, wholeErr := readMessages(newMessages(strings.NewReader(string(raw)), most))
		pieces, piecesErr := readMessages(newMessages(&oneByOne{raw}, most))
		require.Equal(t, whole, pieces)
		require.Equal(t, wholeErr.Error(), piecesErr.Error())
		for _, one := range whole {
			require.LessOrEqual(t, len(one.data), most)
			require.GreaterOrEqual(t, one.id, int64(0))
			require.NotContains(t, one.kind, "\n")
		}
	})
}

func readMessages(from *messages) (all []message, err error) {
	for {
		next, err := from.next()
		if err != nil {
			return all, err
		}
		all = append(all, next)
	}
}

type oneByOne struct{ left []byte }

func (o *oneByOne) Read(into []byte) (int, error) {
	if len(o.left) == 0 {
		return 0, io.EOF
	}
	n := copy(into[:min(1, len(into))], o.left)
	o.left = o.left[n:]
	return n, nil
}

func TestMessages(t *testing.T) {
	got, err := readMessages(newMessages(strings.NewReader("retry: 99999999\ndata: a\ndata:b\n\n: c\n\nid: 7\nevent: x\n\nevent: y\r\ndata\r\n\r\nid: 8\rdata: {}\r\rdata: cut"), 100))
	require.ErrorIs(t, err, io.EOF)
	require.Equal(t, []message{{data: []byte("a\nb")}, {kind: "y", data: []byte{}}, {id: 8, data: []byte("{}")}}, got)
}

func TestInProcess(t *testing.T) {
	type key struct{}
	ctx := context.WithValue(t.Context(), key{}, "me")
	client, err := New(Options{Token: "t", Transport: InProcess(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		control := http.NewResponseController(w)
		if err := errors.Join(control.SetReadDeadline(time.Now()), control.SetWriteDeadline(time.Now())); err != nil {
			panic(err)
		}
		if r.URL.Path == "/v1/tools" {
			panic("secret")
		}
		say(w, http.StatusOK, map[string]any{"who": r.Context().Value(key{})})
	}))})
	require.NoError(t, err)
	require.Equal(t, "this process", client.Name())
	got, err := client.Record(ctx, parseID(t, testID))
	require.NoError(t, err)
	require.JSONEq(t, `{"who":"me"}`, string(got))
	_, err = client.Tools(ctx)
	require.Error(t, err)
	require.NotContains(t, err.Error(), "secret")
}

// TestAnEndIsKnownWithoutItsResult: which may be large, and is not waited for.
func TestAnEndIsKnownWithoutItsResult(t *testing.T) {
	service := serve(t, func(w http.ResponseWriter, r *http.Request, time int) {
		if time == 3 {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		stream(w)
		event(w, 1, "stdout", text("a"))
		if time == 1 {
			abort(w)
		}
		_, _ = w.Write([]byte("id: 2\nevent: result\n"))
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})
	require.NoError(t, service.client(t).WaitEnd(t.Context(), parseID(t, testID)))
	require.NoError(t, service.client(t).WaitEnd(t.Context(), parseID(t, testID)), "and where nothing follows")
}
