package runner

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
	"hotcell/internal/container/fake"
	"hotcell/internal/disclosure"
	"hotcell/internal/job"
	"hotcell/internal/policy"
	"hotcell/internal/wire"
)

// giving is a guard that prints, writes a file and gives a result.
func giving(t *testing.T, stdout, file, content, result string) play {
	return func(_ context.Context, g guard) container.Exit {
		g.begin()
		if stdout != "" {
			g.send(wire.TypeStdout, stdout)
		}
		g.report("completed", `,"result":`+result+`,"files":[`+g.write(t, file, content)+`]`)
		return container.Exit{}
	}
}

func found(review *job.Review) []string {
	all := []string{}
	for _, finding := range review.Findings {
		all = append(all, finding.Path+finding.Part+" "+finding.Rule)
	}
	return all
}

func refusing(p *policy.Policy) { p.Disclosure.Mode = policy.DisclosureRefuse }

func TestWhatLeavesIsLookedAt(t *testing.T) {
	b := newBench(t, giving(t, "women (n=3)\n", "a.csv", "arm,n\nA,4\nB,120\n", `{"A":4,"B":70}`), nil)
	response, err := b.run(t.Context(), request(), "")
	require.NoError(t, err)
	result := response.Result
	require.Equal(t, job.Succeeded, result.Status, "%+v", result)
	require.Equal(t, []string{"stdout " + disclosure.RuleSmallCell, "result " + disclosure.RuleSmallCell, "a.csv " + disclosure.RuleSmallCell}, found(result.Review))
	require.True(t, result.Review.Needed)
	require.Equal(t, "flag", result.Review.Criteria.Mode)
	require.EqualValues(t, 10, result.Review.Criteria.MinCell)
	require.Equal(t, []job.ReviewTable{{Path: "a.csv", Rows: 2, Columns: 2}}, result.Review.Tables)
	record, err := b.records.Get(t.Context(), result.RunID)
	require.NoError(t, err)
	require.Equal(t, result.Review, record.Result.Review)
}

func TestWhatIsHarmlessNeedsNoReview(t *testing.T) {
	b := newBench(t, giving(t, "done on "+time.Now().Format(time.DateOnly)+"\n", "a.csv", "arm,n\nA,40\nB,120\n", `2`), nil)
	response, err := b.run(t.Context(), request(), "")
	require.NoError(t, err)
	require.False(t, response.Result.Review.Needed)
	require.Empty(t, response.Result.Review.Findings)
	b = newBench(t, honest(t), withPolicy(func(p *policy.Policy) { p.Disclosure = nil }))
	response, err = b.run(t.Context(), request(), "")
	require.NoError(t, err)
	require.Nil(t, response.Result.Review)
}

// TestAPolicyMayRefuseWhatSomebodyShouldLookAt: nothing is released, whatever has a finding.
func TestAPolicyMayRefuseWhatSomebodyShouldLookAt(t *testing.T) {
	for name, play := range map[string]play{
		"a file":         giving(t, "", "a.csv", "arm,n\nA,4\n", "2"),
		"the result":     giving(t, "", "a.csv", "arm,n\nA,40\n", `{"n":4}`),
		"what it prints": giving(t, "n=4\n", "a.csv", "arm,n\nA,40\n", "2"),
	} {
		t.Run(name, func(t *testing.T) {
			for mode, refuses := range map[policy.DisclosureMode]bool{policy.DisclosureRefuse: true, "": true, policy.DisclosureFlag: false} {
				b := newBench(t, play, withPolicy(func(p *policy.Policy) { p.Disclosure.Mode = mode }))
				out := filepath.Join(t.TempDir(), "out")
				response, err := b.run(t.Context(), request(), out)
				require.NoError(t, err)
				if !refuses {
					require.Equal(t, job.Succeeded, response.Result.Status)
					continue
				}
				require.Equal(t, job.OutputRejected, response.Result.Status, mode)
				require.Equal(t, ruleReview, response.Result.Violations[0].Rule)
				require.Empty(t, response.Result.Files)
				require.JSONEq(t, "null", string(response.Result.Value))
				require.NoDirExists(t, out)
				require.NotEmpty(t, response.QuarantineDir)
				require.NoDirExists(t, filepath.Join(response.RecordDir, "files"))
			}
		})
	}
}

func TestWhatAFailedRunPrintedIsLookedAt(t *testing.T) {
	b := newBench(t, func(_ context.Context, g guard) container.Exit {
		g.begin()
		g.send(wire.TypeStdout, "n=3\n")
		g.report("raised", `,"error":{"type":"KeyError","message":"mail jane@example.org"}`)
		return container.Exit{}
	}, withPolicy(refusing))
	response, err := b.run(t.Context(), request(), "")
	require.NoError(t, err)
	require.Equal(t, job.Failed, response.Result.Status) // what became of the code
	require.Equal(t, []string{"stdout " + disclosure.RuleSmallCell, "error " + disclosure.RulePattern + "email"}, found(response.Result.Review))
}

func TestRowsOfTheBundleAreSeen(t *testing.T) {
	var rows, lines strings.Builder
	rows.WriteString("age,weight\n")
	for n := range 50 {
		fmt.Fprintf(&rows, "%d,%d.5\n", 20+n, 50+n)
		fmt.Fprintf(&lines, `{"age":%d,"weight":%d.5,"notes":[%d]}`+"\n", 20+n, 50+n, n)
	}
	for name, content := range map[string]string{"visits.csv": rows.String(), "visits.jsonl": lines.String()} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600))
			b := newBench(t, giving(t, "", "a.csv", "age,weight\n25,55.50\n26,56.5\n27,57.5\n28,58.5\n29,59.5\n", "2"), func(_ *fake.Options, o *Options) {
				o.Bundles = added(t, dir, nil)
			})
			asked := request()
			asked.Bundle = "plain"
			response, err := b.run(t.Context(), asked, "")
			require.NoError(t, err)
			require.Equal(t, job.Succeeded, response.Result.Status)
			require.Equal(t, []string{"a.csv " + disclosure.RuleCopiedRows}, found(response.Result.Review))
			require.EqualValues(t, 5, response.Result.Review.Findings[0].Count)
		})
	}
}

// TestAStepThatIsRefusedReleasesNothing: nor is its file taken for released afterwards.
func TestAStepThatIsRefusedReleasesNothing(t *testing.T) {
	b := newBench(t, filing(t), withPolicy(func(p *policy.Policy) { withManySteps(p); refusing(p) }))
	s := openSession(t, b, "")
	for _, test := range []struct {
		code   string
		status job.Status
		files  []string
	}{
		{`a.json={"n":40}`, job.Succeeded, []string{"a.json"}},
		{`b.json={"n":4}`, job.OutputRejected, []string{}},
		{"nothing", job.OutputRejected, []string{}}, // it is still there
		{`b.json={"n":41}`, job.Succeeded, []string{"b.json"}},
		{"nothing", job.Succeeded, []string{}},
	} {
		response, err := s.Step(t.Context(), Script{Code: []byte(test.code), Name: "step.py"})
		require.NoError(t, err)
		require.Equal(t, test.status, response.Result.Status, "%s: %+v", test.code, response.Result)
		require.Equal(t, test.files, paths(response.Result.Files), test.code)
		require.NotNil(t, response.Result.Review)
	}
	_, err := s.Close(t.Context())
	require.NoError(t, err)
}
