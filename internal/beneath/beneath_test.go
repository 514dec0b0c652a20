package beneath_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"hotcell/internal/beneath"
	"hotcell/internal/digest"
)

func openRoot(t *testing.T, dir string) *os.Root {
	t.Helper()
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, root.Close()) })
	return root
}

func write(t *testing.T, dir, name, content string) {
	t.Helper()
	path := filepath.Join(dir, name)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(content), 0o644))
}

var wide = beneath.Extent{Entries: 100, Depth: 8}

// visits describes a walk as "path kind" lines.
func visits(t *testing.T, dir string, limits beneath.Extent) ([]string, error) {
	t.Helper()
	var lines []string
	err := beneath.Walk(t.Context(), openRoot(t, dir), limits, func(node *beneath.Node) error {
		lines = append(lines, fmt.Sprintf("%s %s", node.Path, node.Kind))
		return nil
	})
	return lines, err
}

func TestWalkVisitsEverythingOnceInOrder(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "b/c", "x")
	write(t, dir, "a", "x")
	require.NoError(t, unix.Mkfifo(filepath.Join(dir, "pipe"), 0o600))
	require.NoError(t, os.Symlink("b", filepath.Join(dir, "link")))
	socket, err := net.Listen("unix", filepath.Join(dir, "socket"))
	require.NoError(t, err)
	defer socket.Close()
	lines, err := visits(t, dir, wide)
	require.NoError(t, err)
	require.Equal(t, []string{
		"a regular file", "b directory", "b/c regular file", "link symbolic link", "pipe named pipe", "socket socket",
	}, lines)
}

func TestWalkIsBounded(t *testing.T) {
	dir := t.TempDir()
	for i := range 20 {
		write(t, dir, fmt.Sprint("f", i), "")
	}
	_, err := visits(t, dir, beneath.Extent{Entries: 19, Depth: 1})
	require.ErrorIs(t, err, beneath.ErrTooMany)
	_, err = visits(t, dir, beneath.Extent{Entries: 20, Depth: 1})
	require.NoError(t, err)
	_, err = visits(t, dir, beneath.Extent{})
	require.ErrorContains(t, err, "greater than zero")
}

func TestWalkKnowsNothingOfWhatItPasses(t *testing.T) {
	dir := t.TempDir()
	for i := range 20 {
		write(t, dir, fmt.Sprint("old/f", i), "")
		write(t, dir, fmt.Sprint("new/", i, ".tmp"), "")
	}
	write(t, dir, "new/a", "")
	require.NoError(t, os.Mkdir(filepath.Join(dir, "locked"), 0o000))
	few := beneath.Extent{Entries: 2, Depth: 2, Pass: func(path string) bool {
		return path == "old" || path == "locked" || strings.HasPrefix(path, "new/") && strings.HasSuffix(path, ".tmp")
	}}
	lines, err := visits(t, dir, few)
	require.NoError(t, err)
	require.Equal(t, []string{"new directory", "new/a regular file"}, lines)
}

func TestWalkDoesNotEnterWhatLiesTooDeep(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a/b/c", "x")
	var problem error
	err := beneath.Walk(t.Context(), openRoot(t, dir), beneath.Extent{Entries: 9, Depth: 2}, func(node *beneath.Node) error {
		require.NotEqual(t, "a/b/c", node.Path)
		if node.Path == "a/b" {
			problem = node.Problem
		}
		return nil
	})
	require.NoError(t, err)
	require.ErrorIs(t, problem, beneath.ErrTooDeep)
}

func TestWalkEndsWithItsContext(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a", "x")
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("enough")
	cancel(cause)
	err := beneath.Walk(ctx, openRoot(t, dir), wide, func(*beneath.Node) error { return nil })
	require.ErrorIs(t, err, cause)
}

// TestOpenRefusesWhatTookTheFilesPlace changes the tree between the look and the
// opening: the moment that an attacker with a process left over would choose.
func TestOpenRefusesWhatTookTheFilesPlace(t *testing.T) {
	for name, swap := range map[string]func(t *testing.T, path string){
		"a symlink to a secret": func(t *testing.T, path string) { require.NoError(t, os.Symlink("/etc/passwd", path)) },
		"a symlink within":      func(t *testing.T, path string) { require.NoError(t, os.Symlink("other", path)) },
		"another file":          func(t *testing.T, path string) { require.NoError(t, os.WriteFile(path, nil, 0o600)) },
		"a named pipe":          func(t *testing.T, path string) { require.NoError(t, unix.Mkfifo(path, 0o600)) },
		"a directory":           func(t *testing.T, path string) { require.NoError(t, os.Mkdir(path, 0o700)) },
		"a hard link": func(t *testing.T, path string) {
			require.NoError(t, os.Link(filepath.Join(filepath.Dir(path), "other"), path))
		},
		"nothing": func(*testing.T, string) {},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, "file", "content")
			write(t, dir, "other", "content")
			path := filepath.Join(dir, "file")
			err := beneath.Walk(t.Context(), openRoot(t, dir), wide, func(node *beneath.Node) error {
				if node.Path != "file" {
					return nil
				}
				require.NoError(t, os.Rename(path, filepath.Join(dir, "kept"))) // keeps the inode's number taken
				swap(t, path)
				_, err := node.Open()
				return err
			})
			require.ErrorIs(t, err, beneath.ErrChanged)
		})
	}
}

