package bundle_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"hotcell/internal/bundle"
	"hotcell/internal/table"
)

func TestCreateIsDeterministic(t *testing.T) {
	want, err := os.ReadFile("testdata/bundle.json")
	require.NoError(t, err)
	got, err := os.ReadFile(filepath.Join(source(t), bundle.ManifestName))
	require.NoError(t, err)
	require.Equal(t, string(want), string(got))
}

func TestCreateNamesTables(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "heart-transplant 2.csv", "x")
	write(t, dir, "2020.csv", "x")
	write(t, dir, "notes.csv", "x")
	write(t, dir, "b.parquet", "x")
	write(t, dir, "d.parquet", "x")
	write(t, dir, "c.json", "x")
	write(t, dir, "e.JSONL", `{"a":1}`)
	write(t, dir, "baseline/labs.tsv", "x")
	opts := options(dir)
	_, err := bundle.Create(t.Context(), opts)
	requireFault(t, err, "2020.csv: rename it so that it begins with a letter")
	opts.AsIs = []string{"b.parquet"}
	opts.Tables = map[string]string{"2020.csv": "y2020", "notes.csv": "", "d.parquet": "d"}
	made, err := bundle.Create(t.Context(), opts)
	require.NoError(t, err)
	tables := map[string]string{}
	for _, file := range made.Manifest.Files {
		tables[file.Path] = file.Table + " " + file.Format()
	}
	require.Equal(t, map[string]string{
		"heart-transplant 2.csv": "heart_transplant_2 csv", "2020.csv": "y2020 csv", "notes.csv": " ",
		"b.parquet": " ", "d.parquet": "d parquet", "c.json": " ", "e.JSONL": "e jsonl", "baseline/labs.tsv": "baseline_labs tsv",
	}, tables)
}

