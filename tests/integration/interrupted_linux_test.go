package integration_test

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/job"
)

// TestAnInterruptedStepCostsNoSession, whether the session's sandbox was made for it or was
// ready: a fork is not the first process of its pid namespace, and interrupts itself by a signal.
func TestAnInterruptedStepCostsNoSession(t *testing.T) {
	for _, runtime := range []string{"crun", "runc"} {
		t.Run(runtime, func(t *testing.T) {
			w := warm(t, runtime, "interpreter")
			t.Run("made for it", func(t *testing.T) { w.begunSession(t, false, "--cold").interruptSteps() })
			t.Run("ready", func(t *testing.T) { w.begunSession(t, true).interruptSteps() })
		})
	}
}

// begun is a session in which a step waits for its end.
type begun struct {
	t     *testing.T
	r     *running
	steps io.WriteCloser
	here  string // the directory that the step has made, for the guard to be found by
}

// begunSession begins sessions until the guard is a fork, or none, by its number in its pid namespace: the
// first one has a sandbox that is made for it.
func (w *workspace) begunSession(t *testing.T, fork bool, flags ...string) *begun {
	t.Helper()
	args := slices.Concat([]string{"session", "--policy", "interpreter", "--json", "--loop-iterations", "10000", "--operations", "100000"}, w.target.flags(), flags)
	for attempt, until := 1, time.Now().Add(patience); ; attempt++ {
		s := &begun{t: t, here: fmt.Sprintf("here-%d-%t-%d", os.Getpid(), fork, attempt)} // others may run this test, too
		cmd := w.command(args...)
		var err error
		s.steps, err = cmd.StdinPipe()
		require.NoError(t, err)
		s.r = w.start(cmd)
		s.send(map[string]string{"id": "before", "code": "import time\nkept = 41"})
		s.send(map[string]string{"id": "cancelled", "code": fmt.Sprintf("(OUTPUT / %q).mkdir()\ntime.sleep(1000)", s.here)})
		var guard string
		require.Eventually(t, func() bool { guard = guardThatMade(s.here); return guard != "" }, patience, time.Millisecond)
		if innermost(readAll(t, guard, "status")) != "1" == fork {
			return s
		}
		s.r.signal(syscall.SIGINT)
		e := s.r.end()
		require.True(t, time.Now().Before(until), "the guard is another kind of process: %s", e.stderr)
	}
}

func (s *begun) send(step map[string]string) {
	s.t.Helper()
	line, err := json.Marshal(step)
	require.NoError(s.t, err)
	_, err = io.WriteString(s.steps, string(line)+"\n")
	require.NoError(s.t, err)
}

// interruptSteps has steps interrupted in every way, and wants what came before to be there after each.
func (s *begun) interruptSteps() {
	t := s.t
	t.Helper()
	s.send(map[string]string{"cancel": "cancelled"})
	ways := []struct {
		step   map[string]string
		status job.Status
		limit  job.Limit
	}{
		{map[string]string{"id": "cancelled"}, job.Cancelled, ""}, // which has begun
		{map[string]string{"id": "asleep", "code": "time.sleep(1000)", "timeout": "1s"}, job.TimedOut, job.LimitWallClock},
		{map[string]string{"id": "loops", "code": "while True:\n    pass"}, job.LimitExceeded, job.LimitIterations},
		{map[string]string{"id": "operations", "code": "def f(n):\n    return f(n - 1) + f(n - 2) if n > 1 else n\nf(80)"}, job.LimitExceeded, job.LimitOperations},
	}
	for n, way := range ways {
		if n > 0 {
			s.send(way.step)
		}
		code := "kept += 1\nkept"
		if n == 0 {
			code = fmt.Sprintf("(OUTPUT / %q).rmdir()\n", s.here) + code
		}
		s.send(map[string]string{"id": "after " + way.step["id"], "code": code})
	}
	require.NoError(t, s.steps.Close())
	answers := answersOf(t, s.r.end().stdout)
	require.Equal(t, job.Succeeded, answers["before"].Status)
	for n, way := range ways {
		got, after := answers[way.step["id"]], answers["after "+way.step["id"]]
		require.Equal(t, way.status, got.Status, "%v: %+v %s", way.step, got.Error, got.Stderr)
		require.Equal(t, way.limit, got.Limit, way.step)
		require.Empty(t, got.Stderr, way.step)
		require.Equal(t, job.Succeeded, after.Status, "after %v: %+v", way.step, after.Error)
		require.JSONEq(t, strconv.Itoa(42+n), string(after.Value), "after %v", way.step)
	}
	require.Equal(t, job.Succeeded, answers["session"].Status, "%+v", answers["session"].Error)
}

// innermost is a process's number in its own pid namespace.
func innermost(status string) string {
	for line := range strings.Lines(status) {
		if numbers, found := strings.CutPrefix(line, "NSpid:"); found {
			all := strings.Fields(numbers)
			return all[len(all)-1]
		}
	}
	return ""
}

// answersOf are the results of a session's steps by their ids, and its own.
func answersOf(t *testing.T, stdout string) map[string]job.Result {
	t.Helper()
	answers := map[string]job.Result{}
	for line := range strings.Lines(stdout) {
		var answer struct {
			ID      string     `json:"id"`
			Session job.Result `json:"session"`
			job.Result
		}
		require.NoError(t, json.Unmarshal([]byte(line), &answer), line)
		if answer.ID != "" {
			answers[answer.ID] = answer.Result
		}
		if answer.Session.Status != "" {
			answers["session"] = answer.Session
		}
	}
	return answers
}
