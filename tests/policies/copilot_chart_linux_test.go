package policies_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/job"
)

const storedResults = `{"visits": [{"month": "Jan", "n": 3}, {"month": "Feb", "n": 5}], "total": {"n": 8}}`

// charts wants an answer and so many charts, each of them plain JSON with data.
func charts(output string, number int) func(*testing.T, job.Result) {
	return func(t *testing.T, got job.Result) {
		t.Helper()
		answers(output)(t, got)
		require.Len(t, got.Charts, number)
		for _, chart := range got.Charts {
			var figure struct{ Data []map[string]any }
			require.NoError(t, json.Unmarshal(chart.Spec, &figure))
			require.Equal(t, job.ChartPlotly, chart.Kind)
			require.NotEmpty(t, figure.Data)
			require.NotContains(t, string(chart.Spec), "bdata", "an array is still in plotly's binary form")
		}
	}
}

func TestCopilotChart(t *testing.T) {
	w := newWorkspace(t)
	w.engine("copilot-chart")
	w.write("results.json", storedResults)
	test(t, w, "copilot-chart", map[string]feature{
		"imports come from an allow-list": {
			script: "import math, json, datetime, statistics, re, collections\nimport numpy as np\nimport pandas as pd\nimport plotly.express as px\nprint('all there')",
			want:   answers("all there\n"),
		},
		"what is not in the list is refused": {script: "import scipy", want: refusedBy("import.denied", "scipy")},
		"data holds stored results by key": {
			script: "print(data['total']['n'], sum(v['n'] for v in data['visits']), sorted(data))",
			want:   answers("8 8 ['total', 'visits']\n"),
		},
		"a key that is not there raises KeyError": {script: "data['nope']", want: raises("KeyError", "nope")},
		"result has output and one chart": {
			script: "import plotly.express as px\nimport pandas as pd\nfig = px.bar(pd.DataFrame(data['visits']), x='month', y='n')\nresult = {'output': 'eight visits', 'chart': fig}",
			want:   charts("eight visits", 1),
		},
		"result has a list of charts": {
			script: "import plotly.graph_objects as go\nresult = {'output': 'two', 'chart': [go.Figure(go.Bar(y=[1])), go.Figure(go.Scatter(y=[2, 3]))]}",
			want:   charts("two", 2),
		},
		"plotly objects become plain dicts": {
			script: "import plotly.graph_objects as go, numpy as np, pandas as pd\n" +
				"fig = go.Figure(go.Scatter(x=pd.date_range('2024-01-01', periods=3), y=np.array([1.5, 2, np.nan])))\nresult = {'output': 'x', 'chart': fig}",
			want: func(t *testing.T, got job.Result) {
				charts("x", 1)(t, got)
				var figure struct{ Data []struct{ X, Y []any } }
				require.NoError(t, json.Unmarshal(got.Charts[0].Spec, &figure))
				require.Equal(t, []any{1.5, 2.0, nil}, figure.Data[0].Y)
				require.Equal(t, "2024-01-02T00:00:00", figure.Data[0].X[1])
			},
		},
		"a chart can be a dict": {
			script: "result = {'output': 'own', 'chart': {'data': [{'type': 'bar', 'y': [1, 2]}], 'layout': {'title': 'own'}}}",
			want:   charts("own", 1),
		},
		"a chart without data is refused":       {script: "result = {'output': 'x', 'chart': {'layout': {}}}", want: notReleased("chart.data", "data")},
		"a chart that is no dict is refused":    {script: "result = {'output': 'x', 'chart': 'bar'}", want: notReleased("chart.data", "no chart")},
		"without result, what it prints counts": {script: "print('captured')\nx = 1", want: answers("captured\n")},
		"a result without a chart": {
			script: "result = {'output': 'no chart'}",
			want:   charts("no chart", 0),
		},
		"five seconds": {script: "import time\ntime.sleep(60)", want: stopped(job.TimedOut, job.LimitWallClock)},
		"100 KB of output": {
			script: "print('x' * 200000)\nx = 1",
			want: func(t *testing.T, got job.Result) {
				require.Equal(t, job.Succeeded, got.Status, describe(got))
				require.Len(t, got.Stdout, 100_000)
				require.True(t, got.Truncated.Stdout)
				require.Contains(t, got.Output, "[cut: ")
			},
		},
		"strptime works": {
			script: "from datetime import datetime\nimport time\nprint(datetime.strptime('3 Feb 2024', '%d %b %Y').date(), time.strptime('2024', '%Y').tm_year)",
			want:   answers("2024-02-03 2024\n"),
		},
		"matplotlib is not in the list": {script: "import matplotlib.pyplot as plt", want: refusedBy("import.denied", "matplotlib")},
	}, "--inputs", "results.json")
}

func TestCopilotChartWithoutInputs(t *testing.T) {
	test(t, newWorkspace(t), "copilot-chart", map[string]feature{
		"data is empty": {script: "print(len(data))\nx = 1", want: answers("0\n")},
	})
}
