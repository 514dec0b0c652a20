//go:build linux

package oci

import (
	"errors"
	"io"
	"io/fs"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"hotcell/internal/container"
	"hotcell/internal/container/cgroup"
)

// hostMode is for tests of one kind of host. One that cannot be told is no reason to skip.
func hostMode(t *testing.T) cgroup.Mode {
	t.Helper()
	mode, err := cgroup.HostMode()
	require.NoError(t, err)
	return mode
}

// On v2 a group has one writer, and outside of the place that may be systemd. The
// kernel itself tells here who writes: runtimes, too, enable controllers from the
// root down where they see it.
func TestNoGroupOutsideOfThePlaceIsWritten(t *testing.T) {
	if hostMode(t) != cgroup.ModeUnified {
		t.Skip("the hierarchies of v1 have no delegation")
	}
	onBothRuntimes(t, func(t *testing.T, engine *Engine) {
		_, err := engine.Probe(t.Context(), "") // which makes the place
		require.NoError(t, err)
		home, err := cgroup.Home(t.Context())
		require.NoError(t, err)
		written := watchGroups(t)
		s := python(t, engine, "pass")
		_, err = s.Run(t.Context(), container.Streams{Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: io.Discard})
		require.NoError(t, err)
		ctx, cancel := container.ReleaseContext(t.Context())
		defer cancel()
		require.NoError(t, s.Destroy(ctx))
		inodes := written()
		require.NotEmpty(t, inodes, "the limits of the sandbox were written unseen")
		require.Empty(t, pathsOutside(t, home.Path, inodes))
	})
}

// A scope that somebody stops takes its sandboxes along, but not the engine.
func TestASandboxAfterItsPlaceWasTaken(t *testing.T) {
	host := newHost(t, "crun")
	host.cgroups = "" // this process's own
	engine := host.engine(t)
	_, err := engine.Probe(t.Context(), "")
	require.NoError(t, err)
	place, err := cgroup.Home(t.Context())
	require.NoError(t, err)
	if place.By != cgroup.ByScope {
		t.Skip("this process's place is no scope of systemd's")
	}
	require.NoError(t, exec.Command("systemctl", "stop", filepath.Base(place.Path)).Run())
	s := python(t, engine, "pass")
	_, err = s.Run(t.Context(), container.Streams{Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: io.Discard})
	require.NoError(t, err)
	require.NoDirExists(t, filepath.Join(cgroup.Mountpoint(), place.Path))
}

// A place of the same name is another one.
func TestANamespaceKnowsItsPlace(t *testing.T) {
	host := newHost(t, "crun")
	require.NoError(t, cgroup.MakePlace(host.cgroups))
	mounts, err := newNamespace(host.cgroups)
	require.NoError(t, err)
	shows, err := mounts.shows(host.cgroups)
	require.NoError(t, err)
	require.True(t, shows)
	if mounts.group == nil {
		t.Skip("the hierarchies of v1 are not covered")
	}
	require.NoError(t, cgroup.Remove(host.cgroups))
	_, err = mounts.shows(host.cgroups)
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.NoError(t, cgroup.MakePlace(host.cgroups))
	shows, err = mounts.shows(host.cgroups)
	require.NoError(t, err)
	require.False(t, shows)
}

// watchGroups returns what reads which files of the hierarchy were written, but by
// the first process, whose it is.
func watchGroups(t *testing.T) func() map[uint64]bool {
	t.Helper()
	watch, err := unix.FanotifyInit(unix.FAN_CLASS_NOTIF|unix.FAN_CLOEXEC|unix.FAN_NONBLOCK|unix.FAN_UNLIMITED_QUEUE, unix.O_RDONLY|unix.O_CLOEXEC)
	require.NoError(t, err)
	t.Cleanup(func() { unix.Close(watch) })
	require.NoError(t, unix.FanotifyMark(watch, unix.FAN_MARK_ADD|unix.FAN_MARK_FILESYSTEM, unix.FAN_MODIFY, unix.AT_FDCWD, cgroup.Mountpoint()))
	return func() map[uint64]bool {
		inodes := map[uint64]bool{}
		for {
			var event unix.FanotifyEventMetadata
			_, err := unix.Read(watch, unsafe.Slice((*byte)(unsafe.Pointer(&event)), unsafe.Sizeof(event)))
			if errors.Is(err, unix.EAGAIN) {
				return inodes
			}
			if err != nil || event.Fd < 0 {
				continue // of a group that is gone
			}
			var stat unix.Stat_t
			require.NoError(t, unix.Fstat(int(event.Fd), &stat))
			unix.Close(int(event.Fd))
			if event.Pid != 1 {
				inodes[stat.Ino] = true
			}
		}
	}
}

// pathsOutside returns which of the inodes are in groups that are not below place.
func pathsOutside(t *testing.T, place string, inodes map[uint64]bool) []string {
	t.Helper()
	var paths []string
	require.NoError(t, filepath.WalkDir(cgroup.Mountpoint(), func(path string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		if path == filepath.Join(cgroup.Mountpoint(), place) {
			return fs.SkipDir
		}
		var stat unix.Stat_t
		if unix.Lstat(path, &stat) == nil && inodes[stat.Ino] {
			paths = append(paths, path)
		}
		return nil
	}))
	return paths
}
