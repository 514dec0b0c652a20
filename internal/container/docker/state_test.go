package docker

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
)

// TestARemovalThatWasCutShortIsCompletedAtOnce is about a process that was killed when it had
// removed the lock of a sandbox's directory, and not yet the directory.
func TestARemovalThatWasCutShortIsCompletedAtOnce(t *testing.T) {
	state, err := openState(t.TempDir())
	require.NoError(t, err)
	made, err := state.create(container.NewID())
	require.NoError(t, err)
	require.NoError(t, os.Mkdir(filepath.Join(made.path, "output"), 0o700))

	cut := errors.New("cut short")
	require.ErrorIs(t, discardBy(made.path, func(path string) error {
		require.NoError(t, os.Remove(filepath.Join(path, lockFile)))
		return cut
	}), cut)
	require.NoError(t, made.lock.Close()) // as the kernel does

	dead, err := state.dead()
	require.NoError(t, err)
	require.Empty(t, dead, "of which nothing but files is left")
	require.Equal(t, []string{"owner"}, namesIn(t, state.path))
}

func TestADirectoryMayBeRemovedAgain(t *testing.T) {
	state, err := openState(t.TempDir())
	require.NoError(t, err)
	made, err := state.create(container.NewID())
	require.NoError(t, err)
	cut := errors.New("cut short")
	require.ErrorIs(t, discardBy(made.path, func(string) error { return cut }), cut)
	require.NoError(t, made.remove())
	require.NoError(t, made.remove())
	require.Equal(t, []string{"owner"}, namesIn(t, state.path))
}

func namesIn(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}
