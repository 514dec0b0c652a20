package scripts_test

import (
	"archive/tar"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestAReleaseIsTheSameFromTwoDirectories makes one from two copies of the sources, whose
// directories, files' times and umask differ, and looks into it.
func TestAReleaseIsTheSameFromTwoDirectories(t *testing.T) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("releases are made on Linux, amd64")
	}
	const name = "hotcell-v0.0.7-linux-amd64"
	first, second := copyOfSources(t, "a"), copyOfSources(t, "another/directory")
	sums := release(t, first, "022")
	require.Equal(t, sums, release(t, second, "077"))

	archive, err := os.ReadFile(filepath.Join(first, "dist", name+".tar.gz"))
	require.NoError(t, err)
	require.Equal(t, fmt.Sprintf("%x  %s.tar.gz\n", sha256.Sum256(archive), name), sums)
	require.Equal(t, []string{
		"drwxr-xr-x " + name + "/",
		"-rw-r--r-- " + name + "/CHANGELOG.md",
		"-rw-r--r-- " + name + "/LICENSE",
		"-rw-r--r-- " + name + "/README.md",
		"-rwxr-xr-x " + name + "/runner",
	}, entries(t, filepath.Join(first, "dist", name+".tar.gz")))

	output, err := exec.CommandContext(t.Context(), "tar", "-C", first, "-xzf", filepath.Join(first, "dist", name+".tar.gz")).CombinedOutput()
	require.NoError(t, err, "%s", output)
	output, err = exec.CommandContext(t.Context(), filepath.Join(first, name, "runner"), "version").CombinedOutput()
	require.NoError(t, err, "%s", output)
	require.Regexp(t, `^runner v0\.0\.7 `, string(output))
}

const released = 1_700_000_000 // the time of the commit, in seconds since 1970

// copyOfSources has what the runner is built from, and no git.
func copyOfSources(t *testing.T, name string) string {
	t.Helper()
	copied := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.MkdirAll(copied, 0o755))
	output, err := exec.CommandContext(t.Context(), "cp", "-r", "--target-directory", copied,
		"../api", "../attacks", "../client", "../cmd", "../images", "../internal", "../policies", "../scripts",
		"../go.mod", "../go.sum", "../LICENSE", "../README.md", "../CHANGELOG.md").CombinedOutput()
	require.NoError(t, err, "%s", output)
	return copied
}

// release makes one in a copy of the sources, and returns its sums.
func release(t *testing.T, copied, umask string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), "sh", "-c", "umask "+umask+"; exec scripts/release.sh linux-amd64")
	command.Dir = copied
	command.Env = append(os.Environ(), "VERSION=v0.0.7", fmt.Sprintf("SOURCE_DATE_EPOCH=%d", released))
	output, err := command.CombinedOutput()
	require.NoError(t, err, "%s", output)
	sums, err := os.ReadFile(filepath.Join(copied, "dist", "SHA256SUMS"))
	require.NoError(t, err)
	return string(sums)
}

// entries lists an archive by mode and name, and wants everything else of an entry to be
// of nobody's machine.
func entries(t *testing.T, path string) []string {
	t.Helper()
	file, err := os.Open(path)
	require.NoError(t, err)
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	require.NoError(t, err)
	require.Empty(t, unzipped.Name)
	require.Zero(t, unzipped.ModTime)
	var found []string
	for reader := tar.NewReader(unzipped); ; {
		entry, err := reader.Next()
		if err == io.EOF {
			return found
		}
		require.NoError(t, err)
		require.Zero(t, entry.Uid+entry.Gid)
		require.Empty(t, entry.Uname+entry.Gname)
		require.Equal(t, time.Unix(released, 0), entry.ModTime)
		found = append(found, entry.FileInfo().Mode().String()+" "+entry.Name)
	}
}

func TestAReleaseHasAVersion(t *testing.T) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("releases are made on Linux, amd64")
	}
	for _, test := range []struct{ version, epoch, system, says string }{
		{"", "1700000000", "linux-amd64", "tells no version"},
		{"v1", "", "linux-amd64", "tells no time"},
		{"../v1", "1700000000", "linux-amd64", "no version such as v0.1.0"},
		{"v1", "yesterday", "linux-amd64", "tells no time"},
		{"v1", "1700000000", "plan9-amd64", `nothing is known of the system "plan9-amd64"`},
	} {
		tree := t.TempDir()
		output, err := exec.CommandContext(t.Context(), "cp", "-r", ".", filepath.Join(tree, "scripts")).CombinedOutput()
		require.NoError(t, err, "%s", output)
		command := exec.CommandContext(t.Context(), filepath.Join(tree, "scripts", "release.sh"), test.system)
		command.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+tree, "VERSION="+test.version, "SOURCE_DATE_EPOCH="+test.epoch)
		output, err = command.CombinedOutput()
		require.Error(t, err)
		require.Contains(t, string(output), test.says)
	}
}
