//go:build cgo

package bundle_test

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"

	"hotcell/internal/bundle"
	sources "hotcell/internal/source"
	"hotcell/internal/source/parse"
	"hotcell/internal/table"
)

func TestMain(m *testing.M) {
	if code, is := parse.IfChild(os.Args); is {
		os.Exit(code)
	}
	os.Exit(m.Run())
}

func gzipped(t testing.TB, text string) string {
	t.Helper()
	var out bytes.Buffer
	to := gzip.NewWriter(&out)
	_, err := to.Write([]byte(text))
	require.NoError(t, err)
	require.NoError(t, to.Close())
	return out.String()
}

func zstandard(t testing.TB, text string) string {
	t.Helper()
	to, err := zstd.NewWriter(nil)
	require.NoError(t, err)
	return string(to.EncodeAll([]byte(text), nil))
}

func contentOf(t testing.TB, dir, name string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(dir, name))
	require.NoError(t, err)
	return string(content)
}

func TestACompressedTableIsThePlainOne(t *testing.T) {
	const plain = "id,name\n007,Orléans\n008,\n"
	packed := map[string]string{
		"gzip.csv.gz":             gzipped(t, plain),
		"gzip_of_two.csv.GZ":      gzipped(t, plain[:10]) + gzipped(t, plain[10:]),
		"zstd.csv.zst":            zstandard(t, plain),
		"zstd_of_two.csv.zst":     zstandard(t, plain[:9]) + zstandard(t, plain[9:]),
		"below/it.csv.gz":         gzipped(t, plain),
		"tabs.tsv.gz":             gzipped(t, strings.ReplaceAll(plain, ",", "\t")),
		"lines.jsonl.zst":         zstandard(t, `{"id":"007","name":""}`+"\n"),
		"nd.ndjson.gz":            gzipped(t, `{"id":null}`+"\n"),
		"in_another.csv.gz":       gzipped(t, "name\nOrl\xe9ans\n"),
		"with_semicolons.csv.zst": zstandard(t, "a;b\n1;2\n"),
	}
	dir := t.TempDir()
	for name, content := range packed {
		write(t, dir, name, content)
	}
	how := options(dir)
	how.Encodings = map[string]string{"in_another.csv.gz": "latin-1"}
	how.Delimiters = map[string]string{"with_semicolons.csv.zst": "semicolon"}
	how.Choices = map[string]table.Choices{"gzip.csv.gz": {Columns: map[string]table.Choice{"id": {Type: "integer"}}}}
	made, err := bundle.Create(t.Context(), how)
	require.NoError(t, err)
	require.Len(t, made.Manifest.Files, len(packed))
	for _, file := range made.Manifest.Files {
		require.NotNil(t, file.Source, file.Path)
		require.Equal(t, sources.TablePath(file.Source.Path, ""), file.Path)
		require.EqualValues(t, len(packed[file.Source.Path]), file.Source.Bytes)
		if strings.HasSuffix(file.Path, "gzip.csv") {
			require.Equal(t, table.Integer, file.Schema.Fields[0].Type)
		}
	}
	require.Equal(t, plain, contentOf(t, dir, "below/it.csv"))

	store, _ := openStore(t)
	added := add(t, store, dir)
	require.Equal(t, plain, contentOf(t, added.Path, "gzip_of_two.csv"))
	require.Equal(t, "name\nOrléans\n", contentOf(t, added.Path, "in_another.csv"))
	require.NoFileExists(t, filepath.Join(added.Path, "gzip.csv.gz"))
	require.NoError(t, store.Verify(t.Context(), added.Digest))

	t.Run("again it is the same", func(t *testing.T) {
		require.NoError(t, os.Remove(filepath.Join(dir, bundle.ManifestName)))
		again, err := bundle.Create(t.Context(), how)
		require.NoError(t, err)
		require.Equal(t, made.Manifest, again.Manifest)
	})
	t.Run("from another store", func(t *testing.T) {
		other, _ := openStore(t)
		require.Equal(t, added.Digest, add(t, other, added.Path).Digest)
	})
	t.Run("a source that is gone", func(t *testing.T) {
		require.NoError(t, os.Remove(filepath.Join(dir, "gzip.csv.gz")))
		other, _ := openStore(t)
		require.Equal(t, added.Digest, add(t, other, dir).Digest)
	})
	t.Run("a source that is another by now", func(t *testing.T) {
		write(t, dir, "zstd.csv.zst", zstandard(t, "id,name\n009,x\n"))
		other, _ := openStore(t)
		_, err := other.Add(t.Context(), dir)
		requireFault(t, err, "zstd.csv.zst: it is not the file of which a table was made")
	})
}