func TestCreateRefuses(t *testing.T) {
	for name, test := range map[string]struct {
		spoil func(t *testing.T, dir string, options *bundle.CreateOptions)
		fault string
	}{
		"a symlink": {func(t *testing.T, dir string, _ *bundle.CreateOptions) {
			require.NoError(t, os.Symlink("/etc/passwd", filepath.Join(dir, "a.csv")))
		}, "a.csv: it is a symbolic link"},
		"a symlink to a directory": {func(t *testing.T, dir string, _ *bundle.CreateOptions) {
			require.NoError(t, os.Symlink("/etc", filepath.Join(dir, "a")))
		}, "a: it is a symbolic link"},
		"a hard link": {func(t *testing.T, dir string, _ *bundle.CreateOptions) {
			require.NoError(t, os.Link(filepath.Join(dir, "visits.csv"), filepath.Join(dir, "a.csv")))
		}, "a.csv: it has 2 hard links"},
		"a named pipe": {func(t *testing.T, dir string, _ *bundle.CreateOptions) {
			require.NoError(t, unix.Mkfifo(filepath.Join(dir, "a.csv"), 0o600))
		}, "a.csv: it is a named pipe"},
		"a strange name": {func(t *testing.T, dir string, _ *bundle.CreateOptions) {
			write(t, dir, "a\n.csv", "")
		}, `a\n.csv: the path has the unprintable character U+000A in it: rename or delete it`},
		"a hidden file": {func(t *testing.T, dir string, _ *bundle.CreateOptions) {
			write(t, dir, ".git/config", "")
		}, ".git/config"},
		"names that differ in case": {func(t *testing.T, dir string, _ *bundle.CreateOptions) {
			write(t, dir, "VISITS.csv", "x")
		}, "cannot be distinguished from"},
		"a manifest in capitals": {func(t *testing.T, dir string, _ *bundle.CreateOptions) {
			write(t, dir, "Bundle.json", "{}")
		}, "the name is the manifest's"},
		"a manifest that is there": {func(t *testing.T, dir string, _ *bundle.CreateOptions) {
			write(t, dir, "bundle.json", "{}")
		}, "remove it to make another"},
		"two tables of one name": {func(t *testing.T, dir string, _ *bundle.CreateOptions) {
			write(t, dir, "old/visits.csv", "x")
			write(t, dir, "old_visits.csv", "x")
		}, `its table "old_visits" is also that of`},
		"a keyword for a table": {func(t *testing.T, dir string, _ *bundle.CreateOptions) {
			write(t, dir, "class.csv", "")
		}, `class.csv: its table would be called "class"`},
		"a builtin for a table": {func(t *testing.T, dir string, _ *bundle.CreateOptions) {
			write(t, dir, "print.csv", "x")
		}, `print.csv: its table would be called "print", which is a word of Python or of every run: rename the file`},
		"a name of the run's own for a table": {func(t *testing.T, dir string, _ *bundle.CreateOptions) {
			write(t, dir, "result.jsonl", "{}")
		}, `result.jsonl: its table would be called "result", which is a word of Python or of every run: rename the file, so that it is "result_table", for example`},
		"where some policies have their inputs": {func(t *testing.T, dir string, _ *bundle.CreateOptions) {
			write(t, dir, "data.csv", "a\n1\n")
		}, `data.csv: its table would be called "data", which means something else in runs of policies with "inputs: data", such as copilot-chart: rename the file, so that it is "data_table", for example`},
		"where others have theirs": {func(t *testing.T, dir string, _ *bundle.CreateOptions) {
			write(t, dir, "context.csv", "a\n1\n")
			write(t, dir, "final/answer.tsv", "a\n1\n")
		}, `final/answer.tsv: its table would be called "final_answer", which means something else in runs of policies with "inputs: names", such as interpreter: rename`},
		"a name that scripts hide": {func(t *testing.T, dir string, _ *bundle.CreateOptions) {
			write(t, dir, "pd.csv", "x")
		}, `pd.csv: its table would be called "pd", which nearly every script means something else by: rename the file`},
		"a column that is not there": {func(_ *testing.T, _ string, o *bundle.CreateOptions) {
			o.Choices = map[string]table.Choices{"visits.csv": {Columns: map[string]table.Choice{"y": {Type: "string"}}}}
		}, `visits.csv: it has no column "y": it has "x"`},
		"types of no table": {func(t *testing.T, dir string, o *bundle.CreateOptions) {
			write(t, dir, "notes.txt", "x")
			o.Choices = map[string]table.Choices{"notes.txt": {}, "absent.csv": {}}
		}, "notes.txt: only a table of CSV, TSV or JSON Lines has types to choose; absent.csv: there is no such file to choose types for"},
		"a delimiter that is none": {func(_ *testing.T, _ string, o *bundle.CreateOptions) {
			o.Delimiters = map[string]string{"visits.csv": "dot"}
		}, "visits.csv: only a table of CSV has a delimiter: semicolon, tab or pipe"},
		"a delimiter of JSON": {func(t *testing.T, dir string, o *bundle.CreateOptions) {
			write(t, dir, "a.jsonl", `{"a":1}`)
			o.Delimiters = map[string]string{"a.jsonl": "tab"}
		}, "a.jsonl: only a table of CSV has a delimiter"},
		"a long name for a table": {func(t *testing.T, dir string, _ *bundle.CreateOptions) {
			write(t, dir, strings.Repeat("x", 65)+".csv", "x")
		}, "the name of its table is longer than 64 characters: rename the file"},
		"a table that cannot be loaded": {func(t *testing.T, dir string, _ *bundle.CreateOptions) {
			write(t, dir, "empty.csv", "")
		}, "empty.csv: it is empty"},
		"a date to come": {func(_ *testing.T, _ string, o *bundle.CreateOptions) {
			o.Deidentification.AttestedOn = time.Now().AddDate(0, 0, 2).Format(time.DateOnly)
		}, "deidentification.attested_on is in the future"},
		"a table that is no file": {func(_ *testing.T, _ string, o *bundle.CreateOptions) {
			o.Tables = map[string]string{"absent.csv": "x"}
		}, "absent.csv: there is no such file"},
		"no data": {func(t *testing.T, dir string, _ *bundle.CreateOptions) {
			require.NoError(t, os.Remove(filepath.Join(dir, "visits.csv")))
		}, "has no files in it: put the data there first"},
		"no directory":      {func(_ *testing.T, _ string, o *bundle.CreateOptions) { o.Dir += "/absent" }, "no such file"},
		"a bad name":        {func(_ *testing.T, _ string, o *bundle.CreateOptions) { o.Name = "Visits" }, "name must be"},
		"a bad version":     {func(_ *testing.T, _ string, o *bundle.CreateOptions) { o.Version = "1@2" }, "bundle_version must be"},
		"no study":          {func(_ *testing.T, _ string, o *bundle.CreateOptions) { o.Study = " " }, "study is empty"},
		"no attestation":    {func(_ *testing.T, _ string, o *bundle.CreateOptions) { o.Deidentification = bundle.Deidentification{} }, "deidentification.method must be"},
		"an unknown method": {func(_ *testing.T, _ string, o *bundle.CreateOptions) { o.Deidentification.Method = "trust me" }, "deidentification.method must be"},
		"no date":           {func(_ *testing.T, _ string, o *bundle.CreateOptions) { o.Deidentification.AttestedOn = "2026-13-01" }, "must be a date"},
		"an escape sequence": {func(_ *testing.T, _ string, o *bundle.CreateOptions) {
			o.Deidentification.Statement = "\x1b[2J"
		}, "statement has the unprintable character"},
		"a long text": {func(_ *testing.T, _ string, o *bundle.CreateOptions) { o.Study = strings.Repeat("x", 5000) }, "study is longer"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, "visits.csv", "x")
			opts := options(dir)
			test.spoil(t, dir, &opts)
			before := visible(t, dir)
			_, err := bundle.Create(t.Context(), opts)
			requireFault(t, err, test.fault)
			require.Equal(t, before, visible(t, dir))
		})
	}
}

