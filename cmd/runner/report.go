package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"hotcell/internal/job"
	"hotcell/internal/policy"
	"hotcell/internal/runner"
	"hotcell/internal/strictjson"
)

// report prints the answer: JSON to standard output, or for people a summary to
// standard error, below what the script has printed.
func (a *app) report(response runner.Response, said answered, request job.Request, outputDir string) error {
	if a.json {
		return a.printJSON(said)
	}
	if said.ExitCode != 0 {
		outputDir = "" // nothing is there
	}
	text := a.page()
	summary(text, response, request, outputDir)
	times(text, said.Trace)
	_, err := fmt.Fprint(a.stderr, printable(text.String()))
	return err
}

func summary(w io.Writer, response runner.Response, request job.Request, outputDir string) {
	result := response.Result
	fmt.Fprintf(w, "%s  %s\n", headline(result), request.ScriptName)
	explain(w, result)
	where(w, result)
	called(w, result.ToolCalls)
	if result.Usage.WallMS > 0 {
		fmt.Fprintf(w, "  used     %s\n", used(result.Usage))
	}
	released(w, result)
	reviewed(w, result.Review)
	if outputDir != "" && result.Status == job.Succeeded {
		fmt.Fprintf(w, "  output   %s\n", outputDir)
	}
	fmt.Fprintf(w, "  record   %s\n", response.Kept())
	if response.CodeFile != "" {
		fmt.Fprintf(w, "  script   %s\n", response.CodeFile)
	}
	if response.QuarantineDir != "" {
		fmt.Fprintf(w, "  kept in quarantine, unverified: %s\n", response.QuarantineDir)
	}
}

// times lists the parts of a run, in the order in which they began.
func times(w io.Writer, trace *job.Trace) {
	if trace == nil {
		return
	}
	made := "made for this run"
	if trace.Warm {
		made = "taken warm"
	}
	fmt.Fprintf(w, "  trace    in milliseconds; the sandbox was %s\n", made)
	total := 0.0
	for _, part := range trace.Phases {
		fmt.Fprintf(w, "    %-12s %10.3f\n", part.Phase, part.MS)
		total += part.MS
	}
	fmt.Fprintf(w, "    %-12s %10.3f\n", "total", total)
}

func headline(result job.Result) string {
	text := "✗ " + string(result.Status)
	if result.Status == job.Succeeded {
		text = "✓ " + string(result.Status)
	}
	if result.Limit != "" {
		text += " (" + string(result.Limit) + ")"
	}
	return text
}

// stepSummary is what is said of one step of a session. What all steps share stands
// in the session's own summary. The record is named where there is more in it.
func stepSummary(w *page, response runner.Response, name string) {
	result := response.Result
	fmt.Fprintf(w, "%s  %s  %s\n", headline(result), name, used(result.Usage))
	explain(w, result)
	called(w, result.ToolCalls)
	reviewed(w, result.Review)
	if released(w, result); len(result.Files) > 0 || strings.Contains(w.String(), elsewhere) {
		fmt.Fprintf(w, "  record   %s\n", response.Kept())
	}
}

// called lists the tool calls, by names that are the script's own words. Those that follow
// one of the same name and outcome are counted.
func called(w io.Writer, calls []job.ToolCall) {
	label := "tools"
	for index := 0; index < len(calls); {
		call, took, times := calls[index], int64(0), 0
		for ; index < len(calls) && calls[index].Name == call.Name && calls[index].Error == call.Error; index++ {
			took += calls[index].DurationMS
			times++
		}
		outcome := "answered"
		if !call.OK {
			outcome = call.Error
		}
		if times > 1 {
			outcome += fmt.Sprintf(", %d times", times)
		}
		fmt.Fprintf(w, "  %-8s %s  %s, %s\n", label, call.Name, outcome, time.Duration(took)*time.Millisecond)
		label = ""
	}
}

func explain(w io.Writer, result job.Result) {
	if failure := result.Error; failure != nil {
		if failure.Traceback != "" {
			fmt.Fprintln(w, indent(told(failure.Traceback)))
		} else {
			fmt.Fprintln(w, indent(told(failure.Type+": "+failure.Message)))
		}
	}
	for _, violation := range result.Violations {
		fmt.Fprintln(w, indent(position(violation)+violation.Message+"  ["+violation.Rule+"]"))
	}
	for _, warning := range result.Warnings {
		fmt.Fprintf(w, "  warning  %s%s\n", position(warning), warning.Message)
	}
	if result.Truncated.Stdout {
		fmt.Fprintln(w, "  stdout was cut at the policy's limit: write long output to a file below OUTPUT")
	}
	if result.Truncated.Stderr {
		fmt.Fprintln(w, "  stderr was cut at the policy's limit: write long output to a file below OUTPUT")
	}
	valued(w, result)
	charted(w, result.Charts)
}

// maxTold is of an exception's text, in bytes: more than a terminal keeps.
const maxTold = 64 << 10

// told is the end of an exception's text, where its message is, if that is longer than anybody
// reads.
func told(text string) string {
	if len(text) <= maxTold {
		return text
	}
	return "… and more, " + elsewhere + "\n" + strings.ToValidUTF8(text[len(text)-maxTold:], "")
}

// position says where a violation is, or nothing for one of the answer as a whole.
func position(violation job.Violation) string {
	switch {
	case violation.Line > 0:
		return fmt.Sprintf("line %d:%d  ", violation.Line, violation.Column)
	case violation.Path != "":
		return violation.Path + "  "
	}
	return ""
}

// elsewhere is where all of what is cut here is.
const elsewhere = "in the record and with --json"

const (
	maxShown = 2000 // bytes of a result that a summary shows
	maxBegin = 500  // of one that is longer
)

