package records_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/digest"
	"hotcell/internal/job"
	"hotcell/internal/records"
)

func copied(t *testing.T, store *records.Store, id job.ID) (string, error) {
	t.Helper()
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	defer root.Close()
	return dir, store.Copy(t.Context(), id, root)
}

func TestACopyHasEverythingAsItWasKept(t *testing.T) {
	_, store, ids, _ := signed(t)
	dir, err := copied(t, store, ids[0])
	require.NoError(t, err)
	code := "run_20261121T004035Z_" + ids[0].String() + ".py"
	require.ElementsMatch(t, []string{"record.json", code, "files", "statement.dsse.json"}, names(t, dir))
	for _, name := range []string{"record.json", code, "files/a.txt", "statement.dsse.json"} {
		one, err := os.ReadFile(filepath.Join(store.Path(ids[0]), name))
		require.NoError(t, err)
		other, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		require.Equal(t, digest.Of(one), digest.Of(other), name)
	}
}

func TestWhatIsNotAsItWasKeptIsNotCopied(t *testing.T) {
	for name, change := range map[string]func(string) string{
		"files/a.txt":         func(string) string { return "y\n" },
		"record.json":         func(text string) string { return text + " " },
		"statement.dsse.json": func(text string) string { return text[1:] },
	} {
		t.Run(name, func(t *testing.T) {
			_, store, ids, _ := signed(t)
			alter(t, filepath.Join(store.Path(ids[0]), name), change)
			dir, err := copied(t, store, ids[0])
			require.ErrorContains(t, err, "has been altered")
			require.Empty(t, names(t, dir))
		})
	}
	_, store, _, _ := signed(t)
	_, err := copied(t, store, job.NewID(started))
	require.ErrorIs(t, err, records.ErrNotFound)
}
