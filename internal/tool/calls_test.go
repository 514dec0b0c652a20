package tool

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// begin makes calls of one tool named "tool" that runs a shell script.
func begin(t *testing.T, lines string, adapt func(*Options)) *Calls {
	t.Helper()
	given := options(brought("tool", script(t, lines)))
	if adapt != nil {
		adapt(&given)
	}
	set, err := New(given)
	require.NoError(t, err)
	return set.Begin(t.TempDir())
}

func call(t *testing.T, calls *Calls, name, params string) (result, fault string) {
	t.Helper()
	answer, fault, err := calls.Call(t.Context(), name, json.RawMessage(params))
	require.NoError(t, err)
	return string(answer), fault
}

func TestCallPassesParametersInAndTheAnswerOut(t *testing.T) {
	calls := begin(t, `read params; echo "{\"got\": $params}"`, nil)
	result, fault := call(t, calls, "tool", `{"year":2020}`)
	require.Empty(t, fault)
	require.JSONEq(t, `{"got": {"year": 2020}}`, result)
	made := calls.Made()
	require.Len(t, made, 1)
	require.Equal(t, "tool", made[0].Name)
	require.True(t, made[0].OK)
	require.Empty(t, made[0].Error)
}

func TestParametersReachNoShellAndNoArgument(t *testing.T) {
	dir := t.TempDir()
	calls := begin(t, `cat >/dev/null; echo $#`, nil)
	result, _ := call(t, calls, "tool", `{"a": "$(touch `+dir+`/x)`+"`touch "+dir+"/x`"+`; touch `+dir+`/x"}`)
	require.Equal(t, "0\n", result)
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, left)
}

func TestACallIsRefused(t *testing.T) {
	schema := func(o *Options) {
		o.Brought[0].Schema = json.RawMessage(`{"type": "object", "required": ["year"], "properties": {"year": {"type": "integer"}}, "additionalProperties": false}`)
	}
	for name, test := range map[string]struct {
		lines  string
		adapt  func(*Options)
		called string
		params string
		told   string
		kept   string
	}{
		"of an unknown tool":                 {"", nil, "toll", "{}", "there is no tool toll: known are tool", "no such tool"},
		"of a tool with a hostile name":      {"", nil, "\x1b[31m\u202e", "{}", `there is no tool \x1b[31m\u202e:`, "no such tool"},
		"with too many parameters":           {"", nil, "tool", `{"a": "` + strings.Repeat("x", 1<<10) + `"}`, "more than 1024 bytes", "1024"},
		"with parameters that do not fit":    {"", schema, "tool", `{"year": "secret"}`, "/year got string, want integer", "do not fit"},
		"without a required parameter":       {"", schema, "tool", `{}`, "missing property 'year'", "do not fit"},
		"with a parameter that nobody has":   {"", schema, "tool", `{"year": 1, "secret": 2}`, "additional properties", "do not fit"},
		"that fails":                         {"echo /secret/path >&2; exit 3", nil, "tool", "{}", "ended with code 3", "ended with code 3"},
		"that says why it fails":             {`echo '{"error": "no such town"}'; exit 3`, nil, "tool", "{}", "ended with code 3: no such town", "ended with code 3"},
		"that says more than why":            {`echo '{"error": "no such town", "secret": 1}'; exit 3`, nil, "tool", "{}", "ended with code 3", "ended with code 3"},
		"that says why at length":            {`printf '{"error": "%1100s"}' x; exit 3`, func(o *Options) { o.AnswerBytes = 4096 }, "tool", "{}", "ended with code 3", "ended with code 3"},
		"that is killed":                     {"kill -SEGV $$", nil, "tool", "{}", "ended by signal 11", "signal 11"},
		"without an answer":                  {"", nil, "tool", "{}", "not acceptable JSON", "empty"},
		"whose answer is not JSON":           {"echo secret", nil, "tool", "{}", "not acceptable JSON", "not valid JSON"},
		"whose answer is two":                {"echo 1 2", nil, "tool", "{}", "not acceptable JSON", "second value"},
		"whose answer is ambiguous":          {`echo '{"a": 1, "a": 2}'`, nil, "tool", "{}", "not acceptable JSON", "twice"},
		"whose answer is infinite":           {`echo 1e999`, nil, "tool", "{}", "not acceptable JSON", "float"},
		"whose answer nests without end":     {`i=0; while [ $i -lt 200 ]; do printf '['; i=$((i+1)); done`, nil, "tool", "{}", "not acceptable JSON", "nested"},
		"whose answer is too large":          {"yes", nil, "tool", "{}", "more than 1024 bytes", "1024"},
		"whose answer is one byte too large": {"printf '\"%1023s\"' x", nil, "tool", "{}", "more than 1024 bytes", "1024"},
		"that takes too long":                {"sleep 60 & wait", func(o *Options) { o.Timeout = 50 * time.Millisecond }, "tool", "{}", "longer than 50ms", "50ms"},
		"that is no program":                 {"", func(o *Options) { require.NoError(t, os.WriteFile(o.Brought[0].Command[0], []byte("\x7fELF"), 0o700)) }, "tool", "{}", "could not be run: exec format error", "exec format error"},
	} {
		t.Run(name, func(t *testing.T) {
			calls := begin(t, test.lines, test.adapt)
			result, fault := call(t, calls, test.called, test.params)
			require.Equal(t, "null", result)
			require.Contains(t, fault, test.told)
			made := calls.Made()
			require.Len(t, made, 1, "what is refused counts")
			require.False(t, made[0].OK)
			require.Contains(t, made[0].Error, test.kept)
			for _, text := range []string{fault, made[0].Error} {
				require.NotContains(t, text, "/tmp", "no path of the host's")
				require.NotContains(t, text, "\x1b")
			}
			require.NotContains(t, made[0].Error+made[0].Name, "secret", "the record has no parameters and no answer")
		})
	}
}

