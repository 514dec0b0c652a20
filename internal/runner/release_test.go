package runner

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
	"hotcell/internal/container/containertest"
	"hotcell/internal/container/fake"
	"hotcell/internal/digest"
	"hotcell/internal/job"
	"hotcell/internal/policy"
	"hotcell/internal/wire"
)

// cannotHold is an engine that holds no sandbox.
func cannotHold() containertest.Fault {
	return containertest.Fault{Call: containertest.CallHold, Err: fmt.Errorf("%w: no freezer", container.ErrCannotHold)}
}

// filing plays a guard whose steps are words: "NAME=CONTENT" writes a file, "show=NAME" lists
// one of them as a figure, "-NAME" removes one, "secret=NAME" makes a link, "raise" raises.
func filing(t *testing.T) play {
	files, figures := map[string]string{}, map[string]bool{}
	return serving(func(_ context.Context, g guard, code string) *container.Exit {
		g.send(wire.TypeReady, "")
		outcome, charts := "completed", []string{}
		for word := range strings.FieldsSeq(code) {
			name, content, writes := strings.Cut(word, "=")
			switch {
			case word == "nothing":
			case word == "raise":
				outcome = "raised"
			case name == "show":
				figures[content] = true
				charts = append(charts, fmt.Sprintf(`{"kind":"matplotlib","path":%q}`, content))
			case name == "secret":
				require.NoError(t, g.output.Symlink("/etc/passwd", content))
			case writes:
				files[name] = content
				require.NoError(t, g.output.WriteFile(name, []byte(content), 0o600))
			default:
				delete(files, word[1:])
				require.NoError(t, g.output.Remove(word[1:]))
			}
		}
		list := []string{}
		for _, name := range slices.Sorted(maps.Keys(files)) {
			content, role := files[name], "file"
			if figures[name] {
				role = "figure"
			}
			list = append(list, fmt.Sprintf(`{"path":%q,"bytes":%d,"sha256":%q,"role":%q}`, name, len(content), digest.Of([]byte(content)).Hex(), role))
		}
		failure := ""
		if outcome == "raised" {
			failure = `,"error":{"type":"ValueError","message":"no"}`
		}
		g.report(outcome, `,"files":[`+strings.Join(list, ",")+`],"charts":[`+strings.Join(charts, ",")+`]`+failure)
		return nil
	})
}

func withManySteps(p *policy.Policy) {
	withSession(p)
	p.Session.MaxSteps = 100
}

func paths(files []job.File) []string {
	names := []string{}
	for _, file := range files {
		names = append(names, file.Path)
	}
	return names
}

func TestAStepReleasesWhatItHasWritten(t *testing.T) {
	b := newBench(t, filing(t), withPolicy(withManySteps))
	out := filepath.Join(t.TempDir(), "out")
	s := openSession(t, b, out)
	for _, test := range []struct {
		code   string
		status job.Status
		files  []string
	}{
		{"a.csv=one", job.Succeeded, []string{"a.csv"}},
		{"nothing", job.Succeeded, []string{}},
		{"a.csv=one", job.Succeeded, []string{}},
		{"a.csv=two b.csv=x", job.Succeeded, []string{"a.csv", "b.csv"}},
		{"c.csv=left raise", job.Failed, []string{}},
		{"d.csv=d", job.Succeeded, []string{"c.csv", "d.csv"}},
		{"secret=e.csv", job.OutputRejected, []string{}},
		{"nothing", job.Succeeded, []string{}},
		{"f.csv=f", job.OutputRejected, []string{}},
		{"-e.csv -b.csv", job.Succeeded, []string{"f.csv"}},
		{"b.csv=x", job.Succeeded, []string{"b.csv"}},
	} {
		response, err := s.Step(t.Context(), Script{Code: []byte(test.code), Name: "step.py"})
		require.NoError(t, err)
		require.Equal(t, test.status, response.Result.Status, "%s: %+v", test.code, response.Result)
		require.Equal(t, test.files, paths(response.Result.Files), test.code)
		for _, file := range response.Result.Files {
			kept, err := os.ReadFile(filepath.Join(response.RecordDir, "files", file.Path))
			require.NoError(t, err)
			require.Equal(t, file.SHA256, digest.Of(kept).Hex(), "each step's record has its own version")
		}
		record, err := b.records.Get(t.Context(), response.Result.RunID)
		require.NoError(t, err)
		require.Equal(t, response.Result.Files, record.Result.Files)
	}
	require.NoDirExists(t, out)
	response, err := s.Close(t.Context())
	require.NoError(t, err)
	require.Equal(t, []string{"a.csv", "b.csv", "c.csv", "d.csv", "f.csv"}, paths(response.Result.Files), "%+v", response.Result)
	_, err = b.records.VerifyChain(t.Context())
	require.NoError(t, err)
}

