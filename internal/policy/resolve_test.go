package policy

import (
	"math"
	"reflect"
	"testing"
	"testing/quick"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/job"
)

// handled tells for each field of job.Overrides where its limit is and what a
// refusal calls it.
var handled = map[string]struct {
	name  string
	limit func(Terms) int64
}{
	"WallClock":              {"wall_clock", func(t Terms) int64 { return int64(t.Limits.WallClock) }},
	"MemoryBytes":            {"memory", func(t Terms) int64 { return t.Limits.MemoryBytes }},
	"CPUMillis":              {"cpus", func(t Terms) int64 { return t.Limits.CPUMillis }},
	"PIDs":                   {"pids", func(t Terms) int64 { return t.Limits.PIDs }},
	"Budgets.Operations":     {"operations", func(t Terms) int64 { return t.Budgets.Operations }},
	"Budgets.LoopIterations": {"loop_iterations", func(t Terms) int64 { return t.Budgets.LoopIterations }},
	"Budgets.ToolCalls":      {"tool_calls", func(t Terms) int64 { return t.Budgets.ToolCalls }},
}

// fields yields the integers of a struct by their dotted names.
func fields(t *testing.T, path string, value reflect.Value, yield func(path string, field reflect.Value)) {
	for index := range value.NumField() {
		name := path + value.Type().Field(index).Name
		switch field := value.Field(index); field.Kind() {
		case reflect.Int64:
			yield(name, field)
		case reflect.Struct:
			fields(t, name+".", field, yield)
		default:
			t.Fatalf("job.Overrides.%s is a %s: say here how it can only tighten", name, field.Kind())
		}
	}
}

func TestEveryFieldOfOverridesIsHandled(t *testing.T) {
	policy, _ := full(t)
	allowed, err := Resolve(policy, job.Overrides{})
	require.NoError(t, err)
	seen := 0
	fields(t, "", reflect.ValueOf(job.Overrides{}), func(path string, _ reflect.Value) {
		seen++
		field, ok := handled[path]
		require.True(t, ok, "job.Overrides.%s is new: policy.Resolve must tighten by it, and this test must know it", path)
		most := field.limit(allowed)

		_, err := Resolve(policy, overriding(t, path, most+1))
		require.ErrorContains(t, err, field.name+" of ")
		require.ErrorContains(t, err, "a request can only tighten")
		_, err = Resolve(policy, overriding(t, path, -1))
		require.ErrorContains(t, err, field.name+" must be greater than zero")
		terms, err := Resolve(policy, overriding(t, path, most-1))
		require.NoError(t, err)
		require.Equal(t, most-1, field.limit(terms), path)
	})
	require.Len(t, handled, seen)
}

// overriding asks for one thing only.
func overriding(t *testing.T, path string, asked int64) job.Overrides {
	var overrides job.Overrides
	fields(t, "", reflect.ValueOf(&overrides).Elem(), func(name string, field reflect.Value) {
		if name == path {
			field.SetInt(asked)
		}
	})
	return overrides
}

// TestRequestsOnlyTighten is the property behind all overrides: whatever is asked
// for, together or alone, what comes out is at most what the policy gives, and what
// was asked for or refused.
func TestRequestsOnlyTighten(t *testing.T) {
	policies := map[string]Policy{}
	policies["full"], _ = full(t)
	for _, name := range []string{"copilot-chart", "interpreter", "study-analysis", "table-query", "workflow-step"} {
		policies[name], _ = builtin(t, name)
	}
	for name, policy := range policies {
		allowed, err := Resolve(policy, job.Overrides{})
		require.NoError(t, err)
		property := func(asked job.Overrides) bool {
			terms, err := Resolve(policy, asked)
			return err != nil || (noMore(t, terms, allowed, asked) && sameRest(terms, allowed))
		}
		near := func(asked job.Overrides) bool { // most random numbers are above every limit
			fields(t, "", reflect.ValueOf(&asked).Elem(), func(path string, field reflect.Value) {
				field.SetInt(near(field.Int(), handled[path].limit(allowed)))
			})
			return property(asked)
		}
		require.NoError(t, quick.Check(property, nil), name)
		require.NoError(t, quick.Check(near, &quick.Config{MaxCount: 2000}), name)
	}
}

