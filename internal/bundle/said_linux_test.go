//go:build cgo

package bundle_test

import (
	"context"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/bundle"
	"hotcell/internal/table"
)

func inColumn(name string, said table.Choice) table.Choices {
	return table.Choices{Columns: map[string]table.Choice{name: said}}
}

// TestWhatIsSaidOfASourceIsNotLost: a column that is to be an identifier is one, or there is no bundle.
func TestWhatIsSaidOfASourceIsNotLost(t *testing.T) {
	const packed, plain, book = "v.csv.gz", "v.csv", "visits.xlsx"
	identifier := inColumn("mrn", table.Choice{Disclosure: table.Identifier})
	missing := func(name, text string) table.Choices { return inColumn(name, table.Choice{Missing: []string{text}}) }
	typed := inColumn("age", table.Choice{Type: "integer"})
	for name, change := range map[string]func(*bundle.CreateOptions){
		"an identifier of two sheets": func(o *bundle.CreateOptions) { o.Choices = map[string]table.Choices{book: identifier} },
		"a sensitive column": func(o *bundle.CreateOptions) {
			o.Choices = map[string]table.Choices{book: inColumn("mrn", table.Choice{Disclosure: table.Sensitive})}
		},
		"a type":   func(o *bundle.CreateOptions) { o.Choices = map[string]table.Choices{book: typed} },
		"a header": func(o *bundle.CreateOptions) { o.Choices = map[string]table.Choices{book: {Header: true}} },
		"categories": func(o *bundle.CreateOptions) {
			o.Choices = map[string]table.Choices{book: inColumn("mrn", table.Choice{Categories: true})}
		},
		"an empty text that is a value": func(o *bundle.CreateOptions) {
			o.Choices = map[string]table.Choices{book: inColumn("mrn", table.Choice{KeepEmpty: true})}
		},
		"a value that is missing":          func(o *bundle.CreateOptions) { o.Choices = map[string]table.Choices{book: missing("mrn", "-99")} },
		"one that is missing in all":       func(o *bundle.CreateOptions) { o.Choices = map[string]table.Choices{book: {Missing: []string{"-99"}}} },
		"an error in a column of no sheet": func(o *bundle.CreateOptions) { o.Choices = map[string]table.Choices{book: missing("nmr", "#N/A")} },
		"an encoding":                      func(o *bundle.CreateOptions) { o.Encodings = map[string]string{book: "latin-1"} },
		"a delimiter":                      func(o *bundle.CreateOptions) { o.Delimiters = map[string]string{book: "semicolon"} },
		"beside what is said of its table": func(o *bundle.CreateOptions) {
			o.Choices = map[string]table.Choices{packed: identifier, plain: typed}
		},
		"two delimiters": func(o *bundle.CreateOptions) { o.Delimiters = map[string]string{packed: "tab", plain: "semicolon"} },
		"two encodings":  func(o *bundle.CreateOptions) { o.Encodings = map[string]string{packed: "latin-1", plain: "utf-8"} },
	} {
		t.Run(name, func(t *testing.T) {
			how := options(t.TempDir())
			write(t, how.Dir, packed, gzipped(t, "mrn,age\n1,2\n"))
			write(t, how.Dir, book, workbook(t, map[string]any{"A!A1": "mrn", "A!A2": 1, "B!A1": "mrn", "B!A2": 2}))
			change(&how)
			_, err := bundle.Create(t.Context(), how)
			requireFault(t, err, "name one of its tables: v")
			require.Equal(t, []string{packed, book}, visible(t, how.Dir))
		})
	}
	t.Run("an error of a cell is of the source", func(t *testing.T) {
		how := options(t.TempDir())
		write(t, how.Dir, book, part(t, workbook(t, map[string]any{"Sheet1!A1": "a", "Sheet1!A2": 7, "B!A1": "mrn", "B!A2": 2}), sheet1, `r="A2"><v>7`, `r="A2" t="e"><v>#N/A`))
		how.Choices = map[string]table.Choices{book: missing("a", "#N/A")}
		_, err := bundle.Create(t.Context(), how)
		require.NoError(t, err)
		require.Equal(t, "{\"a\":null}\n", contentOf(t, how.Dir, "visits_Sheet1.jsonl"))
	})
	t.Run("of a source with one table", func(t *testing.T) {
		how := options(t.TempDir())
		write(t, how.Dir, packed, gzipped(t, "mrn,age\n1,2\n"))
		how.Choices = map[string]table.Choices{packed: identifier}
		made, err := bundle.Create(t.Context(), how)
		require.NoError(t, err)
		require.Equal(t, table.Identifier, made.Manifest.Files[0].Schema.Fields[0].Disclosure)
	})
}

