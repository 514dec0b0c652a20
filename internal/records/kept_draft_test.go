package records_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/records"
)

// A record that somebody has made a draft of, or a copy of one, is no draft that a sweep removes:
// the chain names its run.
func TestADraftWhoseRunTheChainNamesIsKept(t *testing.T) {
	for name, plant := range map[string]func(t *testing.T, path, draft string){
		"altered": func(t *testing.T, path, draft string) {
			require.NoError(t, os.Rename(path, draft))
			alter(t, filepath.Join(draft, "record.json"), func(text string) string { return text + " " })
		},
		"without its record": func(t *testing.T, path, draft string) {
			require.NoError(t, os.Rename(path, draft))
			require.NoError(t, os.Remove(filepath.Join(draft, "record.json")))
		},
		"a copy": func(t *testing.T, path, draft string) { require.NoError(t, os.CopyFS(draft, os.DirFS(path))) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			store := open(t, dir)
			id := commit(t, store)
			draft := filepath.Join(dir, "runs", ".draft-"+id.String())
			plant(t, store.Path(id), draft)
			_, err := store.Sweep(t.Context(), anna)
			require.NoError(t, err)
			require.DirExists(t, draft)
			require.Len(t, events(t, store), 1)
			faults := look(t, dir, records.VerifyOptions{}).Faults
			require.NotEmpty(t, faults)
			require.Equal(t, id, faults[0].RunID)
		})
	}
}

// What is deleted or read by a name below a link would be something else.
func TestALinkIsNoDirectoryOfTheStore(t *testing.T) {
	for _, name := range []string{"runs", "quarantine", "releases"} {
		dir := t.TempDir()
		store := open(t, dir)
		id := commit(t, store)
		require.ErrorIs(t, store.Remove(t.Context(), id, records.PartQuarantine, published), records.ErrNotFound)
		require.NoError(t, os.RemoveAll(filepath.Join(dir, name)))
		require.NoError(t, os.Symlink(t.TempDir(), filepath.Join(dir, name)))
		_, err := records.Open(dir)
		require.ErrorContains(t, err, "is no directory of this store")
		_, err = records.Look(dir)
		require.ErrorContains(t, err, "is no directory of this store")
	}
}
