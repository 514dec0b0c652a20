package bundle_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"hotcell/internal/bundle"
	"hotcell/internal/digest"
)

// upper are the bytes from 0x80 on.
func upper() []byte {
	var all []byte
	for at := 0x80; at <= 0xff; at++ {
		all = append(all, byte(at))
	}
	return all
}

// latin1From is the text of bytes that have their own numbers.
func latin1From(first, last rune) string {
	var text strings.Builder
	for r := first; r <= last; r++ {
		text.WriteRune(r)
	}
	return text.String()
}

// The wanted texts are what Python 3.13 makes of the same bytes with errors="replace".
func TestDecode(t *testing.T) {
	for name, test := range map[string]struct {
		encoding, data, text string
		replaced             int64
	}{
		"UTF-8":                            {"utf-8", "a\u00e9\U0001f600", "a\u00e9\U0001f600", 0},
		"bytes that are no UTF-8":          {"utf-8", "a\xe9b\xff", "a\ufffdb\ufffd", 2},
		"a character that is cut":          {"utf-8", "a\xc3", "a\ufffd", 1},
		"a replacement that was there":     {"utf-8", "a\ufffd", "a\ufffd", 0},
		"a mark that stays":                {"utf-8", "\ufeffa", "\ufeffa", 0},
		"a mark that goes":                 {"utf-8-sig", "\ufeffa\ufeff", "a\ufeff", 0},
		"no mark":                          {"utf-8-sig", "a", "a", 0},
		"little-endian UTF-16":             {"utf-16", "\xff\xfea\x00\xe9\x00\x3d\xd8\x00\xde", "a\u00e9\U0001f600", 0},
		"big-endian UTF-16":                {"utf-16", "\xfe\xff\x00a\x00\xe9\xd8\x3d\xde\x00", "a\u00e9\U0001f600", 0},
		"UTF-16 without a mark":            {"utf-16", "a\x00", "a", 0},
		"UTF-16 of the one order":          {"utf-16-le", "a\x00\xe9\x00", "a\u00e9", 0},
		"UTF-16 of the other order":        {"utf-16-be", "\x00a\x00\xe9", "a\u00e9", 0},
		"half a surrogate":                 {"utf-16", "\xff\xfe\x3d\xd8a\x00", "\ufffda", 1},
		"half a surrogate at the end":      {"utf-16", "\xff\xfea\x00\x3d\xd8", "a\ufffd", 1},
		"half a unit at the end":           {"utf-16", "\xff\xfea\x00b", "a\ufffd", 1},
		"latin-1":                          {"iso-8859-1", string(upper()), latin1From(0x80, 0xff), 0},
		"bytes that Windows does not have": {"cp1252", "\x80\x81\x8d\x8f\x90\x9d\x9f", "\u20ac" + strings.Repeat("\ufffd", 5) + "\u0178", 5},
		"cp1252": {
			"cp1252", string(upper()),
			"\u20ac\ufffd\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\ufffd\u017d\ufffd" +
				"\ufffd\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\ufffd\u017e\u0178" + latin1From(0xa0, 0xff), 5,
		},
		"iso-8859-15": {
			"iso-8859-15", string(upper()),
			latin1From(0x80, 0xa3) + "\u20ac\u00a5\u0160\u00a7\u0161" + latin1From(0xa9, 0xb3) + "\u017d\u00b5\u00b6\u00b7\u017e" +
				latin1From(0xb9, 0xbb) + "\u0152\u0153\u0178" + latin1From(0xbf, 0xff), 0,
		},
	} {
		t.Run(name, func(t *testing.T) {
			for piece := 1; piece <= 5; piece++ {
				text, replaced, err := bundle.Decode(test.encoding, []byte(test.data), piece)
				require.NoError(t, err)
				require.Equal(t, test.text, text)
				require.Equal(t, test.replaced, replaced)
			}
		})
	}
}

// FuzzDecode: whatever the bytes are, what the store gets is UTF-8, is the same however
// the bytes come, and has at least as many replacements as are counted.
func FuzzDecode(f *testing.F) {
	f.Add("cp1252", []byte("\x81"), 1)
	f.Add("utf-16", []byte("\xff\xfe\x3d\xd8a"), 3)
	f.Add("utf-8-sig", []byte("\ufeff\xe9"), 2)
	f.Fuzz(func(t *testing.T, encoding string, data []byte, piece int) {
		if !isEncoding(encoding) || piece < 1 {
			t.Skip()
		}
		whole, replaced, err := bundle.Decode(encoding, data, len(data)+1)
		require.NoError(t, err)
		require.True(t, utf8.ValidString(whole))
		require.LessOrEqual(t, replaced, int64(strings.Count(whole, "\ufffd")))
		require.LessOrEqual(t, replaced, int64(len(data)))
		pieces, counted, err := bundle.Decode(encoding, data, piece)
		require.NoError(t, err)
		require.Equal(t, whole, pieces)
		require.Equal(t, replaced, counted)
	})
}

func isEncoding(name string) bool {
	return slices.Contains(bundle.Encodings(), name)
}