// outputOf is the output directory of the one sandbox that lives.
func outputOf(t *testing.T, b *bench) string {
	t.Helper()
	live := b.engine.Live()
	require.Len(t, live, 1)
	return filepath.Join(b.state, live[0].String())
}

func TestAStepHasItsPicturesAndTheSessionAll(t *testing.T) {
	b := newBench(t, filing(t), withPolicy(withManySteps))
	s := openSession(t, b, "")
	most := s.execution.answers.MaxFigures
	for number := range most + 2 { // of all steps together there may be more than in one
		name := fmt.Sprintf("%d.csv", number)
		result := step(t, s, name+"=x show="+name)
		require.Equal(t, []job.Chart{{Kind: job.ChartMatplotlib, Path: name}}, result.Charts, "%+v", result)
		require.Equal(t, []string{name}, paths(result.Files))
	}
	response, err := s.Close(t.Context())
	require.NoError(t, err)
	require.Len(t, response.Result.Charts, most+2)
}

func TestAPictureThatALaterStepRemovesCostsNothing(t *testing.T) {
	b := newBench(t, filing(t), withPolicy(withManySteps))
	s := openSession(t, b, "")
	for _, code := range []string{"a.csv=x show=a.csv b.csv=y show=b.csv", "-a.csv", "c.csv=z"} {
		require.Equal(t, job.Succeeded, step(t, s, code).Status)
	}
	response, err := s.Close(t.Context())
	require.NoError(t, err)
	require.Equal(t, job.Succeeded, response.Result.Status, "%+v", response.Result)
	require.Equal(t, []string{"b.csv", "c.csv"}, paths(response.Result.Files))
	require.Equal(t, []job.Chart{{Kind: job.ChartMatplotlib, Path: "b.csv"}}, response.Result.Charts)
}

func TestFilesOfASandboxThatCannotBeHeldWaitForTheEnd(t *testing.T) {
	b := newBench(t, filing(t), withPolicy(withSession), cannotHold())
	s := openSession(t, b, "")
	result := step(t, s, "a.csv=one show=a.csv")
	require.Equal(t, job.Succeeded, result.Status)
	require.Empty(t, result.Files)
	require.Empty(t, result.Charts)
	require.Equal(t, "output.not_held", result.Warnings[0].Rule)
	require.Contains(t, result.Warnings[0].Message, "no freezer")
	require.Empty(t, step(t, s, "nothing").Warnings, "said once of the same files")
	require.Len(t, step(t, s, "b.csv=two").Warnings, 1)
	response, err := s.Close(t.Context())
	require.NoError(t, err)
	require.Equal(t, []string{"a.csv", "b.csv"}, paths(response.Result.Files))
	require.Len(t, response.Result.Charts, 1)
}

// What was read while something may have run is not released, and not taken for released.
func TestWhatWasReadInABrokenHoldIsWithdrawn(t *testing.T) {
	broken := errors.New("somebody has thawed it")
	adapt := withPolicy(withSession)
	b := newBench(t, filing(t), func(f *fake.Options, o *Options) {
		adapt(f, o)
		f.Still = func(context.Context) error { return broken }
	})
	s := openSession(t, b, "")
	result := step(t, s, "a.csv=one")
	require.Equal(t, job.Succeeded, result.Status)
	require.Empty(t, result.Files)
	require.Contains(t, result.Warnings[0].Message, broken.Error())
	broken = nil
	require.Equal(t, []string{"a.csv"}, paths(step(t, s, "nothing").Files))
	_, err := s.Close(t.Context())
	require.NoError(t, err)
}

// A session's steps leave no more on the host than a session may leave, however often they
// write it.
func TestStepsReleaseNoMoreThanTheSessionMay(t *testing.T) {
	b := newBench(t, filing(t), withPolicy(func(p *policy.Policy) {
		withSession(p)
		p.Limits.OutputBytes = 10
	}))
	s := openSession(t, b, "")
	require.Len(t, step(t, s, "a.csv=1234").Files, 1)
	require.Len(t, step(t, s, "a.csv=2345").Files, 1)
	third := step(t, s, "a.csv=3456")
	require.Equal(t, job.Succeeded, third.Status)
	require.Empty(t, third.Files)
	require.Equal(t, "output.not_yet", third.Warnings[0].Rule)
	require.Len(t, step(t, s, "a.csv=45").Files, 1, "what is small enough goes on")
	require.Equal(t, job.LimitExceeded, step(t, s, "b.csv=123456789").Status, "together they are too large")
	require.NoError(t, os.Remove(filepath.Join(outputOf(t, b), "b.csv")))
	_, err := s.Close(t.Context())
	require.NoError(t, err)
}

