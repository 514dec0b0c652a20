package beneath_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"hotcell/internal/beneath"
)

// Whatever stands in the place of a file or on the way to it, nobody waits for it or is led away.
func TestFilesOpensRegularFilesOnly(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a/b", "content")
	write(t, dir, "two", "content")
	require.NoError(t, os.Link(filepath.Join(dir, "two"), filepath.Join(dir, "a/again")))
	require.NoError(t, os.Symlink("a", filepath.Join(dir, "way")))
	require.NoError(t, os.Symlink("b", filepath.Join(dir, "a/link")))
	require.NoError(t, unix.Mkfifo(filepath.Join(dir, "pipe"), 0o600))
	files := beneath.Files(openRoot(t, dir))
	data, err := fs.ReadFile(files, "a/b")
	require.NoError(t, err)
	require.Equal(t, "content", string(data))
	for name, wrong := range map[string]string{
		"a": "it is a directory", "pipe": "it is a named pipe", "a/link": "it is a symbolic link", "way/b": "it changed", "pipe/b": "it changed",
		"a/again": "2 hard links", "none": "no such file", "../x": "invalid", "": "invalid",
	} {
		_, err := files.Open(name)
		require.ErrorContains(t, err, wrong, name)
	}
	_, err = files.Open("none/b")
	require.ErrorIs(t, err, fs.ErrNotExist)
}
