package policies_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/job"
)

const workflowInputs = `{"inputs": {"city": "Oslo", "days": [1, 2]}, "steps": {"load": {"rows": 3}}, "config": {"unit": "C"}}`

func TestWorkflowStep(t *testing.T) {
	w := newWorkspace(t)
	w.write("inputs.json", workflowInputs)
	w.write("named.json", `{"type": "object", "required": ["name"], "additionalProperties": false, "properties": {"name": {"type": "string"}}}`)
	test(t, w, "workflow-step", map[string]feature{
		"context has inputs, steps and config": {
			script: "result = [context.inputs['city'], context.inputs.days, context.steps['load']['rows'], context.config.get('unit')]",
			want:   answers(`["Oslo",[1,2],3,"C"]`),
		},
		"a result that is text is the answer as it is": {script: "result = 'done'", want: answers("done")},
		"a tool is called by name with parameters": {
			script: "answer = context.tools.call('echo', {'name': 'x', 'n': [1, None]})\nresult = answer",
			flags:  []string{"--tool", "echo=/bin/cat"},
			want: func(t *testing.T, got job.Result) {
				answers(`{"name":"x","n":[1,null]}`)(t, got)
				require.Len(t, got.ToolCalls, 1)
				require.Equal(t, "echo", got.ToolCalls[0].Name)
				require.True(t, got.ToolCalls[0].OK)
			},
		},
		"a failure is raised where it is awaited": {
			script: "import asyncio\ngot = await asyncio.gather(call_tool('echo', {'n': 1}), call_tool('fail'), return_exceptions=True)\nreturn [type(each).__name__ for each in got]",
			flags:  []string{"--tool", "echo=/bin/cat", "--tool", "fail=/bin/false"},
			want:   answers(`["Record","ToolError"]`),
		},
		"only registered tools can be called": {
			script: "try:\n    context.tools.call('shell', {})\nexcept Exception as error:\n    result = type(error).__name__",
			flags:  []string{"--tool", "echo=/bin/cat"},
			want: func(t *testing.T, got job.Result) {
				answers("ToolError")(t, got)
				require.Len(t, got.ToolCalls, 1, "a refused call counts")
				require.False(t, got.ToolCalls[0].OK)
			},
		},
		"ten calls are the most": {
			script: "calls = 0\nwhile True:\n    try:\n        context.tools.call('echo', {})\n        calls += 1\n    except Exception as error:\n        result = [calls, type(error).__name__]\n        break",
			flags:  []string{"--tool", "echo=/bin/cat"},
			want: func(t *testing.T, got job.Result) {
				answers(`[10,"ToolError"]`)(t, got)
				require.Len(t, got.ToolCalls, 11)
			},
		},
		"parameters must have a JSON form": {
			script: "context.tools.call('echo', {'f': lambda: 1})",
			flags:  []string{"--tool", "echo=/bin/cat"},
			want:   raises("TypeError", "f"),
		},
		"parameters are held to the tool's schema": {
			script: "try:\n    context.tools.call('echo', {'nome': 'x'})\nexcept Exception as error:\n    result = type(error).__name__",
			flags:  []string{"--tool", "echo=/bin/cat", "--tool-schema", "echo=named.json"},
			want:   answers("ToolError"),
		},
		"calls can be awaited, and a step returns": {
			script: "import asyncio\nfirst = await call_tool('echo', {'n': 1})\nboth = await asyncio.gather(call_tool('echo', {'n': 2}), call_mcp('srv', 'same', {'n': 3}))\n" +
				"for each in both:\n    if each['n'] == 3:\n        return [first.n, *[one.n for one in both]]\nresult = 'not reached'",
			flags: []string{"--tool", "echo=/bin/cat", "--tool", "mcp__srv__same=/bin/cat"},
			want:  answers("[1,2,3]"),
		},
		"ToolError by its name, with the tool": {
			script: "try:\n    await call_tool('shell')\nexcept ToolError as error:\n    return [error.tool, 'shell' in error.message]",
			flags:  []string{"--tool", "echo=/bin/cat"},
			want:   answers(`["shell",true]`),
		},
		"asyncio runs a main": {
			script: "import asyncio\nasync def main():\n    await asyncio.sleep(0.01)\n    return 5\nresult = asyncio.run(main())",
			want:   answers("5"),
		},
		"an error at the step's own level has its line": {
			script: "import asyncio\nawait asyncio.sleep(0)\n\n1 / 0\nreturn 1",
			want: func(t *testing.T, got job.Result) {
				raises("ZeroDivisionError", "")(t, got)
				require.Equal(t, 4, got.Error.Line)
			},
		},
		"the log is what the step prints": {
			script: "context.log('begun', context.workflow.id)\ncontext.log.warning('late', rows=2)\nreturn 1",
			want: func(t *testing.T, got job.Result) {
				answers("1")(t, got)
				require.Equal(t, "INFO begun None\nWARNING late rows=2\n", got.Stdout)
			},
		},
		"a tool cannot run code": {
			script: "try:\n    context.tools.call('again', {})\nexcept Exception as error:\n    result = type(error).__name__",
			flags:  []string{"--tool", `again=["/usr/bin/env","` + runnerPath + `","run","--policy","workflow-step","script.py"]`},
			want:   answers("ToolError"),
		},
		"the profile standard": {
			script: "import json, re, datetime, statistics, collections, itertools, base64, hashlib, uuid, urllib.parse\nresult = 'all there'",
			want:   answers("all there"),
		},
		"the profile common": {
			script: "import numpy, pandas, requests, pydantic, jmespath, yaml\nfrom dateutil import parser\nresult = [jmespath.search('a.b', {'a': {'b': 1}}), yaml.safe_load('x: 2')['x'], parser.parse('2024-02-03').year]",
			want:   answers("[1,2,2024]"),
		},
		"no request leaves": {
			script: "import requests\ntry:\n    requests.get('http://127.0.0.1/', timeout=2)\n    result = 'left'\nexcept Exception as error:\n    result = 'refused'",
			want:   answers("refused"),
		},
		"the standard floor holds": {script: "import subprocess", want: refusedBy("import.denied", "subprocess")},
		"what it prints is a log": {
			script: "print('log')\nresult = {'n': 1}",
			want: func(t *testing.T, got job.Result) {
				answers(`{"n":1}`)(t, got)
				require.Equal(t, "log\n", got.Stdout)
			},
		},
	}, "--inputs", "inputs.json")
}

