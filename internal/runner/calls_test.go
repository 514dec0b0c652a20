package runner

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
	"hotcell/internal/container/fake"
	"hotcell/internal/job"
	"hotcell/internal/policy"
	"hotcell/internal/wire"
)

type catalog interface {
	Get(name string) (policy.Policy, error)
	Names() ([]string, error)
}

// changed serves policies with a change.
type changed struct {
	catalog
	change func(*policy.Policy)
}

func (c changed) Get(name string) (policy.Policy, error) {
	found, err := c.catalog.Get(name)
	c.change(&found)
	return found, err
}

func withPolicy(change func(*policy.Policy)) func(*fake.Options, *Options) {
	return func(_ *fake.Options, options *Options) { options.Policies = changed{options.Policies, change} }
}

// withTools is a policy in which callers bring tools.
func withTools(p *policy.Policy) {
	p.Guard.Inputs = "context"
	p.Limits.Inputs = 1 << 10
	p.Tools = &policy.Tools{Allowed: []string{"*"}, MaxCalls: 3, CallTimeout: time.Minute, Params: 1 << 10, Answer: 1 << 10}
}

// shell is a tool of the caller's.
func shell(t *testing.T, name, lines string) job.Tool {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n"+lines), 0o700))
	return job.Tool{Name: name, Command: []string{path}}
}

// receive reads one frame of the host's, or "" at the end of its stream.
func (g guard) receive() (kind byte, payload string) {
	var header [5]byte
	if _, err := io.ReadFull(g.stdio.Stdin, header[:]); err != nil {
		return 0, ""
	}
	content := make([]byte, binary.BigEndian.Uint32(header[1:]))
	_, _ = io.ReadFull(g.stdio.Stdin, content)
	return header[0], string(content)
}

// setUp reads what comes before the code, and says what a guard says that prepares ahead.
func (g guard) setUp() (start wire.Start, inputs string) {
	kind, payload := g.receive()
	if kind != wire.TypePrepare {
		_ = json.Unmarshal([]byte(payload), &start)
		_, inputs = g.receive()
		return start, inputs
	}
	var prepare wire.Prepare
	var own wire.Go
	_ = json.Unmarshal([]byte(payload), &prepare)
	g.hello()
	g.send(wire.TypePrepared, "")
	_, payload = g.receive()
	_ = json.Unmarshal([]byte(payload), &own)
	_, inputs = g.receive()
	start = prepare.Start
	start.Mode, start.RunID, start.ScriptName, start.Tools, start.Limits = own.Mode, own.RunID, own.ScriptName, own.Tools, own.Limits
	start.ToolParameters = own.ToolParameters
	return start, inputs
}

func (g guard) hello() { g.send(wire.TypeHello, `{"protocol":7,"guard":"test","python":"3.13.5"}`) }

func (g guard) call(id int, name, params string) wire.Reply {
	g.send(wire.TypeCall, fmt.Sprintf(`{"id":%d,"name":%q,"params":%s}`, id, name, params))
	_, payload := g.receive()
	var answer wire.Reply
	_ = json.Unmarshal([]byte(payload), &answer)
	return answer
}

func TestACallIsAnsweredAndRecorded(t *testing.T) {
	answers := make(chan wire.Reply, 2)
	b := newBench(t, func(_ context.Context, g guard) container.Exit {
		start, inputs := g.setUp()
		_, code := g.receive()
		if len(start.Tools) != 1 || start.Tools[0] != "lookup" || inputs != `{"inputs":{}}` || code != "1 + 1\n" {
			return container.Exit{Code: 70}
		}
		g.begin()
		answers <- g.call(1, "lookup", `{"year":2020}`)
		answers <- g.call(2, "other", `{}`)
		g.report("completed", "")
		return container.Exit{}
	}, withPolicy(withTools))
	asked := request()
	asked.Inputs = json.RawMessage(`{"inputs":{}}`)
	asked.Tools = []job.Tool{shell(t, "lookup", "cat")}
	response, err := b.run(t.Context(), asked, "")
	require.NoError(t, err)
	require.Equal(t, job.Succeeded, response.Result.Status, "%+v", response.Result)
	first, second := <-answers, <-answers
	require.JSONEq(t, `{"year":2020}`, string(first.Result))
	require.Contains(t, second.Error, "there is no tool other")
	require.Contains(t, b.phases, PhaseCalling("lookup"))

	record, err := b.records.Get(t.Context(), response.Result.RunID)
	require.NoError(t, err)
	calls := record.Result.ToolCalls
	require.Len(t, calls, 2)
	require.Equal(t, []string{"lookup", "other"}, []string{calls[0].Name, calls[1].Name})
	require.True(t, calls[0].OK)
	require.False(t, calls[1].OK)
	require.Len(t, record.Result.Provenance.InputsSHA256, 64)
	content, err := os.ReadFile(filepath.Join(response.RecordDir, "record.json"))
	require.NoError(t, err)
	require.NotContains(t, string(content), "year", "no parameters are kept")
}

