package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/bundle"
)

// TestExportsBecomeWhatThePageSays runs the rows of the table in docs/bundles.md.
func TestExportsBecomeWhatThePageSays(t *testing.T) {
	page, err := os.ReadFile("../../docs/bundles.md")
	require.NoError(t, err)
	_, table, found := strings.Cut(string(page), "| the export | the file | what happens |\n|---|---|---|\n")
	require.True(t, found)
	table, _, _ = strings.Cut(table, "\n\n")
	rows := strings.Split(table, "\n")
	require.GreaterOrEqual(t, len(rows), 20)
	for _, row := range rows {
		cells := strings.Split(strings.Trim(row, "|"), " | ")
		require.Len(t, cells, 3, row)
		t.Run(strings.TrimSpace(cells[0]), func(t *testing.T) { requireExport(t, cells[1], cells[2]) })
	}
}

var spans = regexp.MustCompile("`([^`]*)`")

func requireExport(t *testing.T, file, happens string) {
	t.Helper()
	given := spans.FindAllStringSubmatch(file, -1)
	require.NotEmpty(t, given)
	content, err := strconv.Unquote(`"` + strings.ReplaceAll(given[0][1], `"`, `\"`) + `"`)
	require.NoError(t, err)
	dir := t.TempDir()
	name := "t.csv"
	if strings.HasPrefix(content, "{") {
		name = "t.jsonl"
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600))
	var flags []string
	for _, each := range given[1:] {
		flags = append(flags, strings.Fields(each[1])...)
	}
	requireCreated(t, dir, flags, strings.Contains(happens, "refused: "), happens)
}

// requireCreated has a bundle created of a directory: it is refused or can be added, and what is
// told has each span of the page's words.
func requireCreated(t *testing.T, dir string, flags []string, refuses bool, told string) {
	t.Helper()
	args := []string{"bundle", "create", dir, "--name", "x", "--version", "1", "--study", "S", "--method", "synthetic", "--attested-by", "A", "--statement", "B"}
	said, refused := said(t, append(args, flags...))
	require.Equal(t, refuses, refused, said)
	for _, want := range spans.FindAllStringSubmatch(told, -1) {
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

// said is what a command says, with one blank between words.
func said(t *testing.T, args []string) (text string, refused bool) {
	t.Helper()
	var out bytes.Buffer
	a := &app{stdout: &out, stderr: &out}
	root := a.rootCommand()
	root.SetArgs(args)
	err := root.ExecuteContext(t.Context())
	if code := a.exitCode(err); code != 0 {
		require.Equal(t, 2, code, out.String())
	}
	return strings.ReplaceAll(strings.Join(strings.Fields(out.String()), " "), "`", ""), err != nil
}
