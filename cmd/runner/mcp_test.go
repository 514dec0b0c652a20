package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"syscall"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"hotcell/api"
	"hotcell/client"
	"hotcell/internal/mcpserver"
)

// mcpSession is the SDK's client at the command as a process, with the tools that it is offered. Whoever
// asks for it closes it.
func mcpSession(t *testing.T) (*mcp.ClientSession, []*mcp.Tool, *spoken) {
	t.Helper()
	command, _, stderr := serverCommand(t, "mcp")
	command.Stdout = nil
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &mcp.CommandTransport{Command: command}, nil)
	require.NoError(t, err)
	list, err := session.ListTools(t.Context(), nil)
	require.NoError(t, err)
	return session, list.Tools, stderr
}

// TestMCPServesTheSDKsClient is the whole way: the command as a process, its client, and the real
// front of a service.
func TestMCPServesTheSDKsClient(t *testing.T) {
	session, tools, stderr := mcpSession(t)
	require.Len(t, tools, 13)
	call := func(name string, arguments map[string]any) (result *mcp.CallToolResult, facts map[string]any) {
		result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: arguments})
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal([]byte(result.Content[0].(*mcp.TextContent).Text), &facts))
		return result, facts
	}
	result, facts := call("run_python", map[string]any{"policy": "study-analysis", "code": "print hello\nfile a.txt some text\n"})
	require.False(t, result.IsError)
	require.Equal(t, "succeeded", facts["status"])
	require.Contains(t, result.Content[1].(*mcp.TextContent).Text, `hello\n`)
	link := result.Content[2].(*mcp.ResourceLink)
	read, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: link.URI})
	require.NoError(t, err)
	require.True(t, strings.HasSuffix(read.Contents[0].Text, "\n"+`"some text\n"`), read.Contents[0].Text)
	_, listed := call("list_files", map[string]any{"run_id": facts["run_id"]})
	require.InDelta(t, 1, listed["files_total"], 0)
	_, failed := call("run_python", map[string]any{"policy": "study-analysis", "code": "fail\n"})
	require.Equal(t, "failed", failed["status"])
	result, refused := call("run_python", map[string]any{"policy": "none", "code": "print x\n"})
	require.True(t, result.IsError)
	require.Contains(t, refused["error"], "no policy of this name")
	require.NoError(t, session.Close())
	require.Empty(t, stderr.String())
}

// TestNoArgumentIsAFaultOfTheHost: whatever a model says, it is told so, and the host's log has no
// line of it.
func TestNoArgumentIsAFaultOfTheHost(t *testing.T) {
	session, tools, stderr := mcpSession(t)
	id := "1795219431042-9f86d081884c7d65"
	asked := 0
	for _, tool := range tools {
		properties, _ := tool.InputSchema.(map[string]any)["properties"].(map[string]any)
		for name := range properties {
			for _, value := range []any{
				"a b", " ", "é", "a\x00b", "\u202e", "..", "../x", "/", "a//b", "a/../b", "%2e%2e", "a?b#c", "a@b@c", "@", "sha256:00", "SHA256:" + strings.Repeat("AB", 32), "\\", "*",
				strings.Repeat("k", 256), strings.Repeat("é", 128), "<" + strings.Repeat("&<>", 1<<19), id, "hotcell://x", 1, -1, 1 << 40, 1.5, true, []string{"x"}, map[string]any{},
			} {
				arguments := map[string]any{"policy": "study-analysis", "bundle": "b", "code": "print x", "run_id": id, "session_id": id, "path": "a.txt"}
				for other := range arguments {
					if properties[other] == nil {
						delete(arguments, other)
					}
				}
				arguments[name] = value
				result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool.Name, Arguments: arguments})
				require.NoError(t, err)
				text := result.Content[0].(*mcp.TextContent).Text
				require.NotContains(t, text, "could not be asked", "%s %s %.40v", tool.Name, name, value)
				asked++
			}
		}
	}
	require.Greater(t, asked, 500)
	require.NoError(t, session.Close())
	require.Empty(t, stderr.String())
}

