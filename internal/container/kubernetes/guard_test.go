package kubernetes

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/policies"
	"hotcell/tests/runnertest"
)

// command is `runner run` of the built command, with its own guard, in pods of a harness.
type command struct {
	path, state, settings string
}

// command has a policy pods: study-analysis, on nodes with cgroup v1.
func (h harness) command(t *testing.T) command {
	t.Helper()
	dir := t.TempDir()
	made := command{state: filepath.Join(dir, "state"), settings: filepath.Join(dir, "kubernetes.yaml")}
	var err error
	made.path, err = runnertest.Build(t.Context(), dir)
	require.NoError(t, err)
	text, err := policies.Files.ReadFile("study-analysis.yaml")
	require.NoError(t, err)
	change := strings.NewReplacer("name: study-analysis", "name: pods", "output_inodes, mount_options]", "output_inodes, mount_options, cgroup_namespace]")
	require.NoError(t, os.Mkdir(filepath.Join(dir, "policies"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "policies", "pods.yaml"), []byte(change.Replace(string(text))), 0o644))
	require.NoError(t, os.Mkdir(made.state, 0o700))
	require.NoError(t, os.Symlink(cmp.Or(os.Getenv(storeVariable), "/var/lib/hotcell/images"), filepath.Join(made.state, "images")))
	require.NoError(t, os.WriteFile(made.settings, fmt.Appendf(nil, "version: 1\nregistry: %s\nnamespace: %s\n", testRegistry, h.namespace), 0o600))
	profile, err := exec.CommandContext(t.Context(), made.path, "seccomp", "export", "python-analysis", "--format", "node").Output()
	require.NoError(t, err)
	sum := sha256.Sum256(profile)
	h.cluster.PutSeccomp(t, "hotcell/"+hex.EncodeToString(sum[:])+".json", profile)
	return made
}

// runResult is what of a result is looked at here.
type runResult struct {
	Status string `json:"status"`
	Limit  string `json:"limit"`
	Error  *struct {
		Type    string `json:"type"`
		Message string `json:"message"`
	} `json:"error"`
}

func (c command) run(t *testing.T, h harness, code string) runResult {
	t.Helper()
	run := exec.CommandContext(t.Context(), c.path, "run", "--engine", Name, "--cold", "--policy", "pods", "--state", c.state, "--json", "-")
	run.Stdin = strings.NewReader(code)
	run.Env = append(os.Environ(), "KUBECONFIG="+h.cluster.Kubeconfig, "HOTCELL_KUBERNETES="+c.settings)
	var stderr bytes.Buffer
	run.Stderr = &stderr
	text, _ := run.Output() // its code says less than its answer
	var got runResult
	require.NoError(t, json.Unmarshal(text, &got), "%s%s", text, stderr.String())
	return got
}

// TestMoreFilesThanAReportListsAreTheScripts doing. A volume has no cap of inodes, and a script that
// makes 100,000 names has met a limit all the same: the policy's, by the host's count.
func TestMoreFilesThanAReportListsAreTheScripts(t *testing.T) {
	h := newHarness(t)
	run := h.command(t)
	for count, kind := range map[int]string{100_000: "TooManyFilesError", 100: ""} {
		got := run.run(t, h, fmt.Sprintf("import os\nfor n in range(%d):\n    open(f'/output/{n}.txt', 'w').close()\n", count))
		require.Equal(t, "limit_exceeded", got.Status, "%d: %+v", count, got)
		require.Equal(t, "output_files", got.Limit, "%d: %+v", count, got)
		if kind != "" {
			require.Equal(t, kind, got.Error.Type)
		}
	}
}
