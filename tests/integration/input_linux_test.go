package integration_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/job"
)

// nobody has the last 16-bit uid but one, as in Debian.
const nobody = 65534

// requireSentence wants one line that names every one of parts.
func requireSentence(t *testing.T, e ended, code int, parts ...string) {
	t.Helper()
	require.Equal(t, code, e.code, e.stderr)
	require.Empty(t, e.stdout)
	require.True(t, strings.HasPrefix(e.stderr, "runner: "), e.stderr)
	require.Equal(t, 1, strings.Count(e.stderr, "\n"), "more than one sentence: %s", e.stderr)
	for _, part := range parts {
		require.Contains(t, e.stderr, part)
	}
}

func TestABundleThatChangedInTheStoreIsRefused(t *testing.T) {
	requireTarget(t, targets()[0])
	w := newWorkspace(t, targets()[0])
	w.write("data/visits.csv", "a,b\n1,2\n")
	w.runner("bundle", "create", "data", "--name", "visits", "--version", "1.0", "--study", "S1",
		"--method", "synthetic", "--attested-by", "A. Tester", "--statement", "Made up.")
	w.runner("bundle", "add", "data")
	kept, err := filepath.Glob(filepath.Join(w.state, "bundles", "sha256-*", "visits.csv"))
	require.NoError(t, err)
	require.Len(t, kept, 1)
	e := w.run("print(len(visits))", "--bundle", "visits")
	require.Zero(t, e.code, e.stderr)

	require.NoError(t, os.WriteFile(kept[0], []byte("a,b\n1,3\n"), 0o600)) // as root may
	requireSentence(t, w.run("print(len(visits))", "--bundle", "visits"), job.ExitUsage, "visits", "visits.csv")

	w.runner("bundle", "add", "data") // repairs it
	e = w.run("print(len(visits))", "--bundle", "visits")
	require.Zero(t, e.code, e.stderr)
	w.requireNothingLeft()
}

// runner runs a command that must succeed.
func (w *workspace) runner(args ...string) {
	w.t.Helper()
	e := w.start(w.command(args...)).end()
	require.Zero(w.t, e.code, e.stderr)
}

func TestWhatIsMissingIsNamedInOneSentence(t *testing.T) {
	for _, lack := range []struct {
		name  string
		with  target
		spoil func(*workspace, *exec.Cmd)
		code  int
		says  []string
	}{
		{"Docker is down", target{engine: "docker"}, set("DOCKER_HOST=unix:///nonexistent"), job.ExitInternal, []string{"unix:///nonexistent", "daemon"}},
		{"Docker is down and no runtime is there", target{engine: "auto"}, set("PATH=/nonexistent", "DOCKER_HOST=unix:///nonexistent"), job.ExitInternal, []string{"crun", "runc", "unix:///nonexistent"}},
		{"no runtime is there", target{engine: "oci"}, set("PATH=/nonexistent"), job.ExitInternal, []string{"crun", "runc", "install"}},
		{"the runtime is not there", target{engine: "oci", runtime: "crun"}, set("PATH=/nonexistent"), job.ExitInternal, []string{"crun", "install"}},
		{"the runtime is unknown to oci", target{engine: "oci", runtime: "nosuch"}, set(), job.ExitUsage, []string{"nosuch", "crun", "runc"}},
		{"the runtime is unknown to Docker", target{engine: "docker", runtime: "nosuch"}, set(), job.ExitUsage, []string{"nosuch", "runc"}},
		{"there is no image for oci", target{engine: "oci"}, withoutImages, job.ExitInternal, []string{"python-analysis", "runner image build"}},
		{"there is no image for Docker", target{engine: "docker"}, withoutImages, job.ExitInternal, []string{"python-analysis", "runner image build"}},
	} {
		t.Run(lack.name, func(t *testing.T) {
			for _, each := range targets() {
				requireTarget(t, each)
			}
			w := newWorkspace(t, lack.with)
			cmd := w.command(w.runArgs(writesALittle)...)
			lack.spoil(w, cmd)
			requireSentence(t, w.start(cmd).end(), lack.code, lack.says...)
			w.requireOwnFilesOnly()
		})
	}
}

// set appends to the environment; the last one counts.
func set(variables ...string) func(*workspace, *exec.Cmd) {
	return func(_ *workspace, cmd *exec.Cmd) { cmd.Env = append(cmd.Env, variables...) }
}

func withoutImages(w *workspace, _ *exec.Cmd) {
	require.NoError(w.t, os.Remove(filepath.Join(w.state, "images")))
}

func TestWhoeverIsNotRootIsToldSo(t *testing.T) {
	for _, engine := range []string{"oci", "auto"} {
		t.Run(engine, func(t *testing.T) {
			requireTarget(t, targets()[0])
			w := newWorkspace(t, target{engine: engine})
			cmd := w.command(w.runArgs(writesALittle)...)
			cmd.Env = append(cmd.Env, "DOCKER_HOST=unix:///nonexistent")
			cmd.SysProcAttr.Credential = &syscall.Credential{Uid: nobody, Gid: nobody}
			require.NoError(t, w.giveTo(nobody))
			requireSentence(t, w.start(cmd).end(), job.ExitInternal, "root")
		})
	}
}

// giveTo makes everything of the workspace another user's.
func (w *workspace) giveTo(uid int) error {
	if err := os.Chmod(filepath.Dir(w.dir), 0o711); err != nil {
		return err
	}
	return filepath.WalkDir(w.dir, func(path string, _ os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(path, uid, uid)
	})
}

func TestARelativeStateDirectoryWorks(t *testing.T) {
	onEveryTarget(t, func(t *testing.T, target target) {
		w := newWorkspace(t, target)
		cmd := w.command(w.runArgs(writesALittle, "--state", "state")...)
		e := w.start(cmd).end()
		require.Zero(t, e.code, e.stderr)
		w.requireNothingLeft()
	})
}
