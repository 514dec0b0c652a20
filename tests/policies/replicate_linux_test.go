package policies_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// inTheImage runs a program of the image's on the workspace (/tmp) and the guard's
// source (/run), in mounts of its own, as somebody would whose machine has the same
// Python and the same packages.
const inTheImage = `
	mount --bind "$ROOTFS" "$ROOTFS"
	mount -o remount,bind,ro "$ROOTFS"
	mount --bind "$GUARD" "$ROOTFS/run"
	mount --bind "$DIR" "$ROOTFS/tmp"
	mount -t proc proc "$ROOTFS/proc"
	mount -t tmpfs -o mode=755 tmpfs "$ROOTFS/dev"
	for device in null zero random urandom; do
		touch "$ROOTFS/dev/$device"
		mount --bind "/dev/$device" "$ROOTFS/dev/$device"
	done
	exec env -i HOME=/tmp PYTHONPATH=/run "$(command -v chroot)" "$ROOTFS" /usr/bin/python3 -sB "$@"
`

func (w *workspace) python(args ...string) ended {
	w.t.Helper()
	found := w.command("", "image", "rootfs", "python-analysis")
	require.Zero(w.t, found.code, found.stderr)
	guard, err := filepath.Abs("../../images/python-analysis/guard/src")
	require.NoError(w.t, err)
	call := append([]string{"--mount", "--net", "--propagation", "private", "bash", "-euc", inTheImage, "python"}, args...)
	cmd := exec.CommandContext(w.t.Context(), "unshare", call...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "ROOTFS=" + strings.TrimSpace(found.stdout), "GUARD=" + guard, "DIR=" + w.dir}
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		require.NotNil(w.t, cmd.ProcessState, "%v", err)
	}
	return ended{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

// replicate runs a run's saved code with exported rules.
func (w *workspace) replicate(policy, saved string, flags ...string) ended {
	w.t.Helper()
	rules := w.command("", "policy", "show", policy, "--guard-rules")
	require.Zero(w.t, rules.code, rules.stderr)
	w.write("rules.json", rules.stdout)
	args := []string{"-P", "-m", "hotcell_guard.replicate", "--rules", "/tmp/rules.json", "--output", "/tmp/again"}
	return w.python(append(append(args, flags...), saved)...)
}

// saved copies a run's saved code out of its record.
func (w *workspace) saved(runID string) string {
	w.t.Helper()
	found, err := filepath.Glob(w.path("state/runs/" + runID + "/run_*.py"))
	require.NoError(w.t, err)
	require.Len(w.t, found, 1)
	code, err := os.ReadFile(found[0])
	require.NoError(w.t, err)
	w.write(filepath.Base(found[0]), string(code))
	return "/tmp/" + filepath.Base(found[0])
}

// What a record keeps, and what the runner prints of its policy, is what the
// replication takes: each of the three is tested alone elsewhere.
func TestARecordedRunIsReplicated(t *testing.T) {
	w := studyWorkspace(t)
	script := "print(visits.n.sum())\nvisits.to_csv(OUTPUT / 'out.csv')\nresult = len(visits)\n"
	ran := w.run("study-analysis", script, "--bundle", "study")
	saved := w.saved(ran.RunID.String())

	stored := "/tmp/state/bundles/sha256-" + string(ran.Provenance.Bundle.Hex()) // what was added has the prepared tables
	again := w.replicate("study-analysis", saved, "--bundle", stored, "--report", "/tmp/report.json")
	require.Zero(t, again.code, again.stderr)
	require.Equal(t, ran.Stdout, again.stdout)
	text, err := os.ReadFile(w.path("report.json"))
	require.NoError(t, err)
	var report struct {
		Result json.RawMessage `json:"result"`
	}
	require.NoError(t, json.Unmarshal(text, &report))
	require.JSONEq(t, string(ran.Value), string(report.Result))
	for _, file := range ran.Files {
		released, err := os.ReadFile(w.path("state/runs/" + ran.RunID.String() + "/files/" + file.Path))
		require.NoError(t, err)
		made, err := os.ReadFile(w.path("again/" + file.Path))
		require.NoError(t, err)
		require.Equal(t, released, made, file.Path)
	}

	require.NoError(t, os.RemoveAll(w.path("again")))
	other := w.replicate("interpreter", saved, "--bundle", stored)
	require.Equal(t, 2, other.code, other.stderr)
	require.Contains(t, other.stderr, "the run had study-analysis, sha256 "+string(ran.Provenance.PolicySHA256))
	require.NoDirExists(t, w.path("again"))
}
