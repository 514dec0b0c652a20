package beneath_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"hotcell/internal/beneath"
	"hotcell/tests/vectors"
)

func TestCheckPathJudgesEachVector(t *testing.T) {
	classes := []string{vectors.Accepted}
	for _, fault := range beneath.PathFaults() {
		classes = append(classes, string(fault))
	}
	vectors.Run(t, vectors.Load(t, "paths"), classes, func(t *testing.T, vector vectors.Vector) string {
		err := beneath.CheckPath(string(vector.Bytes(t)))
		if err == nil {
			return vectors.Accepted
		}
		refused, ok := errors.AsType[*beneath.PathError](err)
		require.True(t, ok)
		return string(refused.Fault)
	})
}

func TestNamesFindsClashes(t *testing.T) {
	for name, test := range map[string]struct{ first, second, clash string }{
		"case":                {"Table.csv", "table.CSV", "Table.csv"},
		"case of a directory": {"A/x", "a/y", "A"},
		"sharp s":             {"straße", "STRASSE", "straße"},
		"compatibility":       {"ﬁle", "file", "ﬁle"},
		"full width":          {"ａ", "a", "ａ"},
		"kelvin":              {"K", "k", "K"},
		"the same twice":      {"a/b", "a/b", ""},
		"siblings":            {"a/b", "a/c", ""},
		"Turkish dotless i":   {"ı", "i", ""}, // no common file system folds these
	} {
		t.Run(name, func(t *testing.T) {
			var names beneath.Names
			require.Empty(t, names.Add(test.first))
			require.Equal(t, test.clash, names.Add(test.second))
		})
	}
}

func TestEscapeIsPrintableAndBounded(t *testing.T) {
	require.Equal(t, "plain/name é.csv", beneath.Escape("plain/name é.csv"))
	require.Equal(t, `a\n\x1b[2J\u202eb\xff\\`, beneath.Escape("a\n\x1b[2J\u202eb\xff\\"))
	long := beneath.Escape(strings.Repeat("\xff\u202e", 5000))
	require.LessOrEqual(t, len(long), 300)
	require.True(t, utf8.ValidString(long))
}

func FuzzCheckPath(f *testing.F) {
	for _, vector := range vectors.Load(f, "paths") {
		f.Add(string(vector.Bytes(f)))
	}
	f.Fuzz(func(t *testing.T, path string) {
		escaped := beneath.Escape(path)
		require.True(t, utf8.ValidString(escaped))
		require.False(t, strings.ContainsAny(escaped, "\n\r\x1b\x00"))
		if beneath.CheckPath(path) == nil {
			require.False(t, strings.HasPrefix(path, "/"))
			require.True(t, filepath.IsLocal(path))
			require.Equal(t, filepath.Clean(path), path)
			require.Equal(t, beneath.CheckPath(path+"/x") == nil, len(path)+2 <= beneath.MaxPath)
		}
	})
}
