package runner

import (
	"context"
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
	chart := func(spec string) string { return `{"kind":"plotly","spec":` + spec + `}` }
	for name, test := range map[string]struct {
		answer policy.Answer
		fields string
		output string
		charts []string
		rule   string
	}{
		"stdout":                     {policy.AnswerStdout, `,"result":2`, "printed", nil, ""},
		"a text as the result":       {policy.AnswerResult, `,"result":"yes"`, "yes", nil, ""},
		"a value as the result":      {policy.AnswerResult, `,"result":{"a": [1, 2]}`, `{"a":[1,2]}`, nil, ""},
		"no result":                  {policy.AnswerResult, `,"result":null`, "", nil, ""},
		"no chart and no result":     {policy.AnswerChart, `,"result":null`, "printed", nil, ""},
		"output alone":               {policy.AnswerChart, `,"result":{"output":"yes"}`, "yes", nil, ""},
		"output that is a value":     {policy.AnswerChart, `,"result":{"output":[1, 2]}`, "[1,2]", nil, ""},
		"one chart":                  {policy.AnswerChart, `,"result":{"output":"yes","chart":` + figure + `}`, "yes", []string{chart(figure)}, ""},
		"a chart without output":     {policy.AnswerChart, `,"result":{"chart":` + figure + `}`, "printed", []string{chart(figure)}, ""},
		"a list of charts":           {policy.AnswerChart, `,"result":{"chart":[` + figure + `,` + figure + `]}`, "printed", []string{chart(figure), chart(figure)}, ""},
		"charts":                     {policy.AnswerChart, `,"result":{"charts":[` + figure + `]}`, "printed", []string{chart(figure)}, ""},
		"no chart after all":         {policy.AnswerChart, `,"result":{"output":"yes","chart":null}`, "yes", nil, ""},
		"what was merely made":       {policy.AnswerChart, `,"result":{"output":"yes"},"charts":[` + chart(figure) + `]`, "yes", nil, ""},
		"a figure that was shown":    {policy.AnswerChart, `,"result":null,"charts":[` + chart(figure) + `]`, "printed", []string{chart(figure)}, ""},
		"a chart without data":       {policy.AnswerChart, `,"result":{"chart":{"layout":{}}}`, "printed", nil, "chart.data"},
		"a chart with empty data":    {policy.AnswerChart, `,"result":{"chart":{"data":[]}}`, "printed", nil, "chart.data"},
		"a chart whose data is none": {policy.AnswerChart, `,"result":{"chart":{"data":[null]}}`, "printed", nil, "chart.data"},
		"a chart of numbers":         {policy.AnswerChart, `,"result":{"chart":{"data":[1]}}`, "printed", nil, "chart.data"},
		"a chart that is a text":     {policy.AnswerChart, `,"result":{"chart":"bar"}`, "printed", nil, "chart.data"},
		"a second chart without":     {policy.AnswerChart, `,"result":{"chart":[` + figure + `,{}]}`, "printed", nil, "chart.data"},
		"a layout that is a list":    {policy.AnswerChart, `,"result":{"chart":{"data":[{}],"layout":[]}}`, "printed", nil, "chart.layout"},
		"a shown figure without":     {policy.AnswerChart, `,"result":null,"charts":[` + chart(`{"data":[]}`) + `]`, "printed", nil, "chart.data"},
		"a chart that loads":         {policy.AnswerChart, `,"result":{"chart":` + loads + `}`, "printed", nil, "output.active_content"},
		"a list with one that loads": {policy.AnswerChart, `,"result":{"charts":[` + figure + `,` + loads + `]}`, "printed", nil, "output.active_content"},
		"a shown figure that loads":  {policy.AnswerChart, `,"result":null,"charts":[` + chart(loads) + `]`, "printed", nil, "output.active_content"},
		"a figure beside the answer": {policy.AnswerStdout, `,"result":2,"charts":[` + chart(loads) + `]`, "printed", nil, "output.active_content"},
		"too many that are none":     {policy.AnswerChart, `,"result":{"chart":[` + strings.Repeat("0,", 20) + `0]}`, "printed", nil, "output.chart"},
		"too many in both places":    {policy.AnswerChart, `,"result":{"chart":[` + strings.Repeat("0,", 10) + `0],"charts":[` + strings.Repeat("0,", 10) + `0]}`, "printed", nil, "output.chart"},
		"another key":                {policy.AnswerChart, `,"result":{"output":"yes","secret":1}`, "printed", nil, "output.answer"},
		"a result that is a number":  {policy.AnswerChart, `,"result":2`, "printed", nil, "output.answer"},
		"more charts than allowed":   {policy.AnswerChart, `,"result":{"chart":[` + strings.Repeat(figure+",", 20) + figure + `]}`, "printed", nil, "output.chart"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, reporting(test.fields), withPolicy(func(p *policy.Policy) { p.Output.Answer = test.answer }))
			answer, err := b.runner.Run(t.Context(), request(), "")
			require.NoError(t, err)
			result := answer.Result
			require.Equal(t, test.output, result.Output)
			require.Equal(t, "printed", result.Stdout)
			require.Len(t, result.Charts, len(test.charts))
			for index, want := range test.charts {
				require.JSONEq(t, want, string(result.Charts[index]))
			}
			if test.rule == "" {
				require.Equal(t, job.Succeeded, result.Status, "%+v", result.Violations)
				return
			}
			require.Equal(t, job.OutputRejected, result.Status)
			require.Equal(t, test.rule, result.Violations[0].Rule)
			require.JSONEq(t, "null", string(result.Value), "nothing is released")
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
	answer, err := b.runner.Run(t.Context(), request(), "")
	require.NoError(t, err)
	require.Len(t, answer.Result.Stdout, 200_000)
	require.True(t, strings.HasSuffix(answer.Result.Output, "of stdout]"), answer.Result.Output[199_990:])
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
			answer, err := b.runner.Run(t.Context(), request(), "")
			require.NoError(t, err)
			require.Equal(t, job.LimitExceeded, answer.Result.Status)
			require.Equal(t, want, answer.Result.Limit)
			require.Equal(t, 7, answer.Result.Error.Line)
			require.NotEmpty(t, answer.QuarantineDir)
			require.JSONEq(t, "null", string(answer.Result.Value))
		})
	}
}
