package main

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/bundle"
)

func TestSheetsAreNamedOnceEach(t *testing.T) {
	found, err := sheetsOf([]string{"a.xlsx=One", "a.xlsx=T=2", "b.xlsx=One"})
	require.NoError(t, err)
	require.Equal(t, map[string][]string{"a.xlsx": {"One", "T=2"}, "b.xlsx": {"One"}}, found)
	for _, given := range [][]string{{"a.xlsx=One", "b.xlsx=One", "a.xlsx=One"}, {"a.xlsx="}, {"=One"}, {"a.xlsx"}} {
		_, err := sheetsOf(given)
		require.Error(t, err, "%q", given)
	}
}

func TestEachFileThatIsNoTableIsNamed(t *testing.T) {
	var out bytes.Buffer
	var manifest bundle.Manifest
	for _, path := range []string{"t.csv", "t.tab", "T.JSON", "u.psv", "v.sav", "a.txt", "b.dat", "c", "d.asc", "e.pdf", "f.png"} {
		manifest.Files = append(manifest.Files, bundle.DataFile{Path: path})
	}
	manifest.Files[0].Table = "t"
	showUnread(&out, manifest)
	require.Equal(t, `  no table t.tab: call it .tsv to have one
  no table T.JSON: write it as JSON Lines (.jsonl), an object in each line, to have one
  no table u.psv: call it .csv, with --delimiter FILE=pipe, to have one
  no table v.sav: export it as CSV to have one
  no table a.txt, b.dat, c, d.asc, e.pdf, and 1 more: one is called .csv, .tsv or .jsonl
`, out.String())
	out.Reset()
	showUnread(&out, bundle.Manifest{Files: manifest.Files[:1]})
	require.Empty(t, out.String())
}
