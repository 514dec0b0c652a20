package docs_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const root = "../.."

// lifecycle is a page that tells where things are, by the headings of its tables.
type lifecycle struct {
	text  string
	names *declared
}

func readLifecycle(t *testing.T) lifecycle {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "docs/lifecycle.md"))
	require.NoError(t, err)
	return lifecycle{string(text), readDeclared(t)}
}

// TestEveryNameInTheLifecycleIsThere resolves what the page writes as code: a file, a
// folder, something that is declared, a command or a flag of the runner.
func TestEveryNameInTheLifecycleIsThere(t *testing.T) {
	page := readLifecycle(t)
	spans := codeSpan.FindAllStringSubmatch(withoutBlocks(page.text), -1)
	require.Greater(t, len(spans), 100)
	var stale []string
	for _, span := range spans {
		for _, name := range unfold(span[1]) {
			if !page.resolves(name) {
				stale = append(stale, name)
			}
		}
	}
	require.Empty(t, stale, "docs/lifecycle.md: these are no file, folder, package, declared name, command or flag: correct the page")
}

// TestTheLifecycleHasALineForEachFolder fails for a package or a top-level folder
// without a line, and for one with two.
func TestTheLifecycleHasALineForEachFolder(t *testing.T) {
	page := readLifecycle(t)
	lines := map[string]int{}
	for _, row := range page.table(t, "folder") {
		for _, span := range codeSpan.FindAllStringSubmatch(row[0], -1) {
			for _, name := range unfold(span[1]) {
				require.DirExists(t, filepath.Join(root, name))
				lines[name]++
			}
		}
	}
	for _, folder := range slices.Concat(packageFolders(t), topFolders(t), dataFolders(t)) {
		require.Equal(t, 1, lines[folder], "docs/lifecycle.md: the table of folders has not one line for %s", folder)
	}
}

func TestANewcomersQuestionsHaveAnswers(t *testing.T) {
	rows := readLifecycle(t).table(t, "to change")
	require.GreaterOrEqual(t, len(rows), 10)
	for _, row := range rows {
		require.Regexp(t, codeSpan, row[1], row[0])
	}
}

// kinds are words for which a package's name in front says which one is meant: what
// implements a contract, a policy's section on a thing, the form that it has on the
// wire or in a report, and what test suites have of their own.
var kinds = []string{"Engine", "Session", "Record", "Violation", "Report", "Control", "Call"}

// TestEachWordHasOneMeaning: a word stands in one row, and where the row gives it a type
// of its own name, no other package exports a type of that name but of the kinds above.
func TestEachWordHasOneMeaning(t *testing.T) {
	page := readLifecycle(t)
	seen, shared := map[string]bool{}, map[string][]string{}
	for _, row := range page.table(t, "word") {
		for word := range strings.SplitSeq(row[0], ", ") {
			require.False(t, seen[word], "docs/lifecycle.md: %s stands in two rows", word)
			seen[word] = true
		}
		for _, home := range typeInPackage.FindAllStringSubmatch(row[2], -1) {
			if packages := page.names.types[home[2]]; strings.EqualFold(home[2], row[0]) && len(packages) > 1 && !slices.Contains(kinds, home[2]) {
				shared[home[2]] = packages
			}
		}
	}
	for _, kind := range kinds {
		require.Greater(t, len(page.names.types[kind]), 1, "%s needs no exception", kind)
	}
	require.Empty(t, shared, "exported by several packages: one word, one meaning (docs/lifecycle.md)")
	require.Greater(t, len(seen), 20)
}