const latin1Table = "agency,year\nSant\xe9,2024\n\x81,2025\n"

// latin1Source is a directory with a table that is cp1252, and one that is UTF-8.
func latin1Source(t testing.TB, encodings map[string]string) (string, bundle.Manifest) {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, "awards.csv", latin1Table)
	write(t, dir, "names.jsonl", `{"name": "René"}`)
	write(t, dir, "notes.txt", "no t\xe9xt")
	opts := options(dir)
	opts.Encodings, opts.Replace = encodings, true
	made, err := bundle.Create(t.Context(), opts)
	require.NoError(t, err)
	return dir, made.Manifest
}

func TestATableIsDecodedIntoTheStore(t *testing.T) {
	dir, manifest := latin1Source(t, map[string]string{"awards.csv": "Windows-1252"})
	const decoded = "agency,year\nSanté,2024\n\ufffd,2025\n"
	require.Equal(t, &bundle.Encoding{
		Name: "cp1252", Replaced: 1, Bytes: int64(len(latin1Table)), SHA256: digest.Of([]byte(latin1Table)).Hex(),
	}, manifest.Files[0].Encoding)
	require.Equal(t, digest.Of([]byte(decoded)).Hex(), manifest.Files[0].SHA256)
	require.Equal(t, int64(len(decoded)), manifest.Files[0].Bytes)
	require.Nil(t, manifest.Files[1].Encoding)

	store, _ := openStore(t)
	added := add(t, store, dir)
	requireFile(t, filepath.Join(added.Path, "awards.csv"), decoded)
	requireFile(t, filepath.Join(dir, "awards.csv"), latin1Table) // the user's stays
	require.Equal(t, manifest, added.Manifest)
	require.NoError(t, store.Verify(t.Context(), added.Digest))

	// A store's copy is a bundle like any other, and the same one.
	other, _ := openStore(t)
	again := add(t, other, added.Path)
	require.Equal(t, added.Digest, again.Digest)
	requireFile(t, filepath.Join(again.Path, "awards.csv"), decoded)
}

func requireFile(t *testing.T, path, content string) {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, content, string(data))
}

// TestNothingIsReplacedUnlessAPersonSaysSo.
func TestNothingIsReplacedUnlessAPersonSaysSo(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "awards.csv", latin1Table)
	opts := options(dir)
	opts.Encodings = map[string]string{"awards.csv": "cp1252"}
	_, err := bundle.Create(t.Context(), opts)
	requireFault(t, err, "awards.csv: line 3 has bytes that are no cp1252, and so in 1 place: name the encoding that it has, or have U+FFFD in each place (--encoding-errors replace)")
	require.NoFileExists(t, filepath.Join(dir, bundle.ManifestName))
}

func TestOneEncodingIsForEveryTableThatIsNotNamed(t *testing.T) {
	_, manifest := latin1Source(t, map[string]string{bundle.EveryTable: "latin_1", "names.jsonl": "UTF8"})
	require.Equal(t, "iso-8859-1", manifest.Files[0].Encoding.Name)
	require.Equal(t, "utf-8", manifest.Files[1].Encoding.Name)
	require.Nil(t, manifest.Files[2].Encoding) // it is no table
}

// TestOneEncodingForAllTablesGarblesNone: a file that is UTF-8 already is named, and one
// whose own encoding is named is taken at that word.
func TestOneEncodingForAllTablesGarblesNone(t *testing.T) {
	for name, test := range map[string]struct {
		encoding, content, fault string
	}{
		"UTF-8 as latin-1":       {"latin-1", "a\nSanté\n", "a.csv: it is UTF-8 already, and would be garbled as iso-8859-1, which is said of all tables: name the encoding of this file by itself (--encoding 'a.csv=utf-8')"},
		"UTF-8 as cp1252":        {"cp1252", "a\n" + strings.Repeat("x\n", 40000) + "é\n", "it is UTF-8 already"},
		"with a mark":            {"cp1252", "\ufeffa\n1\n", "(--encoding 'a.csv=utf-8-sig')"},
		"ASCII as UTF-16":        {"utf-16", "ab\n12\n", "would be garbled as utf-16"},
		"UTF-8 as UTF-16":        {"utf-16", "a\né\n", "would be garbled as utf-16"},
		"ASCII as latin-1":       {"latin-1", "a\n1\n", ""},
		"latin-1":                {"latin-1", "a\nSant\xe9\n", ""},
		"latin-1 that ends so":   {"latin-1", "a\nSant\xe9", ""},
		"UTF-8 that is broken":   {"latin-1", "a\nSanté\n\xe9\n", ""},
		"UTF-16 with a mark":     {"utf-16", "\xff\xfea\x00\n\x001\x00", ""},
		"UTF-16 without a mark":  {"utf-16", "a\x00\n\x001\x00", ""},
		"UTF-8 as what it is":    {"utf-8", "a\né\n", ""},
		"UTF-8, should it begin": {"utf-8-sig", "\ufeffa\né\n", ""},
		"nothing":                {"latin-1", "", "a.csv: it is empty: a table begins"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, "a.csv", test.content)
			opts := options(dir)
			opts.Encodings = map[string]string{bundle.EveryTable: test.encoding}
			opts.Replace = true
			_, err := bundle.Create(t.Context(), opts)
			if test.fault == "" {
				require.NoError(t, err)
				return
			}
			requireFault(t, err, test.fault)
			require.NoFileExists(t, filepath.Join(dir, "bundle.json"))
		})
	}
	dir := t.TempDir()
	write(t, dir, "a.csv", "a\né\n")
	opts := options(dir)
	opts.Encodings = map[string]string{"a.csv": "latin-1"}
	made, err := bundle.Create(t.Context(), opts)
	require.NoError(t, err)
	require.Equal(t, []string{"it is UTF-8 already, and has other characters as iso-8859-1: if these are not meant, make it again without --encoding for this file"}, made.Tables[0].Notes)
	for name, content := range map[string]string{"utf-8": "a\né\n", "latin-1": "a\n\xe9\n", "cp1252": "a\n1\n"} {
		how := options(t.TempDir())
		write(t, how.Dir, "a.csv", content)
		how.Encodings = map[string]string{"a.csv": name}
		made, err := bundle.Create(t.Context(), how)
		require.NoError(t, err)
		require.Empty(t, made.Tables[0].Notes)
	}
}

