package bundle_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"hotcell/internal/bundle"
)

// tmpfs mounts a small file system for one test.
func tmpfs(t *testing.T, options string) string {
	t.Helper()
	if os.Geteuid() != 0 {
		if os.Getenv("HOTCELL_REQUIRE_ALL") == "1" {
			t.Fatal("this test needs root")
		}
		t.Skip("this test needs root")
	}
	dir := t.TempDir()
	require.NoError(t, unix.Mount("tmpfs", dir, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, options))
	t.Cleanup(func() { require.NoError(t, unix.Unmount(dir, unix.MNT_DETACH)) })
	return dir
}

func TestAFullDiskLeavesNothingHalfAdded(t *testing.T) {
	failed, done := 0, 0
	for size := 4; size <= 60; size += 8 { // KiB of data
		src := t.TempDir()
		write(t, src, "a.txt", strings.Repeat("x", size<<10))
		write(t, src, "b/b.txt", strings.Repeat("y", size<<10))
		_, err := bundle.Create(t.Context(), options(src))
		require.NoError(t, err)
		dir := filepath.Join(tmpfs(t, "size=64k"), "store")
		store, err := bundle.OpenStore(dir)
		require.NoError(t, err)
		if _, err = store.Add(t.Context(), src); err == nil {
			done++
			continue
		}
		failed++
		require.ErrorIs(t, err, unix.ENOSPC)
		require.Empty(t, visible(t, dir))
	}
	require.Positive(t, failed)
	require.Positive(t, done)
}

func TestCreateOnAFullDiskLeavesNoManifest(t *testing.T) {
	dir := tmpfs(t, "size=8k")
	write(t, dir, "a.txt", strings.Repeat("x", 8<<10))
	_, err := bundle.Create(t.Context(), options(dir))
	require.ErrorIs(t, err, unix.ENOSPC)
	require.Equal(t, []string{"a.txt"}, visible(t, dir))
}

func TestAddDoesNotCrossMounts(t *testing.T) {
	src := source(t)
	disk := tmpfs(t, "size=64k")
	write(t, disk, "visits.csv", "id,age\n1,40\n")
	require.NoError(t, unix.Mount(disk, filepath.Join(src, "data"), "", unix.MS_BIND, ""))
	defer func() { require.NoError(t, unix.Unmount(filepath.Join(src, "data"), unix.MNT_DETACH)) }()
	store, _ := openStore(t)
	_, err := store.Add(t.Context(), src)
	requireFault(t, err, "it is a mount point")
}

func TestDevicesAreRefused(t *testing.T) {
	src := source(t)
	tmpfs(t, "size=4k") // needs root
	require.NoError(t, unix.Mknod(filepath.Join(src, "zero.csv"), unix.S_IFCHR|0o666, int(unix.Mkdev(1, 5))))
	store, _ := openStore(t)
	_, err := store.Add(t.Context(), src)
	requireFault(t, err, "zero.csv: it is a character device")
}
