package policy_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/job"
	"hotcell/internal/policy"
	"hotcell/policies"
)

func hostTools(t *testing.T, text string) policy.HostTools {
	t.Helper()
	file := filepath.Join(t.TempDir(), "tools.yaml")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	return policy.HostTools{File: file}
}

func builtIn(t *testing.T, name string) policy.Policy {
	t.Helper()
	found, err := policy.NewCatalog(policies.Files, "").Get(name)
	require.NoError(t, err)
	return found
}

const twoTools = `version: 1
tools:
  - name: lookup
    command: [/bin/cat, --fast]
    schema: {type: object, required: [year]}
    policies: [workflow-step]
  - name: other
    command: [/bin/true]
    policies: [another]
`

func TestAnAdministratorRegistersTools(t *testing.T) {
	tools := hostTools(t, twoTools)
	found, err := tools.Of(builtIn(t, "workflow-step"))
	require.NoError(t, err)
	require.Equal(t, []job.Tool{{Name: "lookup", Command: []string{"/bin/cat", "--fast"}, Schema: []byte(`{"required":["year"],"type":"object"}`)}}, found)
	found, err = tools.Of(builtIn(t, "interpreter"))
	require.NoError(t, err)
	require.Empty(t, found)
	require.NoError(t, tools.Check([]string{"workflow-step", "another"}))
	err = tools.Check([]string{"workflow-step"})
	require.ErrorContains(t, err, `there is no policy "another"`)
	require.ErrorIs(t, err, policy.ErrInvalid)
	for _, none := range []policy.HostTools{{}, {File: filepath.Join(t.TempDir(), "tools.yaml")}} {
		found, err = none.Of(builtIn(t, "workflow-step"))
		require.NoError(t, err)
		require.Empty(t, found)
	}
}

func TestToolsThatAreNotUnderstoodAreRefused(t *testing.T) {
	one := func(lines string) string { return "version: 1\ntools:\n  - " + lines + "\n" }
	for name, test := range map[string]struct{ text, says string }{
		"no version":           {"tools: []\n", "want version: 1"},
		"another version":      {"version: 2\ntools: []\n", "want version: 1"},
		"an unknown key":       {one("{name: t, command: [/bin/true], policies: [workflow-step], shell: true}"), "shell"},
		"a key twice":          {one("{name: t, name: u, command: [/bin/true], policies: [workflow-step]}"), "name"},
		"no name":              {one("{command: [/bin/true], policies: [workflow-step]}"), "it has no name"},
		"a name twice":         {one("{name: t, command: [/bin/true], policies: [workflow-step]}\n  - {name: t, command: [/bin/cat], policies: [workflow-step]}"), "two tools called"},
		"no command":           {one("{name: t, policies: [workflow-step]}"), "absolute path"},
		"a command by PATH":    {one("{name: t, command: [t], policies: [workflow-step]}"), "absolute path"},
		"no policies":          {one("{name: t, command: [/bin/true]}"), "it names no policies"},
		"a schema that is not": {one("{name: t, command: [/bin/true], policies: [workflow-step], schema: {type: 7}}"), "not a JSON Schema"},
		"a schema from a file": {one("{name: t, command: [/bin/true], policies: [workflow-step], schema: {$ref: \"file:///etc/passwd\"}}"), "not a JSON Schema"},
		"no YAML":              {"\t", "one YAML document"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := hostTools(t, test.text).Of(builtIn(t, "workflow-step"))
			require.ErrorContains(t, err, test.says)
			require.ErrorContains(t, err, "tools.yaml")
			require.ErrorIs(t, err, policy.ErrInvalid)
		})
	}
}

func TestAToolIsForPoliciesThatAllowIt(t *testing.T) {
	tools := hostTools(t, "version: 1\ntools:\n  - {name: t, command: [/bin/true], policies: [p]}\n")
	for name, test := range map[string]struct {
		tools *policy.Tools
		says  string // or "" for one that has it
	}{
		"no tools section":        {nil, "it has no tools section"},
		"one that does not":       {&policy.Tools{Allowed: []string{"u"}}, "its tools.allowed does not have this tool"},
		"one of its own":          {&policy.Tools{Allowed: []string{"t"}, Registry: []policy.Tool{{Name: "t", Command: []string{"/bin/true"}}}}, "it brings a tool of this name"},
		"one that does":           {&policy.Tools{Allowed: []string{"t"}}, ""},
		"one that allows all":     {&policy.Tools{Allowed: []string{"*"}}, ""},
		"one that allows no tool": {&policy.Tools{}, "its tools.allowed does not have this tool"},
	} {
		t.Run(name, func(t *testing.T) {
			found, err := tools.Of(policy.Policy{Name: "p", Tools: test.tools})
			if test.says != "" {
				require.ErrorContains(t, err, test.says)
				return
			}
			require.NoError(t, err)
			require.Len(t, found, 1)
		})
	}
}

func TestToolsThatAnotherCouldHaveWrittenAreRefused(t *testing.T) {
	tools := hostTools(t, twoTools)
	require.NoError(t, os.Chmod(tools.File, 0o666))
	_, err := tools.Of(builtIn(t, "workflow-step"))
	require.ErrorContains(t, err, "writable by its group or by others")
	link := policy.HostTools{File: filepath.Join(t.TempDir(), "tools.yaml")}
	require.NoError(t, os.Symlink(tools.File, link.File))
	_, err = link.Of(builtIn(t, "workflow-step"))
	require.ErrorContains(t, err, "not a regular file")
}

// It is run as root for strangers' scripts: who may write it is root.
func TestAToolThatAnotherCouldHaveWrittenIsRefused(t *testing.T) {
	dir := t.TempDir()
	lookup := filepath.Join(dir, "lookup")
	require.NoError(t, os.WriteFile(lookup, []byte("#!/bin/sh\ncat\n"), 0o755))
	for name, command := range map[string]string{"itself": lookup, "as an interpreter's script": "/bin/sh, " + lookup} {
		t.Run(name, func(t *testing.T) {
			tools := hostTools(t, "version: 1\ntools:\n  - {name: lookup, command: ["+command+"], policies: [workflow-step]}\n")
			own := &policy.Tools{Registry: []policy.Tool{{Name: "lookup", Command: strings.Split(command, ", ")}}}
			for mode, says := range map[os.FileMode]string{0o755: "", 0o757: "run `chmod go-w " + lookup + "`"} {
				require.NoError(t, os.Chmod(lookup, mode))
				_, err := tools.Of(builtIn(t, "workflow-step"))
				_, ownErr := own.Programs()
				if says == "" {
					require.NoError(t, errors.Join(err, ownErr))
					continue
				}
				require.ErrorContains(t, err, "tools.yaml: tool lookup: "+lookup+" is writable")
				for _, each := range []error{err, ownErr} {
					require.ErrorContains(t, each, says)
					require.ErrorIs(t, each, policy.ErrInvalid)
				}
			}
		})
	}
}