func TestATableThatIsPassedOverIsNotMade(t *testing.T) {
	for name, each := range map[string]struct{ file, pattern, other string }{
		"compressed":             {"visits.csv.gz", "*.csv", "a.txt"},
		"in a directory":         {"below/visits.csv.gz", "below/visits.csv", "a.txt"},
		"a sheet":                {"visits.xlsx", "*_Sheet1.jsonl", "a.txt"},
		"beside another of them": {"visits.xlsx", "*.jsonl", "other.csv"},
	} {
		t.Run(name, func(t *testing.T) {
			how := options(t.TempDir())
			content := gzipped(t, "a\n1\n")
			if each.file == "visits.xlsx" {
				content = workbook(t, map[string]any{"A1": "a", "A2": 1})
			}
			write(t, how.Dir, each.file, content)
			write(t, how.Dir, each.other, "a\n1\n")
			before := visible(t, how.Dir)
			how.Ignored = []string{each.pattern}
			_, err := bundle.Create(t.Context(), how)
			requireFault(t, err, "which is passed over (--ignore '"+each.pattern+"')")
			require.Equal(t, before, visible(t, how.Dir))
			require.NoFileExists(t, how.Dir+"/below/visits.csv")
		})
	}
}

func TestOptionsOfSourcesThatCouldDoNothingAreRefused(t *testing.T) {
	for name, each := range map[string]struct {
		change func(*bundle.CreateOptions)
		want   string
	}{
		"a sheet of a compressed table": {func(o *bundle.CreateOptions) { o.Sheets = map[string][]string{"v.csv.gz": {"X"}} }, "only a workbook (.xlsx) has sheets"},
		"a sheet of Parquet":            {func(o *bundle.CreateOptions) { o.Sheets = map[string][]string{"v.parquet": {"X"}} }, "only a workbook (.xlsx) has sheets"},
		"a sheet of a plain table":      {func(o *bundle.CreateOptions) { o.Sheets = map[string][]string{"w.csv": {"X"}} }, "only a workbook (.xlsx) has sheets"},
		"a sheet of what is left as it is": {func(o *bundle.CreateOptions) {
			o.Sheets, o.AsIs = map[string][]string{"v.xlsx": {"X"}}, []string{"v.xlsx"}
		}, "of which no table is to be made"},
		"a sheet of what has no table": {func(o *bundle.CreateOptions) {
			o.Sheets, o.Tables = map[string][]string{"v.xlsx": {"X"}}, map[string]string{"v.xlsx": ""}
		}, "of which no table is to be made"},
		"a plain table as it is": {func(o *bundle.CreateOptions) { o.AsIs = []string{"w.csv"} }, "w.csv, of which no table is made as of a file of another format"},
	} {
		t.Run(name, func(t *testing.T) {
			how := options(t.TempDir())
			write(t, how.Dir, "v.csv.gz", gzipped(t, "a\n1\n"))
			write(t, how.Dir, "w.csv", "a\n1\n")
			each.change(&how)
			_, err := bundle.Create(t.Context(), how)
			requireFault(t, err, each.want)
		})
	}
}

func TestLookingAtASourceInAddCanBeInterrupted(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "v.csv.gz", gzipped(t, "a\n1\n"))
	made, err := bundle.Create(t.Context(), options(dir))
	require.NoError(t, err)
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	defer root.Close()
	ctx, stop := context.WithCancel(t.Context())
	stop()
	require.ErrorIs(t, bundle.LookAtSource(ctx, root, made.Manifest), context.Canceled)
}
