//go:build inspector

package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/client"
	"hotcell/internal/mcpserver"
)

// TestMCPInspector has another party's client talk to runner mcp, and to the handler of /mcp:
// scripts/test-mcp-inspector.sh installs it, and says where it is.
func TestMCPInspector(t *testing.T) {
	inspector := os.Getenv("HOTCELL_INSPECTOR")
	require.NotEmpty(t, inspector, "make test-mcp-inspector")
	service := startService(t)
	self, err := os.Executable()
	require.NoError(t, err)
	command := filepath.Join(t.TempDir(), "runner")
	require.NoError(t, os.Symlink(self, command)) //nolint:forbidigo // in the test's own directory
	state := filepath.Join(t.TempDir(), "none")
	server, err := mcpserver.New(mcpserver.Options{})
	require.NoError(t, err)
	listening := httptest.NewServer(server.Handler(func(r *http.Request) (mcpserver.Backend, string) {
		asked, err := client.New(client.Options{URL: service, Token: r.Header.Get("X-Token")})
		require.NoError(t, err)
		return mcpserver.ByClient{Client: asked}, ""
	}))
	defer listening.Close()
	for name, target := range map[string][]string{
		"stdio": {"-e", "HOTCELL_SERVER=" + service, "-e", "HOTCELL_TOKEN=" + fakeToken, "-e", "HOTCELL_STATE=" + state, command, "mcp"},
		"http":  {listening.URL, "--transport", "http", "--header", "X-Token: " + fakeToken},
	} {
		t.Run(name, func(t *testing.T) {
			inspect := func(arguments ...string) (answer map[string]any) {
				asking := exec.CommandContext(t.Context(), inspector, append(append([]string{"--cli"}, target...), arguments...)...)
				asking.Stderr = os.Stderr
				out, err := asking.Output()
				require.NoError(t, err, "%s", out)
				require.NoError(t, json.Unmarshal(out, &answer), "%s", out) //nolint:forbidigo // what another program prints
				return answer
			}
			require.Len(t, inspect("--method", "tools/list")["tools"], 13)
			require.Len(t, inspect("--method", "resources/templates/list")["resourceTemplates"], 5)
			answer := inspect("--method", "tools/call", "--tool-name", "run_python", "--tool-arg", "policy=study-analysis", "--tool-arg", "code=print hello")
			require.Len(t, answer["content"], 2)
			var facts map[string]any
			first := answer["content"].([]any)[0].(map[string]any)["text"].(string)
			require.NoError(t, json.Unmarshal([]byte(first), &facts)) //nolint:forbidigo // as a client reads it
			require.Equal(t, "succeeded", facts["status"])
			read := inspect("--method", "resources/read", "--uri", "hotcell://runs/"+facts["run_id"].(string)+"/stdout")
			require.Contains(t, read["contents"].([]any)[0].(map[string]any)["text"], "untrusted code")
			require.Contains(t, read["contents"].([]any)[0].(map[string]any)["text"], "\n\"hello\\n\"")
		})
	}
}
