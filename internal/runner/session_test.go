package runner

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
	"hotcell/internal/container/containertest"
	"hotcell/internal/container/fake"
	"hotcell/internal/job"
	"hotcell/internal/policy"
	"hotcell/internal/wire"
)

func withSession(p *policy.Policy) {
	withTools(p)
	p.Session = &policy.Session{MaxSteps: 10, WallClock: time.Minute, Idle: time.Minute}
}

// serving plays a guard that answers steps with act until the host hangs up.
func serving(act func(ctx context.Context, g guard, code string) *container.Exit) play {
	return func(ctx context.Context, g guard) container.Exit {
		g.setUp()
		for {
			kind, code := g.receive()
			if kind == 0 {
				return container.Exit{}
			}
			if kind == wire.TypeInterrupt {
				continue // it came late
			}
			if exit := act(ctx, g, code); exit != nil {
				return *exit
			}
		}
	}
}

// plain does what a step's code says.
func plain(t *testing.T) func(context.Context, guard, string) *container.Exit {
	manifest := ""
	return func(ctx context.Context, g guard, code string) *container.Exit {
		if code == "import os" {
			g.report("rejected", `,"violations":[{"rule":"import.denied","line":1}]`)
			return nil
		}
		g.send(wire.TypeReady, "")
		g.send(wire.TypeStdout, "out of "+code)
		switch code {
		case "raise":
			g.report("raised", `,"error":{"type":"ValueError","message":"no"},"files":[`+manifest+`]`)
		case "write":
			manifest = g.write(t, "a.csv", "x,y\n1,2\n")
			g.report("completed", `,"files":[`+manifest+`]`)
		case "hide":
			g.write(t, "b.csv", "secret")
			g.report("completed", `,"files":[`+manifest+`]`)
		case "call":
			answer := g.call(1, "lookup", `{"a":1}`)
			g.report("completed", `,"result":`+string(answer.Result)+`,"files":[`+manifest+`]`)
		case "chart":
			g.report("completed", `,"charts":[{"kind":"plotly","spec":{"data":[]}}]`)
		case "hang":
			<-ctx.Done()
		case "crash":
			return &container.Exit{Code: -1, Signal: "SIGSEGV"}
		case "eat":
			return &container.Exit{Code: -1, Signal: "SIGKILL", OOMKills: 1}
		case "exit":
			return &container.Exit{}
		case "limit":
			g.report("limit", `,"limit":"operations"`)
			return &container.Exit{}
		case "spend":
			g.report("raised", `,"limit":"loop_iterations","error":{"type":"BudgetUsedUpError","line":7},"files":[`+manifest+`]`)
		case "late":
			g.report("completed", "")
			g.send(wire.TypeStdout, "late")
		default:
			g.report("completed", `,"result":1,"files":[`+manifest+`]`)
		}
		return nil
	}
}

func openSession(t *testing.T, b *bench, output string) *Session {
	t.Helper()
	asked := request()
	asked.Tools = []job.Tool{shell(t, "lookup", "cat")}
	asked.Overrides.WallClock = 30 * time.Second
	session, err := b.open(t.Context(), asked, output)
	require.NoError(t, err)
	return session
}

func step(t *testing.T, s *Session, code string) job.Result {
	t.Helper()
	response, err := s.Step(t.Context(), Script{Code: []byte(code), Name: "step.py"})
	require.NoError(t, err)
	return response.Result
}