func TestCreateTellsEveryFaultOfTheTablesAtOnce(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.csv", "")
	write(t, dir, "b.jsonl", "{")
	write(t, dir, "list.csv", "x")
	write(t, dir, "1.csv", "x")
	_, err := bundle.Create(t.Context(), options(dir))
	requireFault(t, err, "a.csv: it is empty")
	require.ErrorContains(t, err, "b.jsonl: line 1 ends within its object")
	require.ErrorContains(t, err, `list.csv: its table would be called "list"`)
	require.ErrorContains(t, err, "1.csv: rename it")
}

// TestCreateTellsWrongOptionsFirst and all at once, in a directory that is no
// bundle's either.
func TestCreateTellsWrongOptionsFirst(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "bundle.json", "{}")
	_, err := bundle.Create(t.Context(), bundle.CreateOptions{Dir: dir, Name: "visits"})
	var fault *bundle.FaultError
	require.ErrorAs(t, err, &fault)
	var fields []string
	for _, field := range fault.Fields {
		fields = append(fields, field.Field)
	}
	require.Equal(t, []string{
		"bundle_version", "study", "deidentification.method", "deidentification.attested_on",
		"deidentification.attested_by", "deidentification.statement",
	}, fields)
}

func TestTodayIsNotTheFuture(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.csv", "x")
	opts := options(dir)
	opts.Deidentification.AttestedOn = time.Now().Format(time.DateOnly)
	_, err := bundle.Create(t.Context(), opts)
	require.NoError(t, err)
}

// TestNoBundleThroughAForeignLink: its owner would choose which directory of ours
// gets a manifest, and which one becomes a bundle.
func TestNoBundleThroughAForeignLink(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root, to make what belongs to another user")
	}
	secret, theirs := t.TempDir(), t.TempDir()
	write(t, secret, "key.txt", "password")
	link := filepath.Join(theirs, "export")
	require.NoError(t, os.Symlink(secret, link))
	require.NoError(t, os.Lchown(link, 65534, 65534))
	_, err := bundle.Create(t.Context(), options(link))
	requireFault(t, err, "link of another user")
	require.NoFileExists(t, filepath.Join(secret, bundle.ManifestName))
	_, err = bundle.Create(t.Context(), options(secret))
	require.NoError(t, err)
	store, err := bundle.OpenStore(filepath.Join(t.TempDir(), "store"))
	require.NoError(t, err)
	_, err = store.Add(t.Context(), link)
	requireFault(t, err, "link of another user")
}
