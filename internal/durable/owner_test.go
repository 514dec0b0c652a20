package durable_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/durable"
)

func owner(t *testing.T, dir string) string {
	t.Helper()
	found, err := durable.Owner(dir)
	require.NoError(t, err)
	require.Regexp(t, `^[0-9a-f]{32}\.[0-9a-f]{1,32}\.[0-9a-f]{16}$`, found)
	return found
}

func TestOwnerStaysTheSame(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	require.NoError(t, os.Mkdir(dir, 0o700))
	first := owner(t, dir)
	require.Equal(t, first, owner(t, dir))
	moved := dir + "-moved"
	require.NoError(t, os.Rename(dir, moved))
	require.Equal(t, first, owner(t, moved), "a directory that was renamed is the same")
}

// A copy that shared its original's owner would sweep its living sandboxes.
func TestACopyHasAnotherOwner(t *testing.T) {
	dir, other := t.TempDir(), filepath.Join(t.TempDir(), "copy")
	first := owner(t, dir)
	require.NoError(t, os.CopyFS(other, os.DirFS(dir)))
	require.FileExists(t, filepath.Join(other, durable.OwnerFile))
	require.NotEqual(t, first, owner(t, other))
	require.Equal(t, first, owner(t, dir))
}

func TestOneOwnerForAllWhoStartTogether(t *testing.T) {
	dir := t.TempDir()
	found := make([]string, 8)
	var all sync.WaitGroup
	for i := range found {
		all.Go(func() { found[i], _ = durable.Owner(dir) })
	}
	all.Wait()
	for _, one := range found {
		require.Equal(t, owner(t, dir), one)
	}
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 1)
}

func TestABrokenOwnerIsNamed(t *testing.T) {
	dir := t.TempDir()
	for _, content := range []string{"", "0123", strings.Repeat("g", 32)} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, durable.OwnerFile), []byte(content), 0o600))
		_, err := durable.Owner(dir)
		require.ErrorContains(t, err, "does not hold 32 hexadecimal digits")
	}
}

func TestWhatAnotherHasSignedIsOwnedElsewhere(t *testing.T) {
	path := filepath.Join(t.TempDir(), durable.OwnerFile)
	elsewhere, err := durable.OwnedElsewhere(path, "ours.boot.disk")
	require.NoError(t, err)
	require.False(t, elsewhere, "nobody has signed yet")
	for content, expected := range map[string]bool{
		"": false, "ours.boot.disk": false, "ours.earlier.disk": false, "ours.earlier.another": false,
		"ours.boot.another": true, "theirs.boot.disk": true, "theirs.earlier.disk": true,
		"ours": true, "ours.boot": true, "ours.boot.disk\n": true, "ours.boot.disk.": true, ".": true,
	} {
		require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
		elsewhere, err = durable.OwnedElsewhere(path, "ours.boot.disk")
		require.NoError(t, err)
		require.Equal(t, expected, elsewhere, "%q", content)
	}
	_, err = durable.OwnedElsewhere(filepath.Dir(path), "ours")
	require.ErrorContains(t, err, "read whose it is")
}

// A pipe in the place of the owner's file would be waited for without an end.
func TestAnOwnersFileThatIsNoneIsRefused(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, syscall.Mkfifo(filepath.Join(dir, durable.OwnerFile), 0o600))
	_, err := durable.Owner(dir)
	require.ErrorContains(t, err, "not a regular file")
	_, err = durable.OwnedElsewhere(filepath.Join(dir, durable.OwnerFile), "x")
	require.ErrorContains(t, err, "not a regular file")
	large := filepath.Join(dir, "large")
	require.NoError(t, os.WriteFile(large, []byte("12345"), 0o600))
	_, err = durable.ReadFile(large, 4)
	require.ErrorContains(t, err, "more than the 4 bytes")
	content, err := durable.ReadFile(large, 5)
	require.NoError(t, err)
	require.Equal(t, "12345", string(content))
}