func TestASessionRunsStepAfterStepAndReleasesItsFilesAtTheEnd(t *testing.T) {
	b := newBench(t, serving(plain(t)), withPolicy(withSession))
	out := filepath.Join(t.TempDir(), "out")
	s := openSession(t, b, out)
	sandboxes := b.engine.Live()
	for _, test := range []struct {
		code   string
		status job.Status
	}{
		{"1", job.Succeeded}, {"import os", job.Rejected}, {"write", job.Succeeded}, {"raise", job.Failed},
		{"call", job.Succeeded}, {"call", job.Succeeded}, {"\x00", job.Rejected}, {"chart", job.Succeeded}, {"write", job.Succeeded},
	} {
		result := step(t, s, test.code)
		require.Equal(t, test.status, result.Status, "%s: %+v", test.code, result)
		require.Equal(t, s.execution.id.String(), result.Provenance.Session)
		require.NotEqual(t, s.execution.id, result.RunID)
		require.Equal(t, sandboxes[0].String(), result.Provenance.Sandbox, "one for all steps")
		if test.code != "write" {
			require.Empty(t, result.Files, "what a step before has released is not released again")
		}
		if test.status == job.Succeeded {
			require.Equal(t, "out of "+test.code, result.Stdout, "streams are each step's own")
		}
		if test.code == "call" {
			require.JSONEq(t, `{"a":1}`, string(result.Value))
			require.Len(t, result.ToolCalls, 1)
		}
		record, err := b.records.Get(t.Context(), result.RunID)
		require.NoError(t, err)
		require.Equal(t, test.status, record.Result.Status)
	}
	require.NoDirExists(t, out)
	require.Empty(t, s.Over())
	response, err := s.Close(t.Context())
	require.NoError(t, err)
	require.Equal(t, job.Succeeded, response.Result.Status, "%+v", response.Result)
	require.Equal(t, s.execution.id.String(), response.Result.Provenance.Session)
	require.Len(t, response.Result.Files, 1)
	require.FileExists(t, filepath.Join(out, "a.csv"))
	record, err := b.records.Get(t.Context(), s.execution.id)
	require.NoError(t, err)
	require.Equal(t, response.Result.Files, record.Result.Files)
	require.Empty(t, b.engine.Live())
	_, err = s.Step(t.Context(), Script{Code: []byte("1"), Name: "late.py"})
	require.ErrorIs(t, err, ErrSessionOver)
}

func TestASessionIsJudgedAsAWhole(t *testing.T) {
	b := newBench(t, serving(plain(t)), withPolicy(withSession))
	out := filepath.Join(t.TempDir(), "out")
	s := openSession(t, b, out)
	require.Equal(t, job.Succeeded, step(t, s, "write").Status)
	require.Equal(t, "output.undeclared", step(t, s, "hide").Violations[0].Rule)
	require.Equal(t, job.Succeeded, step(t, s, "1").Status, "nothing has changed since")
	response, err := s.Close(t.Context())
	require.NoError(t, err)
	require.Equal(t, job.OutputRejected, response.Result.Status)
	require.Equal(t, "output.undeclared", response.Result.Violations[0].Rule)
	require.NoDirExists(t, out)
	require.NotEmpty(t, response.QuarantineDir)
}

func TestABudgetThatAStepUsesUpCostsNoSession(t *testing.T) {
	b := newBench(t, serving(plain(t)), withPolicy(withSession))
	s := openSession(t, b, "")
	require.Equal(t, job.Succeeded, step(t, s, "write").Status)
	spent := step(t, s, "spend")
	require.Equal(t, job.LimitExceeded, spent.Status)
	require.Equal(t, job.LimitIterations, spent.Limit)
	require.Equal(t, 7, spent.Error.Line)
	require.Empty(t, spent.Files)
	require.Empty(t, s.Over())
	require.Equal(t, job.Succeeded, step(t, s, "write").Status)
	require.Equal(t, job.LimitExceeded, step(t, s, "spend").Status)
	response, err := s.Close(t.Context())
	require.NoError(t, err)
	require.Equal(t, job.Succeeded, response.Result.Status, "%+v", response.Result)
	require.Len(t, response.Result.Files, 1)
}

