package answer_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/answer"
	"hotcell/internal/job"
	"hotcell/internal/policy"
)

// given reads what a report has of an answer, `,"result":…,"charts":[…]`.
func given(t *testing.T, fields string) answer.Given {
	t.Helper()
	var report struct {
		Result json.RawMessage   `json:"result"`
		Charts []json.RawMessage `json:"charts"`
	}
	require.NoError(t, json.Unmarshal([]byte("{"+strings.TrimPrefix(fields, ",")+"}"), &report))
	return answer.Given{Result: report.Result, Charts: report.Charts}
}

func TestTheAnswerHasThePolicysForm(t *testing.T) {
	const figure = `{"data":[{"type":"bar"}],"layout":{}}`
	const loads = `{"data":[{"type":"bar"}],"layout":{"images":[{"source":"https://example.org/?secret=1"}]}}`
	chart := func(spec string) string { return `{"kind":"plotly","spec":` + spec + `}` }
	for name, test := range map[string]struct {
		answer policy.AnswerForm
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
		"another key":                {policy.AnswerChart, `,"result":{"output":"yes","more":1}`, "yes", nil, ""},
		"output of nothing":          {policy.AnswerChart, `,"result":{"output":null,"more":1}`, "printed", nil, ""},
		"a last value":               {policy.AnswerLast, `,"result":5`, "5", nil, ""},
		"a result that is a number":  {policy.AnswerChart, `,"result":2`, "printed", nil, "output.answer"},
		"more charts than allowed":   {policy.AnswerChart, `,"result":{"chart":[` + strings.Repeat(figure+",", 20) + figure + `]}`, "printed", nil, "output.chart"},
	} {
		t.Run(name, func(t *testing.T) {
			rules := answer.Rules{Form: test.answer, MaxFigures: 20}
			given := given(t, test.fields)
			charts, violations := rules.Check(given, nil)
			if test.rule != "" {
				require.NotEmpty(t, violations)
				require.Equal(t, test.rule, violations[0].Rule)
				return
			}
			require.Empty(t, violations)
			require.Len(t, charts, len(test.charts))
			for index, want := range test.charts {
				encoded, err := json.Marshal(charts[index])
				require.NoError(t, err)
				require.Equal(t, want, string(encoded))
			}
			require.Equal(t, test.output, rules.Text(job.Result{Status: job.Succeeded, Stdout: "printed", Value: given.Result}))
			require.Equal(t, "printed", rules.Text(job.Result{Status: job.Failed, Stdout: "printed", Value: given.Result}))
		})
	}
}

// The guard has cut it: what is longer is not the guard's word.
func TestASentenceIsCut(t *testing.T) {
	long := job.Result{Status: job.Succeeded, Value: json.RawMessage(`{"output":"` + strings.Repeat("ä", 50) + `"}`)}
	text := answer.Rules{Form: policy.AnswerChart, Stdout: 21}.Text(long)
	require.Equal(t, strings.Repeat("ä", 10)+"\n[cut: 80 of 100 bytes; the policy keeps 21]", text)
	require.Equal(t, strings.Repeat("ä", 50), answer.Rules{Form: policy.AnswerChart, Stdout: 100}.Text(long))
}

func TestStdoutThatWasCutSaysSo(t *testing.T) {
	cut := job.Result{Status: job.Failed, Stdout: "xxx", Truncated: job.Truncated{Stdout: true}}
	require.Equal(t, "xxx\n[cut: the policy keeps 2.0 KiB of stdout]", answer.Rules{Form: policy.AnswerStdout, Stdout: 2 << 10}.Text(cut))
}