func TestOpenRefusesAFileThatGotASecondName(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "file", "content")
	err := beneath.Walk(t.Context(), openRoot(t, dir), wide, func(node *beneath.Node) error {
		require.NoError(t, os.Link(filepath.Join(dir, "file"), filepath.Join(dir, "second")))
		_, err := node.Open()
		return err
	})
	require.ErrorIs(t, err, beneath.ErrChanged)
}

func TestWalkEntersNoDirectoryThatBecameALink(t *testing.T) {
	secret, dir := t.TempDir(), t.TempDir()
	write(t, secret, "secret", "s")
	write(t, dir, "a", "x")
	write(t, dir, "b/c", "x")
	// The walk has read the names when "a" is visited, and looks at "b" after it.
	lines := []string{}
	err := beneath.Walk(t.Context(), openRoot(t, dir), wide, func(node *beneath.Node) error {
		if node.Path == "a" {
			require.NoError(t, os.RemoveAll(filepath.Join(dir, "b")))
			require.NoError(t, os.Symlink(secret, filepath.Join(dir, "b")))
		}
		lines = append(lines, fmt.Sprintf("%s %s", node.Path, node.Kind))
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, []string{"a regular file", "b symbolic link"}, lines)
}

func TestCopyHashesWhatItWritesAndIsBounded(t *testing.T) {
	for name, test := range map[string]struct {
		content string
		limit   int64
		err     error
	}{
		"shorter than the limit":  {"abc", 4, nil},
		"exactly the limit":       {"abcd", 4, nil},
		"longer than the limit":   {"abcde", 4, beneath.ErrTooLarge},
		"empty":                   {"", 0, nil},
		"not empty, nothing due":  {"a", 0, beneath.ErrTooLarge},
		"much more than is asked": {strings.Repeat("x", 1<<20), 10, beneath.ErrTooLarge},
	} {
		t.Run(name, func(t *testing.T) {
			var dst strings.Builder
			written, sum, err := beneath.Copy(t.Context(), &dst, strings.NewReader(test.content), test.limit)
			require.ErrorIs(t, err, test.err)
			require.LessOrEqual(t, int64(dst.Len()), test.limit)
			if test.err == nil {
				require.Equal(t, int64(len(test.content)), written)
				require.Len(t, sum.Hex(), 64)
				require.Equal(t, test.content, dst.String())
			}
		})
	}
}

func TestCopyNamedCopiesWhatItsDigestNames(t *testing.T) {
	want := digest.Of([]byte("abcd"))
	for content, wrong := range map[string]error{
		"abcd": nil, "abcX": digest.ErrMismatch, "abc": digest.ErrSize, "abcde": digest.ErrSize, "": digest.ErrSize,
	} {
		t.Run(content, func(t *testing.T) {
			var dst strings.Builder
			require.ErrorIs(t, beneath.CopyNamed(t.Context(), &dst, strings.NewReader(content), want, 4), wrong)
			require.Equal(t, content[:min(4, len(content))], dst.String())
		})
	}
	gone, cancel := context.WithCancelCause(t.Context())
	gaveUp := errors.New("gave up")
	cancel(gaveUp)
	require.ErrorIs(t, beneath.CopyNamed(gone, io.Discard, strings.NewReader("abcd"), want, 4), gaveUp)
}

func TestReadFile(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "plain", "content")
	write(t, dir, "twice", "content")
	require.NoError(t, os.Link(filepath.Join(dir, "twice"), filepath.Join(dir, "again")))
	require.NoError(t, os.Symlink("plain", filepath.Join(dir, "link")))
	require.NoError(t, unix.Mkfifo(filepath.Join(dir, "pipe"), 0o600))
	root := openRoot(t, dir)
	data, err := beneath.ReadFile(t.Context(), root, "plain", 7)
	require.NoError(t, err)
	require.Equal(t, "content", string(data))
	_, err = beneath.ReadFile(t.Context(), root, "plain", 6)
	require.ErrorIs(t, err, beneath.ErrTooLarge)
	for name, fault := range map[string]string{
		"twice": "2 hard links", "link": "symbolic link", "pipe": "named pipe", "absent": "no such file", ".": "directory",
	} {
		_, err := beneath.ReadFile(t.Context(), root, name, 100)
		require.ErrorContains(t, err, fault, name)
	}
}