func TestWhatEndsAStepsSandboxEndsTheSession(t *testing.T) {
	for code, want := range map[string]struct {
		step, session job.Status
		limit         job.Limit
	}{
		"hang":  {job.TimedOut, job.TimedOut, job.LimitWallClock},
		"crash": {job.Killed, job.Killed, ""},
		"eat":   {job.OutOfMemory, job.OutOfMemory, job.LimitMemory},
		"exit":  {job.Failed, job.Failed, ""},
		"limit": {job.LimitExceeded, job.LimitExceeded, job.LimitOperations},
		"late":  {job.Succeeded, job.OutputRejected, ""},
	} {
		synctestRun(t, code, func(t *testing.T) {
			b := newBench(t, serving(plain(t)), withPolicy(withSession))
			s := openSession(t, b, "")
			require.Equal(t, job.Succeeded, step(t, s, "write").Status)
			result := step(t, s, code)
			require.Equal(t, want.step, result.Status, "%+v", result)
			if want.step != job.Succeeded {
				require.Equal(t, want.limit, result.Limit)
			}
			<-s.Done()
			require.NotEmpty(t, s.Over())
			_, err := s.Step(t.Context(), Script{Code: []byte("1"), Name: "next.py"})
			require.ErrorIs(t, err, ErrSessionOver)
			response, err := s.Close(t.Context())
			require.NoError(t, err)
			require.Equal(t, want.session, response.Result.Status, "%+v", response.Result)
			require.Empty(t, response.Result.Files)
			require.NotEmpty(t, response.QuarantineDir, "what the session had written is kept apart")
			require.Empty(t, b.engine.Live())
		})
	}
}

func TestASessionEndsInOrderAtItsBounds(t *testing.T) {
	for name, test := range map[string]struct {
		bound func(*policy.Session)
		over  string
	}{
		"steps":      {func(s *policy.Session) { s.MaxSteps = 1 }, "1 steps"},
		"idleness":   {func(s *policy.Session) { s.Idle = time.Second }, "session.idle"},
		"wall clock": {func(s *policy.Session) { s.WallClock = time.Second }, "session.wall_clock"},
	} {
		synctestRun(t, name, func(t *testing.T) {
			b := newBench(t, serving(plain(t)), withPolicy(func(p *policy.Policy) { withSession(p); test.bound(p.Session) }))
			s := openSession(t, b, "")
			require.Equal(t, job.Succeeded, step(t, s, "write").Status)
			<-s.Done()
			require.Contains(t, s.Over(), test.over)
			response, err := s.Close(t.Context())
			require.NoError(t, err)
			require.Equal(t, job.Succeeded, response.Result.Status, "%+v", response.Result)
			require.Len(t, response.Result.Files, 1)
		})
	}
}

func TestASessionsTimeEndsAStepThatIsRunning(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, serving(plain(t)), withPolicy(func(p *policy.Policy) { withSession(p); p.Session.WallClock = time.Second }))
		s := openSession(t, b, "")
		result := step(t, s, "hang")
		require.Equal(t, job.TimedOut, result.Status)
		require.Contains(t, result.Error.Message, "session")
		response, err := s.Close(t.Context())
		require.NoError(t, err)
		require.Equal(t, job.TimedOut, response.Result.Status)
	})
}

// synctestRun is t.Run on a clock that stands while anybody works, so that a bound in
// seconds is met by what waits and never by a busy machine.
func synctestRun(t *testing.T, name string, test func(*testing.T)) {
	t.Helper()
	t.Run(name, func(t *testing.T) { synctest.Test(t, test) })
}

func TestCancellingAStepOrASessionEndsIt(t *testing.T) {
	for _, what := range []string{"step", "session", "idle session"} {
		t.Run(what, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			b := newBench(t, serving(func(ctx context.Context, g guard, code string) *container.Exit {
				if code == "hang" {
					cancel()
				}
				return plain(t)(ctx, g, code)
			}), withPolicy(withSession))
			stepCtx, sessionCtx := t.Context(), ctx
			if what == "step" {
				stepCtx, sessionCtx = ctx, t.Context()
			}
			asked := request()
			s, err := b.open(sessionCtx, asked, "")
			require.NoError(t, err)
			require.Equal(t, job.Succeeded, step(t, s, "1").Status)
			if what == "idle session" {
				cancel()
				<-s.Done()
			} else {
				response, err := s.Step(stepCtx, Script{Code: []byte("hang"), Name: "a.py"})
				require.NoError(t, err)
				require.Equal(t, job.Cancelled, response.Result.Status)
			}
			response, err := s.Close(t.Context())
			require.NoError(t, err)
			require.Equal(t, job.Cancelled, response.Result.Status)
			require.Empty(t, b.engine.Live())
		})
	}
}

