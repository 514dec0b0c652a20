package output_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"hotcell/internal/output"
)

// tmpfs mounts a small file system for one test.
func tmpfs(t *testing.T, options string) string {
	t.Helper()
	needRoot(t)
	dir := t.TempDir()
	require.NoError(t, unix.Mount("tmpfs", dir, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, options))
	t.Cleanup(func() { require.NoError(t, unix.Unmount(dir, unix.MNT_DETACH)) })
	return dir
}

func TestDestinationMustNotBeAMountPoint(t *testing.T) {
	require.ErrorContains(t, output.CheckDestination(t.Context(), tmpfs(t, "size=64k")), "is a mount point")
}

func TestQuarantineOnAFullDisk(t *testing.T) {
	s := newScene(t)
	s.write(t, "a.txt", string(make([]byte, 200<<10)))
	s.write(t, "b.txt", string(make([]byte, 200<<10)))
	dst := tmpfs(t, "size=256k,mode=0700")
	require.ErrorIs(t, quarantine(t, s, dst, wide), unix.ENOSPC)
	require.Empty(t, tree(t, dst))
}
