package runner

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
	"hotcell/internal/job"
	"hotcell/internal/wire"
)

// anyMode plays a guard for whatever it is started for, whose scripts say their names
// everywhere. At each step it waits for all the others.
func anyMode(together func()) play {
	say := func(g guard, name string) {
		g.send(wire.TypeReady, "")
		g.send(wire.TypeStdout, "out of "+name)
		together()
		g.send(wire.TypeStderr, "err of "+name)
		together()
		g.report("completed", `,"result":"`+name+`"`)
	}
	return func(_ context.Context, g guard) container.Exit {
		start, _ := g.setUp()
		if start.Mode != wire.ModeSession { // which has prepared ahead, and has said so
			g.hello()
		}
		for kind, name := g.receive(); kind != 0; kind, name = g.receive() {
			together()
			if start.Mode == wire.ModeCheck {
				together()
				together()
				g.report("rejected", `,"violations":[{"rule":"`+name+`","line":1}]`)
			} else {
				say(g, name)
			}
			if start.Mode != wire.ModeSession {
				break
			}
		}
		return container.Exit{}
	}
}

// They have one plan, but not one word, in common.
func TestARunACheckAndASessionAtOnceNeverMix(t *testing.T) {
	b := newBench(t, anyMode(barrier(3)), withPolicy(withSession))
	var all [3]heard
	ask := func(index int, code string) Ask {
		ask := b.ask(request())
		ask.Events, ask.Request.Code = all[index].events(), []byte(code)
		return ask
	}
	var ran, stepped Response
	var found Checked
	var errs [3]error
	var session *Session
	var work sync.WaitGroup
	work.Go(func() { ran, errs[0] = b.runner.Run(t.Context(), ask(0, "run")) })
	work.Go(func() { found, errs[1] = b.runner.Check(t.Context(), ask(1, "check")) })
	work.Go(func() {
		if session, errs[2] = b.runner.OpenSession(t.Context(), ask(2, "unused")); errs[2] == nil {
			stepped, errs[2] = session.Step(t.Context(), Script{Code: []byte("step"), Name: "step.py"})
		}
	})
	work.Wait()
	require.Equal(t, [3]error{}, errs)
	require.Equal(t, "out of run", all[0].stdout.String())
	require.Equal(t, "err of run", all[0].stderr.String())
	require.Equal(t, `"run"`, string(ran.Result.Value))
	require.Equal(t, "check", found.Violations[0].Rule)
	require.Empty(t, all[1].stdout.String()+all[1].stderr.String())
	require.Equal(t, []Phase{PhaseCreating, PhaseStarting, PhaseLoading}, all[1].phases)
	require.Equal(t, "out of step", all[2].stdout.String())
	require.Equal(t, "err of step", all[2].stderr.String())
	require.Equal(t, `"step"`, string(stepped.Result.Value))
	closed, err := session.Close(t.Context())
	require.NoError(t, err)
	require.Equal(t, job.Succeeded, closed.Result.Status)
	require.Len(t, b.runner.plans.kept, 1)
}
