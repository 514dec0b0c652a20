package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const guardOf = "../../images/python-analysis/guard/"

var (
	leakRow = regexp.MustCompile(`(?m)^\| ([^|]+) \| ([^|]*) \| ([^|]*) \| ([^|]*) \|$`)
	quoted  = regexp.MustCompile("`([^`]+)`")
)

// TestEveryLeakHasItsPlace resolves what docs/leaks.md names: the guard's file and
// what is in it, its test, and the folder of the attacks.
func TestEveryLeakHasItsPlace(t *testing.T) {
	page, err := os.ReadFile("../../docs/leaks.md")
	require.NoError(t, err)
	rows := 0
	for _, row := range leakRow.FindAllStringSubmatch(string(page), -1) {
		if row[1] == "the leak is …" {
			continue
		}
		rows++
		requireClosed(t, row[1], row[2])
		for _, test := range names(row[3]) {
			require.FileExists(t, guardOf+"tests/"+test, "the test of %s", row[1])
		}
		for _, folder := range names(row[4]) {
			attacks, err := filepath.Glob("../../attacks/" + folder + "/*.py")
			require.NoError(t, err)
			require.NotEmpty(t, attacks, "the attacks of %s", row[1])
		}
		require.NotEmpty(t, names(row[3]), "the test of %s", row[1])
		require.NotEmpty(t, names(row[4]), "the attacks of %s", row[1])
	}
	require.Greater(t, rows, 30)
}

// requireClosed finds each file of a cell, and each name in the files before it.
func requireClosed(t *testing.T, leak, cell string) {
	t.Helper()
	var files, sources []string
	for _, name := range names(cell) {
		if !strings.HasSuffix(name, ".py") {
			require.NotEmpty(t, sources, "%s: %s stands in no file", leak, name)
			for place, source := range sources {
				require.Regexp(t, `\b`+regexp.QuoteMeta(name)+`\b`, source, "%s: %s has no %s", leak, files[place], name)
			}
			continue
		}
		if after, ok := strings.CutPrefix(name, "tests/"); ok {
			require.FileExists(t, guardOf+"tests/"+after, leak)
			continue
		}
		source, err := os.ReadFile(guardOf + "src/hotcell_guard/" + name)
		require.NoError(t, err, leak)
		if len(names(cell)) > 0 && strings.Contains(cell, "`, ") {
			files, sources = nil, nil // a name belongs to the file in front of it
		}
		files, sources = append(files, name), append(sources, string(source))
	}
	require.NotEmpty(t, sources, "where %s is closed", leak)
}

func names(cell string) []string {
	var found []string
	for _, each := range quoted.FindAllStringSubmatch(cell, -1) {
		found = append(found, each[1])
	}
	return found
}
