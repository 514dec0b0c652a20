package wire

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// guardRules is the guard's list of what a variable cannot be called.
const guardRules = "../../images/python-analysis/guard/src/hotcell_guard/vetting/_rules.py"

func TestReservedNamesAreThoseOfTheGuard(t *testing.T) {
	source, err := os.ReadFile(guardRules)
	require.NoError(t, err)
	sum := regexp.MustCompile(`(?m)^RESERVED_NAMES: Final = (.+)$`).FindStringSubmatch(string(source))
	require.NotNil(t, sum, "RESERVED_NAMES is written in another way")
	var want []string
	for name := range strings.SplitSeq(sum[1], " | ") {
		want = append(want, frozenset(t, string(source), name)...)
	}
	slices.Sort(want)
	require.Greater(t, len(want), 100)
	require.Equal(t, slices.Compact(want), strings.Fields(reservedNames))
}

// frozenset reads NAME: Final = frozenset(…) of words in a text or a tuple.
func frozenset(t *testing.T, source, name string) []string {
	t.Helper()
	found := regexp.MustCompile(`(?ms)^` + name + `: Final = frozenset\((\n.+?\n|[^\n]+)\)$`).FindStringSubmatch(source)
	require.NotNil(t, found, name)
	if _, text, ok := strings.Cut(found[1], `"""`); ok {
		words, rest, ended := strings.Cut(text, `"""`)
		require.True(t, ended && strings.TrimSpace(rest) == ".split()", name)
		return strings.Fields(words)
	}
	return quotedNames(found[1])
}

func quotedNames(text string) []string {
	var names []string
	for _, match := range regexp.MustCompile(`"(\w+)"`).FindAllStringSubmatch(text, -1) {
		names = append(names, match[1])
	}
	return names
}

func TestIsReserved(t *testing.T) {
	for name, want := range map[string]bool{
		"print": true, "DATA": true, "result": true, "__import__": true, "zip": true, "ArithmeticError": true,
		"class": true, "False": true, "yield": true,
		"visits": false, "pd": false, "Print": false, "prin": false, "match": false, "": false, "print\nquit": false,
	} {
		require.Equal(t, want, IsReserved(name), name)
	}
}
