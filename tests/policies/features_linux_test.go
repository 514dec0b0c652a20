package policies_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/job"
)

// scripts of users, as testdata/POLICY.features has them: "## " and a name, the script, and then what must
// come of it, each in a line of its own:
//
//	=> a line of the output, which has no others; "=>" alone where it has none
//	=~ words of what the script printed, of its output, of a warning or of a file's path
//	=# how many charts there are
//	=c the data of the first chart, as JSON
//	=! the exception's type, ": ", and words of its message
//	=x a rule that refuses it, ": ", and words of the refusal
//	=l the limit that it has exceeded
//
// All of a file's run in one session, in their order, and what one binds is there for the next. A policy
// whose sessions end before has more files, POLICY-2.features and so on.
type wanted struct {
	name, script string
	lines        []string
}

const wants = "=> =~ =# =c =! =x =l"

func readFeatures(t *testing.T, path string) []wanted {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	var all []wanted
	for _, part := range strings.Split("\n"+string(text), "\n## ")[1:] {
		name, body, _ := strings.Cut(part, "\n")
		one := wanted{name: name}
		for line := range strings.Lines(body) {
			if kind, _, _ := strings.Cut(strings.TrimSpace(line), " "); len(kind) == 2 && strings.Contains(wants, kind) {
				one.lines = append(one.lines, strings.TrimSuffix(line, "\n"))
			} else {
				one.script += line
			}
		}
		require.NotEmpty(t, one.lines, name)
		all = append(all, one)
	}
	require.NotEmpty(t, all)
	return all
}

// check compares what came of a script with what must come of it.
func (w wanted) check(t *testing.T, got job.Result) {
	t.Helper()
	var output []string
	for _, line := range w.lines {
		kind, words := line[:2], strings.TrimPrefix(line[2:], " ")
		what, rest, _ := strings.Cut(words, ": ")
		switch kind {
		case "=>":
			output = append(output, words)
		case "=~":
			require.Equal(t, job.Succeeded, got.Status, describe(got))
			require.Contains(t, everything(got), words)
		case "=#":
			number, err := strconv.Atoi(words)
			require.NoError(t, err)
			require.Len(t, got.Charts, number, describe(got))
		case "=c":
			require.NotEmpty(t, got.Charts)
			var chart struct {
				Data json.RawMessage
			}
			require.NoError(t, json.Unmarshal(got.Charts[0].Spec, &chart))
			require.JSONEq(t, words, string(chart.Data))
		case "=!":
			raises(what, rest)(t, got)
		case "=x":
			refusedBy(what, rest)(t, got)
		case "=l":
			stopped(job.LimitExceeded, job.Limit(words))(t, got)
		}
	}
	if output != nil {
		answers(strings.Join(output, "\n"))(t, trimmed(got))
	}
}

// trimmed is the result without the newline with which the last print ends, and without spaces at its lines' ends.
func trimmed(got job.Result) job.Result {
	lines := strings.Split(got.Output, "\n")
	for index, line := range lines {
		lines[index] = strings.TrimRight(line, " ")
	}
	got.Output = strings.TrimRight(strings.Join(lines, "\n"), "\n")
	return got
}

// everything is what a script has said, and the names of what it has written.
func everything(got job.Result) string {
	said := []string{got.Output, got.Stdout, got.Stderr}
	for _, file := range got.Files {
		said = append(said, file.Path)
	}
	for _, warning := range got.Warnings {
		said = append(said, warning.Message)
	}
	return strings.Join(said, "\n")
}

// features runs all of a policy's, each file in one session.
func features(t *testing.T, w *workspace, policy string, flags ...string) {
	t.Helper()
	more, err := filepath.Glob(filepath.Join("testdata", policy+"-*.features"))
	require.NoError(t, err)
	for _, path := range append(more, filepath.Join("testdata", policy+".features")) {
		all := readFeatures(t, path)
		codes := make([]string, len(all))
		for index, one := range all {
			codes[index] = one.script
		}
		results := steps(t, w, policy, codes, flags...)
		require.Equal(t, job.Succeeded, results[len(all)].Status, describe(results[len(all)]))
		for index, one := range all {
			t.Run(one.name, func(t *testing.T) { one.check(t, results[index]) })
		}
	}
}

// tools writes shell scripts, each the command of a tool, and returns the flags that bring them.
func (w *workspace) tools(commands map[string]string) []string {
	w.t.Helper()
	var flags []string
	for name, command := range commands {
		w.write(name+".sh", "#!/bin/sh\n"+command+"\n")
		require.NoError(w.t, os.Chmod(w.path(name+".sh"), 0o700))
		flags = append(flags, "--tool", name+"=./"+name+".sh")
	}
	return flags
}

