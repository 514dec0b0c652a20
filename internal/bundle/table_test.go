package bundle_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/bundle"
	"hotcell/internal/table"
)

// FuzzTables: whatever the bytes and the pieces in which they come to be hashed, the answer
// is the same, and what is wrong is in one line.
func FuzzTables(f *testing.F) {
	f.Add([]byte("a,b\r\n\"1\",\"2\"\"\"\n3,4,5"), 2)
	f.Add([]byte("{\"a\":[1,\"\\\"\"]}\n\n{}"), 3)
	f.Fuzz(func(t *testing.T, data []byte, piece int) {
		for _, format := range []string{"csv", "tsv", "jsonl"} {
			whole, fault, err := bundle.InferTable(t.Context(), format, data, len(data)+1)
			require.NoError(t, err)
			pieces, otherFault, err := bundle.InferTable(t.Context(), format, data, max(1, piece%64))
			require.NoError(t, err)
			require.Equal(t, whole, pieces)
			require.Equal(t, fault, otherFault)
			require.NotContains(t, fault, "\n")
		}
	})
}

func BenchmarkInferCSV(b *testing.B) {
	data := append([]byte("a,b,c,d\n"), bytes.Repeat([]byte("12345,\"some text\",3.1415,größe\n"), 1<<15)...)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, _, err := bundle.InferTable(b.Context(), "csv", data, 32<<10); err != nil {
			b.Fatal(err)
		}
	}
}

func TestCreateWritesWhatAPersonChose(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.csv", "id;arm;day\n007;x;02/01/1970\n8;-;-\n")
	write(t, dir, "b.tsv", "id\tcountry\n007\tNA\n")
	write(t, dir, "c.jsonl", `{"id":"007","at":1700000000}`)
	opts := options(dir)
	opts.Delimiters = map[string]string{"a.csv": "semicolon"}
	opts.Choices = map[string]table.Choices{
		bundle.EveryTable: {Missing: []string{"-"}},
		"a.csv": {Columns: map[string]table.Choice{
			"id": {Type: "integer", Disclosure: table.Identifier}, "arm": {Categories: true}, "day": {Type: "date:%d/%m/%Y"},
		}},
	}
	made, err := bundle.Create(t.Context(), opts)
	require.NoError(t, err)
	require.Equal(t, &table.Schema{MissingValues: []string{"", "-"}, Fields: []table.Field{
		{Name: "id", Type: table.Integer, Pandas: table.PandasInt64, Disclosure: table.Identifier},
		{Name: "arm", Type: table.String, Pandas: table.PandasCategory, Categories: []string{"x"}},
		{Name: "day", Type: table.Date, Pandas: table.PandasTime, Format: "%d/%m/%Y"},
	}}, made.Manifest.Files[0].Schema)
	require.Equal(t, "semicolon", made.Manifest.Files[0].Delimiter)
	require.Equal(t, []table.Field{
		{Name: "id", Type: table.String, Pandas: table.PandasObject}, {Name: "country", Type: table.String, Pandas: table.PandasObject},
	}, made.Manifest.Files[1].Schema.Fields)
	require.Equal(t, []table.Field{
		{Name: "id", Type: table.String, Pandas: table.PandasObject}, {Name: "at", Type: table.Integer, Pandas: table.PandasInt64},
	}, made.Manifest.Files[2].Schema.Fields)
	require.Equal(t, []int64{2, 1, 1}, []int64{made.Tables[0].Rows, made.Tables[1].Rows, made.Tables[2].Rows})
	store, _ := openStore(t)
	require.Equal(t, made.Manifest, add(t, store, dir).Manifest)
}

// TestAddHoldsATableToItsSchema, which a person may have edited.
func TestAddHoldsATableToItsSchema(t *testing.T) {
	for name, test := range map[string]struct{ before, after, fault string }{
		"another type": {`"type": "string"`, `"type": "integer"`, "its schema: field 1: pandas cannot have a integer"},
		"a type that is not": {`"type": "string",
            "pandas": "object"`, `"type": "date",
            "pandas": "datetime64[us]",
            "format": "default"`, `a.csv: line 3 has in column "id" a value that is no date`},
		"another column": {`"name": "id"`, `"name": "key"`, `a.csv: line 1 has "id" for column 1, its schema has "key"`},
		"no gaps":        {"          \"\"\n", "          \"x\"\n", `a.csv: line 3 has in column "n" a value that is no integer`},
		"another delimiter": {`"table": "a"`, `"table": "a",
      "delimiter": "pipe"`, `a.csv: line 1 has one column, with commas in its name`},
		"an unknown disclosure": {`"pandas": "object"`, `"pandas": "object",
            "disclosure": "public"`, "its disclosure is unknown"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, "a.csv", "id,n\n2024-01-01,1\nx,\n")
			_, err := bundle.Create(t.Context(), options(dir))
			require.NoError(t, err)
			edit(t, dir, test.before, test.after)
			store, stored := openStore(t)
			_, err = store.Add(t.Context(), dir)
			requireFault(t, err, test.fault)
			require.Empty(t, visible(t, stored))
		})
	}
}

// TestAnUntypedBundleIsListedAndNotUsed: it was made when nobody had decided types.
func TestAnUntypedBundleIsListedAndNotUsed(t *testing.T) {
	src := source(t)
	store, dir := openStore(t)
	typed := add(t, store, src)
	old := strings.Replace(untyped(t, src), `"visits"`, `"older"`, 1)
	overwrite(t, filepath.Join(src, bundle.ManifestName), old)
	_, err := store.Add(t.Context(), src)
	requireFault(t, err, "bundle.json: its version is 1, in which tables have no types: remove it, and make it again")

	place := filepath.Join(dir, "sha256-"+sumOf(old))
	require.NoError(t, os.CopyFS(place, os.DirFS(typed.Path)))
	overwrite(t, filepath.Join(place, bundle.ManifestName), old)
	all, err := store.List(t.Context())
	require.NoError(t, err)
	require.Len(t, all, 2)
	found, err := store.Lookup(t.Context(), "older")
	require.NoError(t, err)
	require.True(t, found.Manifest.Untyped())
	require.NoError(t, store.Verify(t.Context(), found.Digest))
	requireFault(t, store.Check(t.Context(), found.Digest), "was made when tables had no types, and no run gets it")
	require.NoError(t, store.Check(t.Context(), typed.Digest))
}

// TestEachNameOfInputsHasItsPolicy holds the reason for a refusal to the policies that there are.
func TestEachNameOfInputsHasItsPolicy(t *testing.T) {
	for name, of := range bundle.InputNames() {
		data, err := os.ReadFile("../../policies/" + of[1] + ".yaml")
		require.NoError(t, err)
		require.Regexp(t, `(?m)^  inputs: `+of[0]+`\b`, string(data), name)
	}
}
