package output_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"hotcell/internal/durable"
	"hotcell/internal/job"
	"hotcell/internal/output"
)

// verified makes an output of two files.
func verified(t *testing.T) (*scene, *output.Verified) {
	t.Helper()
	s := newScene(t)
	s.put(t, "a.csv", "a\n")
	s.put(t, "tables/b.csv", "b\n")
	return s, s.accept(t)
}

var exported = map[string]string{"a.csv": "a\n", "tables": "/", "tables/b.csv": "b\n"}

func TestExportMakesTheDirectory(t *testing.T) {
	_, v := verified(t)
	parent := t.TempDir()
	require.NoError(t, v.Export(t.Context(), filepath.Join(parent, "out")))
	require.Equal(t, exported, tree(t, filepath.Join(parent, "out")))
	require.Len(t, entries(t, parent), 1)
	info, err := os.Stat(filepath.Join(parent, "out"))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o755), info.Mode().Perm())
}

func entries(t *testing.T, dir string) []os.DirEntry {
	t.Helper()
	list, err := os.ReadDir(dir)
	require.NoError(t, err)
	return list
}

func TestExportKeepsTheModeOfAnEmptyDirectory(t *testing.T) {
	_, v := verified(t)
	dir := filepath.Join(t.TempDir(), "out")
	require.NoError(t, os.Mkdir(dir, 0o700))
	require.NoError(t, v.Export(t.Context(), dir))
	require.Equal(t, exported, tree(t, dir))
	info, err := os.Stat(dir)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o700), info.Mode().Perm())
}

func TestExportOfNothingMakesAnEmptyDirectory(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	require.NoError(t, newScene(t).accept(t).Export(t.Context(), dir))
	require.Empty(t, tree(t, dir))
}

func TestExportWorksAfterTheStagingDirectoryMoved(t *testing.T) {
	s, v := verified(t)
	require.NoError(t, os.Rename(s.staging, s.staging+"-moved"))
	dir := filepath.Join(t.TempDir(), "out")
	require.NoError(t, v.Export(t.Context(), dir))
	require.Equal(t, exported, tree(t, dir))
}

func TestExportRefusesWhatIsNotVerified(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	require.ErrorContains(t, new(output.Verified).Export(t.Context(), dir), "not been verified")
	_, v := verified(t)
	require.NoError(t, v.Close())
	require.ErrorContains(t, v.Export(t.Context(), dir), "not been verified")
	require.NoDirExists(t, dir)
}

func TestExportLeavesNothingHalfWritten(t *testing.T) {
	for name, spoil := range map[string]func(t *testing.T, s *scene) context.Context{
		"a staged file was changed": func(t *testing.T, s *scene) context.Context {
			require.NoError(t, os.WriteFile(filepath.Join(s.staging, "tables/b.csv"), []byte("c\n"), 0o600))
			return t.Context()
		},
		"a staged file grew": func(t *testing.T, s *scene) context.Context {
			require.NoError(t, os.WriteFile(filepath.Join(s.staging, "tables/b.csv"), []byte("b\nb\n"), 0o600))
			return t.Context()
		},
		"a staged file is gone": func(t *testing.T, s *scene) context.Context {
			require.NoError(t, os.Remove(filepath.Join(s.staging, "tables/b.csv")))
			return t.Context()
		},
		"the caller gave up": func(t *testing.T, _ *scene) context.Context {
			ctx, cancel := contextEndingAt(t, 1)
			t.Cleanup(cancel)
			return ctx
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, v := verified(t)
			parent := t.TempDir()
			ctx := spoil(t, s)
			require.Error(t, v.Export(ctx, filepath.Join(parent, "out")))
			require.Empty(t, entries(t, parent))
		})
	}
}

// What one process has verified another one copies, and believes no name of it.
func TestExportOfKeptFilesHoldsThemToTheirHashes(t *testing.T) {
	s, v := verified(t)
	out := filepath.Join(t.TempDir(), "out")
	require.NoError(t, output.ExportKept(t.Context(), s.staging, v.Files(), out))
	require.Equal(t, exported, tree(t, out))
	for name, files := range map[string][]job.File{
		"a file that is not there": {{Path: "c.csv", Bytes: 2, SHA256: v.Files()[0].SHA256}},
		"a path that leads out":    {{Path: "../a.csv", Bytes: 2, SHA256: v.Files()[0].SHA256}},
		"other bytes":              {{Path: "a.csv", Bytes: 2, SHA256: v.Files()[1].SHA256}},
		"another size":             {{Path: "a.csv", Bytes: 1, SHA256: v.Files()[0].SHA256}},
	} {
		t.Run(name, func(t *testing.T) {
			parent := t.TempDir()
			require.Error(t, output.ExportKept(t.Context(), s.staging, files, filepath.Join(parent, "out")))
			require.Empty(t, entries(t, parent))
		})
	}
	require.Error(t, output.ExportKept(t.Context(), filepath.Join(s.staging, "absent"), v.Files(), filepath.Join(t.TempDir(), "out")))
}

