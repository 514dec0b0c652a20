package runner

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"hotcell/internal/job"
	"hotcell/internal/output"
	"hotcell/internal/policy"
	"hotcell/internal/strictjson"
	"hotcell/internal/wire"
)

// outputText is the run's answer in the form that its policy chose. What did not
// succeed has given none but what it printed.
func (e *execution) outputText(result job.Result) string {
	if result.Status == job.Succeeded {
		switch e.terms.Policy.Output.Answer {
		case policy.AnswerResult:
			return valueText(result.Value)
		case policy.AnswerChart:
			if given, ok := members(result.Value)["output"]; ok {
				return valueText(given)
			}
		case policy.AnswerStdout:
		}
	}
	if result.Truncated.Stdout {
		return fmt.Sprintf("%s\n[cut: the policy keeps %s of stdout]", result.Stdout, policy.Size(e.terms.Limits.StdoutBytes))
	}
	return result.Stdout
}

// valueText is a string itself, and anything else as JSON; nothing is "".
func valueText(value json.RawMessage) string {
	var text string
	if strictjson.Decode(value, len(value), &text) == nil {
		return text // null leaves it empty
	}
	var compact bytes.Buffer
	compact.Grow(len(value))
	if err := json.Compact(&compact, value); err != nil {
		return string(value) // it was strictly decoded, so this does not happen
	}
	return compact.String()
}

// members reads a JSON object one level deep; anything else has none.
func members(value json.RawMessage) map[string]json.RawMessage {
	var found map[string]json.RawMessage
	if strictjson.Decode(value, len(value), &found) != nil {
		return nil
	}
	return found
}

// checkAnswer returns the charts that are released, or why they cannot be. Whatever
// form the answer has, what a page will draw of it has been looked at.
func (e *execution) checkAnswer(report *wire.Report, files []job.File) ([]chart, []job.Violation) {
	charts, violations := e.answerCharts(report, files)
	for index, one := range charts {
		if one.Kind != plotly {
			continue
		}
		if err := output.CheckChart(one.Spec); err != nil {
			violations = append(violations, job.Violation{Rule: output.RuleActiveContent, Message: fmt.Sprintf("chart %d %s", index+1, output.Reason(err))})
		}
	}
	return charts, violations
}

func (e *execution) answerCharts(report *wire.Report, files []job.File) ([]chart, []job.Violation) {
	most := e.terms.Policy.Guard.MaxFigures
	shown, violations := checkCharts(report.Charts, files, most)
	if len(violations) > 0 || e.terms.Policy.Output.Answer != policy.AnswerChart {
		return shown, violations
	}
	if !isNull(report.Result) {
		return chartsOfResult(report, shown, most)
	}
	for index, one := range shown {
		if one.Kind == plotly {
			violations = append(violations, figureFaults(one.Spec, fmt.Sprintf("chart %d", index+1))...)
		}
	}
	return shown, violations
}

func isNull(value json.RawMessage) bool {
	trimmed := bytes.TrimSpace(value)
	return len(trimmed) == 0 || string(trimmed) == "null"
}

// chartsOfResult takes the charts that result = {"output": …, "chart": …} names, and
// the pictures; plotly figures that the script merely made are not its answer.
func chartsOfResult(report *wire.Report, shown []chart, most int) ([]chart, []job.Violation) {
	given := members(report.Result)
	if given == nil {
		return nil, answerFault("result is no object: set result = {\"output\": ..., \"chart\": ...}, or print the answer and leave result unset")
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if name != "output" && name != "chart" && name != "charts" {
			return nil, answerFault(fmt.Sprintf("result has the key %.40q: it may have \"output\" and \"chart\" (one chart, or a list of them) only", name))
		}
	}
	var charts []chart
	for _, one := range shown {
		if one.Kind == matplotlib {
			charts = append(charts, one)
		}
	}
	// Counted before they are judged: what is said of each takes many times its bytes.
	one, more := oneOrMany(given["chart"], most), oneOrMany(given["charts"], most)
	if len(charts)+len(one)+len(more) > most {
		return nil, tooManyFigures(most)
	}
	var violations []job.Violation
	judge := func(name string, specs []json.RawMessage) {
		for index, spec := range specs {
			violations = append(violations, figureFaults(spec, fmt.Sprintf("result[%q], chart %d,", name, index+1))...)
			charts = append(charts, chart{Kind: plotly, Spec: spec})
		}
	}
	judge("chart", one)
	judge("charts", more)
	return charts, violations
}

// answerFault is a result that has not the form which the policy asks for.
func answerFault(message string) []job.Violation {
	return []job.Violation{{Rule: "output.answer", Message: message}}
}

// oneOrMany reads at most most+1 elements of a list: what is held of each takes many
// times its bytes. The value has been decoded strictly, within a whole.
func oneOrMany(value json.RawMessage, most int) []json.RawMessage {
	decoder := jsontext.NewDecoder(bytes.NewReader(value), jsontext.AllowDuplicateNames(true))
	switch {
	case isNull(value):
		return nil
	case decoder.PeekKind() != '[':
		return []json.RawMessage{value}
	}
	list := []json.RawMessage{}
	_, err := decoder.ReadToken()
	for err == nil && len(list) <= most && decoder.PeekKind() != ']' {
		var element jsontext.Value
		element, err = decoder.ReadValue()
		list = append(list, json.RawMessage(element.Clone()))
	}
	if err != nil { // which does not happen
		return []json.RawMessage{value}
	}
	return list
}

// figureFaults holds a plotly figure to what a reader draws: data, a list of at
// least one trace, and a layout that is an object where there is one.
func figureFaults(spec json.RawMessage, what string) []job.Violation {
	figure := members(spec)
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
	if layout, ok := figure["layout"]; ok && !isObject(layout) {
		return fault("chart.layout", "has a layout that is no object")
	}
	return nil
}

func isNil(trace map[string]json.RawMessage) bool { return trace == nil }
