package mcpserver

import (
	"context"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"hotcell/api"
	"hotcell/internal/job"
)

// maxListed is how many of anything an answer lists.
const maxListed = 20

// facts are the host's own words about a run. They are the first part of an answer.
//
// There is no structuredContent beside them: clients that find one show a model nothing else
// (Claude Code, VS Code, opencode), so that what the code printed, its figures and its files
// would be lost, or would have to be there twice.
type facts struct {
	RunID           job.ID         `json:"run_id"`
	Status          api.State      `json:"status"`
	Next            string         `json:"next,omitzero"`
	Limit           job.Limit      `json:"limit,omitzero"`
	Position        *int           `json:"position,omitempty"`
	Queue           string         `json:"queue,omitzero"` // of the engine's cluster, that it waits in
	QueuedMS        int64          `json:"queued_ms"`
	Usage           *job.Usage     `json:"usage,omitempty"`
	Truncated       *job.Truncated `json:"truncated,omitempty"` // by the policy
	Shown           []shown        `json:"shown,omitempty"`     // of what it said
	ViolationsTotal int            `json:"violations_total,omitzero"`
	WarningsTotal   int            `json:"warnings_total,omitzero"`
	FilesTotal      int            `json:"files_total"`
	ChartsTotal     int            `json:"charts_total"`
	Rest            string         `json:"rest,omitzero"` // where what is not shown can be read
	Error           *faultText     `json:"error,omitempty"`
}

// shown says how much of a text of the run's is in the answer.
type shown struct {
	Part    string `json:"part"`
	Bytes   int    `json:"bytes"`
	LeftOut int    `json:"left_out"`
}

// violation is a broken rule, by which a second try can be better.
type violation struct {
	Rule    said `json:"rule"`
	Line    int  `json:"line,omitzero"`
	Column  int  `json:"column,omitzero"`
	Path    said `json:"path,omitzero"`
	Message said `json:"message"`
}

func violations(of []job.Violation) []violation {
	told := []violation{}
	for _, v := range of[:min(len(of), maxListed)] {
		told = append(told, violation{saidShort(v.Rule, maxRule), v.Line, v.Column, saidShort(v.Path, maxName), saidShort(v.Message, maxDetail)})
	}
	return told
}

// part is a text of a run's.
type part struct{ name, text string }

// parts are what a run said, without what is there already under another name.
func parts(result *job.Result) []part {
	output := clean(result.Output)
	all := []part{{"output", output}}
	if !strings.HasPrefix(result.Output, result.Stdout) {
		all = append(all, part{"stdout", clean(result.Stdout)})
	}
	all = append(all, part{"stderr", clean(result.Stderr)})
	if value := clean(string(result.Value)); value != "null" && value != output {
		all = append(all, part{"result", value})
	}
	if fault := result.Error; fault != nil {
		text := fault.Type + ": " + fault.Message
		if fault.Traceback != "" {
			text += "\n" + fault.Traceback
		}
		all = append(all, part{"error", clean(text)})
	}
	return slices.DeleteFunc(all, func(p part) bool { return p.text == "" })
}

// fit cuts texts until all together take at most so many bytes within JSON: a short one is whole
// before a long one gets more than its share.
func fit(all []part, most int) (cutTo []part, how []shown) {
	bySize := slices.Clone(all)
	slices.SortStableFunc(bySize, func(a, b part) int { return costs(a.text) - costs(b.text) })
	texts := map[string]shownText{}
	for i, p := range bySize {
		text, left := cut(p.text, most/(len(bySize)-i))
		texts[p.name] = shownText{text, left}
		most -= costs(text)
	}
	for _, p := range all {
		cutTo = append(cutTo, part{p.name, texts[p.name].text})
		how = append(how, shown{p.name, len(p.text), texts[p.name].left})
	}
	return cutTo, how
}

type shownText struct {
	text string
	left int
}

// answer is what a call about a run is answered with: the facts, what the run said, its figures
// and links to its files.
func (c *call) answer(ctx context.Context, run api.Run, most int64) (*mcp.CallToolResult, error) {
	told := facts{RunID: run.RunID, Status: run.Status, Position: run.Position, Queue: run.Queue, QueuedMS: run.QueuedMS}
	var rest []mcp.Content
	switch result := run.Result; {
	case !run.Ended():
		told.Next = "call run_wait with this run_id; do not run the script again"
	case run.Error != nil:
		fault := c.server.explain(run.Error)
		told.Error, told.Next = &fault, "the service or its host failed: nothing is said about the code"
	case result != nil:
		if most == 0 {
			most = shownBytes
		}
		shown, err := c.told(ctx, &told, result, int(most))
		if err != nil {
			return nil, err
		}
		rest = shown
	}
	first, err := ownText(told)
	if err != nil {
		return nil, err
	}
	first.Annotations = &mcp.Annotations{Audience: []mcp.Role{"assistant"}, Priority: 1}
	return &mcp.CallToolResult{Content: append([]mcp.Content{first}, rest...)}, nil
}

// told completes the facts, and gives what stands behind them.
func (c *call) told(ctx context.Context, told *facts, result *job.Result, most int) ([]mcp.Content, error) {
	told.Usage, told.Truncated = &result.Usage, &result.Truncated
	if slices.Contains(job.AllLimits(), result.Limit) {
		told.Limit = result.Limit
	}
	told.ViolationsTotal, told.WarningsTotal = len(result.Violations), len(result.Warnings)
	told.FilesTotal, told.ChartsTotal = len(result.Files), len(result.Charts)
	if len(result.Violations) > 0 {
		told.Next = "change what the violations below name by rule and line, and call again"
	}
	texts, how := fit(parts(result), most)
	told.Shown = how
	if slices.ContainsFunc(how, func(s shown) bool { return s.LeftOut > 0 }) {
		told.Rest = "ask again with a larger max_output_bytes, or read " + runURI(result.RunID, "stdout") + " and " + runURI(result.RunID, "record")
	}
	members := map[string]any{}
	for _, p := range texts {
		members[p.name] = said(p.text)
	}
	if len(result.Violations) > 0 {
		members["violations"] = violations(result.Violations)
	}
	if len(result.Files) > 0 {
		members["files"] = listed(result)
	}
	if len(members) == 0 {
		return nil, nil
	}
	framed, err := framedText(members)
	if err != nil {
		return nil, err
	}
	if !c.claim.has(encoded(framed.Text)) {
		told.Shown, told.Rest = nil, "there is no room for more in the answer to this request: call run_wait with this run_id, by itself"
		return nil, nil
	}
	return append([]mcp.Content{framed}, c.files(ctx, result)...), nil
}
