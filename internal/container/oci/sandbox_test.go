//go:build linux

package oci

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
	"hotcell/internal/container/cgroup"
)

// python creates a sandbox that runs a script, on the first runtime or the one
// that is named.
func python(t *testing.T, engine *Engine, script string) *sandbox {
	t.Helper()
	spec := spec()
	spec.Command = []string{"/usr/bin/python3", "-sBP", "-c", script}
	created, err := engine.Create(t.Context(), container.NewID(), spec)
	require.NoError(t, err)
	t.Cleanup(func() {
		ctx, cancel := container.ReleaseContext(t.Context())
		defer cancel()
		require.NoError(t, created.Destroy(ctx))
	})
	return created.(*sandbox)
}

func onBothRuntimes(t *testing.T, test func(t *testing.T, engine *Engine)) {
	for _, runtime := range runtimes() {
		t.Run(runtime, func(t *testing.T) { test(t, newHost(t, runtime).engine(t)) })
	}
}

func run(t *testing.T, s *sandbox) (container.Exit, string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	exit, err := s.Run(t.Context(), container.Streams{Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr})
	require.NoError(t, err, stderr.String())
	return exit, stdout.String()
}

func TestTwentyAtOnce(t *testing.T) {
	onBothRuntimes(t, func(t *testing.T, engine *Engine) {
		const sandboxes = 20
		errs := make([]error, sandboxes)
		var all sync.WaitGroup
		for i := range sandboxes {
			all.Go(func() { errs[i] = wholeLife(t, engine, i) })
		}
		all.Wait()
		require.NoError(t, errors.Join(errs...))
		removed, err := engine.Sweep(t.Context())
		require.NoError(t, err)
		require.Zero(t, removed)
	})
}

func wholeLife(t *testing.T, engine *Engine, number int) error {
	spec := spec()
	spec.Command = []string{"/usr/bin/python3", "-sBP", "-c", fmt.Sprintf("print(%d); raise SystemExit(%d)", number, number)}
	sandbox, err := engine.Create(t.Context(), container.NewID(), spec)
	if err != nil {
		return err
	}
	var stdout bytes.Buffer
	exit, err := sandbox.Run(t.Context(), container.Streams{Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: io.Discard})
	if err == nil && (exit.Code != number || stdout.String() != fmt.Sprintln(number)) {
		err = fmt.Errorf("sandbox %d ended with %+v and said %q", number, exit, stdout.String())
	}
	return errors.Join(err, sandbox.Destroy(t.Context()))
}

// On the host, the sandbox's ids belong to nobody.
func TestOutputBelongsToAMappedID(t *testing.T) {
	onBothRuntimes(t, func(t *testing.T, engine *Engine) {
		s := python(t, engine, "open('/output/file', 'w').close()")
		exit, _ := run(t, s)
		require.Zero(t, exit.Code)
		root, err := s.Output(t.Context())
		require.NoError(t, err)
		defer root.Close()
		info, err := root.Lstat("file")
		require.NoError(t, err)
		want := container.DefaultIDRange().First + container.UserID
		require.Equal(t, want, info.Sys().(*syscall.Stat_t).Uid)
		require.Equal(t, want, info.Sys().(*syscall.Stat_t).Gid)
	})
}

// The host's other processes do not see a sandbox's mounts, and so cannot keep
// them busy or stumble over its files.
func TestMountsAreInvisibleToTheHost(t *testing.T) {
	engine := newHost(t, "").engine(t)
	s := python(t, engine, "pass")
	entries, err := os.ReadDir(mountDir)
	require.NoError(t, err)
	require.Empty(t, entries)
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	require.NoError(t, err)
	require.NotContains(t, string(mounts), s.id.String())
}

func TestTmpfsCanBeReadAfterDestroyWhileItIsOpen(t *testing.T) {
	engine := newHost(t, "").engine(t)
	s := python(t, engine, "open('/output/file', 'w').write('kept')")
	run(t, s)
	root, err := s.Output(t.Context())
	require.NoError(t, err)
	defer root.Close()
	require.NoError(t, s.Destroy(t.Context()))
	content, err := root.ReadFile("file")
	require.NoError(t, err)
	require.Equal(t, "kept", string(content))
	_, err = s.Output(t.Context())
	require.ErrorIs(t, err, container.ErrDestroyed)
}

// A container killed behind our back before it ran is our failure, not an exit.
func TestIdleContainerThatDiedIsAnError(t *testing.T) {
	onBothRuntimes(t, func(t *testing.T, engine *Engine) {
		s := python(t, engine, "pass")
		require.NoError(t, syscall.Kill(s.guard.pid, syscall.SIGKILL))
		_, err := s.Run(t.Context(), container.Streams{Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: io.Discard})
		require.Error(t, err)
	})
}

func TestReapedElsewhereIsAnError(t *testing.T) {
	_, err := wait(1)
	require.ErrorContains(t, err, "taken by another part")
}

func TestCommandThatIsNotThereIsNamed(t *testing.T) {
	onBothRuntimes(t, func(t *testing.T, engine *Engine) {
		spec := spec()
		spec.Command = []string{"/usr/bin/no-such-program"}
		_, err := engine.Create(t.Context(), container.NewID(), spec)
		require.ErrorContains(t, err, "no-such-program")
	})
}

// What a runtime leaves of a container that it could not make is known by its control
// group, which on v1 the dead do not name.
func TestNoZombiesRemainOfWhatCouldNotBeMade(t *testing.T) {
	if hostMode(t) != cgroup.ModeUnified {
		t.Skip("v1: the dead name no group, docs/hosts.md")
	}
	onBothRuntimes(t, func(t *testing.T, engine *Engine) {
		for _, command := range []string{"/usr/bin/no-such-program", "/etc/passwd"} {
			spec := spec()
			spec.Command = []string{command}
			_, err := engine.Create(t.Context(), container.NewID(), spec)
			require.Error(t, err)
			requireNoChildren(t)
		}
	})
}

func TestNoZombiesRemain(t *testing.T) {
	onBothRuntimes(t, func(t *testing.T, engine *Engine) {
		s := python(t, engine, "pass")
		run(t, s)
		require.NoError(t, s.Destroy(t.Context()))
		requireNoChildren(t)
	})
}

// requireNoChildren finds zombies too.
func requireNoChildren(t *testing.T) {
	t.Helper()
	found := children(t)
	var shown []string
	for _, pid := range found {
		stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		shown = append(shown, string(stat))
	}
	require.Empty(t, found, "%q", shown)
}