func TestExportsToOnePlaceAtOnce(t *testing.T) {
	_, v := verified(t)
	parent := t.TempDir()
	busy, err := durable.NewDelivery(filepath.Join(parent, "out"))
	require.NoError(t, err)
	require.ErrorIs(t, v.Export(t.Context(), filepath.Join(parent, "out")), durable.ErrBusy)
	require.ErrorIs(t, output.CheckDestination(t.Context(), filepath.Join(parent, "out")), durable.ErrBusy)
	require.NoError(t, busy.Discard())
	require.NoError(t, v.Export(t.Context(), filepath.Join(parent, "out")))
}

func TestExportClearsWhatAKilledOneLeft(t *testing.T) {
	_, v := verified(t)
	parent := t.TempDir()
	left := filepath.Join(parent, ".out.hotcell-partial")
	require.NoError(t, os.Mkdir(left, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(left, "half.csv"), []byte("x"), 0o600))
	require.NoError(t, v.Export(t.Context(), filepath.Join(parent, "out")))
	require.Equal(t, exported, tree(t, filepath.Join(parent, "out")))
	require.Len(t, entries(t, parent), 1)
}

func TestDestination(t *testing.T) {
	parent := t.TempDir()
	t.Chdir(parent)
	require.NoError(t, os.Mkdir("empty", 0o755))
	require.NoError(t, os.Mkdir("full", 0o755))
	require.NoError(t, os.WriteFile("full/file", nil, 0o644))
	require.NoError(t, os.WriteFile("file", nil, 0o644))
	require.NoError(t, os.Symlink("empty", "link"))
	require.NoError(t, os.Mkdir("here", 0o755))
	for dir, fault := range map[string]string{
		"empty": "", "new": "", filepath.Join(parent, "new"): "", "empty/": "",
		"":          "name one",
		"full":      "is not empty",
		"file":      "is a file or a link",
		"link":      "is a file or a link",
		"absent/x":  "is not a directory: create it first",
		"file/x":    "is not a directory: create it first",
		"./full/..": "is not empty",
		"/proc/x":   "nothing can be written",
		"/":         "not empty",
	} {
		t.Run(strings.ReplaceAll(dir, "/", "_"), func(t *testing.T) {
			err := output.CheckDestination(t.Context(), dir)
			if fault == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, fault)
			_, v := verified(t)
			require.Error(t, v.Export(t.Context(), dir))
		})
	}
	t.Chdir("here")
	require.ErrorContains(t, output.CheckDestination(t.Context(), "."), "current directory")
}

// TestExportToAFullDisk uses a file system of its own, so that the disk is full
// exactly when the files are copied.
func TestExportToAFullDisk(t *testing.T) {
	s := newScene(t)
	s.put(t, "a.txt", strings.Repeat("x", 300<<10))
	v := s.accept(t)
	disk := tmpfs(t, "size=256k")
	require.ErrorIs(t, v.Export(t.Context(), filepath.Join(disk, "out")), unix.ENOSPC)
	require.Empty(t, entries(t, disk))
}

func TestStagingOnAFullDisk(t *testing.T) {
	s := newScene(t)
	s.put(t, "a.txt", strings.Repeat("x", 100<<10))
	s.put(t, "b.txt", strings.Repeat("x", 300<<10))
	s.staging = tmpfs(t, "size=256k,mode=0700")
	found, violations, err := s.verify(t)
	require.ErrorIs(t, err, unix.ENOSPC)
	require.Nil(t, found)
	require.Nil(t, violations)
	require.Empty(t, entries(t, s.staging))
}

func TestAKeptFileIsReadAsItWasVerified(t *testing.T) {
	_, v := verified(t)
	file := v.Files()[1]
	content, err := output.ReadKept(t.Context(), v.Staging(), file)
	require.NoError(t, err)
	require.Equal(t, "b\n", string(content))

	path := filepath.Join(v.Staging(), file.Path)
	require.NoError(t, os.Chmod(path, 0o600))
	require.NoError(t, os.WriteFile(path, []byte("c\n"), 0o600))
	_, err = output.ReadKept(t.Context(), v.Staging(), file)
	require.ErrorContains(t, err, "is not what was verified")

	file.Path = "../files/" + file.Path
	_, err = output.ReadKept(t.Context(), v.Staging(), file)
	require.Error(t, err)
}

// What a step before has released is held to its hash again, and not staged.
func TestWhatIsKnownIsReadAndNotStaged(t *testing.T) {
	s := newScene(t)
	s.put(t, "a.csv", "a\n")
	first := s.accept(t)
	s.put(t, "b.csv", "b\n")
	s.staging = filepath.Join(t.TempDir(), "second")
	require.NoError(t, os.Mkdir(s.staging, 0o700))
	s.known = first.Known()
	v := s.accept(t)
	require.Equal(t, first.Files(), v.Unchanged())
	require.Len(t, v.Files(), 1)
	require.Equal(t, "b.csv", v.Files()[0].Path)
	require.Equal(t, map[string]string{"b.csv": "b\n"}, tree(t, s.staging))
}
