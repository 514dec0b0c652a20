package metrics_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"hotcell/api"
	"hotcell/internal/engineapi"
	"hotcell/internal/job"
	"hotcell/internal/metrics"
)

func options() metrics.Options {
	return metrics.Options{
		Version: "v1", Rules: []string{"import.denied", "output.symlink"}, Controls: []string{"seccomp", "pids.max"},
		Phases: []string{"running", "committing"}, Tools: []string{"lookup"},
		Backlog: func() metrics.Backlog {
			return metrics.Backlog{Queued: map[string]int{"study-analysis": 3}, Oldest: 2 * time.Second, Running: 1, Sessions: 4}
		},
		Engine: func(context.Context) (engineapi.Overview, error) {
			return engineapi.Overview{
				Engine: engineapi.Description{Places: 4}, Running: 2, RemovalsFailed: 1,
				Templates: []engineapi.Kind{
					{For: "study-analysis:secret-bundle", Ready: 2, Made: 5, MemoryBytes: 10},
					{For: "study-analysis:other-bundle", Ready: 1, Made: 1, MemoryBytes: 1},
				},
			}, nil
		},
	}
}

func made(t *testing.T, options metrics.Options) *metrics.Metrics {
	t.Helper()
	m, err := metrics.New(options)
	require.NoError(t, err)
	return m
}

// scraped is what a server would read.
func scraped(t *testing.T, m *metrics.Metrics) string {
	t.Helper()
	recorder := httptest.NewRecorder()
	m.Handler().ServeHTTP(recorder, httptest.NewRequestWithContext(t.Context(), "GET", "/metrics", nil))
	text, err := io.ReadAll(recorder.Result().Body)
	require.NoError(t, err)
	return string(text)
}

func ran(status job.Status) metrics.Ended {
	return metrics.Ended{
		Run: api.Run{Status: api.State(status), Policy: "study-analysis", QueuedMS: 1500, Result: &job.Result{
			Status: status, Provenance: job.Provenance{Engine: "oci", Controls: []job.Control{{Name: "seccomp", Active: true}, {Name: "pids.max"}}},
		}},
		Trace: &job.Trace{Phases: []job.PhaseTime{{Phase: "running", MS: 20}}},
	}
}

func TestRunsAreCountedByWhatBecameOfThem(t *testing.T) {
	m := made(t, options())
	m.Ended(ran(job.Succeeded))
	m.Ended(ran(job.Succeeded))
	limited := ran(job.LimitExceeded)
	limited.Run.Result.Limit = job.LimitPIDs
	m.Ended(limited)
	m.Ended(metrics.Ended{Run: api.Run{Status: api.StateError, Policy: "study-analysis"}})
	text := scraped(t, m)
	for _, line := range []string{
		`hotcell_runs_total{engine="oci",limit="none",policy="study-analysis",status="succeeded"} 2`,
		`hotcell_runs_total{engine="oci",limit="pids.max",policy="study-analysis",status="limit_exceeded"} 1`,
		`hotcell_runs_total{engine="none",limit="none",policy="study-analysis",status="error"} 1`,
		`hotcell_run_seconds_count{engine="oci",phase="running",policy="study-analysis"} 3`,
		`hotcell_run_seconds_sum{engine="oci",phase="queue",policy="study-analysis"} 4.5`,
		`hotcell_controls_active{control="pids.max",engine="oci"} 0`,
		`hotcell_controls_active{control="seccomp",engine="oci"} 1`,
		`hotcell_build_info{version="v1"} 1`,
	} {
		require.Contains(t, text, line+"\n")
	}
}