// A guard that is told of the end could end in order before it is killed.
func TestACancelledCloseReleasesNothing(t *testing.T) {
	b := newBench(t, serving(plain(t)), withPolicy(withSession))
	out := filepath.Join(t.TempDir(), "out")
	s := openSession(t, b, out)
	require.Equal(t, job.Succeeded, step(t, s, "write").Status)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	response, err := s.Close(ctx)
	require.NoError(t, err)
	require.Equal(t, job.Cancelled, response.Result.Status)
	require.Empty(t, response.Result.Files)
	require.NoDirExists(t, out)
	require.Empty(t, b.engine.Live())
}

func TestAnUnusedSessionLeavesARecordAndNothingElse(t *testing.T) {
	b := newBench(t, serving(plain(t)), withPolicy(withSession))
	s := openSession(t, b, "")
	response, err := s.Close(t.Context())
	require.NoError(t, err)
	require.Equal(t, job.Succeeded, response.Result.Status)
	require.Empty(t, b.engine.Live())
}

// A guard that loads reads nothing meanwhile. Nobody's code has run, so nothing is said of any.
func TestASessionThatIsClosedWhileItOpensIsCancelled(t *testing.T) {
	mute := func(ctx context.Context, g guard) container.Exit {
		<-ctx.Done()
		return container.Exit{}
	}
	preparedAndMute := func(ctx context.Context, g guard) container.Exit {
		g.setUp()
		return mute(ctx, g)
	}
	goesOn := func(ctx context.Context, g guard) container.Exit {
		exit := serving(plain(t))(ctx, g)
		<-ctx.Done()
		return exit
	}
	for name, test := range map[string]struct {
		guard  play
		steps  int
		status job.Status
	}{
		"while it loads":        {mute, 0, job.Cancelled},
		"before its first step": {preparedAndMute, 0, job.Cancelled},
		"after a step":          {goesOn, 1, job.OutputRejected},
	} {
		synctestRun(t, name, func(t *testing.T) {
			b := newBench(t, test.guard, withPolicy(withSession))
			s := openSession(t, b, "")
			for range test.steps {
				require.Equal(t, job.Succeeded, step(t, s, "1").Status)
			}
			response, err := s.Close(t.Context())
			require.NoError(t, err)
			require.Equal(t, test.status, response.Result.Status, "%+v", response.Result)
			require.Equal(t, test.status == job.Cancelled, len(response.Result.Violations) == 0)
			require.Empty(t, b.engine.Live())
		})
	}
}

func TestASessionWhoseGuardCannotStartIsAnErrorOfOurs(t *testing.T) {
	b := newBench(t, func(_ context.Context, g guard) container.Exit {
		_, _ = g.stdio.Stderr.Write([]byte("No module named hotcell_guard"))
		return container.Exit{Code: 1}
	}, withPolicy(withSession))
	s := openSession(t, b, "")
	<-s.Done()
	_, err := s.Close(t.Context())
	require.ErrorContains(t, err, "No module named hotcell_guard")
	runs, err := b.records.List(t.Context())
	require.NoError(t, err)
	require.Empty(t, runs)
	require.Empty(t, b.engine.Live())
}