// Who is beyond the session's budget does not have the host read everything once more with
// each step.
func TestWhatIsBeyondTheBudgetIsNotReadWithEachStep(t *testing.T) {
	holds, adapt := 0, withPolicy(func(p *policy.Policy) {
		withManySteps(p)
		p.Limits.OutputBytes = 10
	})
	b := newBench(t, filing(t), func(f *fake.Options, o *Options) {
		adapt(f, o)
		f.Still = func(context.Context) error {
			holds++
			return nil
		}
	})
	s := openSession(t, b, "")
	require.Len(t, step(t, s, "a.csv=12345678").Files, 1)
	require.Equal(t, 1, holds)
	for number := range 5 {
		result := step(t, s, fmt.Sprintf("a.csv=%d2345678", number+2))
		require.Equal(t, job.Succeeded, result.Status)
		require.Equal(t, "output.not_yet", result.Warnings[0].Rule)
	}
	require.Empty(t, step(t, s, "nothing").Warnings, "said once of the same files")
	require.Equal(t, 1, holds, "nothing was read that could not be released")
	require.Equal(t, []string{"b.csv"}, paths(step(t, s, "a.csv=12345678 b.csv=x").Files), "what is as it was costs nothing")
	require.Empty(t, step(t, s, "c.pkl=1234567 -a.csv").Files)
	require.Equal(t, []string{"d.csv"}, paths(step(t, s, "d.csv=x").Files), "what stays behind is not counted")
	response, err := s.Close(t.Context())
	require.NoError(t, err)
	require.Equal(t, []string{"b.csv", "d.csv"}, paths(response.Result.Files))
}

// A file that stays behind, is mended and stays behind again is told of twice.
func TestAFileThatStaysBehindAgainIsToldOfAgain(t *testing.T) {
	b := newBench(t, filing(t), withPolicy(withManySteps))
	s := openSession(t, b, "")
	require.Len(t, step(t, s, "a.csv=@x").Warnings, 1)
	require.Empty(t, step(t, s, "b.csv=x").Warnings)
	require.Equal(t, []string{"a.csv"}, paths(step(t, s, "a.csv=x").Files))
	require.Len(t, step(t, s, "a.csv=@y").Warnings, 1)
	_, err := s.Close(t.Context())
	require.NoError(t, err)
}

// A session that shows a picture, removes it and shows the next may go on so for long.
func TestPicturesThatAreGoneMakeRoom(t *testing.T) {
	b := newBench(t, filing(t), withPolicy(func(p *policy.Policy) {
		withManySteps(p)
		p.Limits.OutputFiles = 4
	}), cannotHold())
	s := openSession(t, b, "")
	before := ""
	for number := range 10 {
		name := fmt.Sprintf("%d.csv", number)
		result := step(t, s, name+"=x show="+name+before)
		require.Equal(t, job.Succeeded, result.Status, "%+v", result)
		before = " -" + name
	}
	response, err := s.Close(t.Context())
	require.NoError(t, err)
	require.Equal(t, []job.Chart{{Kind: job.ChartMatplotlib, Path: "9.csv"}}, response.Result.Charts)
}

// Who cancels does not wait until all that a step has written has been read.
func TestACancelledStepIsNotReadToTheEnd(t *testing.T) {
	for name, test := range map[string]struct {
		cancel func(stop context.CancelFunc, interrupt chan struct{})
		goesOn bool
	}{
		"the session's caller": {func(stop context.CancelFunc, _ chan struct{}) { stop() }, false},
		"the step's":           {func(_ context.CancelFunc, interrupt chan struct{}) { close(interrupt) }, true},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			interrupt := make(chan struct{})
			adapt, held := withPolicy(withSession), false
			b := newBench(t, filing(t), func(f *fake.Options, o *Options) {
				adapt(f, o)
				f.Freeze = func(context.Context) error {
					if !held {
						held = true
						test.cancel(stop, interrupt)
					}
					return nil
				}
			})
			s := openSession(t, b, "")
			response, err := s.Step(ctx, Script{Code: []byte("0.csv=x 1.csv=x"), Name: "step.py", Interrupt: interrupt})
			require.NoError(t, err)
			require.Equal(t, job.Cancelled, response.Result.Status, "%+v", response.Result)
			require.Empty(t, response.Result.Files)
			if test.goesOn {
				require.Equal(t, []string{"0.csv", "1.csv"}, paths(step(t, s, "nothing").Files), "they are the next step's")
			} else {
				<-s.Done()
			}
			_, _ = s.Close(t.Context())
		})
	}
}