var (
	codeSpan      = regexp.MustCompile("`([^`\n]+)`")
	typeInPackage = regexp.MustCompile("`([a-z0-9]+)\\.([A-Z][A-Za-z]*)`")
	braces        = regexp.MustCompile(`^(.*)\{([^{}]*)\}(.*)$`)
	goName        = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*$`)
)

// unfold makes "a/{b,c}" two names.
func unfold(name string) []string {
	parts := braces.FindStringSubmatch(name)
	if parts == nil {
		return []string{name}
	}
	var names []string
	for choice := range strings.SplitSeq(parts[2], ",") {
		names = append(names, unfold(parts[1]+choice+parts[3])...)
	}
	return names
}

// withoutBlocks leaves out the drawings, whose lines are indented.
func withoutBlocks(text string) string {
	return regexp.MustCompile(`(?m)^    .*$`).ReplaceAllString(text, "")
}

// table returns the cells of each row of the table whose first heading is given.
func (l lifecycle) table(t *testing.T, heading string) [][]string {
	t.Helper()
	_, below, found := strings.Cut(l.text, "\n| "+heading+" |")
	require.True(t, found, "docs/lifecycle.md has no table of %s", heading)
	var rows [][]string
	for line := range strings.Lines(below[strings.Index(below, "\n")+1:]) {
		if !strings.HasPrefix(line, "|") {
			break
		}
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		for index := range cells {
			cells[index] = strings.TrimSpace(cells[index])
		}
		rows = append(rows, cells)
	}
	return rows[1:] // the line of dashes
}

// foreign are names of other things than this project's.
var foreign = []string{
	"os.Root", "hotcell.slice", "/etc/hotcell/policies", "memory.max", "pids.max", "oom_kill", "no_new_privs", "error", "setns", "make demo",
}

func (l lifecycle) resolves(name string) bool {
	switch {
	case slices.Contains(foreign, name):
		return true
	case strings.HasPrefix(name, "runner "), strings.HasPrefix(name, "--"), strings.HasPrefix(name, "make "):
		return l.isTyped(name)
	case isPath(name):
		return true
	default:
		return goName.MatchString(name) && l.names.has(name)
	}
}

// isPath looks for a path from the top, and for a Go package's from internal.
func isPath(name string) bool {
	for _, base := range []string{"", "internal", "images/python-analysis/guard/src/hotcell_guard"} {
		found, err := filepath.Glob(filepath.Join(root, base, name))
		if err == nil && len(found) > 0 {
			return true
		}
	}
	return false
}

// isTyped tells of a command or flag whether the command's sources declare it.
func (l lifecycle) isTyped(text string) bool {
	for word := range strings.FieldsSeq(text) {
		switch flag, isFlag := strings.CutPrefix(word, "--"); {
		case isFlag && !strings.Contains(l.names.command, `"`+flag+`"`):
			return false
		case !isFlag && word == strings.ToLower(word) && !strings.Contains(l.names.command, `"`+word) && word != "runner" && word != "0":
			return false
		}
	}
	return true
}

func packageFolders(t *testing.T) []string {
	t.Helper()
	listed, err := exec.CommandContext(t.Context(), "go", "list", "hotcell/...").Output()
	require.NoError(t, err)
	var folders []string
	for name := range strings.Lines(string(listed)) {
		folders = append(folders, strings.TrimPrefix(strings.TrimSpace(name), "hotcell/"))
	}
	return folders
}

// dataFolders are those without Go, but the guard's own, of which its README is the map.
func dataFolders(t *testing.T) []string {
	t.Helper()
	var folders []string
	for _, above := range []string{"attacks", "docs", "images/python-analysis", "policies"} {
		entries, err := os.ReadDir(filepath.Join(root, above))
		require.NoError(t, err)
		for _, entry := range entries {
			if entry.IsDir() {
				folders = append(folders, above+"/"+entry.Name())
			}
		}
	}
	return folders
}

// topFolders leaves out what is made there: .gitignore names it.
func topFolders(t *testing.T) []string {
	t.Helper()
	ignored, err := os.ReadFile(filepath.Join(root, ".gitignore"))
	require.NoError(t, err)
	entries, err := os.ReadDir(root)
	require.NoError(t, err)
	var folders []string
	for _, entry := range entries {
		name := entry.Name()
		if entry.IsDir() && name != ".git" && !strings.HasSuffix(name, "_cache") && !strings.Contains(string(ignored), "/"+name+"/\n") {
			folders = append(folders, name)
		}
	}
	return slices.DeleteFunc(folders, func(name string) bool { return slices.Contains(packageFolders(t), name) })
}
