package policies_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/job"
)

func tableWorkspace(t *testing.T) *workspace {
	w := newWorkspace(t)
	w.write("data/award_data.csv", "agency,amount\nNIH,100\nNSF,50\nNIH,25\n")
	w.bundle("awards")
	return w
}

func TestTableQuery(t *testing.T) {
	test(t, tableWorkspace(t), "table-query", map[string]feature{
		"import is refused":          {script: "import math", want: refusedBy("syntax.denied", "import")},
		"from … import is refused":   {script: "from math import pi", want: refusedBy("syntax.denied", "import")},
		"the table is there by name": {script: "print(award_data.groupby('agency').amount.sum().to_dict())", want: answers("{'NIH': 125, 'NSF': 50}\n")},
		"modules are there by name": {
			script: "print(pd.Series([1]).sum(), np.sqrt(4), math.floor(1.5), re.sub('a', 'b', 'a'), json.dumps([1]), statistics.mean([1, 2]), datetime.date(2024, 2, 3), collections.Counter('aa')['a'])",
			want:   answers("1 2.0 1 b [1] 1.5 2024-02-03 2\n"),
		},
		"libraries still import what they need": {
			script: "print(award_data.describe().loc['mean', 'amount'].round(2), pd.to_datetime('2024-02-03').strftime('%d %b'), datetime.datetime.strptime('2024', '%Y').year)",
			want:   answers("58.33 03 Feb 2024\n"),
		},
		"stdout is the answer, cut with a note at 1 MB": {
			script: "print('x' * 2000000)",
			want: func(t *testing.T, got job.Result) {
				require.Equal(t, job.Succeeded, got.Status, describe(got))
				require.Len(t, got.Stdout, 1_000_000)
				require.True(t, got.Truncated.Stdout)
				require.True(t, strings.HasSuffix(strings.TrimSpace(got.Output), "of stdout]"), got.Output[len(got.Output)-100:])
			},
		},
		"code of more than 100 KB is refused": {
			script: "x = 1\n" + strings.Repeat("#", 100_000),
			want:   stopped(job.LimitExceeded, job.LimitCode),
		},
		"code of 100 KB is run": {script: "print(1)\n" + strings.Repeat("#", 99_990), want: answers("1\n")},
	}, "--bundle", "awards")
}

func TestTableQueryNeedsItsTable(t *testing.T) {
	w := newWorkspace(t)
	w.write("data/other.csv", "a\n1\n")
	w.bundle("other")
	w.write("script.py", "print(1)")
	for _, flags := range [][]string{nil, {"--bundle", "other"}} {
		e := w.command("", append(append([]string{"run", "--policy", "table-query"}, flags...), "script.py")...)
		require.Equal(t, job.ExitUsage, e.code, e.stderr)
		require.Contains(t, e.stderr, "award_data")
	}
}

// steps runs a session and returns the result of each step, and the session's own.
func steps(t *testing.T, w *workspace, policy string, codes []string, flags ...string) []job.Result {
	t.Helper()
	var input strings.Builder
	for _, code := range codes {
		text, err := json.Marshal(map[string]string{"code": code})
		require.NoError(t, err)
		fmt.Fprintf(&input, "%s\n", text)
	}
	e := w.command(input.String(), append([]string{"session", "--json", "--engine", "oci", "--policy", policy}, flags...)...)
	ready, answers, _ := strings.Cut(e.stdout, "\n")
	require.True(t, strings.HasPrefix(ready, `{"ready":{"protocol":2,`), "%s\n%s", e.stdout, e.stderr)
	var all []job.Result
	for line := range strings.Lines(answers) {
		if own, last := strings.CutPrefix(line, `{"session":`); last {
			line = strings.TrimSuffix(own, "}\n")
		}
		all = append(all, decode[job.Result](t, line, e.stderr))
	}
	require.Len(t, all, len(codes)+1, "%s\n%s", e.stdout, e.stderr)
	return all
}

func TestTableQueryInASession(t *testing.T) {
	w := tableWorkspace(t)
	all := steps(t, w, "table-query", []string{
		"by_agency = award_data.groupby('agency').amount.sum()\naward_data['double'] = award_data.amount * 2\nprint('made')",
		"import os",
		"1 / 0",
		"print(by_agency['NIH'], award_data.double.sum())",
	}, "--bundle", "awards")
	answers("made\n")(t, all[0])
	refusedBy("syntax.denied", "import")(t, all[1])
	raises("ZeroDivisionError", "")(t, all[2])
	answers("125 350\n")(t, all[3]) // the table of the first step: it was loaded once
	require.Equal(t, job.Succeeded, all[4].Status, describe(all[4]))
	require.Equal(t, all[4].RunID.String(), all[0].Provenance.Session)
}

// What a step's answer is made of is what a run's is made of.
func TestEveryPolicyHasSessions(t *testing.T) {
	for policy, codes := range map[string][]string{
		"study-analysis": {"import pandas as pd\nframe = pd.DataFrame({'x': [1, 2]})", "print(frame.x.sum())"},
		"workflow-step":  {"import statistics\nheld = [1, 2, 3]", "result = statistics.mean(held)"},
		"copilot-chart":  {"import plotly.express as px\nfigure = px.bar(x=[1], y=[2])", "result = {'output': 'one bar', 'chart': figure}"},
		"interpreter":    {"import math\nroot = math.sqrt(16)", "root + 1"},
	} {
		t.Run(policy, func(t *testing.T) {
			all := steps(t, newWorkspace(t), policy, codes)
			want := map[string]string{"study-analysis": "3\n", "workflow-step": "2", "copilot-chart": "one bar", "interpreter": "5.0"}
			answers(want[policy])(t, all[1])
			require.Equal(t, job.Succeeded, all[2].Status, describe(all[2]))
		})
	}
}