// near maps a random number to the neighbourhood of a limit, often to "not asked".
func near(random, limit int64) int64 {
	switch random % 4 {
	case 0:
		return 0
	case 1:
		return limit
	case 2:
		return limit + 1
	default:
		return random % max(limit, 1000)
	}
}

func noMore(t *testing.T, got, allowed Terms, asked job.Overrides) bool {
	good := true
	fields(t, "", reflect.ValueOf(asked), func(path string, field reflect.Value) {
		limit, most, want := handled[path].limit(got), handled[path].limit(allowed), field.Int()
		if most == 0 && path != "Budgets.ToolCalls" {
			most = math.MaxInt64 // not counted: a request may begin to
		}
		if want == 0 {
			want = handled[path].limit(allowed)
		}
		good = good && limit <= most && limit == want
	})
	return good
}

// sameRest tells that nothing else has changed.
func sameRest(got, allowed Terms) bool {
	limits := got.Limits
	limits.WallClock, limits.MemoryBytes = allowed.Limits.WallClock, allowed.Limits.MemoryBytes
	limits.CPUMillis, limits.PIDs = allowed.Limits.CPUMillis, allowed.Limits.PIDs
	return limits == allowed.Limits && got.ReportBytes == allowed.ReportBytes &&
		got.InputBytes == allowed.InputBytes && reflect.DeepEqual(got.Policy, allowed.Policy)
}

func TestRequestMaySetABudgetWhereThePolicyHasNone(t *testing.T) {
	policy, _ := builtin(t, "study-analysis")
	terms, err := Resolve(policy, job.Overrides{Budgets: job.Budgets{Operations: 5, LoopIterations: 1 << 60}})
	require.NoError(t, err)
	require.Equal(t, job.Budgets{Operations: 5, LoopIterations: 1 << 60}, terms.Budgets)
}

func TestRequestCannotHaveToolsWhereThePolicyHasNone(t *testing.T) {
	policy, _ := builtin(t, "study-analysis")
	_, err := Resolve(policy, job.Overrides{Budgets: job.Budgets{ToolCalls: 1}})
	require.ErrorContains(t, err, "tool_calls of 1: the policy allows none")
}

func TestResolveNamesEveryOverrideThatLoosens(t *testing.T) {
	policy, _ := builtin(t, "study-analysis")
	_, err := Resolve(policy, job.Overrides{WallClock: time.Hour, MemoryBytes: 1 << 40, CPUMillis: 1001, PIDs: -1})
	for _, want := range []string{"wall_clock of 1h0m0s is above the policy's 5m0s", "memory of 1.0 TiB", "cpus of 1.001", "pids must be greater than zero"} {
		require.ErrorContains(t, err, want)
	}
}

func TestResolveFillsWhatTheProtocolBounds(t *testing.T) {
	policy, _ := full(t)
	terms, err := Resolve(policy, job.Overrides{})
	require.NoError(t, err)
	require.Equal(t, int64(8<<20), terms.ReportBytes)
	require.Equal(t, int64(1<<20), terms.InputBytes)
	require.Equal(t, job.Budgets{Operations: 1_000_000, LoopIterations: 100_000, ToolCalls: 10}, terms.Budgets)
}

func TestResolveRefusesLimitsInWhichNothingStarts(t *testing.T) {
	policy, _ := builtin(t, "study-analysis")
	_, err := Resolve(policy, job.Overrides{MemoryBytes: 1 << 20, PIDs: 4})
	require.ErrorContains(t, err, "memory of 1.0 MiB is too little")
	require.ErrorContains(t, err, "pids of 4 is too few")
}
