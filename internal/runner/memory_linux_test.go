// The race detector takes ten times the memory that is measured here: make test runs
// these once more without it.
//go:build !race

package runner

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
	"hotcell/internal/policy"
	"hotcell/internal/wire"
	"hotcell/tests/peakmemory"
)

// hostileReports fill a report up to what the built-in policies let it have.
func hostileReports() map[string]func() string {
	const most = 8<<20 - 200
	fill := func(start, each, end string) func() string {
		return func() string {
			var text strings.Builder
			text.Grow(most + 1<<10)
			text.WriteString(`{"outcome":"completed",` + start)
			for number := 0; text.Len() < most-len(each)-len(end)-10; number++ {
				text.WriteString(strings.ReplaceAll(each, "%d", strconv.FormatInt(int64(number), 36)))
			}
			text.WriteString(end + "}")
			return text.String()
		}
	}
	return map[string]func() string{
		"names":              fill(`"result":{`, `"%d":1,`, `"x":1}`),
		"numbers":            fill(`"result":[`, `1,`, `1]`),
		"numbers, deep":      fill(`"result":`+strings.Repeat("[", 120), `1,`, `1`+strings.Repeat("]", 120)),
		"lists":              fill(`"result":[`, `[],`, `1]`),
		"objects":            fill(`"result":[`, `{},`, `1]`),
		"one string":         fill(`"result":"`, `x`, `"`),
		"a string of quotes": fill(`"result":"`, `\"`, `"`),
		"charts":             fill(`"charts":[`, `{"kind":"plotly","spec":{}},`, `{}]`),
		"names in a chart":   fill(`"charts":[{"kind":"plotly","spec":{"data":[],"x":{`, `"%d":1,`, `"x":1}}}]`),
		"many traces":        fill(`"charts":[{"kind":"plotly","spec":{"data":[`, `{},`, `{}]}}]`),
		"files":              fill(`"files":[`, `{"path":"%d","bytes":1,"sha256":"","role":"file"},`, `{"path":"x"}]`),
		"files of no length": fill(`"files":[`, `{},`, `{}]`),
		// In a policy whose answer is a chart.
		asChart + "charts":      fill(`"result":{"chart":[`, `0,`, `0]}`),
		asChart + "objects":     fill(`"result":{"charts":[`, `{},`, `{}]}`),
		asChart + "traces":      fill(`"result":{"chart":{"data":[`, `{},`, `{}]}}`),
		asChart + "names":       fill(`"result":{"chart":{"data":[{"x":{`, `"%d":1,`, `"x":1}}]}}`),
		asChart + "other names": fill(`"result":{`, `"%d":1,`, `"x":1}`),
		"one path":              fill(`"files":[{"path":"`, `é`, `","bytes":1,"sha256":"","role":"file"}]`),
	}
}

const asChart = "chart: "

// maxReadPeak is in bytes, the test's own parts included. A result of 8 MiB is held as
// frame, as result, as the answer's text, in the record and in what --json prints.
const maxReadPeak = 200 << 20

// TestAReportStaysSmall has each report read, judged and recorded in a process of its
// own, of which the kernel tells the peak.
func TestAReportStaysSmall(t *testing.T) {
	for name := range hostileReports() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			command := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestChildThatReads$")
			command.Env = []string{"HOTCELL_REPORT=" + name, "TMPDIR=" + t.TempDir()}
			printed, err := command.CombinedOutput()
			require.NoError(t, err, "%s", printed)
			_, told, ok := bytes.Cut(printed, []byte("peak="))
			require.True(t, ok, "%s", printed)
			var peak int64
			_, err = fmt.Sscan(string(told), &peak)
			require.NoError(t, err)
			t.Logf("%d MiB: %s", peak>>20, bytes.TrimSpace(printed))
			require.Less(t, peak, int64(maxReadPeak))
		})
	}
}

// TestChildThatReads is the other process of TestAReportStaysSmall.
func TestChildThatReads(t *testing.T) {
	name := os.Getenv("HOTCELL_REPORT")
	if name == "" {
		return
	}
	const inTwoPlaces = "workflow-step" // whose answer is the result, so that it appears twice
	b := newBench(t, func(_ context.Context, g guard) container.Exit {
		g.begin()
		report := hostileReports()[name]()
		_, _ = g.stdio.Stdout.Write(binary.BigEndian.AppendUint32([]byte{wire.TypeReport}, uint32(len(report))))
		_, _ = io.WriteString(g.stdio.Stdout, report)
		return container.Exit{}
	}, withPolicy(func(p *policy.Policy) {
		if strings.HasPrefix(name, asChart) {
			p.Output.Answer = policy.AnswerChart
		}
	}))
	asked := request()
	asked.Policy = inTwoPlaces
	response, err := b.run(t.Context(), asked, "")
	require.NoError(t, err)
	// As --json prints it.
	require.NoError(t, json.NewEncoder(discard{}).Encode(response.Result))
	peak, err := peakmemory.Of(os.Getpid())
	require.NoError(t, err)
	fmt.Printf("peak=%d %s\n", peak, response.Result.Status)
}

type discard struct{}

func (discard) Write(chunk []byte) (int, error) { return len(chunk), nil }
