package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/digest"
)

// Until the chain has the export, nothing has the name: whoever is killed before leaves a hidden
// directory, and no file that somebody takes for one that was exported.
func TestACrateHasNoNameBeforeItsEvent(t *testing.T) {
	content := func(to io.Writer) error {
		_, err := to.Write([]byte("zip"))
		return err
	}
	target := filepath.Join(t.TempDir(), "run.zip")
	told := errors.New("told")
	look := func(then error) func(digest.Hex, int64) error {
		return func(sum digest.Hex, size int64) error {
			require.Equal(t, digest.Of([]byte("zip")).Hex(), sum)
			require.EqualValues(t, 3, size)
			require.NoFileExists(t, target)
			return then
		}
	}
	_, _, err := writeNew(target, content, look(told))
	require.ErrorIs(t, err, told)
	_, _, err = writeNew(target, func(io.Writer) error { return told }, look(nil))
	require.ErrorIs(t, err, told)
	_, _, err = writeNew(target, content, func(digest.Hex, int64) error { return os.Symlink("other", target) })
	require.ErrorIs(t, err, os.ErrExist)
	require.ErrorContains(t, err, "the audit chain has the export already")
	require.NoError(t, os.Remove(target))
	entries, err := os.ReadDir(filepath.Dir(target))
	require.NoError(t, err)
	require.Empty(t, entries)
	_, _, err = writeNew(target, content, look(nil))
	require.NoError(t, err)
	_, _, err = writeNew(target, content, look(nil))
	require.ErrorIs(t, err, os.ErrExist)
	info, err := os.Stat(target)
	require.NoError(t, err)
	require.EqualValues(t, 0o600, info.Mode().Perm())
}
