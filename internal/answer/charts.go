package answer

import (
	"encoding/json"
	"fmt"
	"slices"

	"hotcell/internal/job"
	"hotcell/internal/output"
	"hotcell/internal/strictjson"
)

// shown compares the charts that the guard lists with the files that the host has
// verified. A chart is decoded here and nowhere else, and what is released is written
// from what was decoded: a second reader could find another path, or another kind, in
// the guard's own bytes.
func (r Rules) shown(given Given, files []job.File) ([]job.Chart, []job.Violation) {
	figures := map[string]bool{}
	for _, file := range files {
		if file.Role == output.RoleFigure {
			figures[file.Path] = true
		}
	}
	if len(given.Charts)+len(given.Pictures) > r.MaxFigures || len(figures) > r.MaxFigures {
		return nil, tooManyFigures(r.MaxFigures)
	}
	for _, file := range given.Earlier {
		if file.Role == output.RoleFigure {
			figures[file.Path] = true
		}
	}
	var charts []job.Chart
	var violations []job.Violation
	keep := func(chart job.Chart, fault string) {
		charts = append(charts, chart)
		if fault != "" {
			violations = append(violations, job.Violation{Rule: ruleChart, Message: fmt.Sprintf("chart %d %s", len(charts), fault)})
		}
	}
	for _, encoded := range given.Charts {
		keep(decode(encoded, figures))
	}
	for _, path := range given.Pictures {
		picture := job.Chart{Kind: job.ChartMatplotlib, Path: path}
		keep(picture, kindFault(picture, figures))
	}
	return charts, violations
}

const ruleChart = "output.chart"

func tooManyFigures(most int) []job.Violation {
	return []job.Violation{{Rule: ruleChart, Message: fmt.Sprintf("there are more than %d figures", most)}}
}

// decode reads one chart and says what is wrong with it.
func decode(encoded json.RawMessage, figures map[string]bool) (chart job.Chart, fault string) {
	if err := strictjson.Decode(encoded, len(encoded), &chart); err != nil {
		return chart, "is not an object with a kind, and a path or a spec"
	}
	return chart, kindFault(chart, figures)
}

func kindFault(chart job.Chart, figures map[string]bool) string {
	switch {
	case chart.Kind == job.ChartPlotly && strictjson.IsObject(chart.Spec) && chart.Path == "":
		return ""
	case chart.Kind == job.ChartMatplotlib && chart.Spec == nil && figures[chart.Path]:
		return ""
	default:
		return "is neither plotly data nor a verified figure"
	}
}

// figureFaults holds a plotly figure to what a reader draws: data, a list of at
// least one trace, and a layout that is an object where there is one.
func figureFaults(spec json.RawMessage, what string) []job.Violation {
	figure := strictjson.Members(spec)
	fault := func(rule, message string) []job.Violation {
		return []job.Violation{{Rule: rule, Message: what + " " + message}}
	}
	if figure == nil {
		return fault("chart.data", "is no chart: give a plotly figure, or a dict with a list named data")
	}
	var traces []map[string]json.RawMessage
	data := figure["data"]
	if err := strictjson.Decode(data, len(data), &traces); err != nil || len(traces) == 0 || slices.ContainsFunc(traces, isNil) {
		return fault("chart.data", "has no data: its data must be a list with at least one trace, each an object")
	}
	if layout, ok := figure["layout"]; ok && !strictjson.IsObject(layout) {
		return fault("chart.layout", "has a layout that is no object")
	}
	return nil
}

func isNil(trace map[string]json.RawMessage) bool { return trace == nil }
