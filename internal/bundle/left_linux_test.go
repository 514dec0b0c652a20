//go:build cgo

package bundle_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"hotcell/internal/bundle"
)

func TestATableThatIsLeftIsNotTakenForAPlainOne(t *testing.T) {
	book := map[string]any{"Mai korrigiert!A1": "a", "Mai korrigiert!A2": 2, "Sheet1!A1": "a", "Sheet1!A2": 1}
	for _, left := range []string{"t_Mai.jsonl", "t.jsonl"} {
		_, err := created(t, "t.xlsx", workbook(t, book), func(o *bundle.CreateOptions) { write(t, o.Dir, left, "{\"a\":7}\n") })
		requireFault(t, err, left+": it has the name of a table of t.xlsx, and is made of none of its sheets: remove it")
		_, err = created(t, "t.xlsx", workbook(t, book), func(o *bundle.CreateOptions) {
			write(t, o.Dir, left, "{\"a\":7}\n")
			o.Tables = map[string]string{left: "mine"}
		})
		require.NoError(t, err)
	}
	for _, other := range []string{"tx.jsonl", "t_Mai.csv", "below/t_Mai.jsonl", "t_Sheet1.jsonl"} {
		_, err := created(t, "t.xlsx", workbook(t, book), func(o *bundle.CreateOptions) { write(t, o.Dir, other, "{\"a\":1}\n") })
		if other == "t_Mai.csv" {
			continue // whose text is no CSV
		}
		require.NoError(t, err, other)
	}
}

// TestPartOfATableIsNone: a process that is killed leaves what it wrote under a name that no
// bundle can have.
func TestPartOfATableIsNone(t *testing.T) {
	const part = ".table.hotcell-part"
	for _, name := range []string{"v.csv.gz", "other.csv"} {
		dir, err := created(t, name, map[bool]string{true: gzipped(t, "a\n1\n"), false: "a\n1\n"}[name == "v.csv.gz"],
			func(o *bundle.CreateOptions) { write(t, o.Dir, part, "a\n") })
		requireFault(t, err, "it is part of a table, left where `runner bundle create` was killed")
		require.NoFileExists(t, dir+"/v.csv")
		require.FileExists(t, dir+"/"+part, "which another may be writing")
	}
	dir, err := created(t, "v.csv.gz", gzipped(t, "a\n1\n"))
	require.NoError(t, err)
	require.NoFileExists(t, dir+"/"+part)
	dir, err = created(t, "v.csv.gz", gzipped(t, "a\n1\n")[:20])
	require.Error(t, err)
	require.Equal(t, []string{"v.csv.gz"}, visible(t, dir))
	require.NoFileExists(t, dir+"/"+part)
}

func TestWhatIsWrongWithATableNamesItsSource(t *testing.T) {
	_, err := created(t, "t.xlsx", workbook(t, map[string]any{"A1": "P-1", "A2": "P-2"}))
	requireFault(t, err, `t.xlsx, sheet "Sheet1", in its table t_Sheet1.jsonl: its names are values`)
	_, err = created(t, "v.csv.gz", gzipped(t, "a,b\n1,2\n3\n"))
	requireFault(t, err, "v.csv.gz, in its table v.csv: line 3 ")
}

func TestATableThatDoesNotFitNamesItsDirectory(t *testing.T) {
	dir := tmpfs(t, "size=64k")
	write(t, dir, "v.csv.gz", gzipped(t, "a\n"+strings.Repeat("x\n", 200<<10)))
	_, err := bundle.Create(t.Context(), options(dir))
	require.ErrorIs(t, err, unix.ENOSPC)
	require.ErrorContains(t, err, "read v.csv.gz: write "+dir+"/v.csv: ")
	require.NotContains(t, err.Error(), "/proc/")
	require.Equal(t, []string{"v.csv.gz"}, visible(t, dir))
	require.NoFileExists(t, dir+"/.table.hotcell-part")
}

func TestHowFarItIsIsTold(t *testing.T) {
	var last int64
	_, err := created(t, "v.csv.gz", gzipped(t, "a\n1\n"), func(o *bundle.CreateOptions) { o.Progress = func(done, _ int64) { last = done } })
	require.NoError(t, err)
	require.EqualValues(t, len("a\n1\n"), last)
}

func TestAnInterruptLeavesNothing(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	how := options(t.TempDir())
	how.Progress = func(int64, int64) { stop() }
	write(t, how.Dir, "v.csv.gz", gzipped(t, "a\n1\n"))
	_, err := bundle.Create(ctx, how)
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, []string{"v.csv.gz"}, visible(t, how.Dir))
	require.NoFileExists(t, how.Dir+"/.table.hotcell-part")
}