func TestASessionIsRefused(t *testing.T) {
	for name, test := range map[string]struct {
		adapt func(*fake.Options, *Options)
		asked func(*job.Request)
		want  string
	}{
		"by a policy without sessions": {withPolicy(func(p *policy.Policy) { p.Session = nil }), func(*job.Request) {}, "has no session section"},
		"with inputs that are too large": {withPolicy(withSession), func(r *job.Request) {
			r.Inputs = json.RawMessage(`{"inputs":{"a":"` + string(make([]byte, 2000)) + `"}}`)
		}, "the policy allows"},
		"with an unknown bundle": {withPolicy(withSession), func(r *job.Request) { r.Bundle = "nope" }, "nope"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, serving(plain(t)), test.adapt)
			asked := request()
			test.asked(&asked)
			_, err := b.open(t.Context(), asked, "")
			require.ErrorIs(t, err, ErrInput)
			require.ErrorContains(t, err, test.want)
			require.Empty(t, b.engine.Live())
		})
	}
}

func TestAPolicyWithoutSessionsNamesThoseThatHaveThem(t *testing.T) {
	b := newBench(t, serving(plain(t)), withPolicy(func(p *policy.Policy) {
		if p.Name == request().Policy || p.Name == "interpreter" {
			p.Session = nil
		}
	}))
	_, err := b.open(t.Context(), request(), "")
	require.ErrorIs(t, err, ErrInput)
	require.ErrorContains(t, err, "policy "+request().Policy+" has no session section: use `runner run`, or choose a policy that has one: ")
	_, named, _ := strings.Cut(err.Error(), "that has one: ")
	require.Contains(t, strings.Split(named, ", "), "table-query")
	require.NotContains(t, strings.Split(named, ", "), "interpreter")
}

func TestASessionLeavesNothingWhenTheHostFails(t *testing.T) {
	failure := errors.New("host fails")
	t.Run("at create", func(t *testing.T) {
		b := newBench(t, serving(plain(t)), withPolicy(withSession), containertest.Fault{Call: containertest.CallCreate, Err: failure})
		_, err := b.open(t.Context(), request(), "")
		require.ErrorIs(t, err, failure)
		require.Empty(t, b.engine.Live())
	})
	t.Run("while it runs", func(t *testing.T) {
		b := newBench(t, serving(plain(t)), withPolicy(withSession), containertest.Fault{Call: containertest.CallRun, Err: failure})
		s := openSession(t, b, "")
		require.Equal(t, job.Succeeded, step(t, s, "1").Status)
		response, err := s.Close(t.Context())
		require.ErrorIs(t, err, failure)
		require.Equal(t, job.OutputRejected, response.Result.Status, "code has run, so it is recorded")
		require.Empty(t, b.engine.Live())
	})
	t.Run("at the end", func(t *testing.T) {
		b := newBench(t, serving(plain(t)), withPolicy(withSession), containertest.Fault{Call: containertest.CallOutput, Err: failure})
		s := openSession(t, b, "")
		require.Equal(t, job.Succeeded, step(t, s, "1").Status)
		response, err := s.Close(t.Context())
		require.ErrorIs(t, err, failure)
		require.Equal(t, "output.unverifiable", response.Result.Violations[0].Rule)
		require.Empty(t, b.engine.Live())
	})
}

// Nobody has been told anything by then: the first step, and Close, say why.
func TestASessionThatCannotPrepareFailsItsFirstStep(t *testing.T) {
	b := newBench(t, func(_ context.Context, g guard) container.Exit {
		g.receive()
		g.hello()
		g.report("guard_failed", `,"error":{"type":"TableFault","message":"table a cannot be loaded"}`)
		return container.Exit{}
	}, withPolicy(withSession))
	s := openSession(t, b, "")
	<-s.Done()
	require.Empty(t, s.Over())
	_, err := s.Step(t.Context(), Script{Code: []byte("1"), Name: "step.py"})
	require.ErrorContains(t, err, "table a cannot be loaded")
	_, ok := errors.AsType[*GuardError](err)
	require.True(t, ok)
	_, err = s.Step(t.Context(), Script{Code: []byte("1"), Name: "step.py"})
	require.EqualError(t, err, "the session is over: a step could not be carried out")
	_, err = s.Close(t.Context())
	require.ErrorContains(t, err, "table a cannot be loaded")
}