func TestMCPEndsAtASignalAndCancels(t *testing.T) {
	command, stdout, _ := serverCommand(t, "mcp")
	in, err := command.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, command.Start())
	for _, line := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`, `nonsense`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"run_python","arguments":{"policy":"study-analysis","code":"sleep\n"}}}`,
	} {
		_, err := in.Write([]byte(line + "\n"))
		require.NoError(t, err)
	}
	service := asksSameService(t, command)
	awaitRun(t, service)
	require.NoError(t, command.Process.Signal(syscall.SIGTERM))
	require.NoError(t, command.Wait())
	for line := range strings.Lines(stdout.String()) {
		require.True(t, json.Valid([]byte(line)), "%q", line)
	}
	require.Contains(t, stdout.String(), "-32700")
	for run, err := range service.Runs(t.Context(), client.Filter{}) {
		require.NoError(t, err)
		require.Equal(t, api.State("cancelled"), run.Status)
		return
	}
	t.Fatal("there was no run")
}

func TestMCPSaysWhatItLacks(t *testing.T) {
	for _, one := range []struct {
		name, want, server string
		args               []string
		code               int
	}{
		{"no service", "runner serve", "", nil, 2},
		{"another token", "the token is not valid", "here", []string{"--policy", "study-analysis"}, 2},
		{"a bundle alone", "--policy", "here", []string{"--bundle", "x"}, 2},
		{"a table alone", "bundle", "here", []string{"--policy", "study-analysis", "--table", "x"}, 2},
		{"JSON", "--json is not for mcp", "here", []string{"--json"}, 2},
		{"an argument", "no argument", "here", []string{"x"}, 2},
	} {
		t.Run(one.name, func(t *testing.T) {
			t.Setenv("HOTCELL_TOKEN", "hc_other")
			t.Setenv("HOTCELL_SERVER", "")
			if one.server != "" {
				t.Setenv("HOTCELL_SERVER", startService(t))
			}
			var stdout, stderr bytes.Buffer
			require.Equal(t, one.code, execute(append([]string{"mcp"}, one.args...), strings.NewReader(""), &stdout, &stderr))
			require.Contains(t, stdout.String()+stderr.String(), one.want)
		})
	}
}

// TestMCPDoesNotBeginWhereEachRunWouldBeRefused: what is pinned has to go together.
func TestMCPDoesNotBeginWhereEachRunWouldBeRefused(t *testing.T) {
	queries := api.PolicyInfo{Name: "table-query", RequiredTables: []string{"award_data"}}
	awards := api.BundleInfo{Tables: []api.TableInfo{{Name: "award_data"}, {Name: "sites"}}}
	for name, one := range map[string]struct {
		policy api.PolicyInfo
		bundle api.BundleInfo
		pin    mcpserver.Pin
		want   string
	}{
		"no bundle":                     {queries, api.BundleInfo{}, mcpserver.Pin{}, `each run under table-query needs a table "award_data": name a bundle that has it with --bundle`},
		"another bundle":                {queries, api.BundleInfo{Tables: []api.TableInfo{{Name: "sites"}}}, mcpserver.Pin{}, "that has it with --bundle"},
		"without the table":             {queries, awards, mcpserver.Pin{Tables: []string{"sites"}}, `needs the table "award_data": name it, too`},
		"a table that is not there":     {api.PolicyInfo{}, awards, mcpserver.Pin{Tables: []string{"nothing"}}, `has no table "nothing"`},
		"all of it":                     {queries, awards, mcpserver.Pin{}, ""},
		"all of it by name":             {queries, awards, mcpserver.Pin{Tables: []string{"award_data"}}, ""},
		"a policy that needs no bundle": {api.PolicyInfo{Name: "interpreter"}, api.BundleInfo{}, mcpserver.Pin{}, ""},
	} {
		err := hasTables(one.policy, one.bundle, one.pin)
		if one.want == "" {
			require.NoError(t, err, name)
			continue
		}
		require.ErrorContains(t, err, one.want, name)
		require.ErrorAs(t, err, &usageError{}, name)
	}
}
