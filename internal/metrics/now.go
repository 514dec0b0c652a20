package metrics

import (
	"context"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"hotcell/internal/engineapi"
)

// nowCollector asks, at each scrape, how things are. What cannot be asked has no sample: an
// old one would look like a new one.
type nowCollector struct {
	backlog  func() Backlog
	engine   func(ctx context.Context) (engineapi.Overview, error)
	policies *grown
}

func describe(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc(name, help, labels, nil)
}

// gauges are what nowCollector may say.
func gauges() map[string]*prometheus.Desc {
	return map[string]*prometheus.Desc{
		"queue":     describe("hotcell_queue_length", "Runs that are accepted and not begun.", "policy"),
		"oldest":    describe("hotcell_queue_oldest_seconds", "How long the first of them has waited."),
		"running":   describe("hotcell_running", "Runs that an engine has."),
		"sessions":  describe("hotcell_sessions_open", "Sessions that are open."),
		"up":        describe("hotcell_engine_up", "Whether the engine process answers."),
		"places":    describe("hotcell_engine_places", "How many runs the engine takes at a time."),
		"inside":    describe("hotcell_engine_running", "Requests that the engine carries out, those of the command line included."),
		"waiting":   describe("hotcell_engine_waiting", "Requests that wait for a place in the engine."),
		"removals":  describe("hotcell_removals_failed_total", "Sandboxes that could not be removed."),
		"ready":     describe("hotcell_slots", "Sandboxes that are ready before they are asked for.", "policy", "state"),
		"forks":     describe("hotcell_template_forks", "Sandboxes made of the templates that there are.", "policy"),
		"templates": describe("hotcell_templates_memory_bytes", "What templates hold."),
	}
}

// Describe implements prometheus.Collector.
func (c *nowCollector) Describe(to chan<- *prometheus.Desc) {
	for _, one := range gauges() {
		to <- one
	}
}

// Collect implements prometheus.Collector.
func (c *nowCollector) Collect(to chan<- prometheus.Metric) {
	known := gauges()
	say := func(name string, value float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(known[name], prometheus.GaugeValue, value, labels...)
	}
	load := c.backlog()
	for policy, count := range c.byPolicy(load.Queued) {
		say("queue", float64(count), policy)
	}
	say("oldest", load.Oldest.Seconds())
	say("running", float64(load.Running))
	say("sessions", float64(load.Sessions))
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	overview, err := c.engine(ctx)
	if err != nil {
		say("up", 0)
		return
	}
	say("up", 1)
	say("places", float64(overview.Engine.Places))
	say("inside", float64(overview.Running))
	say("waiting", float64(overview.Waiting))
	to <- prometheus.MustNewConstMetric(known["removals"], prometheus.CounterValue, float64(overview.RemovalsFailed))
	c.templates(overview.Templates, say)
}

func (c *nowCollector) templates(kinds []engineapi.Kind, say func(name string, value float64, labels ...string)) {
	ready, made, bytes := map[string]int{}, map[string]int{}, int64(0)
	for _, kind := range kinds {
		name, _, _ := strings.Cut(kind.For, ":")
		policy := c.policies.label(name)
		ready[policy] += kind.Ready
		made[policy] += kind.Made
		bytes += kind.MemoryBytes
	}
	for policy, count := range ready {
		say("ready", float64(count), policy, "ready")
		say("forks", float64(made[policy]), policy)
	}
	say("templates", float64(bytes))
}

// byPolicy adds up what has the same label.
func (c *nowCollector) byPolicy(counts map[string]int) map[string]int {
	sums := map[string]int{}
	for policy, count := range counts {
		sums[c.policies.label(policy)] += count
	}
	return sums
}