func TestWhatAToolSaysOfItsFailureIsTheScriptsAlone(t *testing.T) {
	calls := begin(t, `echo '{"error": "no town called Ulm"}'; exit 1`, nil)
	_, fault := call(t, calls, "tool", `{"town": "Ulm"}`)
	require.Equal(t, "the tool ended with code 1: no town called Ulm", fault)
	require.Equal(t, "the tool ended with code 1", calls.Made()[0].Error)
}

func TestAToolGetsNothingOfTheRunnersEnvironment(t *testing.T) {
	t.Setenv("AWS_SECRET_ACCESS_KEY", "s3cret")
	calls := begin(t, `env -0 | tr '\000' ' ' | { printf '"'; tr -d '\n'; printf '"'; }`, nil)
	result, fault := call(t, calls, "tool", "{}")
	require.Empty(t, fault)
	require.NotContains(t, result, "s3cret")
	require.Contains(t, result, Variable+"=1")
	require.Contains(t, result, "PATH=/usr/local/sbin:")
}

func TestEachCallHasAnEmptyDirectoryOfItsOwn(t *testing.T) {
	calls := begin(t, `ls -A | wc -l; [ "$PWD" = "$HOME" ] || exit 1; touch left`, nil)
	for range 2 {
		result, fault := call(t, calls, "tool", "{}")
		require.Empty(t, fault)
		require.Equal(t, "0", strings.TrimSpace(result))
	}
	left, err := os.ReadDir(calls.dir)
	require.NoError(t, err)
	require.Empty(t, left, "it goes with the call")
}

func TestTheBudgetCountsRefusedCalls(t *testing.T) {
	calls := begin(t, "echo 1", func(o *Options) { o.MaxCalls = 3 })
	for range 2 {
		_, fault := call(t, calls, "unknown", "{}")
		require.Contains(t, fault, "there is no tool")
	}
	_, fault := call(t, calls, "tool", "{}")
	require.Empty(t, fault)
	_, fault = call(t, calls, "tool", "{}")
	require.Contains(t, fault, "all of its 3 tool calls")
	require.Len(t, calls.Made(), 4)
}