func TestASessionsDraftsAreGoneInTheEnd(t *testing.T) {
	b := newBench(t, serving(plain(t)), withPolicy(withSession))
	s := openSession(t, b, "")
	step(t, s, "call")
	response, err := s.Close(t.Context())
	require.NoError(t, err)
	entries, err := os.ReadDir(filepath.Dir(response.RecordDir))
	require.NoError(t, err)
	require.Len(t, entries, 2, "the step's record and the session's")
	for _, entry := range entries {
		_, err := job.ParseID(entry.Name())
		require.NoError(t, err)
	}
}

// TestEachStepOfASessionIsRecordedOnceCodeHasRun: an earlier step's code may speak
// for the guard, run what is sent next, and say that it did not.
func TestEachStepOfASessionIsRecordedOnceCodeHasRun(t *testing.T) {
	for name, test := range map[string]struct {
		second func(g guard) *container.Exit
		status job.Status
		over   bool
	}{
		"it exits":  {func(guard) *container.Exit { return &container.Exit{Code: 1} }, job.Failed, true},
		"it ends":   {func(guard) *container.Exit { return &container.Exit{} }, job.Failed, true},
		"it dies":   {func(guard) *container.Exit { return &container.Exit{Code: -1, Signal: "SIGSEGV"} }, job.Killed, true},
		"it prints": {func(g guard) *container.Exit { _, _ = g.stdio.Stderr.Write([]byte("late")); return &container.Exit{} }, job.Failed, true},
		"it says that it failed": {func(g guard) *container.Exit {
			g.report("guard_failed", `,"error":{"type":"E","message":"`+strings.Repeat("x", 9000)+`"}`)
			return nil
		}, job.Failed, true},
		"it says that it refused": {func(g guard) *container.Exit {
			g.report("rejected", `,"violations":[{"rule":"import.denied","line":1,"message":"`+strings.Repeat("x", 9000)+`"}]`)
			return nil
		}, job.Rejected, false},
		"it speaks out of turn": {func(g guard) *container.Exit {
			g.report("completed", "")
			return &container.Exit{}
		}, job.OutputRejected, true},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, serving(func(_ context.Context, g guard, code string) *container.Exit {
				if code == "second" {
					return test.second(g)
				}
				g.send(wire.TypeReady, "")
				g.report("completed", "")
				return nil
			}), withPolicy(withSession))
			s := openSession(t, b, "")
			require.Equal(t, job.Succeeded, step(t, s, "first").Status)
			response, err := s.Step(t.Context(), Script{Code: []byte("second"), Name: "step.py"})
			require.NoError(t, err)
			require.Equal(t, test.status, response.Result.Status)
			require.DirExists(t, response.RecordDir)
			if failure := response.Result.Error; failure != nil {
				require.NotContains(t, failure.Message, "had not begun")
				require.Less(t, len(failure.Message), 3000)
			}
			for _, violation := range response.Result.Violations {
				require.Less(t, len(violation.Message), 3000)
			}
			if name == "it prints" {
				require.Equal(t, "late", response.Result.Stderr)
			}
			require.Equal(t, test.over, s.Over() != "")
			_, err = s.Close(t.Context())
			require.NoError(t, err)
		})
	}
}

// TestAFirstStepThatWasNotBegunIsNot: as long as no code has run, the guard's word is
// its own.
func TestAFirstStepThatWasNotBegunIsNot(t *testing.T) {
	b := newBench(t, serving(func(_ context.Context, g guard, code string) *container.Exit {
		if code == "refused" {
			g.report("rejected", `,"violations":[{"rule":"import.denied","line":1}]`)
			return nil
		}
		return &container.Exit{Code: 1}
	}), withPolicy(withSession))
	s := openSession(t, b, "")
	require.Equal(t, job.Rejected, step(t, s, "refused").Status)
	_, err := s.Step(t.Context(), Script{Code: []byte("x"), Name: "step.py"})
	var broken *GuardError
	require.ErrorAs(t, err, &broken)
	_, _ = s.Close(t.Context())
}

