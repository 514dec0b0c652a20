package bundle_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/bundle"
	"hotcell/internal/table"
)

// likeFiles is a second export after a first one, each of its files.
func likeFiles(t *testing.T, first, second map[string]string, before, now func(*bundle.CreateOptions)) (bundle.Made, error) {
	t.Helper()
	how := options(t.TempDir())
	for name, content := range first {
		write(t, how.Dir, name, content)
	}
	before(&how)
	made, err := bundle.Create(t.Context(), how)
	require.NoError(t, err)
	again := options(t.TempDir())
	again.Like = &made.Manifest
	for name, content := range second {
		write(t, again.Dir, name, content)
	}
	now(&again)
	return bundle.Create(t.Context(), again)
}

func nothing(*bundle.CreateOptions) {}

func identifier(column string) func(*bundle.CreateOptions) {
	return func(o *bundle.CreateOptions) {
		o.Choices = map[string]table.Choices{"t.csv": {Columns: map[string]table.Choice{column: {Disclosure: table.Identifier}}}}
	}
}

func TestWhatAnEarlierExportHadAndIsGoneIsTold(t *testing.T) {
	first := map[string]string{"t.csv": "id,n\na,1\n", "u.csv": "a\n1\n", "notes.txt": "x"}
	made, err := likeFiles(t, first, map[string]string{"t.csv": "n\n1\n"}, identifier("id"), nothing)
	require.NoError(t, err)
	require.Equal(t, []string{`the earlier table has a column "id" (identifier), and this one has not: if it has another name here, say of it what was said of that one`}, made.Tables[0].Notes)
	require.Equal(t, []string{"the earlier bundle.json has a table of u.csv, and here is none: if its file has another name now, say of it what was said of that one"}, made.Notes)

	made, err = likeFiles(t, first, map[string]string{"t.txt": "x"}, nothing, nothing)
	require.NoError(t, err)
	require.Len(t, made.Notes, 2)

	_, err = likeFiles(t, first, map[string]string{"t.csv": "n\n1\n"}, identifier("id"), identifier("id"))
	requireFault(t, err, `t.csv: it has no column "id"`)
	made, err = likeFiles(t, first, first, identifier("id"), nothing)
	require.NoError(t, err)
	require.Empty(t, made.Notes)
	require.Empty(t, made.Tables[0].Notes)
}

func TestAnEarlierExportSaysHowTheNextIsEncoded(t *testing.T) {
	latin := func(o *bundle.CreateOptions) { o.Encodings = map[string]string{"t.csv": "latin-1"} }
	first := map[string]string{"t.csv": "city\nK\xf6ln\n"}
	made, err := likeFiles(t, first, map[string]string{"t.csv": "city\nZ\xfcrich\n"}, latin, nothing)
	require.NoError(t, err)
	require.Equal(t, "iso-8859-1", made.Manifest.Files[0].Encoding.Name)

	_, err = likeFiles(t, first, map[string]string{"t.csv": "city\nZürich\n"}, latin, nothing)
	requireFault(t, err, "it is UTF-8 already, and would be garbled as iso-8859-1, which the earlier table was: name the encoding of this file by itself (--encoding 't.csv=utf-8')")
	for _, now := range []string{"t.csv", bundle.EveryTable} {
		made, err = likeFiles(t, first, map[string]string{"t.csv": "city\nZürich\n"}, latin, func(o *bundle.CreateOptions) { o.Encodings = map[string]string{now: "utf-8"} })
		require.NoError(t, err)
		require.Equal(t, "utf-8", made.Manifest.Files[0].Encoding.Name)
	}
}