func TestWorkflowStepRefusesARunnerAsTool(t *testing.T) {
	w := newWorkspace(t)
	w.write("script.py", "result = 1")
	e := w.command("", "run", "--policy", "workflow-step", "--tool", "again="+runnerPath, "script.py")
	require.Equal(t, job.ExitUsage, e.code)
	require.Contains(t, e.stderr, "a tool must not run code")
}

func TestWorkflowStepListsItsErrors(t *testing.T) {
	w := newWorkspace(t)
	w.write("script.py", "import socket\nresult = help('1')\n")
	e := w.command("", "check", "--json", "--policy", "workflow-step", "script.py")
	require.Equal(t, job.Rejected.ExitCode(), e.code, e.stderr)
	type answer struct {
		Accepted   bool
		Violations []job.Violation
	}
	got := decode[answer](t, e.stdout, e.stderr)
	require.False(t, got.Accepted)
	require.Len(t, got.Violations, 2)
	require.Equal(t, "import.denied", got.Violations[0].Rule)
	require.Equal(t, "builtin.denied", got.Violations[1].Rule)
}

func TestWorkflowStepOfThirtySeconds(t *testing.T) {
	w := newWorkspace(t)
	w.write("script.py", "import time\ntime.sleep(60)")
	e := w.command("", "run", "--policy", "workflow-step", "--timeout", "31s", "script.py")
	require.Equal(t, job.ExitUsage, e.code)
	require.Contains(t, e.stderr, "wall_clock of 31s is above the policy's 30s")
	stopped(job.TimedOut, job.LimitWallClock)(t, w.run("workflow-step", "import time\ntime.sleep(60)", "--timeout", "1s"))
}
