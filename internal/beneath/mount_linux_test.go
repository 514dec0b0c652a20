package beneath_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"hotcell/internal/beneath"
)

// needRoot skips where mounts cannot be made, which in CI is a failure.
func needRoot(t *testing.T) {
	t.Helper()
	if os.Geteuid() == 0 {
		return
	}
	if os.Getenv("HOTCELL_REQUIRE_ALL") == "1" {
		t.Fatal("this test needs root")
	}
	t.Skip("this test needs root")
}

func bind(t *testing.T, from, onto string) {
	t.Helper()
	require.NoError(t, unix.Mount(from, onto, "", unix.MS_BIND, ""))
	t.Cleanup(func() { require.NoError(t, unix.Unmount(onto, unix.MNT_DETACH)) })
}

// TestBindMountsAreNotCrossed mounts from the same file system, which no
// comparison of device numbers would show.
func TestBindMountsAreNotCrossed(t *testing.T) {
	needRoot(t)
	secret, dir := t.TempDir(), t.TempDir()
	write(t, secret, "secret", "s")
	write(t, dir, "dir/x", "x")
	write(t, dir, "file", "x")
	bind(t, secret, filepath.Join(dir, "dir"))
	bind(t, filepath.Join(secret, "secret"), filepath.Join(dir, "file"))
	problems := map[string]error{}
	err := beneath.Walk(t.Context(), openRoot(t, dir), wide, func(node *beneath.Node) error {
		problems[node.Path] = node.Problem
		if node.Kind == beneath.Regular {
			_, problems[node.Path] = node.Open()
		}
		return nil
	})
	require.NoError(t, err)
	require.Len(t, problems, 2)
	require.ErrorIs(t, problems["dir"], beneath.ErrMount)
	require.ErrorIs(t, problems["file"], beneath.ErrMount)
}

func TestDevicesAreNotOpened(t *testing.T) {
	needRoot(t)
	dir := t.TempDir()
	require.NoError(t, unix.Mknod(filepath.Join(dir, "null"), unix.S_IFCHR|0o666, int(unix.Mkdev(1, 3))))
	require.NoError(t, unix.Mknod(filepath.Join(dir, "loop"), unix.S_IFBLK|0o666, int(unix.Mkdev(7, 0))))
	lines, err := visits(t, dir, wide)
	require.NoError(t, err)
	require.Equal(t, []string{"loop block device", "null character device"}, lines)
	_, err = beneath.ReadFile(t.Context(), openRoot(t, dir), "null", 10)
	require.ErrorContains(t, err, "character device")
}
