package docs_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// links finds the targets of Markdown links that are not addresses.
var links = regexp.MustCompile(`\]\(([^)#:\s]+)(?:#[^)]*)?\)`)

// documents lists what is written for readers.
func documents(t *testing.T) []string {
	t.Helper()
	found := []string{"../../README.md", "../../CHANGELOG.md", "../../CONTRIBUTING.md", "../../SECURITY.md"}
	for _, top := range []string{"../../attacks", "../../docs", "../../images", "../../tests"} {
		require.NoError(t, filepath.WalkDir(top, func(path string, _ fs.DirEntry, err error) error {
			if strings.HasSuffix(path, ".md") {
				found = append(found, path)
			}
			return err
		}))
	}
	return found
}

func TestLinksLeadSomewhere(t *testing.T) {
	for _, document := range documents(t) {
		text, err := os.ReadFile(document)
		require.NoError(t, err)
		for _, link := range links.FindAllStringSubmatch(string(text), -1) {
			_, err := os.Stat(filepath.Join(filepath.Dir(document), filepath.FromSlash(link[1])))
			if err != nil {
				t.Errorf("%s links to %s, which is not there", document, link[1])
			}
		}
	}
}

func TestReadmeNamesEveryPolicy(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	policies, err := filepath.Glob("../../policies/*.yaml")
	require.NoError(t, err)
	require.NotEmpty(t, policies)
	for _, file := range policies {
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		require.Contains(t, string(readme), "["+name+"](docs/policies/"+name+".md)")
	}
}

// TestReadmeNamesEveryCommand asks the binary, so that a new command is told of.
func TestReadmeNamesEveryCommand(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	names := commands(t)
	require.Contains(t, names, "run")
	for _, name := range names {
		if name == "help" || name == "completion" || name == "version" {
			continue // every program of its kind has them
		}
		require.Contains(t, string(readme), "`runner "+name)
	}
}

// commands are those that `runner --help` lists.
func commands(t *testing.T) []string {
	t.Helper()
	output, err := exec.CommandContext(t.Context(), filepath.Join(runnerDir, "runner"), "--help").CombinedOutput()
	require.NoError(t, err)
	help := string(output)
	_, list, found := strings.Cut(help, "\nCommands:\n")
	require.True(t, found, help)
	list, _, found = strings.Cut(list, "\n\n")
	require.True(t, found, help)
	var names []string
	for line := range strings.Lines(list) {
		names = append(names, strings.Fields(line)[0])
	}
	return names
}
