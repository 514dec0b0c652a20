package bundle_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/beneath"
	"hotcell/internal/bundle"
)

// TestManifestCorrupted changes one thing at a time in a good manifest.
func TestManifestCorrupted(t *testing.T) {
	for name, test := range map[string]struct{ old, new, fault string }{
		"a second document":         {"\n}\n", "\n}\n{}", "not valid JSON"},
		"an unknown name":           {`"study"`, `"note": "", "study"`, `"note": the name is unknown`},
		"a name twice":              {`"study"`, `"name": "x", "study"`, "the name appears twice"},
		"a case variant":            {`"study"`, `"Study"`, `"Study": the name is unknown`},
		"another format":            {`"version": 1`, `"version": 2`, "this program reads version 1"},
		"no format":                 {`"version": 1,`, ``, `lacks "version"`},
		"no study":                  {`"study": "IRB 2026-17",`, ``, `lacks "study"`},
		"a null":                    {`"study": "IRB 2026-17"`, `"study": null`, `lacks "study"`},
		"no size":                   {`"bytes": 14,`, ``, `lacks "files/0/bytes"`},
		"a negative size":           {`"bytes": 14`, `"bytes": -14`, "out of range"},
		"sizes beyond counting":     {`"bytes": 14`, `"bytes": 9223372036854775807`, "out of range"},
		"a fraction":                {`"bytes": 14`, `"bytes": 14.5`, `"files/0/bytes"`},
		"a number as a text":        {`"bytes": 14`, `"bytes": "14"`, `"files/0/bytes"`},
		"a way out":                 {`"README.md"`, `"../README.md"`, "leads out"},
		"an absolute path":          {`"README.md"`, `"/etc/passwd"`, "absolute"},
		"an unclean path":           {`"README.md"`, `"data/./x"`, "begins with"},
		"a bidirectional override":  {`"README.md"`, `"a\u202eb"`, "unprintable"},
		"a NUL":                     {`"README.md"`, `"a\u0000b"`, "unprintable"},
		"a path twice":              {`"README.md"`, `"data/visits.csv"`, "named twice"},
		"a clash of case":           {`"README.md"`, `"Data/x"`, "cannot be distinguished from"},
		"the manifest itself":       {`"README.md"`, `"bundle.json"`, "the name is the manifest's"},
		"a hash in capitals":        {`"sha256": "`, `"sha256": "A`, "sha256 is not 64"},
		"a media type that is none": {`"text/markdown"`, `"text"`, "is not a media type"},
		"a table of another type":   {`"text/markdown"`, `"text/markdown", "table": "t"`, "a table must be"},
		"a keyword for a table":     {`"table": "visits"`, `"table": "lambda"`, "rename the file"},
		"a builtin for a table":     {`"table": "visits"`, `"table": "print"`, "rename the file"},
		"a dunder for a table":      {`"table": "visits"`, `"table": "__builtins__"`, "Python name"},
		"a foreign letter":          {`"table": "visits"`, `"table": "vıs"`, "Python name"},
		"one table twice":           {`"table": "visits"`, `"table": "patients"`, "is also that of"},
		"an unknown method":         {`"safe_harbor"`, `"none"`, "method must be"},
		"a date that is none":       {`"2026-01-31"`, `"21.11.2026"`, "must be a date"},
		"an escape sequence":        {`"Ada Example"`, `"\u001b[2J"`, "unprintable"},
		"invalid UTF-8":             {"Ada", "\xff", "not valid JSON"},
	} {
		t.Run(name, func(t *testing.T) {
			store, dir := openStore(t)
			src := source(t)
			path := filepath.Join(src, bundle.ManifestName)
			data, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Contains(t, string(data), test.old)
			overwrite(t, path, strings.Replace(string(data), test.old, test.new, 1))
			_, err = store.Add(t.Context(), src)
			requireFault(t, err, test.fault)
			require.Empty(t, visible(t, dir))
		})
	}
}

func TestManifestCutAnywhereIsRefused(t *testing.T) {
	store, _ := openStore(t)
	src := source(t)
	path := filepath.Join(src, bundle.ManifestName)
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	for length := 0; length < len(data)-1; length += 7 {
		overwrite(t, path, string(data[:length]))
		_, err := store.Add(t.Context(), src)
		requireFault(t, err, bundle.ManifestName)
	}
}

func TestManyFaultsMakeOneSentence(t *testing.T) {
	manifest := bundle.Manifest{Version: 1}
	for range 100 {
		manifest.Files = append(manifest.Files, bundle.DataFile{Path: "\x1b"})
	}
	err := manifest.Validate()
	requireFault(t, err, "and 99 more")
	require.Less(t, len(err.Error()), 2000)
}

func FuzzManifest(f *testing.F) {
	good, err := os.ReadFile("testdata/bundle.json")
	require.NoError(f, err)
	f.Add(good)
	f.Add([]byte(strings.Replace(string(good), "README.md", "../x", 1)))
	f.Add([]byte(`{"version":1,"name":"a","files":[{"path":"a/b","bytes":0}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		manifest, err := bundle.ParseManifest(data)
		if err != nil {
			var fault *bundle.FaultError
			require.ErrorAs(t, err, &fault)
			require.NotContains(t, err.Error(), "\n")
			require.NotContains(t, err.Error(), "\x1b")
			return
		}
		for _, file := range manifest.Files {
			require.NoError(t, beneath.CheckPath(file.Path))
			require.True(t, filepath.IsLocal(file.Path))
		}
	})
}