func TestFeaturesOfInterpreter(t *testing.T) {
	w := newWorkspace(t)
	w.write("inputs.json", `{"cities": ["Bonn", "Ulm"], "number": 4, "table": {"columns": ["a"], "rows": [[1], [2]]}, "flag": true, "none_at_all": null, "text_": "abc"}`)
	w.write("lookup.json", `{"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"}}, "required": ["city", "days"], "additionalProperties": false}`)
	flags := w.tools(map[string]string{"lookup": "cat", "echo": "cat", "words": `echo '"only text"'`, "broken": "exit 3"})
	features(t, w, "interpreter", append(flags, "--inputs", "inputs.json", "--tool-schema", "lookup=lookup.json")...)
}

func TestFeaturesOfCopilotChart(t *testing.T) {
	w := newWorkspace(t)
	w.write("results.json", `{"sales": [{"region": "North", "q": "2031Q1", "amount": 120.5}, {"region": "South", "q": "2031Q1", "amount": 80}, {"region": "North", "q": "2031Q2", "amount": null}],
		"meta": {"total": 3, "unit": "kEUR", "tags": ["a", "b"]}, "note": "Umsatz größer", "list": [3, 1, 2], "nul": null, "yes": true, "key with spaces": 5}`)
	features(t, w, "copilot-chart", "--inputs", "results.json")
}

func TestFeaturesOfWorkflowStep(t *testing.T) {
	w := newWorkspace(t)
	w.write("inputs.json", `{"inputs": {"city": "Oslo", "days": [1, 2], "rows": [{"id": 1, "name": "Ana", "score": 9.5}, {"id": 2, "name": "Bo", "score": null}],
			"nested": {"a": {"b": [10, {"c": "deep"}]}}, "text": "naïve café 日本", "flag": true, "nothing": null, "empty": {}},
		"steps": {"load": {"rows": 3, "items": ["x", "y"]}, "fetch": [1, 2, 3], "plain": "text"},
		"config": {"unit": "C", "limit": 5, "retry": {"max": 2}}, "workflow": {"id": "wf-3", "name": "weekly"}}`)
	flags := w.tools(map[string]string{
		"town": `echo '{"error": "no town of that name"}'; exit 1`,
		"echo": "cat", "my-tool.v2": "cat", "mcp__srv__same": "cat", "mcp__git-hub__list.issues": "cat",
		"words": `echo '"only text"'`, "bad": "echo 'not json'", "fail": "echo 'the service is down' >&2; exit 3",
		"size": `wc -c | sed 's/.*/{"bytes": &, "parts": [{"n": 1}], "none": null}/'`,
	})
	features(t, w, "workflow-step", append(flags, "--inputs", "inputs.json")...)
}

func TestFeaturesOfTableQuery(t *testing.T) {
	w := newWorkspace(t)
	var rows strings.Builder
	rows.WriteString("award_id,agency,state,year,amount,start_date,title,active\n")
	for n := range 400 {
		amount := strconv.Itoa(1000 * (n + 1))
		if n%17 == 0 {
			amount = ""
		}
		year := strconv.Itoa(2028 + n%4)
		rows.WriteString(strings.Join([]string{
			"A" + strconv.Itoa(10000 + n)[1:], []string{"NIH", "NSF", "DOE", "NASA"}[n%4], []string{"CA", "NY", "TX"}[n%3], year, amount,
			year + "-0" + strconv.Itoa(1+n%9) + "-15", `"Study of, thing ` + strconv.Itoa(n) + ` – é"`, strconv.FormatBool(n%2 == 0),
		}, ",") + "\n")
	}
	w.write("data/award_data.csv", rows.String())
	w.bundle("awards")
	features(t, w, "table-query", "--bundle", "awards")
}

func TestFeaturesOfStudyAnalysis(t *testing.T) {
	w := newWorkspace(t)
	var rows strings.Builder
	rows.WriteString("who,arm,age,n,when,score\n")
	for n := range 300 {
		patient := strconv.Itoa(1000 + n%60)[1:]
		score := strconv.FormatFloat(45+8*float64(n%2)+float64(n*7919%101)/5, 'f', 2, 64)
		rows.WriteString(strings.Join([]string{
			"p" + patient, []string{"a", "b"}[n%2], strconv.Itoa(30 + n%50), strconv.Itoa(n % 7), "2031-0" + strconv.Itoa(1+n%9) + "-1" + strconv.Itoa(n%9), score,
		}, ",") + "\n")
	}
	w.write("data/visits.csv", rows.String())
	w.write("data/labs.jsonl", "{\"who\": \"p001\", \"value\": 1.5, \"flag\": true}\n{\"who\": \"p002\", \"value\": null, \"flag\": false}\n")
	w.write("data/notes.txt", "First line.\nZweite Zeile: größer.\n")
	w.write("data/codes.json", `{"a": "active", "b": "placebo"}`)
	w.bundle("trial")
	features(t, w, "study-analysis", "--bundle", "trial")
}
