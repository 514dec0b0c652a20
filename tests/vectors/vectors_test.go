package vectors

import (
	"os"
	"regexp"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

// TestTheReadmeListsEachClass: what it lists of a format is what the vectors expect.
func TestTheReadmeListsEachClass(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	sections := regexp.MustCompile("(?m)^## `([a-z]+)/`.*\n((?:[^#\n].*\n|\n)*)").FindAllStringSubmatch(string(readme), -1)
	told := map[string][]string{}
	for _, section := range sections {
		for _, row := range regexp.MustCompile("(?m)^\\| `([a-z_]+)` \\|").FindAllStringSubmatch(section[2], -1) {
			told[section[1]] = append(told[section[1]], row[1])
		}
	}
	formats, err := files.ReadDir(".")
	require.NoError(t, err)
	require.Len(t, told, len(formats))
	for _, format := range formats {
		entries, err := files.ReadDir(format.Name())
		require.NoError(t, err)
		expected := map[string]bool{}
		for _, entry := range entries {
			text, err := files.ReadFile(format.Name() + "/" + entry.Name())
			require.NoError(t, err)
			class := regexp.MustCompile(`\Aexpect: (.+)\ncomment: .+\n`).FindSubmatch(text)
			require.NotNil(t, class, "%s/%s begins with expect and comment", format.Name(), entry.Name())
			expected[string(class[1])] = true
		}
		for class := range expected {
			require.Contains(t, told[format.Name()], class, format.Name())
		}
		require.Len(t, told[format.Name()], len(expected), format.Name())
	}
}

func TestNoClassGoesUntested(t *testing.T) {
	all := []Vector{{Name: "one", Expect: "long"}, {Name: "two", Expect: Accepted}}
	require.Empty(t, unknown(all, []string{Accepted, "long"}))
	require.Equal(t, []string{`the class "deep" has no vector`}, unknown(all, []string{Accepted, "long", "deep"}))
	require.Equal(t, []string{`one expects the class "long", which is unknown`}, unknown(all, []string{Accepted}))
}

func TestAVectorIsReadStrictly(t *testing.T) {
	read := func(text string) ([]Vector, error) {
		return load(fstest.MapFS{"a_name.txt": {Data: []byte(text)}}, []string{"Mode"})
	}
	all, err := read("expect: long\ncomment: more than\n fits\nmode: run\n\n%00a\n\n")
	require.NoError(t, err)
	require.Len(t, all, 1)
	require.Equal(t, "a_name", all[0].Name)
	require.Equal(t, "long", all[0].Expect)
	require.Equal(t, "run", all[0].Fields["Mode"])
	require.Equal(t, []byte("\x00a\n"), all[0].Bytes(t))
	for name, text := range map[string]string{
		"no header":         "a\n",
		"no comment":        "expect: long\nmode: run\n\na\n",
		"an unknown field":  "expect: long\ncomment: c\nmode: run\nmood: good\n\na\n",
		"a field twice":     "expect: long\nexpect: long\ncomment: c\nmode: run\n\na\n",
		"an empty field":    "expect: long\ncomment:\nmode: run\n\na\n",
		"no end of line":    "expect: long\ncomment: c\nmode: run\n\na",
		"no line for it":    "expect: long\ncomment: c\nmode: run\n",
		"nothing of a file": "",
	} {
		_, err := read(text)
		require.Error(t, err, name)
	}
	for _, text := range []string{"%", "%0", "%zz"} {
		_, err := Unescape(text)
		require.Error(t, err)
	}
	sum, err := Unescape("1+1 %25")
	require.NoError(t, err)
	require.Equal(t, "1+1 %", string(sum))
}
