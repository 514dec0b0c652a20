package runner

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
	"hotcell/internal/container/containertest"
	"hotcell/internal/job"
	"hotcell/internal/panics"
	"hotcell/internal/wire"
)

// thrown is what a library might throw: it holds what the sandbox sent.
const thrown = "patient 4711"

// mine panics when a stream reaches it.
type mine struct{}

func (mine) Write([]byte) (int, error) { panic(thrown) }

// talkative uses every way by which a sandbox's bytes reach the host.
func talkative(t *testing.T) play {
	return func(ctx context.Context, g guard) container.Exit {
		g.setUp()
		g.receive()
		g.begin()
		g.call(1, "lookup", `{"year":2020}`)
		_, _ = io.WriteString(g.stdio.Stderr, thrown)
		g.send(wire.TypeStdout, thrown)
		g.send(wire.TypeStderr, thrown)
		entry := g.write(t, "a.csv", "x")
		g.report("completed", `,"result":"`+thrown+`","files":[`+entry+`]`)
		return container.Exit{}
	}
}

func panicsAt() map[string]func(*Events) {
	phase := func(at Phase, which int) func(*Events) {
		return func(events *Events) {
			events.Phase = func(now Phase) {
				if now == at {
					if which--; which == 0 {
						panic(thrown)
					}
				}
			}
		}
	}
	return map[string]func(*Events){
		"while stdout is shown":       func(events *Events) { events.Stdout = mine{} },
		"while stderr is shown":       func(events *Events) { events.Stderr = mine{} },
		"while a call comes in":       phase(PhaseCalling("lookup"), 1),
		"while a call is answered":    phase(PhaseRunning, 2),
		"before the output is judged": phase(PhaseVerifying, 1),
	}
}

func requirePanicRecorded(t *testing.T, b *bench, response Response, err error) {
	t.Helper()
	_, ok := errors.AsType[*panics.Error](err)
	require.True(t, ok, "%v", err)
	require.NotContains(t, err.Error(), "4711")
	record, err := b.records.Get(t.Context(), response.Result.RunID)
	require.NoError(t, err)
	require.Equal(t, job.OutputRejected, record.Result.Status)
	require.Equal(t, "runner.panic", record.Result.Violations[0].Rule)
	require.NotContains(t, record.Result.Violations[0].Message, "4711")
	require.Empty(t, record.Result.Files)
	require.JSONEq(t, "null", string(record.Result.Value))
	require.Empty(t, b.engine.Live(), "the sandbox is gone")
	_, err = b.records.VerifyChain(t.Context())
	require.NoError(t, err, "the audit chain has its line")
}

// TestAPanicBecomesARecordedVerdict plants one in each goroutine and each stage that
// hostile bytes reach.
func TestAPanicBecomesARecordedVerdict(t *testing.T) {
	asked := func(t *testing.T) job.Request {
		asked := request()
		asked.Tools = []job.Tool{shell(t, "lookup", "cat")}
		return asked
	}
	for name, plant := range panicsAt() {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, talkative(t), withPolicy(withTools))
			plant(&b.events)
			out := filepath.Join(t.TempDir(), "out")
			response, err := b.run(t.Context(), asked(t), out)
			requirePanicRecorded(t, b, response, err)
			require.NoDirExists(t, out)
		})
	}
	for name, fault := range map[string]containertest.Fault{
		"run":    {Call: containertest.CallRun, Panic: thrown},
		"output": {Call: containertest.CallOutput, Panic: thrown},
		"record": {Call: containertest.CallName, At: 1, Panic: errors.New(thrown)},
	} {
		t.Run("in the engine: "+name, func(t *testing.T) {
			b := newBench(t, talkative(t), withPolicy(withTools), fault)
			response, err := b.run(t.Context(), asked(t), "")
			requirePanicRecorded(t, b, response, err)
		})
	}
}

func TestAPanicInASessionIsRecorded(t *testing.T) {
	for name, plant := range panicsAt() {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, serving(func(_ context.Context, g guard, _ string) *container.Exit {
				g.send(wire.TypeReady, "")
				g.call(1, "lookup", `{}`)
				_, _ = io.WriteString(g.stdio.Stderr, thrown)
				g.send(wire.TypeStdout, thrown)
				g.report("completed", "")
				return nil
			}), withPolicy(withSession))
			plant(&b.events)
			asked := request()
			asked.Tools = []job.Tool{shell(t, "lookup", "cat")}
			session, err := b.open(t.Context(), asked, "")
			require.NoError(t, err)
			step, stepErr := session.Step(t.Context(), Script{Code: []byte("1"), Name: "a.py"})
			whole, err := session.Close(t.Context())
			requirePanicRecorded(t, b, whole, err)
			if stepErr != nil {
				record, err := b.records.Get(t.Context(), step.Result.RunID)
				require.NoError(t, err)
				require.Equal(t, "runner.panic", record.Result.Violations[0].Rule)
			}
		})
	}
}

func TestAPanicBeforeUserCodeClaimsNothing(t *testing.T) {
	b := newBench(t, talkative(t), nil)
	b.events.Phase = func(now Phase) {
		if now == PhaseLoading {
			panic(thrown)
		}
	}
	_, err := b.run(t.Context(), request(), "")
	_, ok := errors.AsType[*panics.Error](err)
	require.True(t, ok, "%v", err)
	runs, err := b.records.List(t.Context())
	require.NoError(t, err)
	require.Empty(t, runs)
	require.Empty(t, b.engine.Live())
}

func TestAPanicWhileAToolsWordsAreShownIsTheCallsFault(t *testing.T) {
	b := newBench(t, talkative(t), withPolicy(withTools))
	b.events.ToolStderr = mine{}
	asked := request()
	asked.Tools = []job.Tool{shell(t, "lookup", "echo "+strings.Repeat("x", 100)+" >&2; echo 1")}
	response, err := b.run(t.Context(), asked, "")
	require.NoError(t, err)
	require.Equal(t, job.Succeeded, response.Result.Status)
	require.False(t, response.Result.ToolCalls[0].OK)
}
