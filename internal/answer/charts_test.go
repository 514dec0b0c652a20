package answer_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/answer"
	"hotcell/internal/job"
	"hotcell/internal/output"
)

// TestAChartIsReadOnce: whoever reads a result must find the chart that was checked.
func TestAChartIsReadOnce(t *testing.T) {
	rules, files := answer.Rules{MaxFigures: 1}, []job.File{{Path: "figures/f.png", Role: output.RoleFigure}}
	check := func(chart string) ([]job.Chart, []job.Violation) {
		return rules.Check(answer.Given{Charts: []json.RawMessage{json.RawMessage(chart)}}, files)
	}
	for _, chart := range []string{
		`{"kind":"matplotlib","path":"../../../../etc/shadow","Path":"figures/f.png"}`,
		`{"kind":"html","KIND":"plotly","path":"/etc/shadow","spec":{},"PATH":""}`,
		`{"kind":"plotly","Spec":{}}`,
		`{"kind":"plotly","\u017fpec":{}}`,
		`{"kind":"plotly","spec":[]}`,
		`{"kind":"plotly","spec":null}`,
		`{"kind":"plotly","spec":{},"path":"figures/f.png"}`,
		`{"kind":"matplotlib","path":"figures/f.png","SPEC":null,"spec":{"data":"x"},"Spec":null}`,
		`{"kind":"matplotlib","path":"figures/f.png","href":"https://example.org"}`,
		`{"\u212aind":"matplotlib","kind":"html","path":"figures/f.png"}`,
		`{"kind":"matplotlib","path":["figures/f.png"]}`,
		`["matplotlib"]`, `null`, `1`,
	} {
		_, violations := check(chart)
		require.Len(t, violations, 1, chart)
		require.Equal(t, "output.chart", violations[0].Rule)
	}
	charts, violations := check(` { "path" : "figures\u002ff.png" , "kind":"matplotlib"}`)
	require.Empty(t, violations)
	encoded, err := json.Marshal(charts)
	require.NoError(t, err)
	require.Equal(t, `[{"kind":"matplotlib","path":"figures/f.png"}]`, string(encoded)) //nolint:testifylint // byte for byte
}

func TestPicturesOfStepsAreComparedWithTheFiles(t *testing.T) {
	rules, files := answer.Rules{MaxFigures: 2}, []job.File{{Path: "figures/f.png", Role: output.RoleFigure}, {Path: "a.png", Role: "file"}}
	charts, violations := rules.Check(answer.Given{Pictures: []string{"figures/f.png"}}, files)
	require.Empty(t, violations)
	require.Equal(t, []job.Chart{{Kind: job.ChartMatplotlib, Path: "figures/f.png"}}, charts)
	for _, path := range []string{"a.png", "figures/none.png", "../../etc/passwd"} {
		_, violations = rules.Check(answer.Given{Pictures: []string{"figures/f.png", path}}, files)
		require.Len(t, violations, 1, path)
		require.Contains(t, violations[0].Message, "chart 2 is neither")
	}
	_, violations = rules.Check(answer.Given{Pictures: []string{"figures/f.png", "figures/f.png"}, Charts: []json.RawMessage{json.RawMessage(`{}`)}}, files)
	require.Contains(t, violations[0].Message, "more than 2 figures", "all count together")
}