// TestWithoutAnEncodingNothingIsReplaced: what is not UTF-8 is refused, and the way out
// is named.
func TestWithoutAnEncodingNothingIsReplaced(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "awards.csv", latin1Table)
	_, err := bundle.Create(t.Context(), options(dir))
	requireFault(t, err, `awards.csv: line 2 is not UTF-8: save the file as UTF-8, or name its encoding with "runner bundle create --encoding"`)
	require.NoFileExists(t, filepath.Join(dir, "bundle.json"))
}

// TestTheDecodedTextIsWhatIsChecked, not the bytes: a comma in UTF-16 is two of them.
func TestTheDecodedTextIsWhatIsChecked(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.csv", "\xff\xfea\x00\n\x001\x00\n\x001\x00,\x002\x00,\x003\x00")
	opts := options(dir)
	opts.Encodings = map[string]string{"a.csv": "utf-16"}
	_, err := bundle.Create(t.Context(), opts)
	requireFault(t, err, "a.csv: line 3 has 3 fields, the header has 1")
}

func TestCreateRefusesEncodings(t *testing.T) {
	for name, test := range map[string]struct {
		encodings map[string]string
		fault     string
	}{
		"an unknown one":     {map[string]string{"": "ebcdic"}, "encoding has [\"ebcdic\"], which is none of utf-8, utf-8-sig, utf-16, utf-16-le, utf-16-be, iso-8859-1, iso-8859-15, cp1252"},
		"none":               {map[string]string{"a.csv": ""}, "which is none of"},
		"of no file":         {map[string]string{"b.csv": "utf-8"}, "b.csv: there is no such file to decode"},
		"of no table":        {map[string]string{"notes.txt": "utf-8"}, "notes.txt: only a table of CSV, TSV or JSON Lines can be decoded"},
		"of a binary format": {map[string]string{"scan.png": "utf-8"}, "scan.png: only a table"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, "a.csv", "x")
			write(t, dir, "notes.txt", "x")
			write(t, dir, "scan.png", "PAR1")
			opts := options(dir)
			opts.Encodings = test.encodings
			_, err := bundle.Create(t.Context(), opts)
			requireFault(t, err, test.fault)
		})
	}
}

// TestAddRefusesADecodedFileThatDiffers in its bytes or in what the manifest says of them.
func TestAddRefusesADecodedFileThatDiffers(t *testing.T) {
	for name, spoil := range map[string]func(t *testing.T, dir string){
		"another file": func(t *testing.T, dir string) {
			write(t, dir, "awards.csv", strings.Replace(latin1Table, "2024", "2023", 1))
		},
		"a longer file": func(t *testing.T, dir string) {
			write(t, dir, "awards.csv", latin1Table+"x")
		},
		"another encoding": func(t *testing.T, dir string) { edit(t, dir, `"cp1252"`, `"iso-8859-1"`) },
		"another count":    func(t *testing.T, dir string) { edit(t, dir, `"replaced": 1`, `"replaced": 0`) },
		"another text": func(t *testing.T, dir string) {
			edit(t, dir, string(digest.Of([]byte("agency,year\nSanté,2024\n\ufffd,2025\n")).Hex()), strings.Repeat("0", 64))
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir, _ := latin1Source(t, map[string]string{"awards.csv": "cp1252"})
			spoil(t, dir)
			store, stored := openStore(t)
			_, err := store.Add(t.Context(), dir)
			requireFault(t, err, "awards.csv: it")
			require.Empty(t, visible(t, stored))
		})
	}
}

func edit(t *testing.T, dir, before, after string) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, bundle.ManifestName))
	require.NoError(t, err)
	require.Equal(t, 1, bytes.Count(data, []byte(before)))
	write(t, dir, bundle.ManifestName, strings.Replace(string(data), before, after, 1))
}
