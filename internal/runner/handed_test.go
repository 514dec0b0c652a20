package runner

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
	"hotcell/internal/container/containertest"
	"hotcell/internal/container/fake"
	"hotcell/internal/digest"
	"hotcell/internal/job"
	"hotcell/internal/panics"
	"hotcell/internal/policy"
)

// careless gives out one policy again and again, and changes it in place.
type careless struct{ kept policy.Policy }

func (c *careless) Get(string) (policy.Policy, error) { return c.kept, nil }
func (c *careless) Names() ([]string, error)          { return []string{c.kept.Name}, nil }

func carelessCatalog(t *testing.T) (*careless, func(*fake.Options, *Options)) {
	t.Helper()
	catalog := &careless{}
	return catalog, func(_ *fake.Options, o *Options) {
		var err error
		catalog.kept, err = o.Policies.Get("study-analysis")
		require.NoError(t, err)
		withSession(&catalog.kept)
		o.Policies = catalog
	}
}

// A plan is found by the digest of a policy, and says what that policy said then.
func TestAPolicyThatIsChangedInPlaceChangesNoPlan(t *testing.T) {
	catalog, adapt := carelessCatalog(t)
	b := newBench(t, nil, adapt)
	asIs := slices.Clone(catalog.kept.Guard.Imports)
	first := prepared(t, b, func(*job.Request) {})
	catalog.kept.Guard.Imports[0] = "ctypes"
	require.Equal(t, "ctypes", prepared(t, b, func(*job.Request) {}).plan.rules.Imports[0])

	catalog.kept.Guard.Imports = asIs // as another reading of the file has it
	again := prepared(t, b, func(*job.Request) {})
	require.Same(t, first.plan, again.plan)
	require.Equal(t, asIs[0], again.plan.rules.Imports[0])
}

func TestAPolicyThatIsChangedInPlaceChangesNoRun(t *testing.T) {
	catalog, adapt := carelessCatalog(t)
	b := newBench(t, nil, adapt)
	run := prepared(t, b, func(*job.Request) {})
	catalog.kept.Output.MediaTypes[0] = "text/secret"
	catalog.kept.Tools.Allowed[0] = "anything"
	catalog.kept.Session.MaxSteps++
	require.NotContains(t, run.terms.Policy.Output.MediaTypes, "text/secret")
	require.Equal(t, []string{"*"}, run.terms.Policy.Tools.Allowed)
	require.NotEqual(t, catalog.kept.Session.MaxSteps, run.terms.Policy.Session.MaxSteps)
}

// Whoever hands over a request may use its bytes for the next one.
func TestARecordIsOfTheCodeThatRanWhateverItsCallerDoesToIt(t *testing.T) {
	asked := request()
	asked.Code, asked.Inputs = []byte("1 + 1\n"), []byte(`{"inputs": {"year": 2020}}`)
	code, inputs := digest.Of(asked.Code).Hex(), digest.Of(asked.Inputs).Hex()
	b := newBench(t, honest(t), withPolicy(withTools))
	b.events.Phase = func(Phase) {
		copy(asked.Code, "9 + 9\n")
		copy(asked.Inputs, `{"inputs": {"year": 1984}}`)
	}
	response, err := b.run(t.Context(), asked, "")
	require.NoError(t, err)
	require.Equal(t, code, response.Result.Provenance.CodeSHA256)
	require.Equal(t, inputs, response.Result.Provenance.InputsSHA256)
}

func TestASessionThatIsClosedAgainIsOver(t *testing.T) {
	b := newBench(t, serving(plain(t)), withPolicy(withSession))
	s := openSession(t, b, "")
	step(t, s, "write")
	first, err := s.Close(t.Context())
	require.NoError(t, err)
	figures := s.execution.answers.MaxFigures
	_, err = s.Close(t.Context())
	require.ErrorIs(t, err, ErrSessionOver)
	require.Equal(t, figures, s.execution.answers.MaxFigures)
	record, err := b.records.Get(t.Context(), first.Result.RunID)
	require.NoError(t, err)
	require.Equal(t, job.Succeeded, record.Result.Status)
}

// The words of the guard belong to one script at a time.
func TestNoStepBeginsWhileAnotherRuns(t *testing.T) {
	began, goOn := make(chan struct{}), make(chan struct{})
	b := newBench(t, serving(func(ctx context.Context, g guard, code string) *container.Exit {
		if code == "wait" {
			close(began)
			<-goOn
		}
		return plain(t)(ctx, g, code)
	}), withPolicy(withSession))
	s := openSession(t, b, "")
	ended := make(chan error)
	var first Response
	go func() {
		var err error
		first, err = s.Step(t.Context(), Script{Code: []byte("wait"), Name: "first.py"})
		ended <- err
	}()
	<-began
	_, err := s.Step(t.Context(), Script{Code: []byte("other"), Name: "second.py"})
	require.ErrorIs(t, err, errStepRuns)
	_, err = s.Close(t.Context())
	require.ErrorIs(t, err, errStepRuns)
	close(goOn)
	require.NoError(t, <-ended)
	require.Equal(t, "out of wait", first.Result.Stdout)
	require.Equal(t, "out of more", step(t, s, "more").Stdout)
	closed, err := s.Close(t.Context())
	require.NoError(t, err)
	require.Equal(t, job.Succeeded, closed.Result.Status)
}

// In a program that lives on, its caller's own net would be too far out.
func TestAPanicOutsideOfTheCodesTimeLeavesNothing(t *testing.T) {
	for name, plant := range map[string]Phase{"before": PhaseCreating, "at the start": PhaseStarting} {
		for which, call := range map[string]func(*bench) error{
			"run":   func(b *bench) error { _, err := b.run(t.Context(), request(), ""); return err },
			"check": func(b *bench) error { _, err := b.runner.Check(t.Context(), b.ask(request())); return err },
		} {
			b := newBench(t, honest(t), nil)
			b.events.Phase = func(now Phase) {
				if now == plant {
					panic(errors.New(thrown))
				}
			}
			err := call(b)
			requirePanic(t, err)
			require.Empty(t, b.engine.Live(), name+which)
			requireNoDrafts(t, b)
		}
	}
}

func requirePanic(t *testing.T, err error) {
	t.Helper()
	_, caught := errors.AsType[*panics.Error](err)
	require.True(t, caught, "%v", err)
	require.NotContains(t, err.Error(), "4711")
}

func requireNoDrafts(t *testing.T, b *bench) {
	t.Helper()
	swept, err := b.records.Sweep(t.Context(), job.Actor{})
	require.NoError(t, err)
	require.Zero(t, swept)
}

func TestAnEngineThatPanicsCostsNoRecord(t *testing.T) {
	b := newBench(t, honest(t), nil, containertest.Fault{Call: containertest.CallDestroy, Panic: thrown})
	response, err := b.run(t.Context(), request(), "")
	requirePanic(t, err)
	record, err := b.records.Get(t.Context(), response.Result.RunID)
	require.NoError(t, err)
	require.Equal(t, job.Succeeded, record.Result.Status)
	requireNoDrafts(t, b)

	for _, call := range []containertest.Call{containertest.CallProbe, containertest.CallCreate} {
		b := newBench(t, honest(t), nil, containertest.Fault{Call: call, Panic: thrown})
		_, err := b.run(t.Context(), request(), "")
		requirePanic(t, err)
		require.Empty(t, b.engine.Live())
		requireNoDrafts(t, b)
	}
}
