//go:build cgo

package main

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/bundle"
)

// sourceRow makes the files of a row of docs/bundles.md's table of sources.
type sourceRow struct {
	files map[string][]byte
	flags []string
}

func packed(t testing.TB, text string) []byte {
	t.Helper()
	var out bytes.Buffer
	to := gzip.NewWriter(&out)
	_, err := to.Write([]byte(text))
	require.NoError(t, err)
	require.NoError(t, to.Close())
	return out.Bytes()
}

func sourceRows(t testing.TB) map[string]sourceRow {
	t.Helper()
	const plain = "plz,n\n01067,1\n"
	gz := func(content []byte, flags ...string) sourceRow {
		return sourceRow{files: map[string][]byte{"t.csv.gz": content}, flags: flags}
	}
	both := gz(packed(t, plain))
	both.files["t.csv"] = []byte("plz,n\n01068,1\n")
	return map[string]sourceRow{
		"a CSV, TSV or JSON Lines file in gzip": gz(packed(t, plain)),
		"several members behind each other":     gz(append(packed(t, plain), packed(t, "01068,2\n")...)),
		"another encoding in it":                gz(packed(t, "city\nOrl\xe9ans\n"), "--encoding", "t.csv.gz=latin-1"),
		"a file that was cut":                   gz(packed(t, plain)[:20]),
		"bytes behind its end, zeros too":       gz(append(packed(t, plain), make([]byte, 32)...)),
		"ten gigabytes of zeros":                gz(packed(t, strings.Repeat("\x00", 65<<20))),
		"another `t.csv` where the table goes":  both,
		"a file that is to stay what it is":     gz(packed(t, plain), "--as-is", "t.csv.gz"),
	}
}

// TestSourcesBecomeWhatThePageSays runs the rows of the table of sources in docs/bundles.md.
func TestSourcesBecomeWhatThePageSays(t *testing.T) {
	page, err := os.ReadFile("../../docs/bundles.md")
	require.NoError(t, err)
	_, table, found := strings.Cut(string(page), "| the source | what happens |\n|---|---|\n")
	require.True(t, found)
	table, _, _ = strings.Cut(table, "\n\n")
	rows := sourceRows(t)
	for line := range strings.SplitSeq(table, "\n") {
		cells := strings.Split(strings.Trim(line, "| "), " | ")
		require.Len(t, cells, 2, line)
		name := regexp.MustCompile(` \(.*`).ReplaceAllString(cells[0], "")
		row, known := rows[name]
		require.True(t, known, "nothing makes the file of %q", name)
		delete(rows, name)
		t.Run(name, func(t *testing.T) { requireSource(t, row, cells[1]) })
	}
	require.Empty(t, rows, "the page does not have these")
}

func requireSource(t *testing.T, row sourceRow, happens string) {
	t.Helper()
	dir := t.TempDir()
	for name, content := range row.files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), content, 0o600))
	}
	args := []string{"bundle", "create", dir, "--name", "x", "--version", "1", "--study", "S", "--method", "synthetic", "--attested-by", "A", "--statement", "B"}
	said, refused := said(t, append(args, row.flags...))
	require.Equal(t, strings.Contains(happens, "refused: "), refused, said)
	_, happens, _ = strings.Cut(happens, ": ")
	for _, want := range spans.FindAllStringSubmatch(happens, -1) {
		require.Contains(t, said, want[1])
	}
	if refused {
		require.NoFileExists(t, filepath.Join(dir, bundle.ManifestName))
		return
	}
	store, err := bundle.OpenStore(filepath.Join(t.TempDir(), "store"))
	require.NoError(t, err)
	_, err = store.Add(t.Context(), dir)
	require.NoError(t, err)
}
