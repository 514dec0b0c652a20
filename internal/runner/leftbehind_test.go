package runner

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
	"hotcell/internal/job"
	"hotcell/internal/output"
	"hotcell/internal/policy"
)

// writing is a guard that reports these files with their content.
func writing(t *testing.T, files ...string) play {
	return func(_ context.Context, g guard) container.Exit {
		g.begin()
		var entries []string
		for _, name := range files {
			entries = append(entries, g.write(t, name, "x,y\n1,2\n"))
		}
		g.report("completed", `,"files":[`+strings.Join(entries, ",")+`]`)
		return container.Exit{}
	}
}

func TestAFileThatCannotLeaveStaysBehind(t *testing.T) {
	b := newBench(t, writing(t, "a.csv", "model.pkl", "z.csv"), nil)
	out := filepath.Join(t.TempDir(), "out")
	response, err := b.run(t.Context(), request(), out)
	require.NoError(t, err)
	result := response.Result
	require.Equal(t, job.Succeeded, result.Status, "%+v", result)
	require.Len(t, result.Files, 2)
	require.Len(t, result.Warnings, 1)
	require.Equal(t, output.RuleDropped, result.Warnings[0].Rule)
	require.Equal(t, "model.pkl", result.Warnings[0].Path)
	require.Contains(t, result.Warnings[0].Message, ".csv")
	require.FileExists(t, filepath.Join(out, "a.csv"))
	require.FileExists(t, filepath.Join(out, "z.csv"))
	require.NoFileExists(t, filepath.Join(out, "model.pkl"))

	require.NotEmpty(t, response.QuarantineDir)
	entries, err := os.ReadDir(response.QuarantineDir)
	require.NoError(t, err)
	require.Len(t, entries, 2, "the index and the one file")
	index, err := os.ReadFile(filepath.Join(response.QuarantineDir, output.IndexName))
	require.NoError(t, err)
	require.Contains(t, string(index), "model.pkl")
	require.NotContains(t, string(index), "a.csv")
	record, err := b.records.Get(t.Context(), result.RunID)
	require.NoError(t, err)
	require.True(t, record.Quarantined)
	require.Equal(t, result.Warnings, record.Result.Warnings)
}

func TestAFileOfOtherContentStaysBehind(t *testing.T) {
	b := newBench(t, writing(t, "a.csv", "b.json"), nil)
	response, err := b.run(t.Context(), request(), "")
	require.NoError(t, err)
	result := response.Result
	require.Equal(t, job.Succeeded, result.Status, "%+v", result)
	require.Len(t, result.Files, 1)
	require.Len(t, result.Warnings, 1)
	require.Equal(t, "b.json", result.Warnings[0].Path)
	require.NotEmpty(t, response.QuarantineDir)
	require.NoFileExists(t, filepath.Join(response.RecordDir, "files", "b.json"))
}

func TestAPolicyMayRejectAllForAFileThatCannotLeave(t *testing.T) {
	for name, choice := range map[string]policy.Unaccepted{"it says so": policy.UnacceptedReject, "it says nothing": "", "it says nonsense": "keep"} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, writing(t, "a.csv", "model.pkl"), withPolicy(func(p *policy.Policy) { p.Output.OnUnacceptedFile = choice }))
			response, err := b.run(t.Context(), request(), "")
			require.NoError(t, err)
			require.Equal(t, job.OutputRejected, response.Result.Status)
			require.Len(t, response.Result.Violations, 1)
			require.Equal(t, output.RuleMediaType, response.Result.Violations[0].Rule)
			require.Empty(t, response.Result.Files)
			require.Empty(t, response.Result.Warnings)
		})
	}
}

// A file that stays behind excuses nothing else, of itself or of others.
func TestAFileThatStaysBehindExcusesNothing(t *testing.T) {
	for name, test := range map[string]struct {
		leave func(t *testing.T, g guard) string
		rule  string
	}{
		"a link to a file that cannot leave": {func(t *testing.T, g guard) string {
			require.NoError(t, g.output.Symlink("/etc/passwd", "b.pkl"))
			return ""
		}, output.RuleSymlink},
		"a second name of it": {func(t *testing.T, g guard) string {
			entry := g.write(t, "b.pkl", "x")
			require.NoError(t, g.output.Link("b.pkl", "c.pkl"))
			return "," + entry
		}, output.RuleHardLink},
		"one that was hidden": {func(t *testing.T, g guard) string {
			g.write(t, "b.pkl", "x")
			return ""
		}, output.RuleUndeclared},
		"a figure of another type beside it": {func(t *testing.T, g guard) string {
			return "," + g.write(t, "b.pkl", "x") + "," + strings.Replace(g.write(t, "c.png", "x"), `"file"`, `"figure"`, 1)
		}, output.RuleMediaType},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, func(_ context.Context, g guard) container.Exit {
				g.begin()
				entry := g.write(t, "a.csv", "x\n")
				g.report("completed", `,"files":[`+entry+test.leave(t, g)+`]`)
				return container.Exit{}
			}, nil)
			response, err := b.run(t.Context(), request(), "")
			require.NoError(t, err)
			require.Equal(t, job.OutputRejected, response.Result.Status)
			require.Equal(t, test.rule, response.Result.Violations[0].Rule)
			require.Empty(t, response.Result.Files)
		})
	}
}