// TestASessionKeepsLittleOfItsSteps: a session may have any number of steps, and the
// guard chooses what their reports say.
func TestASessionKeepsLittleOfItsSteps(t *testing.T) {
	var files []string
	b := newBench(t, serving(func(_ context.Context, g guard, code string) *container.Exit {
		g.send(wire.TypeReady, "")
		path := fmt.Sprintf("figures/%d.png", len(files))
		if code == "long" {
			path = strings.Repeat("x", 1<<20)
		}
		files = append(files, `{"path":"`+path+`","bytes":1,"sha256":"","role":"figure"}`)
		g.report("completed", `,"result":"`+strings.Repeat("x", 1<<10)+`","files":[`+strings.Join(files, ",")+`],"charts":[{"kind":"matplotlib","path":"`+path+`"}]`)
		if code == "long" {
			files = nil
		}
		return nil
	}), withPolicy(func(p *policy.Policy) {
		withSession(p)
		p.Session.MaxSteps = 1000
	}), cannotHold())
	s := openSession(t, b, "")
	most := int(s.execution.terms.Limits.OutputFiles)
	require.Equal(t, job.OutputRejected, step(t, s, "long").Status)
	for range most {
		require.Equal(t, job.Succeeded, step(t, s, "x").Status)
	}
	refused := step(t, s, "one more")
	require.Equal(t, "output.chart", refused.Violations[0].Rule)
	require.Len(t, s.pictures, most)
	require.Empty(t, s.last.Result)
	require.Empty(t, s.last.Charts)
	_, _ = s.Close(t.Context())
}

// What native code prints between two steps reaches nobody's terminal meanwhile, and no
// result that is being made.
func TestWhatIsPrintedBetweenStepsWaitsForTheNext(t *testing.T) {
	now, printed := make(chan struct{}), make(chan struct{})
	b := newBench(t, func(ctx context.Context, g guard) container.Exit {
		go func() { // a thread of the script's
			defer close(printed)
			<-now
			_, _ = g.stdio.Stderr.Write([]byte("between"))
		}()
		return serving(func(_ context.Context, g guard, code string) *container.Exit {
			g.send(wire.TypeReady, "")
			g.send(wire.TypeStderr, "in "+code)
			g.report("completed", "")
			return nil
		})(ctx, g)
	}, withPolicy(withSession))
	var live bytes.Buffer
	b.events.Stderr = &live
	s := openSession(t, b, "")
	require.Equal(t, "in first", step(t, s, "first").Stderr)
	close(now)
	<-printed
	require.Equal(t, "in first", live.String())
	require.Equal(t, "betweenin second", step(t, s, "second").Stderr)
	require.Equal(t, "in firstbetweenin second", live.String())
	_, err := s.Close(t.Context())
	require.NoError(t, err)
}

// TestASessionsSandboxHasTheSessionsClock, not that of one step: an engine may keep it, too.
func TestASessionsSandboxHasTheSessionsClock(t *testing.T) {
	var seen container.Spec
	shown := withPolicy(func(p *policy.Policy) {
		withSession(p)
		p.Session.WallClock = time.Hour
	})
	b := newBench(t, serving(plain(t)), func(f *fake.Options, options *Options) {
		shown(f, options)
		program := f.Program
		f.Program = func(spec container.Spec) fake.Program {
			seen = spec
			return program(spec)
		}
	})
	session, err := b.open(t.Context(), request(), "")
	require.NoError(t, err)
	_, err = session.Close(t.Context())
	require.NoError(t, err)
	require.Equal(t, time.Hour, seen.Limits.WallClock)
}
