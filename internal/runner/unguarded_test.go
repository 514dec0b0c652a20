package runner

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
	"hotcell/internal/digest"
	"hotcell/internal/job"
	"hotcell/internal/wire"
)

func unguarded() job.Request {
	return job.Request{Policy: "containment-probe", ScriptName: "probe.py", Code: []byte("import os\n")}
}

func TestAPolicyWithoutItsGuardMustBeAsked(t *testing.T) {
	b := newBench(t, func(context.Context, guard) container.Exit {
		t.Error("a sandbox was made")
		return container.Exit{}
	}, nil)
	_, err := b.run(t.Context(), unguarded(), "")
	require.ErrorIs(t, err, ErrInput)
	require.ErrorContains(t, err, "--allow-unguarded")
	allowed := unguarded()
	allowed.AllowUnguarded = true
	_, err = b.runner.Check(t.Context(), b.ask(allowed))
	require.ErrorIs(t, err, ErrInput, "a check is refused always")
	require.ErrorContains(t, err, "guard.mode: off")
	_, err = b.open(t.Context(), allowed, "")
	require.ErrorIs(t, err, ErrInput, "a session is refused always")
	require.ErrorContains(t, err, "guard.mode: off")
}

func TestARecordSaysWhetherTheGuardWasOff(t *testing.T) {
	for name, want := range map[string]job.Guard{"containment-probe": job.GuardOff, "study-analysis": job.GuardEnforced} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, func(_ context.Context, g guard) container.Exit {
				g.begin()
				g.report("completed", "")
				return container.Exit{}
			}, nil)
			request := unguarded()
			request.Policy, request.AllowUnguarded = name, true
			response, err := b.run(t.Context(), request, "")
			require.NoError(t, err)
			require.Equal(t, want, response.Result.Provenance.Guard)
			text, err := json.Marshal(response.Result)
			require.NoError(t, err)
			require.Contains(t, string(text), `"guard":"`+string(want)+`"`)
		})
	}
}

// The permission alone must not switch anything off.
func TestTheGuardIsToldOnlyWhatThePolicySays(t *testing.T) {
	for name, want := range map[string]bool{"containment-probe": true, "study-analysis": false} {
		b := newBench(t, nil, nil)
		request := unguarded()
		request.Policy, request.AllowUnguarded = name, true
		e, err := b.runner.prepare(t.Context(), b.ask(request), wire.ModeRun)
		require.NoError(t, err)
		require.Equal(t, want, guardRules(e.terms.Policy).Unguarded, name)
	}
	text, err := json.Marshal(wire.Rules{})
	require.NoError(t, err)
	require.NotContains(t, string(text), "unguarded", "a guard that hears nothing of it guards")
}

// Unguarded code can find the protocol's descriptor and speak for the guard.
func TestAForgedReportOfUnguardedCodeReleasesNothing(t *testing.T) {
	for name, report := range map[string]string{
		"of a file that is not there": `,"files":[{"path":"a.csv","bytes":1,"sha256":"` + string(digest.Of(nil).Hex()) + `","role":"file"}]`,
		"of another content":          `,"files":[{"path":"real.csv","bytes":3,"sha256":"` + string(digest.Of([]byte("lie")).Hex()) + `","role":"file"}]`,
		"of nothing":                  ``,
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, func(_ context.Context, g guard) container.Exit {
				g.begin()
				g.write(t, "real.csv", "a,b\n")
				g.report("completed", report)
				return container.Exit{}
			}, nil)
			request := unguarded()
			request.AllowUnguarded = true
			response, err := b.run(t.Context(), request, "")
			require.NoError(t, err)
			require.Equal(t, job.OutputRejected, response.Result.Status)
			require.Empty(t, response.Result.Files)
		})
	}
}