func TestToolsAreRefusedBeforeTheRun(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*policy.Policy)
		asked  func(*job.Request)
		want   string
	}{
		"by a policy without tools": {func(*policy.Policy) {}, func(*job.Request) {}, "has no tools section"},
		"by a policy that allows others": {func(p *policy.Policy) {
			withTools(p)
			p.Tools.Allowed = []string{"search"}
		}, func(*job.Request) {}, "it allows search"},
		"when a budget is above the policy's": {withTools, func(r *job.Request) { r.Overrides.Budgets.ToolCalls = 4 }, "tighten"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, honest(t), withPolicy(test.change))
			asked := request()
			asked.Tools = []job.Tool{shell(t, "lookup", "cat")}
			test.asked(&asked)
			_, err := b.run(t.Context(), asked, "")
			require.ErrorIs(t, err, ErrInput)
			require.ErrorContains(t, err, test.want)
		})
	}
}

func TestARunThatFloodsTheHostWithCallsIsEnded(t *testing.T) {
	b := newBench(t, func(ctx context.Context, g guard) container.Exit {
		g.setUp()
		g.receive()
		g.begin()
		for id := 1; ctx.Err() == nil; id++ {
			g.call(id, "nothing", "{}")
		}
		return container.Exit{}
	}, withPolicy(withTools))
	response, err := b.run(t.Context(), request(), "")
	require.NoError(t, err)
	require.Equal(t, job.LimitExceeded, response.Result.Status)
	require.Equal(t, job.LimitToolCalls, response.Result.Limit)
	require.LessOrEqual(t, len(response.Result.ToolCalls), 1000)
	require.Empty(t, b.engine.Live())
}

// TestNumbersThatNoFloatHoldsEndTheRunAtOnce has a guard that waits for the answer to
// a call whose numbers would keep the host busy for minutes.
func TestNumbersThatNoFloatHoldsEndTheRunAtOnce(t *testing.T) {
	for name, number := range map[string]string{
		"below every float": "1e-1000001", "of a million digits": "1e-999999", "of many digits": strings.Repeat("9", 500),
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, func(ctx context.Context, g guard) container.Exit {
				g.setUp()
				g.receive()
				g.begin()
				g.call(1, "lookup", `{"n":[`+strings.TrimSuffix(strings.Repeat(number+",", 100), ",")+`]}`)
				<-ctx.Done()
				return container.Exit{}
			}, withPolicy(func(p *policy.Policy) {
				withTools(p)
				p.Tools.Params = 64 << 10
			}))
			asked := request()
			asked.Tools = []job.Tool{shell(t, "lookup", "cat")}
			asked.Tools[0].Schema = json.RawMessage(`{"properties": {"n": {"items": {"type": "number", "minimum": 0}}}}`)
			response, err := b.run(t.Context(), asked, "")
			require.NoError(t, err)
			require.Equal(t, job.OutputRejected, response.Result.Status)
			require.Equal(t, "protocol.broken", response.Result.Violations[0].Rule)
			require.NotContains(t, response.Result.Violations[0].Message, number)
			_, err = b.records.Get(t.Context(), response.Result.RunID)
			require.NoError(t, err)
			require.Empty(t, b.engine.Live())
		})
	}
}

// TestAGuardThatReadsNothingCannotHangTheHost has a guard that calls and never reads
// an answer, while the answers are larger than any pipe.
func TestAGuardThatReadsNothingCannotHangTheHost(t *testing.T) {
	for name, calls := range map[string]int{"one call": 1, "one call behind the other": 5} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, func(ctx context.Context, g guard) container.Exit {
				g.begin()
				for id := range calls {
					g.send(wire.TypeCall, fmt.Sprintf(`{"id":%d,"name":"lookup","params":{}}`, id+1))
					time.Sleep(20 * time.Millisecond)
				}
				<-ctx.Done()
				return container.Exit{}
			}, withPolicy(func(p *policy.Policy) {
				withTools(p)
				p.Tools.Answer = 1 << 20
			}))
			asked := request()
			asked.Overrides.WallClock = 300 * time.Millisecond
			asked.Tools = []job.Tool{shell(t, "lookup", `printf '"'; head -c 500000 /dev/zero | tr '\000' x; printf '"'`)}
			response, err := b.run(t.Context(), asked, "")
			require.NoError(t, err)
			require.NotEqual(t, job.Succeeded, response.Result.Status)
			require.LessOrEqual(t, len(response.Result.ToolCalls), 3)
			require.Empty(t, b.engine.Live())
		})
	}
}