func TestHowThingsAreIsAskedAtEachScrape(t *testing.T) {
	text := scraped(t, made(t, options()))
	for _, line := range []string{
		`hotcell_queue_length{policy="study-analysis"} 3`, "hotcell_queue_oldest_seconds 2", "hotcell_running 1", "hotcell_sessions_open 4",
		"hotcell_engine_up 1", "hotcell_engine_places 4", "hotcell_engine_running 2", "hotcell_removals_failed_total 1",
		`hotcell_slots{policy="study-analysis",state="ready"} 3`, `hotcell_template_forks{policy="study-analysis"} 6`, "hotcell_templates_memory_bytes 11",
	} {
		require.Contains(t, text, line+"\n")
	}
	require.NotContains(t, text, "bundle", "what a bundle is called is its owner's")
}

func TestAnEngineThatDoesNotAnswerHasNoFigures(t *testing.T) {
	gone := options()
	gone.Engine = func(context.Context) (engineapi.Overview, error) { return engineapi.Overview{}, errors.New("gone") }
	text := scraped(t, made(t, gone))
	require.Contains(t, text, "hotcell_engine_up 0\n")
	require.NotContains(t, text, "hotcell_engine_places ")
	require.Contains(t, text, "hotcell_running 1\n")
}

// TestHostileRunsAddNoSeries: whatever a script, a guard that it has taken over, or a caller
// writes, there are as many series after ten thousand runs as after those that have all
// labels once.
func TestHostileRunsAddNoSeries(t *testing.T) {
	const canary = "canary-4711"
	m := made(t, options())
	hostile := func(number int) {
		word := fmt.Sprintf("%s-%d", canary, number)
		one := ran(job.Statuses()[number%len(job.Statuses())])
		one.Run.Bundle = word
		one.Trace.Phases = append(one.Trace.Phases, job.PhaseTime{Phase: word, MS: 1})
		result := one.Run.Result
		result.Stdout, result.Stderr, result.Output = word, word, word
		result.Files = []job.File{{Path: word, Role: word, MediaType: word}}
		result.Limit = job.Limit(word)
		result.Violations = []job.Violation{{Rule: word, Message: word}, {Rule: "import.denied", Message: word}}
		result.ToolCalls = []job.ToolCall{{Name: word, OK: number%2 == 0}, {Name: "lookup", OK: true}}
		result.Error = &job.Error{Type: word, Message: word}
		result.Provenance.Engine = word
		result.Provenance.Controls = append(result.Provenance.Controls, job.Control{Name: word, Active: true})
		m.Ended(one)
		m.Ended(metrics.Ended{Run: api.Run{Status: api.State(word), Policy: "study-analysis", Error: &api.Problem{Type: word, Title: word, Detail: word}}})
		m.Request("POST /v1/runs", 200+number%300, time.Millisecond)
	}
	for number := range 300 {
		hostile(number)
	}
	before, err := testutil.GatherAndCount(m.Registry())
	require.NoError(t, err)
	for number := range 10_000 {
		hostile(300 + number)
	}
	after, err := testutil.GatherAndCount(m.Registry())
	require.NoError(t, err)
	require.Equal(t, before, after)
	require.NotContains(t, scraped(t, m), canary)
}

// TestPoliciesAreAShortList: they are the administrator's, and a service accepts no run of
// another. Should one slip through, it is one of many and not the end of the server's memory.
func TestPoliciesAreAShortList(t *testing.T) {
	m := made(t, options())
	for number := range 1000 {
		one := ran(job.Succeeded)
		one.Run.Policy = fmt.Sprint("policy-", number)
		m.Ended(one)
	}
	text := scraped(t, m)
	require.Equal(t, 65, strings.Count(text, "\nhotcell_runs_total{"))
	require.Contains(t, text, `policy="other"`)
}

func TestNothingIsMadeWithoutItsOptions(t *testing.T) {
	without := options()
	without.Rules = nil
	_, err := metrics.New(without)
	require.Error(t, err)
}

func TestNamesAndHelpAreAsPrometheusWants(t *testing.T) {
	m := made(t, options())
	m.Ended(ran(job.Succeeded))
	m.Request("GET /v1/runs", 200, time.Second)
	faults, err := testutil.GatherAndLint(m.Registry())
	require.NoError(t, err)
	require.Empty(t, faults)
}
