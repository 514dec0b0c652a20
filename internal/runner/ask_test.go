package runner

import (
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
	"hotcell/internal/digest"
	"hotcell/internal/job"
	"hotcell/internal/wire"
)

// heard is all that one caller hears of its run.
type heard struct {
	stdout, stderr, toolStderr strings.Builder
	phases                     []Phase
	calls                      []string
}

func (h *heard) events() Events {
	return Events{
		Stdout: &h.stdout, Stderr: &h.stderr, ToolStderr: &h.toolStderr,
		Phase: func(phase Phase) { h.phases = append(h.phases, phase) }, ToolCall: func(name string) { h.calls = append(h.calls, name) },
	}
}

// echoing plays a guard whose script is its caller's name, and says it everywhere. At
// each step it waits for all the others.
func echoing(together func()) play {
	return func(_ context.Context, g guard) container.Exit {
		g.setUp()
		_, name := g.receive()
		together()
		g.begin()
		g.send(wire.TypeStdout, "out of "+name)
		together()
		g.send(wire.TypeStderr, "err of "+name)
		answer := g.call(1, "tool_of_"+name, `{"for":"`+name+`"}`)
		together()
		g.report("completed", `,"result":`+string(answer.Result))
		return container.Exit{}
	}
}

// barrier lets nobody go on before n have come.
func barrier(n int) func() {
	var mu sync.Mutex
	waiting, open := 0, make(chan struct{})
	return func() {
		mu.Lock()
		mine := open
		if waiting++; waiting == n {
			waiting, open = 0, make(chan struct{})
			close(mine)
		}
		mu.Unlock()
		<-mine
	}
}

func TestTwoRunsAtOnceNeverMix(t *testing.T) {
	names := []string{"anna", "berta"}
	b := newBench(t, echoing(barrier(len(names))), withPolicy(withTools))
	all, responses, errs := make([]heard, len(names)), make([]Response, len(names)), make([]error, len(names))
	var runs sync.WaitGroup
	for index, name := range names {
		ask := b.ask(request())
		ask.Events = all[index].events()
		ask.Request.Code, ask.Request.ScriptName = []byte(name), name+".py"
		ask.Request.Tools = []job.Tool{shell(t, "tool_of_"+name, "echo called by "+name+" >&2; cat")}
		runs.Go(func() { responses[index], errs[index] = b.runner.Run(t.Context(), ask) })
	}
	runs.Wait()
	for index, name := range names {
		response, heard := responses[index], &all[index]
		require.NoError(t, errs[index])
		require.Equal(t, job.Succeeded, response.Result.Status, "%+v", response.Result)
		require.Equal(t, "out of "+name, heard.stdout.String())
		require.Equal(t, "err of "+name, heard.stderr.String())
		require.Equal(t, "called by "+name+"\n", heard.toolStderr.String())
		require.Equal(t, []Phase{
			PhaseCreating, PhaseStarting, PhaseLoading, PhaseRunning, PhaseCalling("tool_of_" + name), PhaseRunning, PhaseVerifying,
		}, heard.phases)
		require.Equal(t, []string{"tool_of_" + name}, heard.calls)
		require.JSONEq(t, `{"for":"`+name+`"}`, string(response.Result.Value))
		require.Len(t, response.Result.ToolCalls, 1)
		require.Equal(t, "tool_of_"+name, response.Result.ToolCalls[0].Name)
		require.Equal(t, digest.Of([]byte(name)).Hex(), response.Result.Provenance.CodeSHA256)
	}
	require.NotEqual(t, responses[0].RecordDir, responses[1].RecordDir)
}

// without is all rights but those that take removes.
func without(take func(*Rights)) Rights {
	rights := AllRights()
	take(&rights)
	return rights
}

func TestACallerWithoutTheRightIsRefused(t *testing.T) {
	tools := func(r *job.Request) { r.Tools = []job.Tool{{Name: "lookup", Command: []string{"/bin/cat"}}} }
	runtime := func(r *job.Request) { r.Runtime = "crun" }
	unguarded := func(r *job.Request) { r.Policy, r.AllowUnguarded = "containment-probe", true }
	for name, test := range map[string]struct {
		rights Rights
		change func(*job.Request)
		want   string
	}{
		"to bring a tool":       {without(func(r *Rights) { r.BringTools = false }), tools, "no right to bring tools"},
		"to run unguarded":      {without(func(r *Rights) { r.RunUnguarded = false }), unguarded, "no right to run code without the guard"},
		"to choose a runtime":   {without(func(r *Rights) { r.ChooseRuntime = false }), runtime, "no right to choose the runtime"},
		"and nobody has any":    {Rights{}, func(r *job.Request) { tools(r); runtime(r) }, "no right to choose the runtime"},
		"even by a guarded one": {Rights{}, func(r *job.Request) { r.AllowUnguarded = true }, "no right to run code without the guard"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, honest(t), withPolicy(withSession))
			ask := b.ask(request())
			ask.Caller = Caller{Name: "web\n\x1b", Rights: test.rights}
			test.change(&ask.Request)
			_, run := b.runner.Run(t.Context(), ask)
			_, open := b.runner.OpenSession(t.Context(), ask)
			for _, err := range []error{run, open} {
				require.ErrorIs(t, err, ErrForbidden)
				require.ErrorIs(t, err, ErrInput)
				require.ErrorContains(t, err, `caller "web\n\x1b" has `+test.want)
			}
			require.Empty(t, b.phases)
		})
	}
}

func TestACheckNeedsNoRightToWhatItDoesNotUse(t *testing.T) {
	b := newBench(t, func(_ context.Context, g guard) container.Exit {
		g.hello()
		g.report("vetted", "")
		return container.Exit{}
	}, nil)
	ask := Ask{Request: request()}
	ask.Request.Tools = []job.Tool{{Name: "lookup", Command: []string{"/bin/cat"}}}
	_, err := b.runner.Check(t.Context(), ask)
	require.NoError(t, err)
	ask.Request.Runtime = "crun"
	_, err = b.runner.Check(t.Context(), ask)
	require.ErrorIs(t, err, ErrForbidden)
	require.ErrorContains(t, err, "a caller without a name")
}

func TestACallerWithoutRightsRunsWhatPoliciesOffer(t *testing.T) {
	b := newBench(t, honest(t), nil)
	response, err := b.runner.Run(t.Context(), Ask{Request: request()})
	require.NoError(t, err)
	require.Equal(t, job.Succeeded, response.Result.Status)
}