func TestTheClockGoesOnDuringACall(t *testing.T) {
	t.Parallel() // it waits for a real clock, since a tool is a real process
	b := newBench(t, func(ctx context.Context, g guard) container.Exit {
		g.setUp()
		g.receive()
		g.begin()
		g.call(1, "lookup", "{}")
		<-ctx.Done()
		return container.Exit{}
	}, withPolicy(withTools))
	asked := request()
	asked.Overrides.WallClock = 5 * time.Second // the call begins by then, however busy this machine is
	asked.Tools = []job.Tool{shell(t, "lookup", "sleep 1000")}
	response, err := b.run(t.Context(), asked, "")
	require.NoError(t, err)
	require.Equal(t, job.TimedOut, response.Result.Status)
	require.Len(t, response.Result.ToolCalls, 1)
	require.Contains(t, response.Result.ToolCalls[0].Error, "the run ended")
}

func TestAGuardThatDiesDuringACallEndsTheTool(t *testing.T) {
	b := newBench(t, func(_ context.Context, g guard) container.Exit {
		g.setUp()
		g.receive()
		g.begin()
		g.send(wire.TypeCall, `{"id":1,"name":"lookup","params":{}}`)
		g.send(wire.TypeStdout, "x") // the call has been received once this is accepted
		return container.Exit{Code: -1, Signal: "SIGSEGV"}
	}, withPolicy(withTools))
	asked := request()
	asked.Tools = []job.Tool{shell(t, "lookup", "sleep 1000")}
	response, err := b.run(t.Context(), asked, "")
	require.NoError(t, err)
	require.Equal(t, job.Killed, response.Result.Status)
}

func TestCallsWithoutToolsAreRefused(t *testing.T) {
	b := newBench(t, func(_ context.Context, g guard) container.Exit {
		g.begin()
		g.send(wire.TypeCall, `{"id":1,"name":"lookup","params":{}}`)
		return container.Exit{}
	}, nil)
	response, err := b.run(t.Context(), request(), "")
	require.NoError(t, err)
	require.Equal(t, job.OutputRejected, response.Result.Status)
	require.Equal(t, "protocol.broken", response.Result.Violations[0].Rule)
}

func TestInputsAreHeldToThePolicy(t *testing.T) {
	for name, test := range map[string]struct {
		takes  wire.Inputs
		inputs string
		want   string
	}{
		"where it takes none":        {"none", `{}`, "takes no inputs"},
		"no object":                  {"data", `[1]`, "must be a JSON object"},
		"nothing":                    {"data", ` `, "JSON is empty"},
		"a duplicate name":           {"data", `{"a": 1, "a": 2}`, "twice"},
		"a second document":          {"data", `{} {}`, "second value"},
		"nesting without end":        {"data", `{"a": ` + strings.Repeat("[", 200) + strings.Repeat("]", 200) + `}`, "nested"},
		"another section of context": {"context", `{"secrets": {}}`, "inputs, steps, config"},
		"a section that is a list":   {"context", `{"steps": []}`, "steps of the inputs"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, honest(t), withPolicy(func(p *policy.Policy) {
				p.Guard.Inputs, p.Limits.Inputs = test.takes, 1<<10
			}))
			asked := request()
			asked.Inputs = json.RawMessage(test.inputs)
			_, err := b.run(t.Context(), asked, "")
			require.ErrorIs(t, err, ErrInput)
			require.ErrorContains(t, err, test.want)
		})
	}
	t.Run("more than the policy allows", func(t *testing.T) {
		b := newBench(t, honest(t), withPolicy(func(p *policy.Policy) {
			p.Guard.Inputs, p.Limits.Inputs = "data", 1<<10
		}))
		asked := request()
		asked.Inputs = json.RawMessage(`{"a": "` + strings.Repeat("x", 1<<10) + `"}`)
		response, err := b.run(t.Context(), asked, "")
		require.NoError(t, err)
		require.Equal(t, job.LimitExceeded, response.Result.Status)
		require.Equal(t, job.LimitInputs, response.Result.Limit)
	})
}

func TestATableThatThePolicyNeedsMustBeThere(t *testing.T) {
	b := newBench(t, honest(t), withPolicy(func(p *policy.Policy) { p.Guard.RequiredTables = []string{"award_data"} }))
	_, err := b.run(t.Context(), request(), "")
	require.ErrorIs(t, err, ErrInput)
	require.ErrorContains(t, err, "award_data")
}

