package containertest

import (
	"io/fs"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

func outputTests() []subtest {
	return []subtest{
		{"output starts empty", outputStartsEmpty},
		{"files are readable after the end", filesAreReadable},
		{"files of a killed sandbox are readable", killedFilesAreReadable},
		{"links and pipes arrive as what they are", specialFilesArrive},
	}
}

func outputStartsEmpty(t *testing.T, h Harness) {
	r := newTrial(t, h, Behaviour{Name: ExitWith})
	r.collect()
	entries, err := fs.ReadDir(r.output().FS(), ".")
	require.NoError(t, err)
	require.Empty(t, entries)
}

func writeTwoFiles() Behaviour {
	return Behaviour{Name: WriteFiles, Files: map[string]string{
		"/output/table.csv":          "a,b\n1,2\n",
		"/output/figures/one/ä.json": "{}",
	}}
}

func filesAreReadable(t *testing.T, h Harness) {
	r := newTrial(t, h, writeTwoFiles())
	exit, _ := r.collect()
	requireCleanEnd(t, exit)
	requireTwoFiles(t, r.output())
}

func requireTwoFiles(t *testing.T, root *os.Root) {
	t.Helper()
	for path, want := range map[string]string{"table.csv": "a,b\n1,2\n", "figures/one/ä.json": "{}"} {
		got, err := root.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, want, string(got))
	}
}

func killedFilesAreReadable(t *testing.T, h Harness) {
	r := newTrial(t, h, writeTwoFiles())
	running := r.converse()
	running.expect("written")
	running.cancel()
	requireKilledByUs(t, running.wait(), "")
	requireTwoFiles(t, r.output())
}

func specialFilesArrive(t *testing.T, h Harness) {
	r := newTrial(t, h, Behaviour{Name: PlantLinks})
	exit, _ := r.collect()
	requireCleanEnd(t, exit)
	root := r.output()
	for name, want := range map[string]fs.FileMode{"symlink": fs.ModeSymlink, "pipe": fs.ModeNamedPipe, "first": 0, "second": 0} {
		info, err := root.Lstat(name)
		require.NoError(t, err)
		require.Equal(t, want, info.Mode().Type(), name)
	}
	first, err := root.Lstat("first")
	require.NoError(t, err)
	second, err := root.Lstat("second")
	require.NoError(t, err)
	require.True(t, os.SameFile(first, second), "hard links have become two files")
	_, err = root.ReadFile("symlink")
	require.Error(t, err, "a link out of the output was followed")
}
