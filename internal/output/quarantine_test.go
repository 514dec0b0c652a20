package output_test

import (
	"encoding/json"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"hotcell/internal/job"
	"hotcell/internal/output"
)

var wide = output.QuarantineLimits{MaxEntries: 100, MaxBytes: 1 << 20, MaxDepth: 4}

func quarantine(t *testing.T, s *scene, dst string, limits output.QuarantineLimits) error {
	t.Helper()
	root, err := os.OpenRoot(s.dir)
	require.NoError(t, err)
	defer root.Close()
	reasons := []job.Violation{{Rule: output.RuleSymlink, Path: "link", Message: "it is a symbolic link"}}
	return output.Quarantine(t.Context(), root, dst, reasons, limits)
}

func readIndex(t *testing.T, dst string) output.QuarantineIndex {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dst, output.IndexName))
	require.NoError(t, err)
	var index output.QuarantineIndex
	require.NoError(t, json.Unmarshal(data, &index))
	return index
}

func TestQuarantineKeepsFilesUnderNumbers(t *testing.T) {
	s := newScene(t)
	s.write(t, "../"+filepath.Base(s.dir)+"/a\n\x1b.exe", "MZ")
	require.NoError(t, os.Chmod(s.path("a\n\x1b.exe"), 0o755|os.ModeSetuid))
	s.write(t, "dir/b.csv", "x")
	require.NoError(t, os.Symlink("/etc/passwd", s.path("link")))
	require.NoError(t, unix.Mkfifo(s.path("pipe"), 0o666))
	socket, err := net.Listen("unix", s.path("socket"))
	require.NoError(t, err)
	defer socket.Close()
	s.write(t, "twice", "x")
	require.NoError(t, os.Link(s.path("twice"), s.path("twice2")))
	require.NoError(t, quarantine(t, s, s.staging, wide))

	index := readIndex(t, s.staging)
	require.True(t, index.Complete)
	require.Equal(t, []job.Violation{{Rule: output.RuleSymlink, Path: "link", Message: "it is a symbolic link"}}, index.Violations)
	shown := []string{}
	for _, entry := range index.Entries {
		shown = append(shown, strings.Join([]string{entry.Path, entry.Kind, entry.Mode, entry.Blob, entry.Note}, "|"))
	}
	require.Equal(t, []string{
		`a\n\x1b.exe|regular file|4755|0001.bin|`,
		`dir|directory|0755||`,
		`dir/b.csv|regular file|0644|0003.bin|`,
		`link|symbolic link|0777||`,
		`pipe|named pipe|0644||`,
		`socket|socket|0755||`,
		`twice|regular file|0644||not kept: several hard links`,
		`twice2|regular file|0644||not kept: several hard links`,
	}, shown)
	kept := tree(t, s.staging)
	require.Equal(t, "MZ", kept["0001.bin"])
	require.Equal(t, "x", kept["0003.bin"])
	require.Len(t, kept, 3)
	for name := range kept {
		info, err := os.Lstat(filepath.Join(s.staging, name))
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o400), info.Mode())
	}
}

func TestQuarantineIsBounded(t *testing.T) {
	for name, test := range map[string]struct {
		limits output.QuarantineLimits
		blobs  int
	}{
		"in bytes":   {output.QuarantineLimits{MaxEntries: 100, MaxBytes: 15, MaxDepth: 4}, 1},
		"in depth":   {output.QuarantineLimits{MaxEntries: 100, MaxBytes: 100, MaxDepth: 1}, 2},
		"in entries": {output.QuarantineLimits{MaxEntries: 2, MaxBytes: 100, MaxDepth: 4}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t)
			s.write(t, "a", "0123456789")
			s.write(t, "b", "0123456789")
			s.write(t, "dir/c", "0123456789")
			require.NoError(t, quarantine(t, s, s.staging, test.limits))
			require.False(t, readIndex(t, s.staging).Complete)
			require.Len(t, tree(t, s.staging), test.blobs+1)
		})
	}
}

func TestQuarantineOfASparseFileDoesNotFillTheDisk(t *testing.T) {
	s := newScene(t)
	s.write(t, "a", "")
	require.NoError(t, os.Truncate(s.path("a"), 1<<40))
	require.NoError(t, quarantine(t, s, s.staging, wide))
	require.Contains(t, readIndex(t, s.staging).Entries[0].Note, "over the limit")
}

func TestQuarantineWantsAPlaceOfItsOwn(t *testing.T) {
	s := newScene(t)
	require.NoError(t, os.WriteFile(filepath.Join(s.staging, "x"), nil, 0o600))
	require.ErrorContains(t, quarantine(t, s, s.staging, wide), "not empty")
	require.Error(t, quarantine(t, newScene(t), s.staging, output.QuarantineLimits{}))
}