func TestAFloodOfCallsEnds(t *testing.T) {
	calls := begin(t, "echo 1", func(o *Options) { o.MaxCalls = 1 })
	for range 1 + patience {
		call(t, calls, "unknown", "{}")
	}
	for range 3 {
		_, _, err := calls.Call(t.Context(), "unknown", []byte("{}"))
		require.ErrorIs(t, err, ErrFlood)
	}
	require.Len(t, calls.Made(), 1+patience, "the record is bounded")
}

func TestEachScriptHasABudgetOfItsOwn(t *testing.T) {
	calls := begin(t, "echo 1", func(o *Options) { o.MaxCalls = 1 })
	call(t, calls, "tool", "{}")
	_, fault := call(t, calls.set.Begin(t.TempDir()), "tool", "{}")
	require.Empty(t, fault)
}

// pidOf waits for a file that a tool writes a pid to.
func pidOf(t *testing.T, path string) int {
	t.Helper()
	pid := 0
	require.Eventually(t, func() bool {
		content, _ := os.ReadFile(path)
		pid, _ = strconv.Atoi(strings.TrimSpace(string(content)))
		return pid > 0
	}, time.Minute, time.Millisecond)
	return pid
}

func requireDead(t *testing.T, pid int) {
	t.Helper()
	require.Eventually(t, func() bool { return syscall.Kill(pid, 0) != nil }, time.Minute, time.Millisecond)
}

func TestTheEndOfTheRunEndsTheToolAndItsChildren(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pid")
	calls := begin(t, fmt.Sprintf("sleep 1000 & echo $! > %s; wait", file), nil)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, _, err := calls.Call(ctx, "tool", []byte("{}"))
		ended <- err
	}()
	child := pidOf(t, file)
	cancel()
	require.ErrorIs(t, <-ended, context.Canceled)
	requireDead(t, child)
	require.Contains(t, calls.Made()[0].Error, "the run ended")
}

func TestWhatAToolLeavesRunningEndsWithIt(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pid")
	calls := begin(t, fmt.Sprintf("sleep 1000 & echo $! > %s; echo 1", file), nil)
	result, fault := call(t, calls, "tool", "{}")
	require.Empty(t, fault)
	require.Equal(t, "1\n", result)
	requireDead(t, pidOf(t, file))
}

func TestAToolThatHidesAProcessGetsNoAnswerThrough(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pid")
	calls := begin(t, fmt.Sprintf("setsid sh -c 'echo $$ > %s; exec sleep 1000' & while ! [ -s %s ]; do :; done; echo 1", file, file), nil)
	_, fault := call(t, calls, "tool", "{}")
	require.Contains(t, fault, "left a process behind")
	require.NoError(t, syscall.Kill(pidOf(t, file), syscall.SIGKILL))
}

func TestAToolNeedNotReadItsParameters(t *testing.T) {
	calls := begin(t, "exec <&-; echo 1", func(o *Options) { o.ParamsBytes = 1 << 20 })
	_, fault := call(t, calls, "tool", `{"a": "`+strings.Repeat("x", 1<<19)+`"}`)
	require.Empty(t, fault)
}

func TestStderrGoesToItsReaderOnlyAndIsCut(t *testing.T) {
	var stderr bytes.Buffer
	calls := begin(t, "head -c 200000 /dev/zero | tr '\\000' x >&2; echo 1", func(o *Options) { o.Stderr = &stderr })
	result, fault := call(t, calls, "tool", "{}")
	require.Empty(t, fault)
	require.Equal(t, "1\n", result)
	require.Equal(t, stderrBytes, stderr.Len())
}

func TestAToolThatWasReplacedByTheRunnerIsRefused(t *testing.T) {
	calls := begin(t, "echo 1", nil)
	path := calls.set.tools["tool"].Command[0]
	self, err := os.Executable()
	require.NoError(t, err)
	require.NoError(t, os.Remove(path))
	require.NoError(t, os.Symlink(self, path))
	_, fault := call(t, calls, "tool", "{}")
	require.Contains(t, fault, "not there any more")
}
