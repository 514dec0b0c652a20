package bundle_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/bundle"
	"hotcell/internal/digest"
	"hotcell/internal/table"
)

func prepared(t *testing.T, added bundle.Bundle, name string) string {
	t.Helper()
	return filepath.Join(added.Path, ".tables", name)
}

// change writes to a file of a store as only its owner can.
func change(t *testing.T, path string, data []byte) {
	t.Helper()
	require.NoError(t, os.Chmod(filepath.Dir(path), 0o700))
	require.NoError(t, os.Chmod(path, 0o600))
	require.NoError(t, os.WriteFile(path, data, 0o600))
}

func TestAddPreparesEachTable(t *testing.T) {
	store, _ := openStore(t)
	added := add(t, store, source(t))
	require.Len(t, added.Tables, 2)
	for _, table := range added.Tables {
		data, err := os.ReadFile(filepath.Join(added.Path, table.Path))
		require.NoError(t, err)
		require.Equal(t, digest.Of(data).Hex(), table.SHA256)
		require.Equal(t, int64(len(data)), table.Bytes)
		require.Equal(t, int64(1), table.Rows)
		require.True(t, bytes.HasPrefix(data, []byte("HCTABLE\n")))
	}
	entries, err := os.ReadDir(prepared(t, added, ""))
	require.NoError(t, err)
	require.Len(t, entries, 3, "no scratch is left")
	other, _ := openStore(t)
	require.Equal(t, added.Tables, add(t, other, source(t)).Tables, "equal tables are equal bytes")
}

func TestAChangedPreparedTableIsFound(t *testing.T) {
	for name, file := range map[string]string{"a table": "data_visits.table", "the index": "index.json", "a file more": "more.table"} {
		t.Run(name, func(t *testing.T) {
			store, _ := openStore(t)
			added := add(t, store, source(t))
			path := prepared(t, added, file)
			data, err := os.ReadFile(path)
			if file == "more.table" {
				require.NoError(t, os.Chmod(filepath.Dir(path), 0o700))
				require.NoError(t, os.WriteFile(path, nil, 0o600))
			} else {
				require.NoError(t, err)
				change(t, path, append(bytes.Replace(data, []byte("age"), []byte("agf"), 1), 'x'))
			}
			_, err = store.Look(t.Context(), added.Digest)
			require.ErrorContains(t, err, "changed since it was added")
			again := add(t, store, source(t))
			require.NoError(t, store.Verify(t.Context(), again.Digest), "adding it again heals it")
		})
	}
}

func TestTablesInAnotherFormAreNotUsedAndMadeAnew(t *testing.T) {
	for name, index := range map[string]string{"an older version's": `{"format": 0, "tables": [], "more": 1}`, "none": ""} {
		t.Run(name, func(t *testing.T) {
			store, _ := openStore(t)
			added := add(t, store, source(t))
			path := prepared(t, added, "index.json")
			change(t, path, []byte(index))
			if index == "" {
				require.NoError(t, os.Remove(path))
			}
			found, err := store.Lookup(t.Context(), added.Digest.String())
			require.NoError(t, err)
			require.Nil(t, found.Tables)
			_, err = store.Look(t.Context(), added.Digest)
			require.ErrorContains(t, err, "runner bundle prepare "+added.Reference())
			require.ErrorContains(t, store.Verify(t.Context(), added.Digest), "runner bundle prepare")
			made, err := store.Prepare(t.Context(), added.Digest)
			require.NoError(t, err)
			require.Equal(t, added.Tables, made.Tables)
			_, err = store.Look(t.Context(), added.Digest)
			require.NoError(t, err)
			again, err := store.Prepare(t.Context(), added.Digest)
			require.NoError(t, err)
			require.Equal(t, made.Tables, again.Tables)
		})
	}
}

// What runs get is named by a digest that does not lie beside it.
func TestTheIndexOfTheTablesHasADigest(t *testing.T) {
	store, _ := openStore(t)
	added := add(t, store, source(t))
	name, sum, err := added.TablesIndex()
	require.NoError(t, err)
	data, err := os.ReadFile(filepath.Join(added.Path, name))
	require.NoError(t, err)
	require.Equal(t, digest.Of(data).Hex(), sum)
	path := prepared(t, added, "index.json")
	change(t, path, bytes.Replace(data, []byte(`"rows": `), []byte(`"rows": 1`), 1))
	edited, err := store.Lookup(t.Context(), added.Digest.String())
	require.NoError(t, err)
	_, other, err := edited.TablesIndex()
	require.NoError(t, err)
	require.NotEqual(t, sum, other)
	added.Tables = nil
	_, none, err := added.TablesIndex()
	require.NoError(t, err)
	require.Empty(t, none)
}

