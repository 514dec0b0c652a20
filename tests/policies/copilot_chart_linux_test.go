package policies_test

import (
	"encoding/json"
	"strings"
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

// warned wants what want wants, and a warning with these words.
func warned(want func(*testing.T, job.Result), words string) func(*testing.T, job.Result) {
	return func(t *testing.T, got job.Result) {
		t.Helper()
		require.Equal(t, job.Succeeded, got.Status, describe(got))
		want(t, got)
		var said []string
		for _, warning := range got.Warnings {
			require.Equal(t, "output.answer", warning.Rule)
			said = append(said, warning.Message)
		}
		require.Contains(t, strings.Join(said, "\n"), words)
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
		"scipy, figure factories and what computes": {
			script: "import io, fractions\nimport numpy as np\nimport plotly.figure_factory as ff\nfrom collections.abc import Mapping\n" +
				"from scipy import interpolate, optimize, signal, stats\nfrom numpy.random import default_rng\nimport numpy.fft, numpy.linalg\n" +
				"r = stats.linregress([1, 2, 3], [2, 4, 6]).slope\nf = interpolate.interp1d([0, 1], [0, 2])(0.5)\n" +
				"m = optimize.minimize_scalar(lambda x: (x - 1) ** 2).x\np = signal.find_peaks([0, 1, 0])[0].tolist()\n" +
				"fig = ff.create_distplot([default_rng(0).normal(size=50)], ['a'])\n" +
				"result = {'output': f'{r:.1f} {f:.1f} {m:.1f} {p}', 'chart': fig}",
			want: charts("2.0 1.0 1.0 [1]", 1),
		},
		"what is not in the list is refused": {script: "import statsmodels", want: refusedBy("import.denied", "statsmodels")},
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
		"a chart without data costs the chart":    {script: "result = {'output': 'x', 'chart': {'layout': {}}}", want: warned(charts("x", 0), "chart 1 was left out: it has no data")},
		"a chart that is none costs the chart":    {script: "result = {'output': 'x', 'chart': 'bar'}", want: warned(charts("x", 0), "chart 1 was left out: it is no chart")},
		"an empty figure costs the chart":         {script: "import plotly.graph_objects as go\nresult = {'output': 'x', 'chart': [go.Figure(), go.Figure(go.Bar(y=[1]))]}", want: warned(charts("x", 1), "chart 1 was left out")},
		"a chart that is too big costs the chart": {script: "result = {'output': 'x', 'chart': {'data': [{'y': list(range(900000))}]}}", want: warned(charts("x", 0), "aggregate or sample the data")},
		"a figure alone is the chart": {
			script: "import plotly.express as px\nprint('said')\nresult = px.bar(data['visits'], x='month', y='n')",
			want:   charts("said\n", 1),
		},
		"a figure as the last expression is the chart": {script: "import plotly.express as px\nprint('said')\npx.bar(data['visits'], x='month', y='n')", want: charts("said\n", 1)},
		"a figure under another key": {
			script: "import plotly.express as px\nresult = {'text': 'x', 'figure': px.bar(data['visits'], x='month', y='n'), 'n': 2}",
			want:   warned(charts("x", 1), "keys that are not shown: 'n'"),
		},
		"a result that is a text":          {script: "result = 'eight'", want: warned(charts("eight", 0), "taken as the output")},
		"a result of None":                 {script: "print('said')\nresult = None", want: charts("said\n", 0)},
		"a scalar of numpy's":              {script: "import numpy as np\nresult = {'output': np.int64(8)}", want: charts("8", 0)},
		"a DataFrame":                      {script: "import pandas as pd\nresult = {'output': pd.DataFrame(data['visits'])}", want: charts("  month  n\n0   Jan  3\n1   Feb  5", 0)},
		"an exit after the result":         {script: "result = {'output': 'x'}\nexit()", want: charts("x", 0)},
		"an exit with a code is a failure": {script: "result = {'output': 'x'}\nexit('no data')", want: raises("SystemExit", "no data")},
		"100 KB of an output": {
			script: "result = {'output': 'x' * 200000}",
			want: warned(func(t *testing.T, got job.Result) {
				require.LessOrEqual(t, len(got.Output), 100_000)
				require.Regexp(t, `\[cut: 100\d\d\d of 200000 bytes; the policy keeps 100000\]$`, got.Output)
			}, "the output was cut"),
		},
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
