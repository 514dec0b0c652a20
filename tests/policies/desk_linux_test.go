package policies_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/digest"
	"hotcell/internal/job"
	"hotcell/internal/replication"
)

// deskPython is the image's Python as somebody's own: a program that sees the workspace where
// it is, and the packages of the image.
const deskPython = `#!/bin/bash
exec unshare --mount --net --propagation private bash -euc '
	ROOTFS=@ROOTFS@ DIR=@DIR@
	mount --bind "$ROOTFS" "$ROOTFS"
	mount -o remount,bind,ro "$ROOTFS"
	mount -t tmpfs tmpfs "$ROOTFS/tmp"
	mkdir -p "$ROOTFS$DIR"
	mount --bind "$DIR" "$ROOTFS$DIR"
	mount -t proc proc "$ROOTFS/proc"
	mount -t tmpfs -o mode=755 tmpfs "$ROOTFS/dev"
	for device in null zero random urandom; do
		touch "$ROOTFS/dev/$device"
		mount --bind "/dev/$device" "$ROOTFS/dev/$device"
	done
	exec "$(command -v chroot)" "$ROOTFS" /usr/bin/python3 "$@"
' python "$@"
`

// desk is a workspace with a Python of its owner's.
func desk(t *testing.T) *workspace {
	t.Helper()
	w := studyWorkspace(t)
	found := w.command("", "image", "rootfs", "python-analysis")
	require.Zero(t, found.code, found.stderr)
	text := strings.NewReplacer("@ROOTFS@", strings.TrimSpace(found.stdout), "@DIR@", w.dir).Replace(deskPython)
	require.NoError(t, os.WriteFile(w.path("python"), []byte(text), 0o700))
	require.NoError(t, os.Mkdir(w.path("tmp"), 0o700))
	return w
}

// local replicates without a sandbox. Nothing of it stays but the output.
func (w *workspace) local(args ...string) ended {
	w.t.Helper()
	require.NoError(w.t, os.RemoveAll(w.path("again")))
	runs, err := os.ReadDir(w.path("state/runs"))
	require.NoError(w.t, err)
	cmd := w.prepared(append([]string{"replicate", "--local", "--python", w.path("python"), "--output", "again"}, args...)...)
	cmd.Env = append(cmd.Env, "TMPDIR="+w.path("tmp"))
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		require.NotNil(w.t, cmd.ProcessState, "%v", err)
	}
	left, err := os.ReadDir(w.path("tmp"))
	require.NoError(w.t, err)
	require.Empty(w.t, left)
	after, err := os.ReadDir(w.path("state/runs"))
	require.NoError(w.t, err)
	require.Len(w.t, after, len(runs), "a replication without a sandbox is no run of the host's")
	return ended{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

// TestTheWholeWayToADesk: a run, its record, the saved code as a file, and both of them again
// with somebody's own Python, compared with what was released.
func TestTheWholeWayToADesk(t *testing.T) {
	w := desk(t)
	script := "import matplotlib.pyplot as plt\nprint('é', visits.n.sum())\nvisits.to_csv(OUTPUT / 'out.csv')\n" +
		"visits.n.plot()\nplt.savefig(OUTPUT / 'n.png')\nresult = {'rows': len(visits)}\n"
	ran := w.run("study-analysis", script, "--bundle", "study")
	require.Equal(t, job.Succeeded, ran.Status, "%+v", ran.Error)

	again := w.local("--json", ran.RunID.String())
	require.Zero(t, again.code, "%s%s", again.stdout, again.stderr)
	answer := decode[struct {
		Replicates job.ID                 `json:"replicates"`
		Comparison replication.Comparison `json:"comparison"`
	}](t, again.stdout, again.stderr)
	require.Equal(t, ran.RunID, answer.Replicates)
	require.Equal(t, replication.Identical, answer.Comparison.Agreement, "%+v", answer.Comparison)
	require.FileExists(t, w.path("again/out.csv"))
	require.Contains(t, again.stderr, "there is no sandbox here")

	w.saved(ran.RunID.String())
	file := filepath.Join(w.dir, "run_"+ran.Provenance.StartedAt.UTC().Format("20060102T150405Z")+"_"+ran.RunID.String()+".py")
	again = w.local(file, "--policy", "study-analysis", "--bundle", "study", "--json")
	require.Zero(t, again.code, again.stderr)
	made := decode[struct {
		Result job.Result `json:"result"`
	}](t, again.stdout, again.stderr).Result
	require.Equal(t, ran.Stdout, made.Stdout)
	require.JSONEq(t, string(ran.Value), string(made.Value))
	require.Equal(t, ran.Files, made.Files)
	again = w.local(file, "--policy", "study-analysis", "--bundle", "study")
	require.Zero(t, again.code, again.stderr)
	require.Equal(t, ran.Stdout, again.stdout)

	// What is not the run does not run.
	for words, args := range map[string][]string{
		"name the run's policy with --policy":         {file},
		"the run had study-analysis, sha256":          {file, "--policy", "interpreter", "--bundle", "study"},
		"give its directory with --bundle":            {file, "--policy", "study-analysis"},
		"--policy is for a file":                      {ran.RunID.String(), "--policy", "study-analysis"},
		"--engine must be left out with --local":      {ran.RunID.String(), "--engine", "oci"},
		"is not the saved code of a run":              {w.path("script.py"), "--policy", "study-analysis", "--bundle", "study"},
		"cannot be read: No such file or directory":   {w.path("nothing.py"), "--policy", "study-analysis", "--bundle", "study"},
		"there is no run":                             {"1795219431042-9f86d081884c7d65"},
		"or name the directory of a bundle":           {file, "--policy", "study-analysis", "--bundle", "nothing"},
		"the guard needs Python 3.13, from 3.13.5 on": {ran.RunID.String(), "--python", "/bin/true"},
	} {
		refused := w.local(args...)
		require.Equal(t, 2, refused.code, "%v: %s", args, refused.stderr)
		require.Contains(t, refused.stderr, words)
		require.NoDirExists(t, w.path("again"))
	}
}

// TestAtADeskTheGuardVetsWhatTheFileSays: whoever writes the file writes its hash, and gains
// nothing by it.
func TestAtADeskTheGuardVetsWhatTheFileSays(t *testing.T) {
	w := desk(t)
	ran := w.run("study-analysis", "import time\nprint(time.time_ns())\n")
	again := w.local("--json", ran.RunID.String())
	require.Equal(t, 1, again.code, again.stderr)
	require.Contains(t, again.stdout, `"verdict": "different"`)

	saved := w.saved(ran.RunID.String())
	text, err := os.ReadFile(w.path(filepath.Base(saved)))
	require.NoError(t, err)
	attack := "import subprocess\nprint('ESCAPED', subprocess.run(['id']))\n"
	head, _, _ := strings.Cut(string(text), "import time")
	head = strings.Replace(head, string(ran.Provenance.CodeSHA256), string(digest.Of([]byte(attack)).Hex()), 1)
	w.write("forged.py", head+attack)
	again = w.local("forged.py", "--policy", "study-analysis", "--json")
	require.Equal(t, 3, again.code, again.stderr)
	require.NotContains(t, again.stdout, "ESCAPED")
	var answer struct {
		Result job.Result `json:"result"`
	}
	require.NoError(t, json.Unmarshal([]byte(again.stdout), &answer))
	require.Equal(t, job.Rejected, answer.Result.Status)
	require.Equal(t, "import.denied", answer.Result.Violations[0].Rule)
}
