package runner

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/bundle"
	"hotcell/internal/container"
	"hotcell/internal/container/fake"
	"hotcell/internal/digest"
	"hotcell/internal/job"
	"hotcell/internal/policy"
	"hotcell/internal/wire"
)

// world is what a plan is made of; a test changes it between two runs.
type world struct {
	image, profile string
	policy         func(*policy.Policy)
	compiled       int
}

func (w *world) adapt(_ *fake.Options, o *Options) {
	w.image, w.profile, w.policy = "a", "a", func(*policy.Policy) {}
	o.Policies = changed{o.Policies, func(p *policy.Policy) { w.policy(p) }}
	o.Image = func(string) (digest.Digest, error) { return digest.Of([]byte(w.image)), nil }
	o.Profile = func(string) (Profile, error) {
		return Profile{Digest: digest.Of([]byte(w.profile)), Compile: func() (Filters, error) { w.compiled++; return compiled() }}, nil
	}
}

func prepared(t *testing.T, b *bench, change func(*job.Request)) *execution {
	t.Helper()
	ask := b.ask(request())
	change(&ask.Request)
	e, err := b.runner.prepare(t.Context(), ask, wire.ModeRun)
	require.NoError(t, err)
	return e
}

func TestRunsOfEqualDigestsShareAPlan(t *testing.T) {
	var w world
	b := newBench(t, nil, w.adapt)
	first := prepared(t, b, func(*job.Request) {})
	again := prepared(t, b, func(r *job.Request) {
		r.Code, r.Overrides = []byte("2"), job.Overrides{MemoryBytes: 64 << 20, PIDs: 20, CPUMillis: 100}
	})
	require.Same(t, first.plan, again.plan)
	require.Equal(t, 1, w.compiled)
	require.NotEqual(t, first.id, again.id)
	require.NotSame(t, first.lock, again.lock, "what a guard says is its run's")
}

func TestWhatIsNotEqualHasAPlanOfItsOwn(t *testing.T) {
	for name, change := range map[string]func(*world, *job.Request){
		"the image":                      func(w *world, _ *job.Request) { w.image = "b" },
		"the profile":                    func(w *world, _ *job.Request) { w.profile = "b" },
		"the runtime":                    func(_ *world, r *job.Request) { r.Runtime = "crun" },
		"the policy":                     func(_ *world, r *job.Request) { r.Policy = "workflow-step" },
		"a policy that keeps its digest": func(w *world, _ *job.Request) { w.policy = func(p *policy.Policy) { p.Guard.MaxFigures++ } },
		"a policy without its guard":     func(w *world, r *job.Request) { w.policy, r.AllowUnguarded = unguardedPolicy, true },
		"the bundle":                     func(_ *world, r *job.Request) { r.Bundle = "plain" },
	} {
		t.Run(name, func(t *testing.T) {
			var w world
			b := newBench(t, nil, func(f *fake.Options, o *Options) {
				w.adapt(f, o)
				o.Bundles = storedBundle(t)
			})
			first := prepared(t, b, func(*job.Request) {})
			second := prepared(t, b, func(r *job.Request) { change(&w, r) })
			require.NotSame(t, first.plan, second.plan)
			require.Len(t, b.runner.plans.kept, 2)
		})
	}
}

func unguardedPolicy(p *policy.Policy) { p.Guard.Mode = policy.GuardOff }

// storedBundle is a store with a bundle called plain.
func storedBundle(t *testing.T) *bundle.Store {
	t.Helper()
	return storedTable(t, "a\n1\n", "")
}

// storedTable is a store with a bundle called plain of one table of an encoding, or of UTF-8.
func storedTable(t *testing.T, table, encoding string) *bundle.Store {
	t.Helper()
	var encodings map[string]string
	if encoding != "" {
		encodings = map[string]string{bundle.EveryTable: encoding}
	}
	dir := filepath.Join(t.TempDir(), "plain")
	require.NoError(t, os.Mkdir(dir, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "t.csv"), []byte(table), 0o600))
	return added(t, dir, encodings)
}

// added is a store with a bundle called plain of a directory.
func added(t *testing.T, dir string, encodings map[string]string) *bundle.Store {
	t.Helper()
	_, err := bundle.Create(t.Context(), bundle.CreateOptions{
		Dir: dir, Name: "plain", Version: "1", Study: "s", Encodings: encodings, Replace: true,
		Deidentification: bundle.Deidentification{Method: "synthetic", AttestedBy: "a", AttestedOn: "2026-01-01", Statement: "made up"},
	})
	require.NoError(t, err)
	store, err := bundle.OpenStore(filepath.Join(t.TempDir(), "bundles"))
	require.NoError(t, err)
	_, err = store.Add(t.Context(), dir)
	require.NoError(t, err)
	return store
}

