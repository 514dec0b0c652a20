package runner

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
	"hotcell/internal/job"
	"hotcell/internal/policy"
	"hotcell/internal/wire"
)

func byName(p *policy.Policy) {
	withTools(p)
	p.Guard.Inputs = wire.InputsNames
	p.Guard.Preloaded = map[string]string{"sqrt": "math:sqrt"}
	p.Output.Answer = policy.AnswerLast
}

func TestToolsAreFunctionsWhoseParametersHaveTheSchemasOrder(t *testing.T) {
	starts := make(chan wire.Start, 1)
	b := newBench(t, func(_ context.Context, g guard) container.Exit {
		start, _ := g.setUp()
		starts <- start
		g.receive()
		g.begin()
		g.report("completed", "")
		return container.Exit{}
	}, withPolicy(byName))
	asked := request()
	asked.Inputs = json.RawMessage(`{"x":1}`)
	asked.Tools = []job.Tool{shell(t, "lookup", "cat"), shell(t, "plain", "cat"), shell(t, "loose", "cat")}
	asked.Tools[0].Schema = json.RawMessage(`{"properties":{"a":{},"b":{},"c":{}},"required":["c","a"]}`)
	asked.Tools[2].Schema = json.RawMessage(`{"type":"object"}`)
	_, err := b.run(t.Context(), asked, "")
	require.NoError(t, err)
	start := <-starts
	require.Equal(t, map[string][]string{"lookup": {"c", "a"}, "loose": {}}, start.ToolParameters)
	require.Equal(t, wire.AnswerLast, start.Rules.Answer)
	require.Equal(t, wire.InputsNames, start.Rules.Inputs)
	require.Positive(t, start.Limits.CallBytes)
}

func TestNamesThatAScriptCannotHaveAreRefused(t *testing.T) {
	for name, test := range map[string]struct{ inputs, tool, want string }{
		"a word of Python":     {`{"class":1}`, "lookup", `input "class"`},
		"a word of every run":  {`{"final_answer":1}`, "lookup", `input "final_answer"`},
		"an underscore":        {`{"_x":1}`, "lookup", `input "_x"`},
		"no name":              {`{"a-b":1}`, "lookup", `input "a-b"`},
		"too long":             {`{"` + strings.Repeat("a", 65) + `":1}`, "lookup", "input \"aaa"},
		"a name of a tool":     {`{"lookup":1}`, "lookup", `input "lookup" has the name of another tool`},
		"a preloaded name":     {`{"sqrt":1}`, "lookup", `input "sqrt" has the name of what the policy preloads`},
		"a tool like a module": {`{}`, "sqrt", `tool "sqrt" has the name of what the policy preloads`},
		"a tool like a word":   {`{}`, "print", `tool "print"`},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, honest(t), withPolicy(byName))
			asked := request()
			asked.Inputs = json.RawMessage(test.inputs)
			asked.Tools = []job.Tool{shell(t, test.tool, "cat")}
			_, err := b.run(t.Context(), asked, "")
			require.ErrorIs(t, err, ErrInput)
			require.ErrorContains(t, err, test.want)
		})
	}
}

func TestARequestNarrowsTheImportsOfItsRunAlone(t *testing.T) {
	starts := make(chan wire.Start, 3)
	b := newBench(t, func(_ context.Context, g guard) container.Exit {
		start, _ := g.setUp()
		starts <- start
		g.receive()
		g.begin()
		g.report("completed", "")
		return container.Exit{}
	}, nil)
	asked := request()
	asked.Imports = []string{"math", "json"}
	response, err := b.run(t.Context(), asked, "")
	require.NoError(t, err)
	narrow := (<-starts).Rules
	require.Equal(t, []string{"json", "math"}, narrow.Imports)
	require.Contains(t, narrow.LeftOut, "pandas")
	require.NotContains(t, narrow.LeftOut, "math")
	require.Equal(t, asked.Imports, response.Result.Provenance.Imports)

	response, err = b.run(t.Context(), request(), "")
	require.NoError(t, err)
	whole := (<-starts).Rules
	require.Contains(t, whole.Imports, "pandas", "the next request has the whole policy")
	require.Empty(t, whole.LeftOut)
	require.ElementsMatch(t, whole.Imports, append(narrow.LeftOut, narrow.Imports...))
	require.Nil(t, response.Result.Provenance.Imports)

	asked.Imports = []string{"subprocess"}
	_, err = b.run(t.Context(), asked, "")
	require.ErrorIs(t, err, ErrInput)
	require.ErrorContains(t, err, `import "subprocess" is not among the policy's`)
}

func TestWarningsOfAnAnswerAreBoundedLines(t *testing.T) {
	b := newBench(t, reporting(`,"warnings":["chart 1\n✓ succeeded","`+strings.Repeat("x", 5000)+`"]`), nil)
	response, err := b.run(t.Context(), request(), "")
	require.NoError(t, err)
	warnings := response.Result.Warnings
	require.Len(t, warnings, 2)
	require.Equal(t, job.Violation{Rule: "output.answer", Message: "chart 1 ✓ succeeded"}, warnings[0])
	require.Less(t, len(warnings[1].Message), 2100)

	b = newBench(t, reporting(`,"warnings":[`+strings.Repeat(`"x",`, wire.MaxWarnings)+`"x"]`), nil)
	response, err = b.run(t.Context(), request(), "")
	require.NoError(t, err)
	require.Equal(t, job.OutputRejected, response.Result.Status)
	require.Equal(t, "protocol.broken", response.Result.Violations[0].Rule)
}