func TestTheStoresDirectoryIsNoSources(t *testing.T) {
	dir := source(t)
	require.NoError(t, os.Remove(filepath.Join(dir, bundle.ManifestName)))
	write(t, dir, ".Tables/visits.table", "x")
	_, err := bundle.Create(t.Context(), options(dir))
	require.ErrorContains(t, err, "a name in the path begins with")

	// A copy of a store's copy is a bundle: what is prepared in it is nobody's.
	store, _ := openStore(t)
	added := add(t, store, source(t))
	copied := filepath.Join(t.TempDir(), "copy")
	require.NoError(t, os.CopyFS(copied, os.DirFS(added.Path)))
	change(t, filepath.Join(copied, ".tables", "data_visits.table"), []byte(strings.Repeat("x", 100)))
	other, _ := openStore(t)
	require.Equal(t, added.Tables, add(t, other, copied).Tables)
}

// Who can write to the store can make a table and its entry in the index agree: what runs get
// is made again from the files, which the digest names.
func TestTablesThatAreNotThoseOfTheFilesAreFound(t *testing.T) {
	for name, spoil := range map[string]func(t *testing.T, index, path string){
		"a value and its digest": func(t *testing.T, index, path string) {
			data, err := os.ReadFile(path)
			require.NoError(t, err)
			before := digest.Of(data).Hex()
			data[64]++
			overwrite(t, path, string(data))
			text, err := os.ReadFile(index)
			require.NoError(t, err)
			overwrite(t, index, strings.Replace(string(text), string(before), string(digest.Of(data).Hex()), 1))
		},
		"another table's name": func(t *testing.T, index, _ string) {
			text, err := os.ReadFile(index)
			require.NoError(t, err)
			overwrite(t, index, strings.Replace(string(text), `"table": "`, `"table": "x`, 1))
		},
		"no table": func(t *testing.T, index, path string) {
			overwrite(t, index, `{"format":1,"tables":[]}`)
			require.NoError(t, os.Remove(path))
		},
	} {
		t.Run(name, func(t *testing.T) {
			store, _ := openStore(t)
			src := t.TempDir()
			write(t, src, "visits.csv", "id,age\n1,40\n2,41\n")
			_, err := bundle.Create(t.Context(), options(src))
			require.NoError(t, err)
			added := add(t, store, src)
			require.NoError(t, store.Verify(t.Context(), added.Digest))
			spoil(t, filepath.Join(added.Path, ".tables/index.json"), filepath.Join(added.Path, ".tables/visits.table"))
			requireFault(t, store.Verify(t.Context(), added.Digest), "changed since it was added")
			require.Equal(t, added.Tables, add(t, store, src).Tables)
			require.NoError(t, store.Verify(t.Context(), added.Digest))
		})
	}
}

// TestAddBoundsTheCellsOfATable, whose manifest somebody has written by hand.
func TestAddBoundsTheCellsOfATable(t *testing.T) {
	var names strings.Builder
	for at := range table.MaxFields {
		fmt.Fprintf(&names, `,"c%d":"x"`, at)
	}
	first := "{" + names.String()[1:] + "}\n"
	all := first + strings.Repeat("{}\n", 5000)
	dir := t.TempDir()
	write(t, dir, "t.jsonl", first)
	made, err := bundle.Create(t.Context(), options(dir))
	require.NoError(t, err)
	text, err := os.ReadFile(filepath.Join(dir, bundle.ManifestName))
	require.NoError(t, err)
	edited := strings.Replace(string(text), string(made.Manifest.Files[0].SHA256), string(digest.Of([]byte(all)).Hex()), 1)
	edited = strings.Replace(edited, fmt.Sprintf(`"bytes": %d`, len(first)), fmt.Sprintf(`"bytes": %d`, len(all)), 1)
	overwrite(t, filepath.Join(dir, bundle.ManifestName), edited)
	overwrite(t, filepath.Join(dir, "t.jsonl"), all)
	store, path := openStore(t)
	_, err = store.Add(t.Context(), dir)
	requireFault(t, err, "t.jsonl: it has 10000 columns, and with row 1")
	require.Empty(t, visible(t, path))
}