// valued prints the result, as a table where it is one, and of a long one how it begins and how large it is.
func valued(w io.Writer, result job.Result) {
	var value bytes.Buffer
	if json.Compact(&value, result.Value) != nil || value.String() == "null" || value.Len() == 0 {
		return
	}
	if tabled(w, value.Bytes()) || described(w, value.Bytes()) {
		return
	}
	text := unescaped(beginning(value.Bytes()))
	if len(text) > maxShown {
		begins := strings.ToValidUTF8(text[:maxBegin], "")
		fmt.Fprintf(w, "  result   %s…\n    … of %s of JSON, all of it %s\n", begins, policy.Size(value.Len()), elsewhere)
		return
	}
	fmt.Fprintf(w, "  result   %s\n", text)
}

// described prints a result that has no JSON form, which is its type and its text, as such:
// the summary of a model is a page.
func described(w io.Writer, value []byte) bool {
	var given struct {
		Type *string `json:"type"`
		Text *string `json:"text"`
	}
	if err := strictjson.Decode(value, len(value), &given); err != nil || given.Type == nil || given.Text == nil {
		return false
	}
	text, cut := *given.Text, ""
	if len(text) > 2*maxShown {
		text, cut = strings.ToValidUTF8(text[:2*maxShown], ""), "… and more, "+elsewhere
	}
	fmt.Fprintf(w, "  result   %s\n%s\n", shortened(strings.ReplaceAll(*given.Type, "\n", " ")), indent(text))
	if cut != "" {
		fmt.Fprintln(w, indent(cut))
	}
	return true
}

// beginning is a value of JSON, or of a long one what is more than is shown of it once letters
// stand for their escapes, which are six bytes at the most for each. It is whole as far as it
// goes: no escape is cut, and a text that is has an end.
func beginning(value []byte) []byte {
	const most, longest = 6 * maxShown, len(`\ud83d\ude00`)
	if len(value) <= most+longest {
		return value
	}
	at, within := 0, false
	for at < most {
		if value[at] == '"' {
			within = !within
		}
		at += len(jsonSign.Find(value[at:]))
	}
	begins := bytes.Clone(value[:at])
	if within {
		begins = append(begins, '"')
	}
	return begins
}

// jsonSign is one letter of JSON, however it is written: some are two escapes.
var jsonSign = regexp.MustCompile(`(?i)^(?:\\ud[89ab]..\\ud[c-f]..|\\u....|\\.|(?s:.))`)

var jsonText = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)

// unescaped has the letters of JSON as such: the guard writes ASCII, é as \u00e9. What
// drives a terminal printable escapes.
func unescaped(value []byte) string {
	return jsonText.ReplaceAllStringFunc(string(value), func(quoted string) string {
		var text string
		if !strings.Contains(quoted, `\u`) || strictjson.Decode([]byte(quoted), len(quoted), &text) != nil {
			return quoted // half a surrogate stays what it is
		}
		var plain strings.Builder
		encoder := json.NewEncoder(&plain)
		encoder.SetEscapeHTML(false)
		if encoder.Encode(text) != nil {
			return quoted
		}
		return strings.TrimSuffix(plain.String(), "\n")
	})
}

// charted counts the charts that are data: those that are files are listed as files.
func charted(w io.Writer, charts []job.Chart) {
	count := 0
	for _, chart := range charts {
		if chart.Kind == job.ChartPlotly {
			count++
		}
	}
	if count > 0 {
		fmt.Fprintf(w, "  charts   %d as data, %s\n", count, elsewhere)
	}
}

func where(w io.Writer, result job.Result) {
	from := result.Provenance
	place := from.Policy
	if from.Runtime != "" {
		place += " · " + from.Engine + " (" + from.Runtime + ")"
	}
	fmt.Fprintf(w, "  policy   %s\n", place)
	if data := from.Data; data != nil { // a name alone may have been asked for
		fmt.Fprintf(w, "  bundle   %s@%s (%s)\n", data.Name, data.Version, from.Bundle.Short())
	}
	if from.Guard == job.GuardOff {
		fmt.Fprintln(w, "  warning  the guard was off: only the container confined the code")
	}
	for _, control := range from.Controls {
		if !control.Active {
			fmt.Fprintf(w, "  without  %s, as the policy allows: %s\n", control.Name, control.Detail)
		}
	}
}

func used(usage job.Usage) string {
	parts := []string{(time.Duration(usage.WallMS) * time.Millisecond).String() + " wall"}
	if usage.CPUMS >= 0 {
		parts = append(parts, (time.Duration(usage.CPUMS)*time.Millisecond).String()+" CPU")
	}
	if usage.MemoryPeakBytes >= 0 {
		parts = append(parts, policy.Size(usage.MemoryPeakBytes).String()+" peak memory")
	}
	if usage.PIDsPeak >= 0 {
		parts = append(parts, peak(usage.PIDsPeak))
	}
	return strings.Join(parts, ", ")
}

// peak is the most that was alive at once. A thread is a task of the kernel's, as a
// process is, and both count.
func peak(pids int64) string {
	if pids == 1 {
		return "1 process at most"
	}
	return fmt.Sprintf("%d processes and threads at most", pids)
}

func released(w io.Writer, result job.Result) {
	for index, file := range result.Files {
		label := "files"
		if index > 0 {
			label = ""
		}
		fmt.Fprintf(w, "  %-8s %s  %s, %s\n", label, filepath.FromSlash(file.Path), policy.Size(file.Bytes), file.MediaType)
	}
}

// indent keeps foreign text from looking like a line of ours, which has at most two
// spaces.
func indent(text string) string {
	return "    " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n    ")
}
