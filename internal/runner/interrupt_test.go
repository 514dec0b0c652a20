package runner

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
	"hotcell/internal/job"
	"hotcell/internal/policy"
	"hotcell/internal/wire"
)

// awaitInterrupt returns what came instead of an interrupt, if something did.
func (g guard) awaitInterrupt() (kind byte, payload string) {
	for {
		if kind, payload = g.receive(); kind == wire.TypeInterrupt || kind == 0 {
			return kind, payload
		}
	}
}

// interruptible ends a step that is interrupted as its code says.
func interruptible(t *testing.T) func(context.Context, guard, string) *container.Exit {
	return func(ctx context.Context, g guard, code string) *container.Exit {
		switch code {
		case "vet":
			g.awaitInterrupt()
			g.report("rejected", `,"violations":[{"rule":"import.denied","line":1}]`)
			return nil
		case "end", "swallow", "deaf", "call":
			g.send(wire.TypeReady, "")
		default:
			return plain(t)(ctx, g, code)
		}
		switch code {
		case "end":
			g.awaitInterrupt()
			g.send(wire.TypeStdout, "so far")
			g.report("raised", `,"error":{"type":"KeyboardInterrupt","message":"interrupted","line":2}`)
		case "swallow":
			for range 3 {
				g.awaitInterrupt()
			}
			g.report("completed", `,"result":"all the same","charts":[{"kind":"plotly","spec":{"data":[]}}]`)
		case "deaf":
			<-ctx.Done()
		case "call":
			g.send(wire.TypeCall, `{"id":1,"name":"lookup","params":{}}`)
			for kind := byte(0); kind != wire.TypeReply; {
				var said string
				if kind, said = g.receive(); kind == wire.TypeReply {
					g.send(wire.TypeStdout, said)
				}
			}
			g.report("raised", `,"error":{"type":"KeyboardInterrupt","message":"interrupted"}`)
		}
		return nil
	}
}

func TestAStepThatIsInterruptedLeavesItsSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, serving(interruptible(t)), withPolicy(func(p *policy.Policy) { withSession(p); p.Session.WallClock, p.Session.MaxSteps = time.Hour, 100 }))
		s := openSession(t, b, "")
		for _, test := range []struct {
			script Script
			status job.Status
		}{
			{Script{Code: []byte("end"), WallClock: time.Second}, job.TimedOut},
			{Script{Code: []byte("end")}, job.TimedOut},
			{Script{Code: []byte("end"), WallClock: time.Hour}, job.TimedOut},
			{Script{Code: []byte("end")}, job.Cancelled},
			{Script{Code: []byte("swallow")}, job.Cancelled},
			{Script{Code: []byte("swallow"), WallClock: time.Second}, job.TimedOut},
			{Script{Code: []byte("vet"), WallClock: time.Second}, job.Rejected},
		} {
			begun := time.Now()
			if test.status == job.Cancelled {
				test.script.Interrupt = soon()
			}
			response, err := s.Step(t.Context(), test.script)
			require.NoError(t, err)
			result := response.Result
			require.Equal(t, test.status, result.Status, "%s: %+v", test.script.Code, result.Error)
			require.LessOrEqual(t, time.Since(begun), 31*time.Second, "the policy's clock is the longest")
			require.Empty(t, result.Charts)
			require.NotContains(t, string(result.Value), "all the same")
			if test.status == job.TimedOut {
				require.Equal(t, job.LimitWallClock, result.Limit)
			}
			if string(test.script.Code) == "end" {
				require.Equal(t, "so far", result.Stdout, "%s, %v", test.status, test.script.WallClock)
			}
			require.Empty(t, s.Over())
			require.Equal(t, job.Succeeded, step(t, s, "1").Status, "after %s", test.script.Code)
		}
		response, err := s.Close(t.Context())
		require.NoError(t, err)
		require.Equal(t, job.Succeeded, response.Result.Status)
	})
}

