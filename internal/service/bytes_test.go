package service_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/api"
	"hotcell/internal/engineapi"
	"hotcell/internal/job"
	"hotcell/internal/runner"
	"hotcell/internal/service"
)

// TestTheResultsOfAnOpenSessionHaveABound: steps that are over are in their records, and are found
// there however many there were.
func TestTheResultsOfAnOpenSessionHaveABound(t *testing.T) {
	fake := newFake(t, 2)
	s := open(t, service.Options{Engine: fake})
	x := opens(t, s)
	var steps []api.Step
	for range 12 {
		step := stepOf(t, s, x.SessionID, "large")
		fake.set(func() {
			fake.runs[step.Result.RunID] = &fakeRun{fate: engineapi.FateEnded, answer: runner.Response{Result: *step.Result}}
		})
		steps = append(steps, step)
		require.LessOrEqual(t, s.ResultsKept(x.SessionID), 8<<20)
	}
	require.GreaterOrEqual(t, s.ResultsKept(x.SessionID), 4<<20, "those that came last are at hand")
	for _, want := range steps {
		got, err := s.WaitStep(t.Context(), anna, x.SessionID, want.Number)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	fake.set(func() { delete(fake.runs, steps[0].Result.RunID) })
	got, err := s.WaitStep(t.Context(), anna, x.SessionID, 1)
	require.NoError(t, err)
	require.EqualValues(t, job.Succeeded, got.Status)
	require.Nil(t, got.Result, "its record was deleted")
}

// TestAllOfAResultWeighs: a script makes each member of it as large as it likes.
func TestAllOfAResultWeighs(t *testing.T) {
	const most = 64 << 20
	large := strings.Repeat("x", 8<<20)
	for what, result := range map[string]job.Result{
		"stdout": {Stdout: large}, "an error": {Error: &job.Error{Type: "E", Message: large}},
		"violations": {Violations: []job.Violation{{Rule: "r", Message: large}}}, "a file": {Files: []job.File{{Path: large}}},
		"tool calls": {ToolCalls: []job.ToolCall{{Name: large}}},
	} {
		fake := newFake(t, 4)
		fake.says = &result
		s := open(t, service.Options{Engine: fake})
		var ids []job.ID
		for range 10 {
			run := create(t, s, anna, "ok")
			ended(t, s, run.RunID)
			ids = append(ids, run.RunID)
		}
		require.Eventually(t, func() bool { return s.ResultsInMemory(ids) <= most/len(large) }, patience, time.Millisecond, what)
	}
}

// TestWhatNoPolicyTakesIsRefusedHere: before the engine hears of it, and before it is kept.
func TestWhatNoPolicyTakesIsRefusedHere(t *testing.T) {
	fake := newFake(t, 2)
	s := open(t, service.Options{Engine: fake})
	long, names := strings.Repeat("n", 300<<10), make([]string, 5000)
	for number := range names {
		names[number] = fmt.Sprint("n", number)
	}
	for what, request := range map[string]api.CreateRun{
		"a policy": {Policy: long}, "a bundle": {Policy: "p", Bundle: long}, "a script's name": {Policy: "p", ScriptName: long},
		"imports": {Policy: "p", Imports: names}, "tables": {Policy: "p", Tables: names}, "an import": {Policy: "p", Imports: []string{long}},
		"a table": {Policy: "p", Tables: []string{long}}, "a script": {Policy: "p", Code: strings.Repeat("x", 16<<20+1)},
	} {
		_, _, err := s.Create(t.Context(), anna, service.Creation{Request: request})
		require.ErrorIs(t, err, service.ErrRefused, what)
		require.NotContains(t, service.Words(err), "protocol", what)
		_, err = s.Check(t.Context(), anna, request)
		require.ErrorIs(t, err, service.ErrRefused, what)
		if request.Code == "" && request.ScriptName == "" {
			_, err = s.OpenSession(t.Context(), anna, api.OpenSession{Policy: request.Policy, Bundle: request.Bundle, Imports: request.Imports, Tables: request.Tables})
			require.ErrorIs(t, err, service.ErrRefused, what)
		}
	}
	x := opens(t, s)
	for what, step := range map[string]api.CreateStep{"a script": {Code: strings.Repeat("x", 16<<20+1)}, "its name": {Code: "1", ScriptName: long}} {
		_, err := s.Step(t.Context(), anna, x.SessionID, step)
		require.ErrorIs(t, err, service.ErrRefused, what)
	}
	fake.set(func() { require.Equal(t, 1, fake.resolves, "the session's") })
}