// Whoever reads a number out of a table is told that the table's text is not all that it was.
func TestARunSaysWhatItsBundleHasLost(t *testing.T) {
	store := storedTable(t, "a\n\x81\n\x8d\xe9\n", "cp1252")
	lost := []job.Violation{{Rule: "bundle.encoding", Path: "t.csv", Message: "bytes that are no cp1252 became U+FFFD in table t: 2 of them"}}
	b := newBench(t, honest(t), func(_ *fake.Options, o *Options) { o.Bundles = store })
	asked := request()
	asked.Bundle = "plain"
	response, err := b.run(t.Context(), asked, "")
	require.NoError(t, err)
	require.Equal(t, lost, response.Result.Warnings)

	b = newBench(t, serving(plain(t)), func(f *fake.Options, o *Options) {
		withPolicy(withSession)(f, o)
		o.Bundles = store
	})
	session, err := b.open(t.Context(), asked, "")
	require.NoError(t, err)
	for _, want := range [][]job.Violation{lost, {}} { // a session's first step, and no other
		response, err = session.Step(t.Context(), Script{Code: []byte("x")})
		require.NoError(t, err)
		require.Equal(t, want, response.Result.Warnings)
	}
	response, err = session.Close(t.Context())
	require.NoError(t, err)
	require.Equal(t, lost, response.Result.Warnings)
}

// What was decoded without loss is nothing to warn of.
func TestARunDoesNotWarnOfAnEncodingAlone(t *testing.T) {
	store := storedTable(t, "a\n\xe9\n", "latin-1")
	b := newBench(t, honest(t), func(_ *fake.Options, o *Options) { o.Bundles = store })
	asked := request()
	asked.Bundle = "plain"
	response, err := b.run(t.Context(), asked, "")
	require.NoError(t, err)
	require.Empty(t, response.Result.Warnings)
}

// A bundle that was good when its plan was made may have been changed since.
func TestABundleIsVerifiedInEachRun(t *testing.T) {
	store := storedBundle(t)
	b := newBench(t, honest(t), func(_ *fake.Options, o *Options) { o.Bundles = store })
	asked := request()
	asked.Bundle = "plain"
	response, err := b.run(t.Context(), asked, "")
	require.NoError(t, err)
	require.Equal(t, job.Succeeded, response.Result.Status)

	found, err := store.Lookup(t.Context(), "plain")
	require.NoError(t, err)
	file := filepath.Join(found.Path, "t.csv")
	require.NoError(t, os.Chmod(file, 0o600))
	require.NoError(t, os.WriteFile(file, []byte("a\n2\n"), 0o600))
	_, err = b.run(t.Context(), asked, "")
	require.ErrorIs(t, err, ErrInput)
	require.ErrorContains(t, err, "changed since it was added")
}

// A request that tightens finds the same sandboxes waiting, and has its limits.
func TestATightenedRunHasItsPlansKeyAndItsOwnLimits(t *testing.T) {
	var specs []container.Spec
	b := newBench(t, nil, func(f *fake.Options, _ *Options) {
		f.Program = func(spec container.Spec) fake.Program {
			specs = append(specs, spec)
			return func(_ context.Context, stdio fake.Stdio, output *os.Root) container.Exit {
				return honest(t)(t.Context(), guard{stdio, output})
			}
		}
	})
	asked := request()
	_, err := b.run(t.Context(), asked, "")
	require.NoError(t, err)
	asked.Overrides = job.Overrides{MemoryBytes: 64 << 20, PIDs: 20, CPUMillis: 100}
	_, err = b.run(t.Context(), asked, "")
	require.NoError(t, err)
	require.Len(t, specs, 2)
	require.Equal(t, specs[0].Key(), specs[1].Key())
	require.Equal(t, specs[0].Limits, specs[0].Enforced())
	require.Equal(t, container.Tightened{MemoryBytes: 64 << 20, PIDs: 20, CPUMillis: 100}, container.TightenedTo(specs[1].Enforced()))
}

func TestNoRunChangesItsPlan(t *testing.T) {
	b := newBench(t, serving(plain(t)), withPolicy(withSession))
	plan := prepared(t, b, func(*job.Request) {}).plan
	before := fmt.Sprintf("%+v", *plan)
	s := openSession(t, b, "")
	require.Same(t, plan, s.execution.plan)
	for _, code := range []string{"1", "write", "raise"} {
		step(t, s, code)
	}
	_, err := s.Close(t.Context())
	require.NoError(t, err)
	require.Equal(t, before, fmt.Sprintf("%+v", *plan))
}

func TestPlansAreBoundedAndTheLastUsedStay(t *testing.T) {
	var kept plans
	key := func(n int) planKey { return planKey{image: digest.Of([]byte(strconv.Itoa(n)))} }
	for n := range maxPlans {
		kept.put(key(n), &plan{})
	}
	require.NotNil(t, kept.get(key(0)), "used again")
	kept.put(key(maxPlans), &plan{})
	require.NotNil(t, kept.get(key(0)))
	require.NotNil(t, kept.get(key(maxPlans)))
	require.Nil(t, kept.get(key(1)))
	require.Len(t, kept.kept, maxPlans)

	kept.put(key(maxPlans), &plan{}) // as two runs do that began at once
	require.NotNil(t, kept.get(key(2)), "a plan that is kept twice takes no other's place")
}

func TestPlansAreForManyAtOnce(t *testing.T) {
	b := newBench(t, nil, nil)
	all := make([]*plan, 8)
	var runs sync.WaitGroup
	for index := range all {
		runs.Go(func() {
			if e, err := b.runner.prepare(t.Context(), b.ask(request()), wire.ModeRun); err == nil {
				all[index] = e.plan
			}
		})
	}
	runs.Wait()
	for _, one := range all {
		require.Equal(t, all[0], one)
		require.NotNil(t, one)
	}
	require.Len(t, b.runner.plans.kept, 1)
}
