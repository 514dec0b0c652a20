package output_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"hotcell/internal/output"
	"hotcell/tests/meddler"
)

// swapper is a context that calls swap when it is asked for the n-th time, so
// that another user's rename comes in the middle of the copy, at every point.
type swapper struct {
	context.Context
	left int
	swap func()
}

func (s *swapper) Err() error {
	if s.left--; s.left == 0 {
		s.swap()
	}
	return s.Context.Err()
}

// contested is a directory that others may write, with all that they do to what
// stands in it, and things of ours that must stay as they are.
type contested struct{ shared, victim string }

func newContested(t *testing.T) contested {
	t.Helper()
	c := contested{filepath.Join(t.TempDir(), "shared"), filepath.Join(t.TempDir(), "victim")}
	for path, mode := range map[string]os.FileMode{c.shared: 0o777, c.victim: 0o700} {
		require.NoError(t, os.Mkdir(path, mode))
		require.NoError(t, os.Chmod(path, mode))
	}
	require.NoError(t, os.WriteFile(filepath.Join(c.victim, "precious"), []byte("ours"), 0o600))
	return c
}

func (c contested) path(name string) string { return filepath.Join(c.shared, name) }

// intact holds after whatever was done.
func (c contested) intact(t *testing.T) {
	t.Helper()
	for path, mode := range map[string]os.FileMode{
		c.victim: 0o700, filepath.Join(c.victim, "precious"): 0o600, c.shared: 0o777,
	} {
		info, err := os.Lstat(path)
		require.NoError(t, err)
		require.Equal(t, mode, info.Mode().Perm(), path)
	}
	require.Len(t, entries(t, c.victim), 1)
	content, err := os.ReadFile(filepath.Join(c.victim, "precious"))
	require.NoError(t, err)
	require.Equal(t, "ours", string(content))
}

// put are the things that take the place of a directory of ours.
var put = map[string]func(c contested, path string) error{
	"a link to a directory of ours": func(c contested, path string) error { return os.Symlink(c.victim, path) },
	"a link to a file of ours": func(c contested, path string) error {
		return os.Symlink(filepath.Join(c.victim, "precious"), path)
	},
	"a directory with a link": func(c contested, path string) error {
		if err := os.Mkdir(path, 0o777); err != nil {
			return err
		}
		return os.Symlink(c.victim, filepath.Join(path, "content"))
	},
	"nothing": func(contested, string) error { return nil },
}

// TestExportIsNotLedAstray swaps a directory 1,000 times, at every step of the
// copy: the directory that is being made, by another user's link to one of ours.
func TestExportIsNotLedAstray(t *testing.T) {
	_, v := verified(t)
	c := newContested(t)
	require.NoError(t, os.Mkdir(c.path("out"), 0o777))
	require.NoError(t, os.Chmod(c.path("out"), 0o777))
	swaps := 0
	for swaps < 1000 {
		for what, place := range put {
			before := swaps
			for at := 1; at == 1 || before != swaps; at++ {
				before = swaps
				ctx := &swapper{t.Context(), at, func() {
					gone := c.path(fmt.Sprint(".gone", swaps))
					require.NoError(t, os.Rename(c.path(".out.hotcell-partial"), gone))
					require.NoError(t, place(c, c.path(".out.hotcell-partial")), what)
					swaps++
				}}
				_ = v.Export(ctx, c.path("out")) // whether it can be done is the other user's decision
				c.intact(t)
				require.NoError(t, os.RemoveAll(c.shared))
				require.NoError(t, os.Mkdir(c.shared, 0o777))
				require.NoError(t, os.Chmod(c.shared, 0o777))
				if swaps%2 == 0 {
					require.NoError(t, os.Mkdir(c.path("out"), 0o777))
					require.NoError(t, os.Chmod(c.path("out"), 0o777))
				}
			}
		}
	}
}

// TestExportsAgainstAConstantSwapper leaves the moment to the scheduler: between
// the making and the opening of a directory, and beside the rename, no context is
// asked.
func TestExportsAgainstAConstantSwapper(t *testing.T) {
	_, v := verified(t)
	c := newContested(t)
	stop := meddler.Start(t, func(n int) {
		name := [...]string{".out.hotcell-partial", "out"}[n%2]
		if os.Rename(c.path(name), c.path(fmt.Sprint(".gone", n))) == nil {
			_ = os.Symlink(c.victim, c.path(name))
		} else if info, err := os.Lstat(c.path(name)); err == nil && info.Mode()&os.ModeSymlink != 0 {
			_ = os.Remove(c.path(name))
		}
	})
	for range 200 {
		_ = v.Export(t.Context(), c.path("out"))
		_ = output.CheckDestination(t.Context(), c.path("out"))
		c.intact(t)
	}
	stop()
	c.intact(t)
}

// TestExportRemovesNoDirectoryThatGotTheDraftsName: where others may write, one
// of them can rename what is ours, but not remove it.
func TestExportRemovesNoDirectoryThatGotTheDraftsName(t *testing.T) {
	_, v := verified(t)
	c := newContested(t)
	planted := c.path(".out.hotcell-partial")
	require.NoError(t, os.Mkdir(planted, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(planted, "precious"), nil, 0o600))
	require.ErrorContains(t, v.Export(t.Context(), c.path("out")), "in the way")
	require.FileExists(t, filepath.Join(planted, "precious"))
}

func TestExportToASharedDirectoryClearsOnlyWhatIsEmpty(t *testing.T) {
	_, v := verified(t)
	c := newContested(t)
	left := c.path(".out.hotcell-partial")
	require.NoError(t, os.MkdirAll(filepath.Join(left, "content/tables"), 0o700))
	require.ErrorContains(t, v.Export(t.Context(), c.path("out")), "is in the way: remove it")
	require.DirExists(t, filepath.Join(left, "content/tables"))
	require.NoError(t, os.Remove(filepath.Join(left, "content/tables")))
	require.NoError(t, v.Export(t.Context(), c.path("out")))
	require.Equal(t, exported, tree(t, c.path("out")))
	require.Len(t, entries(t, c.shared), 1)
}

// TestExportRemovesNoResultsThatGotItsName: somebody exchanges what was published
// and results of ours that stand beside it, at a moment that the scheduler chooses.
func TestExportRemovesNoResultsThatGotItsName(t *testing.T) {
	_, v := verified(t)
	c := newContested(t)
	for _, name := range []string{"earlier", "one"} {
		require.NoError(t, os.MkdirAll(c.path(name+"/content"), 0o700))
		require.NoError(t, os.WriteFile(c.path(name+"/content/precious"), []byte("ours"), 0o600))
	}
	stop := meddler.Start(t, func(n int) {
		name := [...]string{".out.hotcell-partial", "out", "out", "out"}[n%4]
		_ = unix.Renameat2(unix.AT_FDCWD, c.path(name), unix.AT_FDCWD, c.path("earlier"), unix.RENAME_EXCHANGE)
		_ = unix.Renameat2(unix.AT_FDCWD, c.path(name), unix.AT_FDCWD, c.path("one"), unix.RENAME_EXCHANGE)
	})
	for n := range 300 {
		_ = v.Export(t.Context(), c.path("out"))
		_ = output.CheckDestination(t.Context(), c.path("out"))
		_ = os.Rename(c.path("out"), c.path(fmt.Sprint("out", n)))
	}
	stop()
	kept, err := filepath.Glob(c.path("*/content/precious")) // hidden names too
	require.NoError(t, err)
	require.Len(t, kept, 2)
}
