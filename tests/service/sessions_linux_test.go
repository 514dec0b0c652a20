package service_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/api"
	"hotcell/client"
	"hotcell/internal/job"
)

// wire is a connection to a session's events that the test can cut.
type wire struct {
	net.Conn

	status int
	lines  *bufio.Scanner
}

// listens asks for the events of a session by hand, behind the last one that was seen.
func (s *scene) listens(id job.ID, last int64) *wire {
	s.t.Helper()
	conn, err := net.Dial("unix", s.path("listen/http.sock"))
	require.NoError(s.t, err)
	s.t.Cleanup(func() { _ = conn.Close() })
	require.NoError(s.t, conn.SetDeadline(time.Now().Add(patience)))
	header := ""
	if last > 0 {
		header = "Last-Event-ID: " + strconv.FormatInt(last, 10) + "\r\n"
	}
	_, err = fmt.Fprintf(conn, "GET /v1/sessions/%s/events HTTP/1.1\r\nHost: hotcell\r\n%s\r\n", id, header)
	require.NoError(s.t, err)
	response, err := http.ReadResponse(bufio.NewReader(conn), nil) // an event may come in several chunks
	require.NoError(s.t, err)
	s.t.Cleanup(func() { _ = response.Body.Close() })
	w := &wire{conn, response.StatusCode, bufio.NewScanner(response.Body)}
	w.lines.Buffer(nil, 1<<20)
	return w
}

// next is the next event, or none where the stream has ended.
func (w *wire) next(t *testing.T) (event api.Event, more bool) {
	t.Helper()
	for w.lines.Scan() {
		line := w.lines.Text()
		key, value, _ := strings.Cut(line, ": ")
		switch key {
		case "id":
			number, err := strconv.ParseInt(value, 10, 64)
			require.NoError(t, err)
			event.Seq = number
		case "event":
			event.Type = api.EventType(value)
		case "data":
			event.Data = json.RawMessage(value)
		case "":
			if event.Type != "" {
				return event, true
			}
		}
	}
	return event, false
}

// session opens one that takes steps.
func (s *scene) session(ctx context.Context) api.Session {
	s.t.Helper()
	opened, err := s.asks.OpenSession(ctx, api.OpenSession{Policy: "interpreter"})
	require.NoError(s.t, err)
	opened, err = s.asks.WaitSession(ctx, opened.SessionID, client.TakesSteps)
	require.NoError(s.t, err)
	require.Equal(s.t, api.SessionOpen, opened.Status, "%+v", opened)
	return opened
}

// TestAStepOutlivesItsConnection cuts the stream of a session's events in the middle of a step, again
// and again: what is heard in pieces is the whole, and once.
func TestAStepOutlivesItsConnection(t *testing.T) {
	s := newScene(t)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	x := s.session(ctx)
	_, err := s.asks.Step(ctx, x.SessionID, api.CreateStep{Code: "import time\nfor n in range(40):\n    print('line', n, flush=True)\n    time.sleep(0.05)\nn"})
	require.NoError(t, err)
	var last int64
	var text strings.Builder
	cuts := 0
	var ended api.Step
	for ended.Result == nil {
		stream := s.listens(x.SessionID, last)
		for heard := 0; ended.Result == nil; heard++ {
			event, more := stream.next(t)
			require.True(t, more, "it ended by itself")
			require.Equal(t, last+1, event.Seq, "no event is lost, and none comes twice")
			last = event.Seq
			if event.Type == api.EventStdout {
				var piece api.TextEvent
				require.NoError(t, json.Unmarshal(event.Data, &piece))
				text.WriteString(piece.Text)
				if heard > 4 {
					break
				}
			}
			if event.Type == api.EventStep {
				require.NoError(t, json.Unmarshal(event.Data, &ended))
			}
		}
		if ended.Result == nil {
			cuts++
		}
		require.NoError(t, stream.Close())
	}
	require.Equal(t, job.Succeeded, ended.Result.Status)
	require.Equal(t, ended.Result.Stdout, text.String())
	require.Equal(t, 40, strings.Count(text.String(), "line "))
	require.JSONEq(t, "39", string(ended.Result.Value))
	require.Positive(t, cuts)
	t.Logf("%d cuts, %d events", cuts, last)

	closed, err := s.asks.CloseSession(ctx, x.SessionID)
	require.NoError(t, err)
	require.Equal(t, job.Succeeded, closed.Result.Status)
	stream := s.listens(x.SessionID, last)
	for event := (api.Event{}); event.Type != api.EventResult; last = event.Seq {
		var more bool
		event, more = stream.next(t)
		require.True(t, more)
		require.Equal(t, last+1, event.Seq)
	}
	nothing := s.listens(x.SessionID, last)
	require.Equal(t, http.StatusNoContent, nothing.status, "whoever has seen the last one need not come again")
}

// TestAServiceThatEndsTellsItsSessions: in the middle of a step that can be interrupted, and of one
// that cannot.
func TestAServiceThatEndsTellsItsSessions(t *testing.T) {
	s := newScene(t)
	s.front.stop()
	require.NoError(t, os.WriteFile(s.path("serve.yaml"), []byte(strings.Replace(s.config(), "drain: 1s", "drain: 1m0s", 1)), 0o644))
	s.startFront()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for name, test := range map[string]struct {
		code string
		step api.State
	}{
		"a step that can be interrupted": {"import time\nprint('begun', flush=True)\ntime.sleep(600)", api.State(job.Cancelled)},
		"one call of native code":        {"print('begun', flush=True)\nsum(range(10 ** 13))", api.State(job.Cancelled)},
	} {
		x := s.session(ctx)
		stream := s.listens(x.SessionID, 0)
		_, err := s.asks.Step(ctx, x.SessionID, api.CreateStep{Code: test.code})
		require.NoError(t, err)
		heard := ""
		for !strings.Contains(heard, "begun") {
			event, more := stream.next(t)
			require.True(t, more, name)
			heard += string(event.Data)
		}
		s.front.signal(syscall.SIGTERM)
		var step api.Step
		var session api.Session
		for session.Status == "" {
			event, more := stream.next(t)
			require.True(t, more, "%s: the stream ends with the session's own end, not before", name)
			if event.Type == api.EventStep {
				require.NoError(t, json.Unmarshal(event.Data, &step))
			}
			if event.Type == api.EventResult {
				require.NoError(t, json.Unmarshal(event.Data, &session))
			}
		}
		require.Equal(t, test.step, step.Status, name)
		require.Equal(t, "the service ends", session.Over, name)
		require.NotNil(t, session.Result, name)
		<-s.front.read
		require.NoError(t, s.front.cmd.Wait(), "%s: %s", name, s.front.said)
		s.startFront()

		_, err = s.asks.Session(ctx, x.SessionID)
		problem, ok := errors.AsType[*api.Problem](err)
		require.True(t, ok, "%s: %v", name, err)
		require.Equal(t, http.StatusNotFound, problem.Status, "its end was told, and is not kept")
		run, err := s.asks.Run(ctx, step.Result.RunID)
		require.NoError(t, err, "%s: its step is a run", name)
		require.Equal(t, test.step, run.Status)
		run, err = s.asks.Run(ctx, x.SessionID)
		require.NoError(t, err, "%s: so is the session", name)
		require.Equal(t, api.State(session.Result.Status), run.Status)
	}
}
