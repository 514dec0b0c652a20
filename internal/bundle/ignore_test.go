package bundle_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/bundle"
)

func littered(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, "a.csv", "a\n1\n")
	write(t, dir, ".DS_Store", "x")
	write(t, dir, "below/.DS_Store", "x")
	write(t, dir, "below/b.csv", "b\n1\n")
	write(t, dir, ".git/objects/x", "x")
	write(t, dir, "old/c.csv", "no table\n1,2\n")
	write(t, dir, "draft.tmp", "x")
	require.NoError(t, os.Symlink("a.csv", filepath.Join(dir, "link.tmp")))
	return dir
}

func TestWhatIsIgnoredIsNotOfTheBundle(t *testing.T) {
	dir := littered(t)
	_, err := bundle.Create(t.Context(), options(dir))
	requireFault(t, err, "")
	how := options(dir)
	how.Ignored = []string{".DS_Store", ".git", "old/*.csv", "*.tmp"}
	made, err := bundle.Create(t.Context(), how)
	require.NoError(t, err)
	require.Len(t, made.Manifest.Files, 2)
	require.Equal(t, how.Ignored, made.Manifest.Ignored)
	store, _ := openStore(t)
	added := add(t, store, dir)
	require.Equal(t, []string{".tables", "a.csv", "below", "bundle.json"}, visible(t, added.Path))
	require.NoError(t, store.Verify(t.Context(), added.Digest))

	write(t, dir, "more.tmp", "later")
	other, _ := openStore(t)
	require.Equal(t, added.Digest, add(t, other, dir).Digest)
	write(t, dir, "more.csv", "a\n1\n")
	_, err = other.Add(t.Context(), dir)
	requireFault(t, err, "more.csv: it is not in the manifest")

	t.Run("nothing is ignored in the store", func(t *testing.T) {
		require.NoError(t, os.Chmod(added.Path, 0o755))
		write(t, added.Path, "more.tmp", "x")
		requireFault(t, store.Verify(t.Context(), added.Digest), "more.tmp: it is not in the manifest")
	})
}

// TestAPatternThatMatchesNothingIsTold: what a person meant by it would be in the bundle.
func TestAPatternThatMatchesNothingIsTold(t *testing.T) {
	for pattern, want := range map[string]string{
		"./old": "./old: there is no such file or directory to pass over", "nosuch.tmp": "nosuch.tmp: there is no such file", "A.CSV": "A.CSV: there is no such file",
		"old/d.csv": "old/d.csv: there is no such file", "below/*/b.csv": "there is no such file", "c.csv": "or it is in one that is passed over",
		"below": "", "draft.*": "", "*.tmp": "", "o?d": "",
	} {
		t.Run(pattern, func(t *testing.T) {
			how := options(littered(t))
			how.Ignored = []string{".DS_Store", ".git", "old", "*.tmp", pattern}
			_, err := bundle.Create(t.Context(), how)
			if want == "" {
				require.NoError(t, err)
			} else {
				requireFault(t, err, want)
			}
		})
	}
}

// TestWhatIsIgnoredDoesNotCount, nor is it looked at.
func TestWhatIsIgnoredDoesNotCount(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.csv", "a\n1\n")
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "old", strings.Repeat("d/", 40)), 0o755))
	for i := range 31_000 {
		require.NoError(t, os.Symlink("x", filepath.Join(dir, "old", strconv.Itoa(i))))
	}
	how := options(dir)
	how.Ignored = []string{"old"}
	_, err := bundle.Create(t.Context(), how)
	require.NoError(t, err)
	store, _ := openStore(t)
	add(t, store, dir)
}

func TestAPatternIsOneAndIgnoresNoFileOfTheBundle(t *testing.T) {
	for pattern, want := range map[string]string{
		"":       "ignored is empty",
		"[":      "ignored has a pattern that matches nothing",
		"/a.csv": "ignored has a pattern that matches nothing",
		"old/":   "ignored has a pattern that matches nothing",
		"a\x1b":  "unprintable",
	} {
		dir := t.TempDir()
		write(t, dir, "a.csv", "a\n1\n")
		how := options(dir)
		how.Ignored = []string{pattern}
		_, err := bundle.Create(t.Context(), how)
		requireFault(t, err, want)
	}
	dir := source(t)
	path := filepath.Join(dir, bundle.ManifestName)
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	overwrite(t, path, strings.TrimSuffix(strings.TrimSpace(string(data)), "}")+`, "ignored": ["data"]}`)
	store, _ := openStore(t)
	_, err = store.Add(t.Context(), dir)
	requireFault(t, err, "data/visits.csv: it is a file of the bundle, and is ignored by data")
}
