package runner

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
	"hotcell/internal/job"
)

// TestAChartIsReadOnce: whoever reads a result must find the chart that was checked.
func TestAChartIsReadOnce(t *testing.T) {
	const png = "\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00IEND\x00\x00\x00\x00"
	run := func(t *testing.T, chart string) job.Result {
		b := newBench(t, func(_ context.Context, g guard) container.Exit {
			g.begin()
			_ = g.output.Mkdir("figures", 0o700)
			entry := strings.Replace(g.write(t, "figures/f.png", png), `"file"`, `"figure"`, 1)
			g.report("completed", `,"charts":[`+chart+`],"files":[`+entry+`]`)
			return container.Exit{}
		}, nil)
		answer, err := b.runner.Run(t.Context(), request(), "")
		require.NoError(t, err)
		return answer.Result
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
		result := run(t, chart)
		require.Equal(t, job.OutputRejected, result.Status, chart)
		require.Empty(t, result.Charts)
	}
	result := run(t, ` { "path" : "figures\u002ff.png" , "kind":"matplotlib"}`)
	require.Equal(t, job.Succeeded, result.Status)
	const want = `{"kind":"matplotlib","path":"figures/f.png"}`
	require.Equal(t, want, string(result.Charts[0]), "as the runner writes it") //nolint:testifylint // byte for byte
}
