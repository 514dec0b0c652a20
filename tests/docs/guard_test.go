package docs_test

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/selftest"
)

// leastOfAClass keeps a class a class: one attempt is a case.
const leastOfAClass = 10

var (
	findingRow  = regexp.MustCompile(`(?m)^\| ([a-z][^|]*) \| [^|]* \| (` + "`[^|]*`" + `) \|$`)
	attemptName = regexp.MustCompile("`([a-z0-9_]+\\*?)`")
	inModule    = regexp.MustCompile("`(_[a-z][a-z_]*)(?:\\.(\\w+))?`")
)

// TestGuardDesignNamesWhatIsThere resolves each module of the guard that the page
// names, and what the page names in one.
func TestGuardDesignNamesWhatIsThere(t *testing.T) {
	page, err := os.ReadFile("../../docs/guard-design.md")
	require.NoError(t, err)
	names := inModule.FindAllStringSubmatch(string(page), -1)
	require.Greater(t, len(names), 20)
	for _, name := range names {
		files, err := filepath.Glob(guardOf + "src/hotcell_guard/*/" + name[1] + ".py")
		require.NoError(t, err)
		require.Len(t, files, 1, "docs/guard-design.md names %s", name[0])
		source, err := os.ReadFile(files[0])
		require.NoError(t, err)
		require.Regexp(t, `\b`+name[2]+`\b`, string(source), "docs/guard-design.md names %s", name[0])
	}
}

// TestEveryClassOfFindingsIsAClass holds the page's table of what fresh eyes found to
// the corpus: each class has its attempts, and each name is one.
func TestEveryClassOfFindingsIsAClass(t *testing.T) {
	page, err := os.ReadFile("../../docs/guard.md")
	require.NoError(t, err)
	_, section, found := strings.Cut(string(page), "### What fresh eyes found\n")
	require.True(t, found)
	section, _, _ = strings.Cut(section, "\n## ")
	rows := findingRow.FindAllStringSubmatch(section, -1)
	require.GreaterOrEqual(t, len(rows), 7)
	for _, row := range rows {
		var attempts []string
		for _, name := range attemptName.FindAllStringSubmatch(row[2], -1) {
			matches := attemptsLike(t, name[1])
			require.NotEmpty(t, matches, "docs/guard.md, %s: there is no attempt %s", row[1], name[1])
			attempts = append(attempts, matches...)
		}
		require.GreaterOrEqual(t, len(attempts), leastOfAClass, "docs/guard.md, %s", row[1])
	}
}

func attemptsLike(t *testing.T, pattern string) []string {
	t.Helper()
	attacks, err := selftest.BuiltIn()
	require.NoError(t, err)
	var names []string
	for _, attempt := range attacks.Attempts {
		like, err := path.Match(pattern, attempt.Name)
		require.NoError(t, err)
		if like {
			names = append(names, attempt.Name)
		}
	}
	return names
}
