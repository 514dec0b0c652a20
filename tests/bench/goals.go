package main

import (
	"fmt"
	"math"
)

// goal is a figure that was wanted, and what came of it.
type goal struct {
	what     string
	bound    float64
	unit     string
	atLeast  bool // else at most
	measured float64
}

// holds says whether it is reached, and if not, by how much.
func (g goal) holds() string {
	reached, factor := g.measured <= g.bound, g.measured/g.bound
	if g.atLeast {
		reached, factor = g.measured >= g.bound, g.bound/g.measured
	}
	switch {
	case math.IsNaN(g.measured):
		return "not measured"
	case reached:
		return "yes"
	}
	return fmt.Sprintf("no, by a factor of %.2f", factor)
}

func goalTable(name string, goals []goal) table {
	t := table{name: name, head: []string{"holds", "measured", "wanted", "what"}}
	for _, g := range goals {
		wanted := "at most "
		if g.atLeast {
			wanted = "at least "
		}
		measured := ms(g.measured) + " " + g.unit
		if math.IsNaN(g.measured) {
			measured = ""
		}
		t.add(g.holds(), measured, fmt.Sprintf("%s%g %s", wanted, g.bound, g.unit), g.what)
	}
	return t
}

func (c *comparison) goals() []goal {
	warm := c.baseline(group, "warm, oci crun")
	session, start := &way{}, &way{} // without a figure, where the measuring has failed
	if len(c.sessions) > 0 {
		session = c.sessions[len(c.sessions)-1]
	}
	if c.start != nil {
		start = c.start
	}
	return []goal{
		{what: "warm group-by, request to record, median", bound: 10, unit: "ms", measured: warm.took.p50()},
		{what: "the same beside the fork floor", bound: 2.5, unit: "times", measured: warm.ratio()},
		{what: "the same, p99", bound: 30, unit: "ms", measured: warm.took.p99()},
		{what: fmt.Sprintf("group-by, sustained for %.0f s", c.steady.elapsed.Seconds()), bound: 50, unit: "runs/s", atLeast: true, measured: c.steady.perSecond()},
		{what: "private memory of an idle sandbox", bound: 5, unit: "MB", measured: c.idle.p50() / 1e6},
		{what: "cold `1 + 1`, oci crun, beside plain `runc run`", bound: 1.3, unit: "times", measured: c.baseline(one, "cold, oci crun").ratio()},
		{what: "cold `import pandas`, oci crun, beside plain `runc run`", bound: 1, unit: "times", measured: c.baseline(pandas, "cold, oci crun").ratio()},
		{what: "a session, from its start to its first answer, beside one cold run", bound: 1, unit: "times", measured: session.ratio()},
		{what: "a step of a session, `1 + 1`, median", bound: 2, unit: "ms", measured: c.steps[one.name].p50()},
		{what: "`runner run` beside its request", bound: 10, unit: "ms", measured: start.took.p50()},
	}
}