func TestATableIsNotCalledLikeAPreloadedModule(t *testing.T) {
	chosen := policy.Policy{Name: "p", Guard: policy.Guard{Preloaded: map[string]string{"pd": "pandas"}}}
	require.ErrorContains(t, checkTables(chosen, []string{"visits", "pd"}), "policy p preloads the module pandas as pd")
	require.NoError(t, checkTables(chosen, []string{"visits", "pandas"}))
}

func TestCheckVetsWithoutARecord(t *testing.T) {
	var seen wire.Start
	vetting := func(report string) play {
		return func(_ context.Context, g guard) container.Exit {
			seen, _ = g.setUp()
			g.receive()
			g.hello()
			g.send(wire.TypeReport, report)
			return container.Exit{}
		}
	}
	for name, test := range map[string]struct {
		play  play
		code  string
		rules []string
		fault string
	}{
		"nothing found":         {vetting(`{"outcome":"vetted"}`), "1", nil, ""},
		"something found":       {vetting(`{"outcome":"rejected","violations":[{"rule":"import.denied","line":1}]}`), "import os", []string{"import.denied"}, ""},
		"no text":               {vetting(`{"outcome":"vetted"}`), "\x00", []string{"source.nul"}, ""},
		"too large":             {vetting(`{"outcome":"vetted"}`), strings.Repeat("#", 256<<10+1), []string{"source.size"}, ""},
		"a guard that runs it":  {func(_ context.Context, g guard) container.Exit { g.begin(); return container.Exit{} }, "1", nil, "broke the protocol"},
		"a guard that dies":     {func(_ context.Context, g guard) container.Exit { return container.Exit{Code: -1, Signal: "SIGSEGV"} }, "1", nil, "SIGSEGV"},
		"a guard that is mute":  {func(_ context.Context, g guard) container.Exit { g.hello(); return container.Exit{} }, "1", nil, "before the code ran"},
		"a guard that has died": {func(_ context.Context, g guard) container.Exit { return container.Exit{OOMKills: 1} }, "1", nil, "needed more than"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, test.play, nil)
			asked := request()
			asked.Code = []byte(test.code)
			found, err := b.runner.Check(t.Context(), b.ask(asked))
			if test.fault != "" {
				require.ErrorContains(t, err, test.fault)
			} else {
				require.NoError(t, err)
			}
			var rules []string
			for _, violation := range found.Violations {
				rules = append(rules, violation.Rule)
			}
			require.Equal(t, test.rules, rules)
			if test.fault == "" {
				require.Equal(t, asked.Policy, found.Policy)
				require.NotEmpty(t, found.PolicySHA256)
			}
			runs, err := b.records.List(t.Context())
			require.NoError(t, err)
			require.Empty(t, runs)
			require.Empty(t, b.engine.Live())
		})
	}
	require.Equal(t, wire.ModeCheck, seen.Mode)
	require.Empty(t, seen.BundleDir)
}

func TestCheckCanBeCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	b := newBench(t, func(ctx context.Context, g guard) container.Exit {
		g.hello()
		cancel()
		<-ctx.Done()
		return container.Exit{}
	}, nil)
	_, err := b.runner.Check(ctx, b.ask(request()))
	require.ErrorIs(t, err, context.Canceled)
	require.Empty(t, b.engine.Live())
}

// The administrator's tools need no right of who calls.
func TestToolsOfTheHostNeedNoRight(t *testing.T) {
	answers := make(chan wire.Reply, 1)
	play := func(_ context.Context, g guard) container.Exit {
		g.setUp()
		g.receive()
		g.begin()
		answers <- g.call(1, "lookup", `{"year":2020}`)
		g.report("completed", "")
		return container.Exit{}
	}
	b := newBench(t, play, withPolicy(withTools))
	ask := b.ask(request())
	ask.Caller, ask.Tools = Caller{}, []job.Tool{shell(t, "lookup", "cat")}
	_, err := b.runner.Run(t.Context(), ask)
	require.NoError(t, err)
	require.JSONEq(t, `{"year":2020}`, string((<-answers).Result))

	ask.Tools[0].Command[0] += ".gone"
	err = b.resolve(t, ask)
	require.ErrorContains(t, err, "look at command")
	require.NotErrorIs(t, err, ErrInput, "it is the host's fault, not the request's")

	b = newBench(t, play, withPolicy(func(p *policy.Policy) { p.Tools = nil }))
	ask.Request = request()
	_, err = b.runner.Run(t.Context(), ask)
	require.NoError(t, err)
	require.Empty(t, (<-answers).Result, "a policy that allows no tools has none")
}