func TestACompressedFileThatIsNoneIsRefused(t *testing.T) {
	plain := strings.Repeat("id,name\n", 100)
	flipped := []byte(gzipped(t, plain))
	flipped[len(flipped)-6] ^= 1
	zeros := gzipped(t, strings.Repeat("\x00", 65<<20))
	for name, each := range map[string]struct{ file, content, want string }{
		"nothing":                  {"t.csv.gz", "", "it is no whole gzip file"},
		"no gzip":                  {"t.csv.gz", plain, "it is no gzip file"},
		"no zstd":                  {"t.csv.zst", "a,b\n1,2\n", "it is no zstd file"},
		"the end is missing":       {"t.csv.gz", gzipped(t, plain)[:30], "its end is missing"},
		"of zstd":                  {"t.csv.zst", zstandard(t, plain)[:20], "its end is missing"},
		"garbage behind its end":   {"t.csv.gz", gzipped(t, plain) + "garbage of a kind", "it is no gzip file from its first byte to its last"},
		"zeros behind its end":     {"t.csv.gz", gzipped(t, plain) + strings.Repeat("\x00", 64), "it is no gzip file from its first byte to its last"},
		"behind the end of zstd":   {"t.csv.zst", zstandard(t, plain) + "garbage of a kind", "it is no zstd file from its first byte to its last"},
		"another checksum":         {"t.csv.gz", string(flipped), "checksum"},
		"a bomb":                   {"t.csv.gz", zeros, "it has a line longer than 64 MiB when it is unpacked"},
		"a bomb of zstd":           {"t.csv.zst", zstandard(t, strings.Repeat("\x00", 65<<20)), "it has a line longer than 64 MiB when it is unpacked"},
		"a bomb in a bomb":         {"t.csv.gz", gzipped(t, zeros), "is a file in gzip"},
		"a table that is no table": {"t.csv.gz", gzipped(t, "a,b\n1\n"), "t.csv: line 2 has 1 field"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, each.file, each.content)
			write(t, dir, "other.csv.gz", gzipped(t, "a\n1\n"))
			_, err := bundle.Create(t.Context(), options(dir))
			requireFault(t, err, each.want)
			require.Equal(t, []string{"other.csv.gz", each.file}, visible(t, dir), "nothing stays of what is refused")
		})
	}
}

func TestATableIsNotWrittenOverAnother(t *testing.T) {
	for name, other := range map[string]string{"another": "a\n2\n", "shorter": "a\n", "longer": "a\n1\n1\n"} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, "t.csv.gz", gzipped(t, "a\n1\n"))
			write(t, dir, "t.csv", other)
			_, err := bundle.Create(t.Context(), options(dir))
			requireFault(t, err, "t.csv.gz: its table goes to t.csv, where another file is")
			require.Equal(t, other, contentOf(t, dir, "t.csv"))
		})
	}
	t.Run("two sources of one table", func(t *testing.T) {
		dir := t.TempDir()
		write(t, dir, "t.csv.gz", gzipped(t, "a\n1\n"))
		write(t, dir, "t.csv.zst", zstandard(t, "a\n1\n"))
		_, err := bundle.Create(t.Context(), options(dir))
		requireFault(t, err, "which is that of another file")
		require.NoFileExists(t, filepath.Join(dir, "t.csv"))
	})
	t.Run("a link", func(t *testing.T) {
		dir, elsewhere := t.TempDir(), filepath.Join(t.TempDir(), "other")
		write(t, dir, "t.csv.gz", gzipped(t, "a\n1\n"))
		require.NoError(t, os.WriteFile(elsewhere, []byte("a\n1\n"), 0o600))
		require.NoError(t, os.Symlink(elsewhere, filepath.Join(dir, "t.csv")))
		_, err := bundle.Create(t.Context(), options(dir))
		requireFault(t, err, "t.csv")
	})
}

func TestASourceCanStayAsItIs(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "t.csv.gz", gzipped(t, "a\n1\n"))
	how := options(dir)
	how.AsIs = []string{"t.csv.gz"}
	made, err := bundle.Create(t.Context(), how)
	require.NoError(t, err)
	require.Len(t, made.Manifest.Files, 1)
	require.Equal(t, "t.csv.gz", made.Manifest.Files[0].Path)
	require.Nil(t, made.Manifest.Files[0].Source)
	store, _ := openStore(t)
	add(t, store, dir)

	how = options(t.TempDir())
	write(t, how.Dir, "a.csv", "a\n1\n")
	how.AsIs = []string{"t.csv.gz"}
	_, err = bundle.Create(t.Context(), how)
	requireFault(t, err, "t.csv.gz: there is no such file to leave as it is")
}
