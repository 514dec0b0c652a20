package bundle_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"hotcell/internal/bundle"
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
	write(t, dir, "c.json", "x")
	opts := options(dir)
	_, err := bundle.Create(t.Context(), opts)
	requireFault(t, err, "2020.csv: its name makes no Python name")
	opts.Tables = map[string]string{"2020.csv": "y2020", "notes.csv": ""}
	manifest, err := bundle.Create(t.Context(), opts)
	require.NoError(t, err)
	tables := map[string]string{}
	for _, file := range manifest.Files {
		tables[file.Path] = file.Table + " " + file.Format()
	}
	require.Equal(t, map[string]string{
		"heart-transplant 2.csv": "heart_transplant_2 csv", "2020.csv": "y2020 csv", "notes.csv": " ", "b.parquet": "b parquet", "c.json": " ",
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
		}, `a\n.csv: the path has the unprintable character U+000A in it: rename it`},
		"a hidden file": {func(t *testing.T, dir string, _ *bundle.CreateOptions) {
			write(t, dir, ".git/config", "")
		}, ".git/config"},
		"names that differ in case": {func(t *testing.T, dir string, _ *bundle.CreateOptions) {
			write(t, dir, "VISITS.csv", "")
		}, "cannot be told from"},
		"a manifest in capitals": {func(t *testing.T, dir string, _ *bundle.CreateOptions) {
			write(t, dir, "Bundle.json", "{}")
		}, "the name is the manifest's"},
		"a manifest that is there": {func(t *testing.T, dir string, _ *bundle.CreateOptions) {
			write(t, dir, "bundle.json", "{}")
		}, "remove it to make another"},
		"two tables of one name": {func(t *testing.T, dir string, _ *bundle.CreateOptions) {
			write(t, dir, "old/visits.csv", "")
		}, `its table "visits" is also that of`},
		"a keyword for a table": {func(t *testing.T, dir string, _ *bundle.CreateOptions) {
			write(t, dir, "class.csv", "")
		}, "makes no Python name"},
		"a table that is no file": {func(_ *testing.T, _ string, o *bundle.CreateOptions) {
			o.Tables = map[string]string{"absent.csv": "x"}
		}, "absent.csv: there is no such file"},
		"no data": {func(t *testing.T, dir string, _ *bundle.CreateOptions) {
			require.NoError(t, os.Remove(filepath.Join(dir, "visits.csv")))
		}, "it has no files"},
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
