package tool

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"hotcell/internal/job"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// script writes an executable shell script.
func script(t *testing.T, lines string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tool")
	require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n"+lines), 0o700))
	return path
}

func brought(name string, command ...string) job.Tool { return job.Tool{Name: name, Command: command} }

func options(tools ...job.Tool) Options {
	return Options{
		Brought: tools, Allowed: []string{Everyone}, MaxCalls: 10, Timeout: time.Minute,
		ParamsBytes: 1 << 10, AnswerBytes: 1 << 10,
	}
}

func TestNewTakesToolsOfThePolicyAndOfTheCaller(t *testing.T) {
	path := script(t, "")
	given := options(brought("mine", path, "--fast"), brought("git-hub/issues.list:2", path))
	given.Registry = []job.Tool{brought("own", path), brought("unnamed", path)}
	given.Allowed = []string{"own", Everyone}
	set, err := New(given)
	require.NoError(t, err)
	require.Equal(t, []string{"git-hub/issues.list:2", "mine", "own"}, set.Names(), "a tool that the policy does not allow is none")
}

func TestFramesHoldMoreThanTheirPayload(t *testing.T) {
	set, err := New(options())
	require.NoError(t, err)
	call, answer := set.Frames()
	require.Equal(t, []int64{1<<10 + FrameOverhead, 1<<10 + FrameOverhead}, []int64{call, answer})
	set, err = New(Options{})
	require.NoError(t, err)
	call, answer = set.Frames()
	require.Equal(t, []int64{FrameOverhead, FrameOverhead}, []int64{call, answer}, "for the answer that there is no such tool")
}

func TestNewRefuses(t *testing.T) {
	path := script(t, "")
	plain := filepath.Join(t.TempDir(), "plain")
	require.NoError(t, os.WriteFile(plain, nil, 0o600))
	self, err := os.Executable()
	require.NoError(t, err)
	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(self, link))
	hard := filepath.Join(filepath.Dir(self), "hard")
	require.NoError(t, os.Link(self, hard))
	schema := func(text string) job.Tool {
		return job.Tool{Name: "a", Command: []string{path}, Schema: json.RawMessage(text)}
	}
	for name, test := range map[string]struct {
		options Options
		want    string
	}{
		"a tool that is not allowed":   {Options{Brought: []job.Tool{brought("a", path)}, Allowed: []string{"b", "c"}}, "it allows b, c"},
		"a tool where none is allowed": {Options{Brought: []job.Tool{brought("a", path)}}, "it allows none"},
		"a tool in the place of the policy's": {Options{
			Registry: []job.Tool{brought("a", path)}, Brought: []job.Tool{brought("a", path)}, Allowed: []string{Everyone, "a"},
		}, "the policy brings a tool of this name"},
		"the same name twice":              {options(brought("a", path), brought("a", path)), "twice"},
		"a name with a space":              {options(brought("a b", path)), "begin with a letter"},
		"a name of another alphabet":       {options(brought("é", path)), "begin with a letter"},
		"a name like a flag":               {options(brought("-a", path)), "begin with a letter"},
		"a name like a path":               {options(brought("../a", path)), "begin with a letter"},
		"a name of two lines":              {options(brought("a\n", path)), "begin with a letter"},
		"a name that is too long":          {options(brought(strings.Repeat("a", 65), path)), "begin with a letter"},
		"no command":                       {options(brought("a")), "empty"},
		"a relative path":                  {options(brought("a", "tool")), "not an absolute path"},
		"a NUL byte":                       {options(brought("a", path, "b\x00c")), "NUL"},
		"a file that is not there":         {options(brought("a", "/nonexistent/tool")), "no such file"},
		"a file that is not executable":    {options(brought("a", plain)), "not an executable"},
		"a directory":                      {options(brought("a", t.TempDir())), "not an executable"},
		"the runner itself":                {options(brought("a", self)), "the runner itself"},
		"a link to the runner":             {options(brought("a", link)), "the runner itself"},
		"the runner under another name":    {options(brought("a", hard)), "the runner itself"},
		"the runner by /proc":              {options(brought("a", "/proc/self/exe", "run")), "the runner itself"},
		"a schema that is not JSON":        {options(schema(`{`)), "not valid JSON"},
		"a schema that is no schema":       {options(schema(`{"type": "wish"}`)), "schema"},
		"a schema that reads a file":       {options(schema(`{"$ref": "file:///etc/passwd"}`)), "outside the schema"},
		"a schema that reads the network":  {options(schema(`{"$ref": "http://127.0.0.1/a.json"}`)), "outside the schema"},
		"a pattern that cannot be matched": {options(schema(`{"pattern": "(a+)+\\1"}`)), "schema"},
		"tools without limits":             {Options{Brought: []job.Tool{brought("a", path)}, Allowed: []string{Everyone}}, "need limits"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := New(test.options)
			require.ErrorContains(t, err, test.want)
		})
	}
}

func TestNewNamesEveryFault(t *testing.T) {
	_, err := New(options(brought("a"), brought("b c")))
	require.ErrorContains(t, err, "tool a")
	require.ErrorContains(t, err, "b c")
}

func TestASetOfNoToolsIsFine(t *testing.T) {
	set, err := New(Options{})
	require.NoError(t, err)
	require.Empty(t, set.Names())
	_, fault, err := set.Begin(t.TempDir()).Call(t.Context(), "a", []byte("{}"))
	require.NoError(t, err)
	require.Contains(t, fault, "all of its 0 tool calls")
}

func TestPatternsCannotMakeTheCheckHang(t *testing.T) {
	schema, err := compileSchema([]byte(`{"properties": {"a": {"pattern": "^(a+)+$"}}}`))
	require.NoError(t, err)
	called := &entry{checker: schema}
	require.Error(t, called.checkParams(t.Context(), []byte(`{"a": "`+strings.Repeat("a", 1<<16)+`b"}`)))
}
