package service_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/api"
	"hotcell/client"
	"hotcell/internal/engineapi"
	"hotcell/internal/job"
	"hotcell/internal/runner"
)

// BenchmarkWarmRun compares, in turn, a warm run that is asked of the engine process with one
// that is asked of the service: its queue on the disk, HTTP and the front's own process between.
// It reports the medians in milliseconds, and what the service adds to the one.
func BenchmarkWarmRun(b *testing.B) {
	s := newScene(b, "--warm", "interpreter")
	engine, err := engineapi.Connect(b.Context(), s.state)
	require.NoError(b, err)
	var direct, served []time.Duration
	ask := func() {
		run, err := s.asks.CreateRun(b.Context(), api.CreateRun{Policy: "interpreter", Code: "6*7"}, client.CreateOptions{Wait: time.Minute})
		require.NoError(b, err)
		require.Equal(b, api.State(job.Succeeded), run.Status)
	}
	do := func() {
		ended, err := engine.Run(b.Context(), runner.Ask{Request: job.Request{Policy: "interpreter", Code: []byte("6*7"), ScriptName: "script.py"}})
		require.NoError(b, err)
		require.Equal(b, job.Succeeded, ended.Result.Status)
	}
	for n := 0; b.Loop(); n++ {
		for turn := range 2 {
			s.awaitReady(b, engine)
			if n%2 == turn { // neither is always the first one
				direct = append(direct, took(do))
			} else {
				served = append(served, took(ask))
			}
		}
	}
	b.ReportMetric(median(direct), "direct-ms")
	b.ReportMetric(median(served), "served-ms")
	b.ReportMetric(median(served)-median(direct), "added-ms")
	b.ReportMetric(0, "ns/op")
}

func took(work func()) time.Duration {
	began := time.Now()
	work()
	return time.Since(began)
}

func median(times []time.Duration) float64 {
	slices.Sort(times)
	return float64(times[len(times)/2].Microseconds()) / 1000
}

// awaitReady waits until as many sandboxes are ready as there will be.
func (s *scene) awaitReady(b *testing.B, engine *engineapi.Client) {
	b.Helper()
	for {
		now, err := engine.Status(b.Context())
		require.NoError(b, err)
		if len(now.Templates) == 1 && now.Templates[0].Ready >= 4 {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
}
