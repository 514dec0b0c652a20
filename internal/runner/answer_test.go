package runner

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
	"hotcell/internal/job"
	"hotcell/internal/policy"
)

// reporting is a guard whose code printed "printed" and completed with fields.
func reporting(fields string) play {
	return func(_ context.Context, g guard) container.Exit {
		g.begin()
		g.send('O', "printed")
		g.report("completed", fields)
		return container.Exit{}
	}
}

func TestTheAnswerHasThePolicysForm(t *testing.T) {
	const figure = `{"data":[{"type":"bar"}],"layout":{}}`
	const loads = `{"data":[{"type":"bar"}],"layout":{"images":[{"source":"https://example.org/?secret=1"}]}}`
	for name, test := range map[string]struct {
		fields string
		output string
		value  string
		charts []job.Chart
		rule   string
	}{
		"a chart": {
			`,"result":{"output":"yes","chart":` + figure + `}`, "yes", `{"output":"yes","chart":` + figure + `}`,
			[]job.Chart{{Kind: job.ChartPlotly, Spec: json.RawMessage(figure)}}, "",
		},
		"a chart that loads":      {`,"result":{"chart":` + loads + `}`, "printed", "null", []job.Chart{}, "output.active_content"},
		"what is not of the form": {`,"result":2`, "printed", "null", []job.Chart{}, "output.answer"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, reporting(test.fields), withPolicy(func(p *policy.Policy) { p.Output.Answer = policy.AnswerChart }))
			response, err := b.run(t.Context(), request(), "")
			require.NoError(t, err)
			result := response.Result
			require.Equal(t, test.output, result.Output)
			require.Equal(t, "printed", result.Stdout)
			require.Equal(t, test.charts, result.Charts)
			require.JSONEq(t, test.value, string(result.Value))
			if test.rule == "" {
				require.Equal(t, job.Succeeded, result.Status, "%+v", result.Violations)
				return
			}
			require.Equal(t, job.OutputRejected, result.Status)
			require.Equal(t, test.rule, result.Violations[0].Rule)
		})
	}
}

func TestOutputThatWasCutSaysSo(t *testing.T) {
	b := newBench(t, func(_ context.Context, g guard) container.Exit {
		g.begin()
		for range 10 {
			g.send('O', strings.Repeat("x", 60_000))
		}
		g.report("completed", "")
		return container.Exit{}
	}, nil)
	response, err := b.run(t.Context(), request(), "")
	require.NoError(t, err)
	require.Len(t, response.Result.Stdout, 200_000)
	require.True(t, strings.HasSuffix(response.Result.Output, "of stdout]"), response.Result.Output[199_990:])
}

func TestABudgetThatIsUsedUpIsALimit(t *testing.T) {
	for name, want := range map[string]job.Limit{"operations": job.LimitOperations, "loop_iterations": job.LimitIterations} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, func(_ context.Context, g guard) container.Exit {
				g.begin()
				g.write(t, "a.csv", "x")
				g.report("limit", `,"limit":"`+name+`","error":{"type":"BudgetError","line":7}`)
				return container.Exit{}
			}, nil)
			response, err := b.run(t.Context(), request(), "")
			require.NoError(t, err)
			require.Equal(t, job.LimitExceeded, response.Result.Status)
			require.Equal(t, want, response.Result.Limit)
			require.Equal(t, 7, response.Result.Error.Line)
			require.NotEmpty(t, response.QuarantineDir)
			require.JSONEq(t, "null", string(response.Result.Value))
		})
	}
}
