// Package answer judges what a script gives besides its files, its result and its
// charts, and makes of it the text that a run answers with.
//
// It decides whether a result has the form that its policy asks for, which charts are
// released, and that no chart leads anywhere when it is drawn. What files are worth is
// internal/output's to decide, and what becomes of a run whose answer is refused is
// internal/runner's, its caller. Use Rules: Check before anything is released, then
// Text.
package answer

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"hotcell/internal/job"
	"hotcell/internal/output"
	"hotcell/internal/policy"
	"hotcell/internal/strictjson"
)

// Rules are what a policy asks of the answer to one script.
type Rules struct {
	Form       policy.AnswerForm
	MaxFigures int   // charts, and figures among the files
	Stdout     int64 // bytes that are kept of it, for the words of Text
}

// Given is what a script gave, by the word of its guard: all of it is hostile.
type Given struct {
	Result json.RawMessage // JSON, null or empty for none
	Charts []json.RawMessage
	// Pictures are paths of charts that were read before, in the steps of a session.
	Pictures []string
	// Earlier are files that were there before this script, in a session. A chart may be
	// one of them; they do not count.
	Earlier []job.File
}

// Check returns the charts that may be released beside the files, or why they may not.
// Whatever form the answer has, what a page will draw of it has been looked at.
func (r Rules) Check(given Given, files []job.File) ([]job.Chart, []job.Violation) {
	charts, violations := r.charts(given, files)
	for index, one := range charts {
		if one.Kind != job.ChartPlotly {
			continue
		}
		if err := output.CheckChart(one.Spec); err != nil {
			violations = append(violations, job.Violation{Rule: output.RuleActiveContent, Message: fmt.Sprintf("chart %d %s", index+1, output.Reason(err))})
		}
	}
	return charts, violations
}

func (r Rules) charts(given Given, files []job.File) ([]job.Chart, []job.Violation) {
	shown, violations := r.shown(given, files)
	if len(violations) > 0 || r.Form != policy.AnswerChart {
		return shown, violations
	}
	if !isNull(given.Result) {
		return r.ofResult(given.Result, shown)
	}
	for index, one := range shown {
		if one.Kind == job.ChartPlotly {
			violations = append(violations, figureFaults(one.Spec, fmt.Sprintf("chart %d", index+1))...)
		}
	}
	return shown, violations
}

func isNull(value json.RawMessage) bool {
	trimmed := bytes.TrimSpace(value)
	return len(trimmed) == 0 || string(trimmed) == "null"
}

// ofResult takes the charts that result = {"output": …, "chart": …} names, and the
// pictures; plotly figures that the script merely made are not its answer. The guard has
// read whatever the script gave into this form, and has left out what draws nothing:
// what has another form is not the guard's word.
func (r Rules) ofResult(result json.RawMessage, shown []job.Chart) ([]job.Chart, []job.Violation) {
	given := strictjson.Members(result)
	if given == nil {
		return nil, fault("result is no object: set result = {\"output\": ..., \"chart\": ...}, or print the answer and leave result unset")
	}
	charts := slices.DeleteFunc(slices.Clone(shown), func(one job.Chart) bool { return one.Kind != job.ChartMatplotlib })
	// Counted before they are judged: what is said of each takes many times its bytes.
	one, more := oneOrMany(given["chart"], r.MaxFigures), oneOrMany(given["charts"], r.MaxFigures)
	if len(charts)+len(one)+len(more) > r.MaxFigures {
		return nil, tooManyFigures(r.MaxFigures)
	}
	var violations []job.Violation
	judge := func(name string, specs []json.RawMessage) {
		for index, spec := range specs {
			violations = append(violations, figureFaults(spec, fmt.Sprintf("result[%q], chart %d,", name, index+1))...)
			charts = append(charts, job.Chart{Kind: job.ChartPlotly, Spec: spec})
		}
	}
	judge("chart", one)
	judge("charts", more)
	return charts, violations
}

// RuleAnswer is that of a result which has not the form that the policy asks for, and of
// the guard's warnings: about one, and about threads of a session's earlier steps.
const RuleAnswer = "output.answer"

// fault is a result that has not the form which the policy asks for.
func fault(message string) []job.Violation {
	return []job.Violation{{Rule: RuleAnswer, Message: message}}
}

// oneOrMany reads at most most+1 elements of a list: what is held of each takes many
// times its bytes. The value has been decoded strictly, within a whole.
func oneOrMany(value json.RawMessage, most int) []json.RawMessage {
	decoder := strictjson.NewDecoder(bytes.NewReader(value), strictjson.DuplicateNames)
	switch {
	case isNull(value):
		return nil
	case decoder.PeekKind() != '[':
		return []json.RawMessage{value}
	}
	list := []json.RawMessage{}
	_, err := decoder.ReadToken()
	for err == nil && len(list) <= most && decoder.PeekKind() != ']' {
		element, readErr := decoder.ReadValue()
		list, err = append(list, json.RawMessage(element.Clone())), readErr
	}
	if err != nil { // which does not happen
		return []json.RawMessage{value}
	}
	return list
}
