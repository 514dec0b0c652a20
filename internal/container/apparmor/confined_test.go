//go:build linux

package apparmor

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"hotcell/internal/image/imagetest"
)

// insideOf makes this test binary the process that becomes an unprotected container of
// the image in this directory, and executes a program in it.
const insideOf, insideAs = "HOTCELL_TEST_INSIDE_OF", "HOTCELL_TEST_INSIDE_AS"

func TestMain(m *testing.M) {
	if rootFS := os.Getenv(insideOf); rootFS != "" {
		fmt.Fprintln(os.Stderr, becomeContainer(rootFS, os.Getenv(insideAs), os.Args[1:]))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// requireAppArmor skips on hosts whose kernel has none, which nothing can be done about.
func requireAppArmor(t *testing.T) (name, gap string) {
	t.Helper()
	if err := thisHost().enabled(); err != nil {
		t.Skip(err)
	}
	imagetest.Require(t)
	name, gap, err := Load(t.Context(), t.TempDir())
	require.NoError(t, err)
	return name, gap
}

type report struct {
	Label           string
	Denied, Allowed map[string]string
}

// The layer on its own: root with every capability and without a filter does all of it
// where there is no profile, and none of it where there is, but for what runs need.
func TestTheProfileHoldsWhenNothingElseDoes(t *testing.T) {
	name, gap := requireAppArmor(t)
	rootFS := imagetest.Rootfs(t)
	script, err := os.ReadFile("testdata/attack.py")
	require.NoError(t, err)
	free := inside(t, rootFS, "", string(script))
	held := inside(t, rootFS, name, string(script))

	require.Equal(t, "unconfined", free.Label)
	require.Equal(t, name+" (enforce)", held.Label)
	for what, outcome := range free.Denied {
		if what != "leave its profile" { // of which it has none
			require.Equal(t, "done", outcome, "without a profile: %s", what)
		}
		if what == "make a user namespace" && gap != "" {
			require.Equal(t, "done", held.Denied[what], gap)
			continue
		}
		require.Contains(t, []string{"EACCES", "EPERM"}, held.Denied[what], what)
	}
	require.Len(t, held.Denied, len(free.Denied))
	for what := range free.Allowed {
		require.Equal(t, "done", free.Allowed[what], "without a profile: %s", what)
		require.Equal(t, "done", held.Allowed[what], what)
	}
}

func inside(t *testing.T, rootFS, profile, script string) report {
	t.Helper()
	command := exec.CommandContext(t.Context(), "/proc/self/exe", "/usr/bin/python3", "-I", "-c", script)
	command.Env = []string{insideOf + "=" + rootFS, insideAs + "=" + profile}
	command.Stderr = os.Stderr
	command.SysProcAttr = &syscall.SysProcAttr{Cloneflags: unix.CLONE_NEWNS | unix.CLONE_NEWUTS}
	output, err := command.Output()
	require.NoError(t, err)
	var said report
	require.NoError(t, json.Unmarshal(output, &said), "%s", output)
	return said
}

// becomeContainer has the mounts of a sandbox and nothing else of it.
func becomeContainer(rootFS, profile string, argv []string) error {
	runtime.LockOSThread() // the profile is set for the thread that executes
	const root = "/mnt"
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("make mounts private: %w", err)
	}
	for _, mount := range []struct {
		source, target, kind string
		flags                uintptr
	}{
		{rootFS, "", "", unix.MS_BIND},
		{"", "", "", unix.MS_BIND | unix.MS_REMOUNT | unix.MS_RDONLY},
		{"proc", "proc", "proc", 0},
		{"/dev", "dev", "", unix.MS_BIND},
		{"tmpfs", "tmp", "tmpfs", 0},
		{"tmpfs", "output", "tmpfs", 0},
		{"tmpfs", "bundle", "tmpfs", 0},
		{"tmpfs", "run", "tmpfs", 0},
	} {
		if err := unix.Mount(mount.source, filepath.Join(root, mount.target), mount.kind, mount.flags, ""); err != nil {
			return fmt.Errorf("mount %q: %w", mount.target, err)
		}
	}
	for _, path := range []string{"bundle/table.csv", "run/secret"} {
		if err := os.WriteFile(filepath.Join(root, path), []byte("a,b\n"), 0o600); err != nil {
			return err
		}
	}
	if err := pivot(root); err != nil {
		return err
	}
	if profile != "" {
		if err := os.WriteFile("/proc/thread-self/attr/apparmor/exec", []byte("exec "+profile), 0); err != nil {
			return err
		}
	}
	return unix.Exec(argv[0], argv, []string{"PATH=/usr/bin"})
}

func pivot(root string) error {
	if err := unix.Chdir(root); err != nil {
		return err
	}
	if err := unix.PivotRoot(".", "."); err != nil { // the old root lies on the new one
		return fmt.Errorf("pivot: %w", err)
	}
	if err := unix.Unmount(".", unix.MNT_DETACH); err != nil {
		return err
	}
	return unix.Chdir("/")
}

// Abstractions are the host's to change, and a rule of these kinds would allow more than
// any run needs.
func TestTheProfileIncludesNothingOfTheHosts(t *testing.T) {
	content, err := os.ReadFile("../../../policies/apparmor/sandbox")
	require.NoError(t, err)
	for line := range strings.Lines(string(content)) {
		rule, _, _ := strings.Cut(strings.TrimSpace(line), "#")
		require.NotContains(t, rule, "include")
		require.NotContains(t, rule, "attach_disconnected")
		for _, word := range []string{"network", "capability", "mount", "ptrace", "change_profile", "userns", "unix", "dbus"} {
			require.False(t, strings.HasPrefix(rule, word), rule)
		}
	}
}
