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

	"hotcell/internal/bundle"
	"hotcell/internal/container"
	"hotcell/internal/container/fake"
	"hotcell/internal/disclosure"
	"hotcell/internal/job"
	"hotcell/internal/policy"
	"hotcell/internal/table"
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

// marked is a store with a bundle called plain, of visits whose column code names a person.
func marked(t *testing.T, name, content string) *bundle.Store {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "plain")
	require.NoError(t, os.Mkdir(dir, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600))
	made := bundle.CreateOptions{
		Dir: dir, Name: "plain", Version: "1", Study: "s",
		Deidentification: bundle.Deidentification{Method: "synthetic", AttestedBy: "a", AttestedOn: "2026-01-01", Statement: "made up"},
		Choices:          map[string]table.Choices{name: {Columns: map[string]table.Choice{"code": {Disclosure: table.Identifier}, "age": {Disclosure: table.QuasiIdentifier}}}},
	}
	if strings.Contains(content, ";") {
		made.Delimiters = map[string]string{name: "semicolon"}
	}
	_, err := bundle.Create(t.Context(), made)
	require.NoError(t, err)
	store, err := bundle.OpenStore(filepath.Join(t.TempDir(), "bundles"))
	require.NoError(t, err)
	_, err = store.Add(t.Context(), dir)
	require.NoError(t, err)
	return store
}

// TestWhatIsTheBundlesIsSeen: its rows, its identifiers by name and by value, of each form that
// a table has.
func TestWhatIsTheBundlesIsSeen(t *testing.T) {
	var rows, lines strings.Builder
	rows.WriteString("code,age,weight,seen,ok\n")
	for n := range 50 {
		fmt.Fprintf(&rows, "S%05d,%d,%d.5,2020-01-%02d,%t\n", n, 20+n, 50+n, 1+n%28, n%2 == 0)
		fmt.Fprintf(&lines, `{"code":"S%05d","age":%d,"weight":%d.5,"seen":"2020-01-%02d","ok":%t,"notes":[%d]}`+"\n", n, 20+n, 50+n, 1+n%28, n%2 == 0, n)
	}
	for name, content := range map[string]string{
		"visits.csv": rows.String(), "more.csv": strings.ReplaceAll(rows.String(), ",", ";"), "visits.tsv": strings.ReplaceAll(rows.String(), ",", "\t"), "visits.jsonl": lines.String(),
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, giving(t, "see S00007\n", "a.csv", "age,weight,ok\n25,55.50,False\n26,56.5,True\n27,57.5,False\n28,58.5,True\n29,59.5,False\n", "2"), func(_ *fake.Options, o *Options) {
				o.Bundles = marked(t, name, content)
			})
			asked := request()
			asked.Bundle = "plain"
			for range 2 { // the second run has the plan of the first
				response, err := b.run(t.Context(), asked, "")
				require.NoError(t, err)
				require.Equal(t, job.Succeeded, response.Result.Status)
				review := response.Result.Review
				require.Equal(t, []string{"stdout " + disclosure.RuleIdentifierValues, "a.csv " + disclosure.RuleQuasiIdentifier, "a.csv " + disclosure.RuleCopiedRows}, found(review))
				require.EqualValues(t, 5, review.Findings[2].Count)
				require.Equal(t, 2, review.Criteria.Marked)
			}
		})
	}
}

// TestATableThatCannotBeComparedIsOurFailure: nobody is told that there was nothing.
func TestATableThatCannotBeComparedIsOurFailure(t *testing.T) {
	store := marked(t, "visits.csv", "code,age\nS00001,20\n")
	held, err := store.Lookup(t.Context(), "plain")
	require.NoError(t, err)
	data := newCompared(&held)
	names, err := data.identified(t.Context())
	require.NoError(t, err)
	require.NotNil(t, names)
	require.NoError(t, os.Chmod(filepath.Join(held.Path, "visits.csv"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(held.Path, "visits.csv"), []byte("code;age\n"), 0o600))
	_, err = newCompared(&held).identified(t.Context())
	require.ErrorContains(t, err, "visits")
}

// TestTimeToLookEnds: what was not looked at is said.
func TestTimeToLookEnds(t *testing.T) {
	e := &execution{options: Options{judgeTime: time.Nanosecond}, plan: &plan{compare: newCompared(nil)}}
	e.terms.Policy.Disclosure = &policy.Disclosure{Mode: policy.DisclosureFlag, MinCell: 10, MaxRows: 10, CopiedRows: 5}
	review, err := e.disclose(t.Context(), &evidence{report: &wire.Report{Result: []byte(`{"n":3}`)}}, nil, nil)
	require.NoError(t, err)
	require.True(t, review.Needed)
	require.False(t, review.Complete)
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
