package output_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"hotcell/internal/job"
	"hotcell/internal/output"
)

// replacing is a directory with the files of a run before, and the files of the next one.
func replacing(t *testing.T) (to output.Destination, deliver func() error) {
	t.Helper()
	before, first := verified(t)
	dir := filepath.Join(t.TempDir(), "out")
	require.NoError(t, output.ExportKept(t.Context(), before.staging, first.Files(), dir))
	next := newScene(t)
	next.put(t, "a.csv", "new\n")
	second := next.accept(t)
	to = output.Destination{Dir: dir, Earlier: first.Files()}
	return to, func() error { return output.ExportKeptTo(t.Context(), next.staging, second.Files(), to) }
}

func TestADirectoryOfARunBeforeIsReplaced(t *testing.T) {
	to, deliver := replacing(t)
	require.NoError(t, to.Check(t.Context()))
	require.NoError(t, deliver())
	require.Equal(t, map[string]string{"a.csv": "new\n"}, tree(t, to.Dir))
	require.Len(t, entries(t, filepath.Dir(to.Dir)), 1, "nothing is left beside it")
}

func TestWhatIsLeftOfARunBeforeIsReplaced(t *testing.T) {
	to, deliver := replacing(t)
	require.NoError(t, os.Remove(filepath.Join(to.Dir, "a.csv")))
	require.NoError(t, to.Check(t.Context()))
	require.NoError(t, deliver())
	require.Equal(t, map[string]string{"a.csv": "new\n"}, tree(t, to.Dir))
}

func TestADirectoryWithForeignFilesIsNotReplaced(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret")
	require.NoError(t, os.WriteFile(secret, []byte("a\n"), 0o600))
	for name, change := range map[string]func(t *testing.T, dir string){
		"a file of somebody's": func(t *testing.T, dir string) {
			require.NoError(t, os.WriteFile(filepath.Join(dir, "notes.txt"), nil, 0o600))
		},
		"a hidden file": func(t *testing.T, dir string) {
			require.NoError(t, os.WriteFile(filepath.Join(dir, ".keep"), nil, 0o600))
		},
		"an empty directory": func(t *testing.T, dir string) { require.NoError(t, os.Mkdir(filepath.Join(dir, "x"), 0o700)) },
		"a file that was edited": func(t *testing.T, dir string) {
			require.NoError(t, os.WriteFile(filepath.Join(dir, "a.csv"), []byte("b\n"), 0o600))
		},
		"a file that was added to": func(t *testing.T, dir string) {
			require.NoError(t, os.WriteFile(filepath.Join(dir, "a.csv"), []byte("a\nb\n"), 0o600))
		},
		"a link in the place of a file, to the same content": func(t *testing.T, dir string) {
			require.NoError(t, os.Remove(filepath.Join(dir, "a.csv")))
			require.NoError(t, os.Symlink(secret, filepath.Join(dir, "a.csv")))
		},
		"a link in the place of a directory": func(t *testing.T, dir string) {
			require.NoError(t, os.RemoveAll(filepath.Join(dir, "tables")))
			require.NoError(t, os.Symlink(filepath.Dir(secret), filepath.Join(dir, "tables")))
		},
		"a pipe": func(t *testing.T, dir string) { require.NoError(t, unix.Mkfifo(filepath.Join(dir, "pipe"), 0o600)) },
	} {
		t.Run(name, func(t *testing.T) {
			to, deliver := replacing(t)
			change(t, to.Dir)
			was := len(entries(t, to.Dir))
			var foreign *output.ForeignError
			require.ErrorAs(t, to.Check(t.Context()), &foreign)
			require.NotEmpty(t, foreign.Names)
			require.ErrorAs(t, deliver(), &foreign, "it is looked at again")
			require.Len(t, entries(t, to.Dir), was, "it is as it was")
			require.Len(t, entries(t, filepath.Dir(to.Dir)), 1)
			require.FileExists(t, secret)
		})
	}
}

func TestWithoutAWordNothingIsReplaced(t *testing.T) {
	to, _ := replacing(t)
	require.ErrorContains(t, output.CheckDestination(t.Context(), to.Dir), "is not empty")
	link := filepath.Join(filepath.Dir(to.Dir), "link")
	require.NoError(t, os.Symlink(to.Dir, link))
	require.ErrorContains(t, output.Destination{Dir: link, Earlier: to.Earlier}.Check(t.Context()), "is a file or a link")
}

// Only root can give files away, and only where the place belongs to who gets them.
func TestFilesAreGivenToTheOwnerOfThePlace(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root, to give files away")
	}
	const user, group = 4242, 4343
	for name, test := range map[string]struct {
		parent int
		given  bool
	}{"in a place of theirs": {user, true}, "in a place of another's": {4244, false}, "in a place of root's": {0, false}} {
		t.Run(name, func(t *testing.T) {
			s, v := verified(t)
			parent := t.TempDir()
			require.NoError(t, os.Chown(parent, test.parent, test.parent))
			to := output.Destination{Dir: filepath.Join(parent, "out"), Owner: &output.Owner{UID: user, GID: group}}
			require.NoError(t, output.ExportKeptTo(t.Context(), s.staging, v.Files(), to))
			for _, path := range []string{"", "a.csv", "tables", "tables/b.csv"} {
				var stat unix.Stat_t
				require.NoError(t, unix.Lstat(filepath.Join(to.Dir, path), &stat))
				if test.given {
					require.Equal(t, [2]uint32{user, group}, [2]uint32{stat.Uid, stat.Gid}, path)
				} else {
					require.Equal(t, [2]uint32{0, 0}, [2]uint32{stat.Uid, stat.Gid}, path)
				}
			}
			require.Len(t, entries(t, parent), 1)
			to.Earlier = v.Files()
			require.NoError(t, output.ExportKeptTo(t.Context(), s.staging, v.Files(), to), "and replaced")
		})
	}
}

func TestACancelledReplacementLeavesTheOldOne(t *testing.T) {
	to, _ := replacing(t)
	was := tree(t, to.Dir)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.Error(t, output.ExportKeptTo(ctx, t.TempDir(), []job.File{}, to))
	require.Equal(t, was, tree(t, to.Dir))
}
