package policy

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/policies"
)

// ownCatalog has a policy of the administrator's, and what writes that again.
func ownCatalog(t *testing.T) (catalog *Catalog, write func(text string)) {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.Chmod(dir, 0o755))
	write = func(text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "own.yaml"), []byte(text), 0o644))
	}
	return NewCatalog(policies.Files, dir), write
}

// However soon after, and with the file's size and times kept.
func TestAPolicyIsServedAsItsFileIsNow(t *testing.T) {
	_, good := builtin(t, "study-analysis")
	own := strings.Replace(good, "name: study-analysis", "name: own", 1)
	catalog, write := ownCatalog(t)
	write(own)
	first, err := catalog.Get("own")
	require.NoError(t, err)
	info, err := os.Stat(filepath.Join(catalog.dir, "own.yaml"))
	require.NoError(t, err)

	other := strings.Replace(own, "description: ", "description: X", 1)
	other = strings.TrimSuffix(other, "\n") // of one size
	require.Len(t, other, len(own))
	write(other)
	require.NoError(t, os.Chtimes(filepath.Join(catalog.dir, "own.yaml"), info.ModTime(), info.ModTime()))
	second, err := catalog.Get("own")
	require.NoError(t, err)
	require.NotEqual(t, first.SHA256, second.SHA256)
	require.NotEqual(t, first.Description, second.Description)
	fresh, err := NewCatalog(policies.Files, catalog.dir).Get("own")
	require.NoError(t, err)
	require.Equal(t, fresh, second)

	write("name: own\n")
	_, err = catalog.Get("own")
	require.ErrorIs(t, err, ErrInvalid)
	write(own)
	again, err := catalog.Get("own")
	require.NoError(t, err)
	require.Equal(t, first, again)

	require.NoError(t, os.Chmod(filepath.Join(catalog.dir, "own.yaml"), 0o666))
	_, err = catalog.Get("own")
	require.ErrorContains(t, err, "chmod go-w", "what is known by heart is still somebody's file")
	require.NoError(t, os.Remove(filepath.Join(catalog.dir, "own.yaml")))
	_, err = catalog.Get("own")
	require.ErrorIs(t, err, ErrUnknown)
}

func TestWhatACallerDoesToAPolicyIsNotInTheNext(t *testing.T) {
	catalog := NewCatalog(policies.Files, "")
	want, err := NewCatalog(policies.Files, "").Get("study-analysis")
	require.NoError(t, err)
	for range 3 {
		got, err := catalog.Get("study-analysis")
		require.NoError(t, err)
		require.Equal(t, want, got)
		got.Guard.Imports[0] = "os"
		got.Limits.Memory = 1
		got.Output.MediaTypes[0] = "application/x-executable"
	}
}

func TestPoliciesAreServedToManyAtOnce(t *testing.T) {
	catalog := NewCatalog(policies.Files, "")
	names, err := catalog.Names()
	require.NoError(t, err)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for _, name := range names {
				if found, err := catalog.Get(name); err != nil || found.Name != name {
					t.Error(name, found.Name, err)
				}
			}
		})
	}
	all.Wait()
}