// soon is closed when a step has begun.
func soon() <-chan struct{} {
	channel := make(chan struct{})
	time.AfterFunc(20*time.Millisecond, func() { close(channel) })
	return channel
}

func TestNothingIsRunOfAStepThatWasCancelledBefore(t *testing.T) {
	var ran []string
	b := newBench(t, serving(func(ctx context.Context, g guard, code string) *container.Exit {
		ran = append(ran, code)
		return plain(t)(ctx, g, code)
	}), withPolicy(withSession))
	s := openSession(t, b, "")
	cancelled := make(chan struct{})
	close(cancelled)
	require.Equal(t, job.Succeeded, step(t, s, "1").Status)
	for _, code := range []string{"2", "3"} {
		response, err := s.Step(t.Context(), Script{Code: []byte(code), Interrupt: cancelled})
		require.NoError(t, err)
		require.Equal(t, job.Cancelled, response.Result.Status)
	}
	require.Equal(t, job.Succeeded, step(t, s, "4").Status)
	response, err := s.Close(t.Context())
	require.NoError(t, err)
	require.Equal(t, job.Succeeded, response.Result.Status)
	require.Equal(t, []string{"1", "", "", "4"}, ran, "the guard counts the steps as the host does")
}

func TestAStepThatCannotBeInterruptedEndsItsSession(t *testing.T) {
	for name, test := range map[string]struct {
		clock  time.Duration
		status job.Status
		why    string
	}{
		"timed out": {50 * time.Millisecond, job.TimedOut, "a step went on for 3s after its time, 50ms, was over and had been interrupted, so its sandbox was killed"},
		"cancelled": {0, job.Cancelled, "a step went on for 3s after it was cancelled and had been interrupted, so its sandbox was killed"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { // else a busy machine cancels the step before it has begun, which costs no session
				b := newBench(t, serving(interruptible(t)), withPolicy(withSession))
				s := openSession(t, b, "")
				script := Script{Code: []byte("deaf"), WallClock: test.clock}
				if test.status == job.Cancelled {
					script.Interrupt = soon()
				}
				response, err := s.Step(t.Context(), script)
				require.NoError(t, err)
				require.Equal(t, test.status, response.Result.Status)
				require.Equal(t, test.why, s.Over())
				said := response.Result.Error.Message
				response, err = s.Close(t.Context())
				require.NoError(t, err)
				require.Equal(t, test.status, response.Result.Status)
				if test.status == job.TimedOut {
					const bound = "longer than the 50ms of wall clock that it may (its timeout, at most the policy's wall_clock)"
					require.Equal(t, "the step took "+bound, said)
					require.Equal(t, "a step took "+bound+" and did not end when it was interrupted: the session ended with it", response.Result.Error.Message)
				}
				require.Empty(t, b.engine.Live())
			})
		})
	}
}

func TestAnInterruptEndsTheToolCallOfItsStep(t *testing.T) {
	b := newBench(t, serving(interruptible(t)), withPolicy(withSession))
	asked := request()
	asked.Tools = []job.Tool{shell(t, "lookup", "sleep 1000")}
	s, err := b.open(t.Context(), asked, "")
	require.NoError(t, err)
	response, err := s.Step(t.Context(), Script{Code: []byte("call"), WallClock: 50 * time.Millisecond})
	require.NoError(t, err)
	require.Equal(t, job.TimedOut, response.Result.Status)
	require.Contains(t, response.Result.Stdout, "interrupted before the tool had answered")
	require.Equal(t, job.Succeeded, step(t, s, "1").Status)
	_, err = s.Close(t.Context())
	require.NoError(t, err)
}

func TestASessionWhoseSandboxEndsSaysWhy(t *testing.T) {
	b := newBench(t, serving(plain(t)), withPolicy(withSession))
	s := openSession(t, b, "")
	require.Equal(t, job.OutOfMemory, step(t, s, "eat").Status)
	<-s.Done()
	require.Contains(t, s.Over(), "its sandbox has ended: the kernel ended the run because it needed more than")
	_, err := s.Close(t.Context())
	require.NoError(t, err)
}
