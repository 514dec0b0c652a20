package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// page is what came of it, the judgement first.
func (c *comparison) page(ctx context.Context) (page, error) {
	host, err := describeMachine(ctx, c.options)
	if err != nil {
		return page{}, err
	}
	return page{tables: []table{
		host, c.machineTable(), goalTable("goals", c.goals()), c.shortTable(), c.table(), c.otherTable(), c.phaseTable(),
	}}, nil
}

var wayHead = []string{"ratio", "to", "p50 ms", "p99 ms", "n", "script", "way"}

// row is a way as a table has it: its ratio first.
func (w *way) row() []string {
	if w.absent != "" {
		return []string{"", "", w.absent, "", "0", w.script, w.name}
	}
	beside := ""
	if w.beside != nil {
		beside, _, _ = strings.Cut(w.beside.name, ":")
	}
	return []string{times(w.ratio()), beside, ms(w.took.p50()), ms(w.took.p99()), strconv.Itoa(len(w.took)), w.script, w.name}
}

// table has all ways to each script.
func (c *comparison) table() table {
	t := table{name: "all", head: wayHead}
	for _, s := range []script{one, pandas, group} {
		t.add(c.floors[s.name].row()...)
		for _, w := range c.ways {
			if w.script == s.name {
				t.add(w.row()...)
			}
		}
	}
	return t
}

// shortTable is for who reads one table only.
func (c *comparison) shortTable() table {
	t := table{name: "short", head: []string{"", one.name, pandas.name, fmt.Sprintf("group-by of %d MB", c.options.size)}}
	cells := func(find func(script) *way) (row []string) {
		for _, s := range []script{one, pandas, group} {
			w := find(s)
			if w.absent != "" {
				row = append(row, w.absent)
				continue
			}
			row = append(row, ms(w.took.p50())+" ms")
		}
		return row
	}
	t.add(append([]string{"**warm, oci crun**"}, cells(func(s script) *way { return c.baseline(s, "warm, oci crun") })...)...)
	t.add(append([]string{"a bare fork, without any confinement"}, cells(func(s script) *way { return c.floors[s.name] })...)...)
	for _, name := range []string{"warm, docker", "cold, oci crun", "plain `runc run`", "cold, docker", "plain `docker run`", "bare Python, chroot", "bubblewrap", "go-judge, container reused"} {
		t.add(append([]string{name}, cells(func(s script) *way { return c.baseline(s, name) })...)...)
	}
	return t
}

// machineTable tells a reader how this machine stands to another.
func (c *comparison) machineTable() table {
	t := table{name: "costs", head: []string{"p50", "p99", "n", "what"}}
	for _, w := range c.machine {
		unit := func(value float64) string { return ms(value) + " ms" }
		if strings.Contains(w.name, "fault") {
			unit = func(value float64) string { return ms(value*1000) + " µs" }
		}
		t.add(unit(w.took.p50()), unit(w.took.p99()), strconv.Itoa(len(w.took)), w.name)
	}
	return t
}

// otherTable has sessions, the command, throughput and memory.
func (c *comparison) otherTable() table {
	t := table{name: "other", head: wayHead}
	for _, w := range c.sessions {
		t.add(w.row()...)
	}
	for _, s := range []script{one, awards} {
		took := c.steps[s.name]
		t.add("", "", ms(took.p50()), ms(took.p99()), strconv.Itoa(len(took)), s.name, "a step of an open session")
	}
	if c.start != nil {
		t.add(c.start.row()...)
	}
	steady := c.steady
	t.add("", "", ms(steady.took.p50()), ms(steady.took.p99()), strconv.Itoa(len(steady.took)), group.name,
		fmt.Sprintf("%d callers for %.0f s: **%.1f runs a second**, %d of them without a sandbox from a template", steady.callers, steady.elapsed.Seconds(), steady.perSecond(), steady.cold))
	t.add("", "", "", "", strconv.Itoa(len(c.idle)), "", fmt.Sprintf("private memory of an idle sandbox: **%.1f MB**, at most %.1f MB", c.idle.p50()/1e6, c.idle.quantile(1)/1e6))
	return t
}

// phaseTable is where the time of warm runs goes.
func (c *comparison) phaseTable() table {
	// The template has loaded, and the engine process removes after its answer.
	parts := []string{"preparing", "acquiring", "starting", "running", "verifying", "committing"}
	t := table{name: "phases", head: append([]string{"p50 ms", "script"}, parts...)}
	for _, w := range c.ways {
		if len(c.phases[w]) == 0 {
			continue
		}
		row := []string{w.name, w.script}
		for _, part := range parts {
			row = append(row, ms(c.phases[w][part].p50()))
		}
		t.rows = append(t.rows, row)
	}
	slices.SortStableFunc(t.rows, func(a, b []string) int { return strings.Compare(a[0], b[0]) })
	return t
}
