// Package metrics counts what a service does, in Prometheus' form.
//
// Whatever a series is named by is from a list that is known before the first run: statuses,
// limits, controls, rules, routes, and the administrator's policies. What is not on its list
// is counted as "other", so that no code, output, file name, datum or principal becomes a
// label, and no run a series of its own.
package metrics

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"hotcell/api"
	"hotcell/internal/engineapi"
	"hotcell/internal/job"
)

// Options is what is known before the first run. Every field is required.
type Options struct {
	Version  string
	Rules    []string // that code and output can break
	Controls []string // that a sandbox can have
	Phases   []string // parts of a run, as job.Trace names them
	Tools    []string // of the administrator's
	// Backlog is what waits and runs just now.
	Backlog func() Backlog
	// Engine asks the engine process what it does. It is given two seconds.
	Engine func(ctx context.Context) (engineapi.Overview, error)
}

// Backlog is what a service has not finished.
type Backlog struct {
	Queued  map[string]int // by policy
	Oldest  time.Duration  // how long the first of them has waited
	Running int
	// Sessions are those that are open.
	Sessions int
}

// Ended is a run that has ended.
type Ended struct {
	Run   api.Run
	Trace *job.Trace // or nil
}

// Metrics is the series of one service. Its methods may be called concurrently.
type Metrics struct {
	registry *prometheus.Registry
	rules    closed
	phases   closed
	tools    closed
	limits   closed
	states   closed
	controls []string
	policies *grown

	runs       *prometheus.CounterVec
	seconds    *prometheus.HistogramVec
	violations *prometheus.CounterVec
	rejected   *prometheus.CounterVec
	calls      *prometheus.CounterVec
	active     *prometheus.GaugeVec
	requests   *prometheus.CounterVec
	took       *prometheus.HistogramVec
}

// New makes the series.
func New(options Options) (*Metrics, error) {
	if options.Version == "" || options.Backlog == nil || options.Engine == nil || len(options.Rules) == 0 || len(options.Controls) == 0 || len(options.Phases) == 0 {
		return nil, errors.New("new metrics: an option is missing")
	}
	m := &Metrics{
		registry: prometheus.NewRegistry(), rules: options.Rules, phases: options.Phases, tools: options.Tools, limits: limits(), states: states(),
		controls: options.Controls, policies: newGrown(),
	}
	m.makeRuns()
	m.makeRequests()
	build := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "hotcell_build_info", Help: "1, with the version of the runner.", ConstLabels: prometheus.Labels{"version": options.Version},
	})
	build.Set(1)
	now := &nowCollector{backlog: options.Backlog, engine: options.Engine, policies: m.policies}
	for _, one := range []prometheus.Collector{
		m.runs, m.seconds, m.violations, m.rejected, m.calls, m.active, m.requests, m.took, build, now,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	} {
		if err := m.registry.Register(one); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// Registry is for what else has series in the same process.
func (m *Metrics) Registry() *prometheus.Registry { return m.registry }

// Handler answers scrapes.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{MaxRequestsInFlight: 4, Timeout: 10 * time.Second})
}

func (m *Metrics) makeRuns() {
	m.runs = counter("hotcell_runs_total", "Runs that have ended, by what became of them.", "policy", "engine", "status", "limit")
	m.seconds = histogram("hotcell_run_seconds", "How long the parts of runs took; queue is the time before an engine had it.", "policy", "engine", "phase")
	m.violations = counter("hotcell_violations_total", "Rules that code broke.", "rule")
	m.rejected = counter("hotcell_output_rejected_total", "Rules that output broke.", "rule")
	m.calls = counter("hotcell_tool_calls_total", "Calls of the administrator's tools.", "tool", "ok")
	m.active = prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "hotcell_controls_active", Help: "Whether the sandbox of the last run had a control."}, []string{"control", "engine"})
}

func counter(name, help string, labels ...string) *prometheus.CounterVec {
	return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
}

// histogram has native buckets, each a tenth wider than the one before, and for servers
// without them the classic ones from 5 ms to 5 minutes.
func histogram(name, help string, labels ...string) *prometheus.HistogramVec {
	return prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: name, Help: help, NativeHistogramBucketFactor: 1.1, NativeHistogramMaxBucketNumber: 100, NativeHistogramMinResetDuration: time.Hour,
		Buckets: []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 300},
	}, labels)
}

// Ended counts a run that has ended, once.
func (m *Metrics) Ended(ended Ended) {
	run := ended.Run
	policy, engine, limit := m.policies.label(run.Policy), none, none
	if run.Result != nil {
		engine = closed{"oci", "docker", "kubernetes", "fake"}.label(run.Result.Provenance.Engine)
		limit = m.limits.label(string(run.Result.Limit))
		m.result(run.Result, engine)
	}
	m.runs.WithLabelValues(policy, engine, m.states.label(string(run.Status)), limit).Inc()
	m.seconds.WithLabelValues(policy, engine, "queue").Observe(float64(run.QueuedMS) / 1000)
	if ended.Trace != nil {
		for _, part := range ended.Trace.Phases {
			m.seconds.WithLabelValues(policy, engine, m.phases.label(part.Phase)).Observe(part.MS / 1000)
		}
	}
}

// result counts what a result has. Its rules and names of tools may be a hostile guard's.
func (m *Metrics) result(result *job.Result, engine string) {
	rules := m.violations
	if result.Status == job.OutputRejected {
		rules = m.rejected
	}
	for _, one := range result.Violations {
		rules.WithLabelValues(m.rules.label(one.Rule)).Inc()
	}
	for _, call := range result.ToolCalls {
		ok := "false"
		if call.OK {
			ok = "true"
		}
		m.calls.WithLabelValues(m.tools.label(call.Name), ok).Inc()
	}
	for _, one := range result.Provenance.Controls {
		if !slices.Contains(m.controls, one.Name) {
			continue
		}
		active := 0.0
		if one.Active {
			active = 1
		}
		m.active.WithLabelValues(one.Name, engine).Set(active)
	}
}

func limits() []string {
	var names []string
	for _, one := range job.AllLimits() {
		names = append(names, string(one))
	}
	return names
}

func states() []string {
	names := []string{string(api.StateError)}
	for _, one := range job.Statuses() {
		names = append(names, string(one))
	}
	return names
}
