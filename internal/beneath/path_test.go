package beneath_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"hotcell/internal/beneath"
)

// Names that a person, or Windows, cannot tell from another's.
func TestCheckPathRefusesWhatShowsNothing(t *testing.T) {
	for _, name := range []string{
		"a\ufe0f.txt", "a\u3164.txt", "a\u115f.txt", "a\u1160", "a\uffa0", "a\u034f", "a\u2800", "a\u180b", "a\u17b4", "a\U000e0100", "a\u2065", "\u2800",
		"com\u00b9.txt", "LPT\u00b2", "a/com\u00b3", "\uff4e\uff55\uff4c.txt",
	} {
		require.Error(t, beneath.CheckPath(name), "%q", name)
	}
	for _, name := range []string{"com10.txt", "é.txt", "表.csv", "x².csv"} {
		require.NoError(t, beneath.CheckPath(name), "%q", name)
	}
}

// Names that are others to a program which Windows gives narrow characters.
func TestCheckPathRefusesWhatIsAnotherNameWhenItIsNarrow(t *testing.T) {
	for _, name := range []string{
		"\uff0e\uff0e", "\uff0e\uff0e/x.csv", "\u2025/x.csv", "\uff0ehidden", "\uff0drf", "\ufe63x", "\uff5eroot", "a\uff0fb", "a\uff3cb", "a\uff02 b", "\u2100", "a/\uff0e\uff0e/b",
		"a\u00a5..\u00a5..\u00a5b.csv", "a\u20a9b", "a\u2215b", "a\u2044b", "a\u2216b", "a\u2033 b", "\u2010rf", "\u2011rf", "\u2013rf", "\u2212rf.csv", "\u02dcroot", "C\uff1ax.csv", "a/\uff23\uff1ax",
	} {
		require.Error(t, beneath.CheckPath(name), "%q", name)
	}
	for _, name := range []string{"\u7d50\u679c\uff1a\u8868.csv", "\u8868\uff08\uff11\uff09.csv", "a\u2026.csv", "\uff41.csv", "\u00bd.csv", "a \u2013 b.csv", "x\u2212y.csv", "\u8868\uff1a1.csv"} {
		require.NoError(t, beneath.CheckPath(name), "%q", name)
	}
}

func TestCheckPathAccepts(t *testing.T) {
	for _, path := range []string{
		"a", "figure 1.png", "tables/age_by-arm.csv", "Größe.csv", "数据/表.csv", "a.b.c", "x_", "nul-model.csv", "console.txt",
		"p=0.05 (n=12), [95% CI].csv", strings.Repeat("a", 255),
	} {
		require.NoError(t, beneath.CheckPath(path), path)
	}
}

func TestCheckPathRefuses(t *testing.T) {
	for name, path := range map[string]string{
		"nothing":                        "",
		"an absolute path":               "/etc/passwd",
		"the directory itself":           ".",
		"the parent":                     "..",
		"a way out":                      "a/../../b",
		"a way round":                    "a/../b",
		"a doubled slash":                "a//b",
		"a slash at the end":             "a/",
		"a dot in the middle":            "a/./b",
		"a hidden file":                  ".bashrc",
		"a hidden directory":             "a/.ssh/keys",
		"an option":                      "-rf",
		"a home directory":               "~root",
		"a NUL":                          "a\x00b",
		"a newline":                      "a\nb",
		"an escape sequence":             "a\x1b[2Jb",
		"a C1 control":                   "a\u009bb",
		"a bidirectional override":       "a\u202egnp.exe",
		"a bidirectional isolate":        "a\u2066b",
		"a zero-width space":             "a\u200bb",
		"a byte order mark":              "\ufeffa",
		"a line separator":               "a\u2028b",
		"a no-break space":               "a\u00a0b",
		"a private character":            "a\ue000b",
		"a tag character":                "a\U000e0041b",
		"invalid UTF-8":                  "a\xffb",
		"an overlong slash":              "a\xc0\xafb",
		"a surrogate":                    "a\xed\xa0\x80b",
		"a decomposed letter":            "Gro\u0308ße",
		"a backslash":                    `a\b`,
		"a colon":                        "a:b",
		"a star":                         "a*b",
		"a space at the end":             "a ",
		"a space at the start":           " a",
		"a dot at the end":               "a.",
		"a Windows device":               "NUL",
		"a Windows device with an end":   "a/com1.csv",
		"a Windows device before spaces": "aux .txt",
		"a long name":                    strings.Repeat("a", 256),
		"a long path":                    strings.Repeat("a/", 600) + "b",
	} {
		t.Run(name, func(t *testing.T) { require.Error(t, beneath.CheckPath(path)) })
	}
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
	for _, seed := range []string{"a/b", "../x", "a\x00", "Gro\u0308ße", "nul.txt", "\u202e"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, path string) {
		escaped := beneath.Escape(path)
		require.True(t, utf8.ValidString(escaped))
		require.False(t, strings.ContainsAny(escaped, "\n\r\x1b\x00"))
		if beneath.CheckPath(path) == nil {
			require.False(t, strings.HasPrefix(path, "/"))
			require.NotContains(t, "/"+path+"/", "/../")
			require.NotContains(t, "/"+path+"/", "/./")
			require.Equal(t, beneath.CheckPath(path+"/x") == nil, len(path)+2 <= beneath.MaxPath)
		}
	})
}
