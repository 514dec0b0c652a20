package runner

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
	"hotcell/internal/container/fake"
	"hotcell/internal/digest"
	"hotcell/internal/job"
	"hotcell/internal/records"
)

// told are the events of a bench's chain.
func (b *bench) told(t *testing.T) (all []records.Event) {
	t.Helper()
	for event, err := range b.records.Events(t.Context()) {
		require.NoError(t, err)
		all = append(all, event)
	}
	return all
}

var tester = job.ActorOf(1001, "anna")

func (b *bench) askAs(request job.Request) Ask {
	ask := b.ask(request)
	ask.Caller.Actor = tester
	return ask
}

func TestTheChainHasARunWithItsActorAndWhatItCalled(t *testing.T) {
	b := newBench(t, func(_ context.Context, g guard) container.Exit {
		g.setUp()
		g.receive()
		g.begin()
		g.call(1, "lookup", `{"name":"Łuszcz"}`)
		g.call(2, "patient_Łuszcz", `{}`)
		g.report("completed", "")
		return container.Exit{}
	}, withPolicy(withTools))
	asked := request()
	asked.Tools = []job.Tool{shell(t, "lookup", "cat")}
	response, err := b.runner.Run(t.Context(), b.askAs(asked))
	require.NoError(t, err)
	all := b.told(t)
	require.Len(t, all, 3)
	for _, event := range all {
		require.Equal(t, tester, event.Actor)
		require.Equal(t, response.Result.RunID, event.RunID)
	}
	require.Equal(t, []records.Kind{records.KindToolCall, records.KindToolCall, records.KindRun}, []records.Kind{all[0].Kind, all[1].Kind, all[2].Kind})
	require.Equal(t, "lookup", all[0].Name)
	require.True(t, *all[0].OK)
	// A script could name a tool after what it has read.
	require.Empty(t, all[1].Name)
	require.False(t, *all[1].OK)
	require.Equal(t, job.Succeeded, all[2].Status)
	require.Equal(t, response.Result.Provenance.PolicySHA256, all[2].Subject(records.RolePolicy))
}

// mute keeps records, and has a chain that takes no event.
type mute struct{ *records.Store }

var errMute = errors.New("no space left")

func (mute) Append(context.Context, records.Event) error { return errMute }

func TestAScriptDoesNotGoOnAfterACallThatTheChainDoesNotHave(t *testing.T) {
	answered := false
	b := newBench(t, func(ctx context.Context, g guard) container.Exit {
		g.setUp()
		g.receive()
		g.begin()
		answered = g.call(1, "lookup", `{}`).ID != 0
		<-ctx.Done()
		return container.Exit{}
	}, func(engine *fake.Options, options *Options) {
		withPolicy(withTools)(engine, options)
		store, ok := options.Records.(*records.Store)
		require.True(t, ok)
		options.Records = mute{store}
	})
	asked := request()
	asked.Tools = []job.Tool{shell(t, "lookup", "cat")}
	_, err := b.run(t.Context(), asked, "")
	require.ErrorIs(t, err, errMute)
	require.False(t, answered)
}

func TestTheChainHasWhatWasRefusedBeforeItHadARecord(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*Ask)
		reason string
	}{
		"by a right": {func(a *Ask) {
			a.Caller.Rights = Rights{}
			a.Request.AllowUnguarded = true
		}, "the caller has no right to it"},
		"by name":                          {func(a *Ask) { a.Request.Policy = "nope\x1b[2J" }, "there is no such policy"},
		"by a name that cannot be printed": {func(a *Ask) { a.Request.ScriptName = "a\x1b[2J" }, "the request does not fit the policy, the bundle or this host"},
		"by a path":                        {func(a *Ask) { a.Request.ScriptName = "../a.py" }, "the request does not fit the policy, the bundle or this host"},
		"by a seed that is too large":      {func(a *Ask) { a.Request.Seed = 1 << 48 }, "the request does not fit the policy, the bundle or this host"},
		"by the limit":                     {func(a *Ask) { a.Request.Overrides.PIDs = 65 }, "the request does not fit the policy, the bundle or this host"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, honest(t), nil)
			ask := b.askAs(request())
			test.change(&ask)
			_, err := b.runner.Run(t.Context(), ask)
			require.ErrorIs(t, err, ErrInput)
			_, err = b.runner.Check(t.Context(), ask)
			require.ErrorIs(t, err, ErrInput)
			_, err = b.runner.OpenSession(t.Context(), ask)
			require.ErrorIs(t, err, ErrInput)
			require.ErrorIs(t, b.resolve(t, ask), ErrInput)
			all := b.told(t)
			require.Len(t, all, 4)
			for _, event := range all {
				require.Equal(t, records.KindRefused, event.Kind)
				require.Equal(t, tester, event.Actor)
				require.Equal(t, test.reason, event.Reason)
				require.Equal(t, records.Brief(ask.Request.Policy), event.Name)
			}
			require.Equal(t, digest.Of(request().Code).Hex(), all[0].Subject(records.RoleScript))
		})
	}
}

func TestTheChainHasTheVerdictOfACheck(t *testing.T) {
	for name, rejected := range map[string]bool{"accepted": false, "rejected": true} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, func(_ context.Context, g guard) container.Exit {
				g.hello()
				if rejected {
					g.report("rejected", `,"violations":[{"rule":"import.denied","line":1,"column":1,"message":"no"}]`)
				} else {
					g.report("vetted", "")
				}
				return container.Exit{}
			}, nil)
			_, err := b.runner.Check(t.Context(), b.askAs(request()))
			require.NoError(t, err)
			all := b.told(t)
			require.Len(t, all, 1)
			require.Equal(t, records.KindCheck, all[0].Kind)
			require.Equal(t, !rejected, *all[0].OK)
			require.Equal(t, digest.Of(request().Code).Hex(), all[0].Subject(records.RoleScript))
		})
	}
}

func TestTheChainHasACopyOfFilesBeforeItIsMade(t *testing.T) {
	b := newBench(t, honest(t), nil)
	ask := b.askAs(request())
	ask.OutputDir = t.TempDir() + "/out"
	response, err := b.runner.Run(t.Context(), ask)
	require.NoError(t, err)
	all := b.told(t)
	require.Len(t, all, 2)
	require.Equal(t, records.KindExport, all[1].Kind)
	require.Equal(t, response.Result.RunID, all[1].RunID)
	require.Equal(t, int64(1), all[1].Count)
	require.Equal(t, ask.OutputDir, all[1].Name)

	silent := newBench(t, honest(t), func(_ *fake.Options, options *Options) {
		store, ok := options.Records.(*records.Store)
		require.True(t, ok)
		options.Records = mute{store}
	})
	out := t.TempDir() + "/out"
	_, err = silent.run(t.Context(), request(), out)
	require.ErrorIs(t, err, errMute)
	_, err = os.Lstat(out)
	require.ErrorIs(t, err, os.ErrNotExist)
}

// Who gives a run away has to know it by an id before it begins.
func TestARunHasTheIDThatItsCallerGaveIt(t *testing.T) {
	b := newBench(t, honest(t), nil)
	ask := b.askAs(request())
	ask.ID = job.NewID(time.Now())
	require.NoError(t, b.resolve(t, ask), "and nothing is begun")
	require.Empty(t, b.told(t))
	response, err := b.runner.Run(t.Context(), ask)
	require.NoError(t, err)
	require.Equal(t, ask.ID, response.Result.RunID)
}
