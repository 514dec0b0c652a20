package policy

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/job"
	"hotcell/internal/wire"
	"hotcell/policies"
)

func TestStudyAnalysisKeepsWhatItsUsersHave(t *testing.T) {
	policy, _ := builtin(t, "study-analysis")
	terms, err := Resolve(policy, job.Overrides{})
	require.NoError(t, err)
	require.Equal(t, 300*time.Second, terms.Limits.WallClock)
	require.Equal(t, int64(200_000), terms.Limits.StdoutBytes)
	require.Equal(t, int64(512<<20), terms.Limits.MemoryBytes)
	require.Equal(t, int64(64), terms.Limits.PIDs)
	require.Equal(t, int64(64), terms.Limits.OutputFiles)
	require.Equal(t, 20, policy.Guard.MaxFigures)
	require.Equal(t, KeepCodeAlways, policy.Record.KeepCode)
	require.Len(t, policy.SHA256, 64)
}

func TestCopilotChartKeepsWhatItsUsersHave(t *testing.T) {
	policy, _ := builtin(t, "copilot-chart")
	require.Equal(t, 5*time.Second, policy.Limits.WallClock)
	require.Equal(t, Size(100_000), policy.Limits.Stdout)
	require.Equal(t, wire.InputsData, policy.Guard.Inputs)
	require.Equal(t, AnswerChart, policy.Output.Answer)
	require.Subset(t, policy.Guard.Imports, []string{"json", "math", "datetime", "time", "statistics", "pandas", "plotly.graph_objects"})
	require.Subset(t, policy.Guard.Imports, []string{"scipy", "scipy.stats", "scipy.optimize", "scipy.signal", "scipy.interpolate", "io",
		"numpy.linalg", "numpy.random", "numpy.fft", "collections.abc", "plotly.figure_factory"})
	require.Nil(t, policy.Tools)
}

func TestWorkflowStepKeepsWhatItsUsersHave(t *testing.T) {
	policy, _ := builtin(t, "workflow-step")
	require.Equal(t, 30*time.Second, policy.Limits.WallClock)
	require.Equal(t, wire.InputsContext, policy.Guard.Inputs)
	require.Equal(t, int64(10), policy.Tools.MaxCalls)
	require.Equal(t, []string{"*"}, policy.Tools.Allowed)
	require.Subset(t, policy.Guard.Imports, []string{"json", "re", "numpy", "pandas", "requests", "pydantic", "jmespath", "yaml", "dateutil"})
	terms, err := Resolve(policy, job.Overrides{})
	require.NoError(t, err)
	require.Equal(t, int64(10), terms.Budgets.ToolCalls)
}

func TestTableQueryKeepsWhatItsUsersHave(t *testing.T) {
	policy, _ := builtin(t, "table-query")
	require.Equal(t, []string{"Import", "ImportFrom"}, policy.Guard.DeniedSyntax)
	require.Empty(t, policy.Guard.Imports)
	require.Equal(t, []string{"award_data"}, policy.Guard.RequiredTables)
	for name, module := range map[string]string{"pd": "pandas", "np": "numpy", "math": "math", "re": "re"} {
		require.Equal(t, module, policy.Guard.Preloaded[name])
	}
	require.Equal(t, Size(1_000_000), policy.Limits.Stdout)
	require.Equal(t, OverflowTruncate, policy.Output.WhenStdoutIsFull)
	require.Equal(t, Size(100_000), policy.Limits.Code)
	require.NotNil(t, policy.Session)
}

func TestInterpreterKeepsWhatItsUsersHave(t *testing.T) {
	policy, _ := builtin(t, "interpreter")
	require.Contains(t, policy.Guard.Imports, "os.path")
	require.NotContains(t, policy.Guard.Imports, "os")
	require.Empty(t, policy.Guard.DeniedSyntax)
	require.Equal(t, AnswerLast, policy.Output.Answer)
	require.Equal(t, wire.InputsNames, policy.Guard.Inputs)
	require.Equal(t, []string{"*"}, policy.Tools.Allowed)
	require.Equal(t, "math:sqrt", policy.Guard.Preloaded["sqrt"])
	terms, err := Resolve(policy, job.Overrides{})
	require.NoError(t, err)
	require.Equal(t, job.Budgets{Operations: 10_000_000, LoopIterations: 1_000_000, ToolCalls: 100}, terms.Budgets)
}

// Whoever adds a policy that runs code unguarded changes this list.
func TestOnlyTheContainmentProbeSwitchesTheGuardOff(t *testing.T) {
	names, err := NewCatalog(policies.Files, "").Names()
	require.NoError(t, err)
	for _, name := range names {
		policy, _ := builtin(t, name)
		want := GuardEnforce
		if name == "containment-probe" {
			want = GuardOff
		}
		require.Equal(t, want, policy.Guard.Mode, name)
	}
}

func TestTheContainmentProbeIsIsolatedLikeAStudy(t *testing.T) {
	probe, _ := builtin(t, "containment-probe")
	study, _ := builtin(t, "study-analysis")
	require.Equal(t, study.Isolation, probe.Isolation)
	require.Equal(t, study.Image, probe.Image)
	require.LessOrEqual(t, probe.Limits.WallClock, 5*time.Second)
	weaker, err := Explain(probe)
	require.NoError(t, err)
	require.Contains(t, weaker.Weaker, Weakness{"guard.mode", "off: the code is neither vetted nor confined, and only the container holds it; for probes of the container"})
}
