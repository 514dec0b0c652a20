package fingerprint_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/fingerprint"
)

// The stores' tests have the attacks on what is looked at.

func file(t *testing.T) *os.File {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(path, []byte("x"), 0o600))
	opened, err := os.Open(path)
	require.NoError(t, err)
	t.Cleanup(func() { opened.Close() })
	return opened
}

func later() time.Time { return time.Now().Add(time.Hour) }

func TestALookIsSureWhereEveryChangeWillShow(t *testing.T) {
	opened := file(t)
	look, sure := fingerprint.Sure(opened, later())
	require.True(t, sure)
	again, err := fingerprint.Look(opened.Name())
	require.NoError(t, err)
	require.Equal(t, look, again)

	_, sure = fingerprint.Sure(opened, time.Now().Add(-time.Hour))
	require.False(t, sure, "its last change lies in the future")

	writer, err := os.OpenFile(opened.Name(), os.O_WRONLY, 0)
	require.NoError(t, err)
	_, sure = fingerprint.Sure(opened, later())
	require.False(t, sure, "somebody can write")
	require.NoError(t, writer.Close())
	_, sure = fingerprint.Sure(opened, later())
	require.True(t, sure)

	dir, err := os.Open(filepath.Dir(opened.Name()))
	require.NoError(t, err)
	defer dir.Close()
	_, sure = fingerprint.Sure(dir, later())
	require.True(t, sure, "of a directory")
}

func TestNoLookIsSureOfAFileSystemThatIsNotTheKernelsOwn(t *testing.T) {
	opened, err := os.Open("/proc/version")
	require.NoError(t, err)
	defer opened.Close()
	_, sure := fingerprint.Sure(opened, later())
	require.False(t, sure)
	tree, err := fingerprint.Of(t.Context(), "/proc/self/ns")
	require.NoError(t, err)
	require.False(t, tree.Settled(later()))
}

func TestALookFollowsNoLink(t *testing.T) {
	opened := file(t)
	link := opened.Name() + ".link"
	require.NoError(t, os.Symlink(opened.Name(), link))
	target, err := fingerprint.Look(opened.Name())
	require.NoError(t, err)
	there, err := fingerprint.Look(link)
	require.NoError(t, err)
	require.NotEqual(t, target, there)
	_, err = fingerprint.Look(opened.Name() + ".missing")
	require.ErrorIs(t, err, fs.ErrNotExist)
}

func TestATreeChangesWithEveryEntryInIt(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "a", "b"), 0o700))
	path := filepath.Join(dir, "a", "b", "file")
	require.NoError(t, os.WriteFile(path, []byte("x"), 0o600))
	seen := map[fingerprint.Tree]bool{}
	look := func() fingerprint.Tree {
		tree, err := fingerprint.Of(t.Context(), dir)
		require.NoError(t, err)
		return tree
	}
	seen[look()] = true
	require.True(t, seen[look()], "nothing changed")
	for _, change := range []func() error{
		func() error { return os.WriteFile(path, []byte("xx"), 0o600) },
		func() error { return os.Chmod(path, 0o400) },
		func() error { return os.Link(path, filepath.Join(dir, "second")) },
		func() error { return os.Remove(filepath.Join(dir, "second")) },
		func() error { return os.Mkdir(filepath.Join(dir, "c"), 0o700) },
	} {
		before := look()
		require.NoError(t, change())
		require.NotEqual(t, before, look())
	}
}

func TestATreeSettlesWithinTheMargin(t *testing.T) {
	tree, err := fingerprint.Of(t.Context(), t.TempDir())
	require.NoError(t, err)
	now := time.Now()
	wait := tree.Unsettled(now)
	require.LessOrEqual(t, wait, fingerprint.Margin)
	require.True(t, tree.Settled(now.Add(wait)))
	require.Zero(t, tree.Unsettled(now.Add(wait)))
	require.Equal(t, fingerprint.Margin, tree.Unsettled(now.Add(-time.Hour)), "a clock that was set back does not keep anybody longer")
}
