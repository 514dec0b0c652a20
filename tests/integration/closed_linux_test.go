package integration_test

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/job"
)

// reachable returns those of some paths that exist for another user, whatever he may
// then do there. He is told all names, as somebody who knows every digest and run id.
func reachable(t *testing.T, paths []string) []string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "/bin/sh", "-c",
		`while IFS= read -r path; do if [ -e "$path" ] || [ -L "$path" ]; then printf '%s\n' "$path"; fi; done`)
	cmd.Stdin = strings.NewReader(strings.Join(paths, "\n") + "\n")
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	var stdout bytes.Buffer
	cmd.Stdout = &stdout
	require.NoError(t, cmd.Run())
	return strings.Fields(stdout.String())
}

// below lists everything below a directory. What goes away meanwhile was a path too.
func below(t *testing.T, top string) []string {
	t.Helper()
	var paths []string
	require.NoError(t, filepath.WalkDir(top, func(path string, _ fs.DirEntry, err error) error {
		if path != top {
			paths = append(paths, path)
		}
		return nil
	}))
	return paths
}

// TestNobodyElseGetsAtTheState: digests stand in every result, record and saved
// script, so that knowing one must be worth nothing. The state is laid out as an
// older version left it, open to be passed.
func TestNobodyElseGetsAtTheState(t *testing.T) {
	for _, each := range append(targets(), target{name: "oci-runsc", engine: "oci", runtime: "runsc"}) {
		t.Run(each.name, func(t *testing.T) {
			requireTarget(t, each)
			w := newWorkspace(t, each)
			w.awards()
			require.NoError(t, os.Chmod(filepath.Dir(w.dir), 0o755)) // or nobody gets as far as the state
			require.NoError(t, os.Chmod(w.dir, 0o755))
			for _, dir := range []string{w.state, filepath.Join(w.state, "bundles")} {
				require.NoError(t, os.Chmod(dir, 0o711))
			}
			bundles, err := filepath.Glob(filepath.Join(w.state, "bundles/sha256-*/*"))
			require.NoError(t, err)
			require.NotEmpty(t, bundles)
			require.Equal(t, bundles, reachable(t, bundles), "the test sees nothing")

			e := w.run(writesALittle, "--bundle", "awards")
			require.Zero(t, e.code, e.stderr)
			require.Empty(t, reachable(t, append(below(t, w.state), w.state+"/.")))
			w.nobodyGetsAtALivingRun()
		})
	}
}

// looks is how often a living run is looked at.
const looks = 3

// nobodyGetsAtALivingRun looks again and again while there are mounts and locks, until
// a run that has been interrupted in the middle of it has ended.
func (w *workspace) nobodyGetsAtALivingRun() {
	w.t.Helper()
	r := w.start(w.command(w.runArgs(sleeps, "--bundle", "awards")...))
	ended := make(chan ended, 1)
	go func() { ended <- r.end() }()
	for met := 0; ; {
		atWork := false
		paths := below(w.t, w.state)
		for _, pattern := range []string{"sandboxes/oci/sandboxes/*/pid", "sandboxes/docker/*/bundle/*"} {
			found, err := filepath.Glob(filepath.Join(w.state, pattern))
			require.NoError(w.t, err)
			atWork = atWork || len(found) > 0
		}
		require.Empty(w.t, reachable(w.t, append(paths, "/run/hotcell-mounts/*/bundle")))
		// What sleeps in a guest does not on this host.
		if atWork && (w.target.runtime == "runsc" || r.asleep()) {
			if met++; met == looks {
				r.signal(syscall.SIGINT)
			}
		}
		select {
		case e := <-ended:
			require.Equal(w.t, job.Cancelled.ExitCode(), e.code, e.stderr)
			require.GreaterOrEqual(w.t, met, looks, "the run was never seen at work")
			return
		default:
		}
	}
}
