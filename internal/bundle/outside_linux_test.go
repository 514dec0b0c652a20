//go:build cgo

package bundle_test

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/bundle"
)

func outsideOf(t *testing.T, dir string) bundle.Outside {
	t.Helper()
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	defer root.Close()
	found, err := bundle.OutsideOf(t.Context(), root)
	require.NoError(t, err)
	return found
}

// TestASourceIsOutsideWhileItIsTheSame: what nobody looks into is in no bundle for sure only where
// the table that is looked into is the one that was made of it.
func TestASourceIsOutsideWhileItIsTheSame(t *testing.T) {
	for name, change := range map[string]func(t *testing.T, dir string){
		"nothing":        func(*testing.T, string) {},
		"another source": func(t *testing.T, dir string) { write(t, dir, "t.csv.gz", "x") },
		"another table":  func(t *testing.T, dir string) { write(t, dir, "t.csv", "city\nUlmx\n") },
		"no table":       func(t *testing.T, dir string) { require.NoError(t, os.Remove(filepath.Join(dir, "t.csv"))) },
		"no source":      func(t *testing.T, dir string) { require.NoError(t, os.Remove(filepath.Join(dir, "t.csv.gz"))) },
		"a link": func(t *testing.T, dir string) {
			require.NoError(t, os.Rename(filepath.Join(dir, "t.csv"), filepath.Join(dir, "u")))
			require.NoError(t, os.Symlink("u", filepath.Join(dir, "t.csv")))
		},
		"no bundle.json":  func(t *testing.T, dir string) { require.NoError(t, os.Remove(filepath.Join(dir, "bundle.json"))) },
		"one that is not": func(t *testing.T, dir string) { write(t, dir, "bundle.json", "{}") },
	} {
		t.Run(name, func(t *testing.T) {
			how := options(t.TempDir())
			var packed bytes.Buffer
			to := gzip.NewWriter(&packed)
			_, err := to.Write([]byte("city\nK\xf6ln\n"))
			require.NoError(t, err)
			require.NoError(t, to.Close())
			write(t, how.Dir, "t.csv.gz", packed.String())
			write(t, how.Dir, "old/x.tmp", "x")
			how.Encodings = map[string]string{"t.csv.gz": "latin-1"}
			how.Ignored = []string{"*.tmp"}
			_, err = bundle.Create(t.Context(), how)
			require.NoError(t, err)
			change(t, how.Dir)
			found := outsideOf(t, how.Dir)
			require.Equal(t, name == "nothing", found.Pass("t.csv.gz"))
			require.Equal(t, name != "no bundle.json" && name != "one that is not", found.Pass("old/x.tmp"))
			require.False(t, found.Pass("t.csv"))
		})
	}
}
