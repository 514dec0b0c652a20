package architecture_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/require"
)

// rule is one of depguard's in .golangci.yml, as far as this project uses them.
type rule struct {
	Files    []string `yaml:"files"`
	ListMode string   `yaml:"list-mode"`
	Allow    []string `yaml:"allow"`
	Deny     []struct {
		Package string `yaml:"pkg"`
	} `yaml:"deny"`
}

// readRules returns the rules by their names.
func readRules(t *testing.T) map[string]rule {
	t.Helper()
	text, err := os.ReadFile("../../.golangci.yml")
	require.NoError(t, err)
	var config struct {
		Linters struct {
			Settings struct {
				Depguard struct {
					Rules map[string]rule `yaml:"rules"`
				} `yaml:"depguard"`
			} `yaml:"settings"`
		} `yaml:"linters"`
	}
	require.NoError(t, yaml.Unmarshal(text, &config))
	rules := config.Linters.Settings.Depguard.Rules
	require.NotEmpty(t, rules)
	for name, each := range rules {
		require.NoError(t, each.fault(), name)
	}
	return rules
}

// fault is what this test or depguard would read otherwise than it looks.
func (r rule) fault() error {
	if r.ListMode != "lax" && r.ListMode != "strict" {
		return fmt.Errorf("list-mode is %q: without lax or strict, depguard does not let a name in allow precede one in deny", r.ListMode)
	}
	for _, list := range [][]string{r.Allow, r.denied()} {
		for _, short := range list {
			for _, long := range list {
				// depguard looks at one neighbour in the sorted list only.
				if short != long && !strings.HasSuffix(short, "$") && strings.HasPrefix(long, short) {
					return fmt.Errorf("%s is the beginning of %s, which depguard then does not find", short, long)
				}
			}
		}
	}
	for _, pattern := range r.Files {
		if !strings.HasPrefix(pattern, root) && pattern != "!$test" {
			return fmt.Errorf("%s begins with no ${config-path}: it could match elsewhere, too", pattern)
		}
	}
	return nil
}

func (r rule) denied() []string {
	names := make([]string, len(r.Deny))
	for i, each := range r.Deny {
		names[i] = each.Package
	}
	return names
}

const root = "${config-path}/"

// covers tells whether the rule is for a package, by its folder below the project.
func (r rule) covers(folder string) bool {
	for _, pattern := range r.Files {
		if below, ok := strings.CutPrefix(pattern, root); ok && glob(below).MatchString(folder+"/file.go") {
			return true
		}
	}
	return false
}

// glob is the linter's: ** goes through folders, * does not, {a,b} is a or b.
func glob(pattern string) *regexp.Regexp {
	return regexp.MustCompile("^" + strings.NewReplacer(
		"**", ".*", "*", "[^/]*", "{", "(?:", "}", ")", ",", "|", ".", `\.`,
	).Replace(pattern) + "$")
}

// allows tells whether a package of the project may be imported.
func (r rule) allows(imported string) bool {
	allowed, denied := longest(r.Allow, imported), longest(r.denied(), imported)
	if r.ListMode == "strict" {
		return allowed > denied
	}
	return denied == 0 || allowed > denied
}

// longest is the length of the longest of names that stands for a package, or 0.
func longest(names []string, imported string) int {
	most := 0
	for _, name := range names {
		exact, alone := strings.CutSuffix(name, "$")
		if imported == exact || !alone && strings.HasPrefix(imported, name) {
			most = max(most, len(name))
		}
	}
	return most
}

func TestARuleCoversAndAllowsAsTheLinterDoes(t *testing.T) {
	parts := rule{Files: []string{root + "internal/{wire,tool}/*.go", "!$test"}, ListMode: "lax", Allow: []string{"hotcell/internal/job$"}}
	parts.Deny = append(parts.Deny, struct {
		Package string `yaml:"pkg"`
	}{"hotcell"})
	require.True(t, parts.covers("internal/wire"))
	require.False(t, parts.covers("internal/wire/below"))
	require.False(t, parts.covers("tests/internal/wire"))
	require.True(t, rule{Files: []string{root + "cmd/**.go"}}.covers("cmd/runner"))
	require.True(t, parts.allows("hotcell/internal/job"))
	require.False(t, parts.allows("hotcell/internal/job/below"))
	require.False(t, parts.allows("hotcell/internal/runner"))
	require.True(t, parts.allows("os"))
	require.False(t, rule{ListMode: "strict", Allow: []string{"$gostd"}}.allows("hotcell/internal/wire"))
	require.NoError(t, parts.fault())

	parts.Allow = []string{"hotcell/internal", "hotcell/internal/job$"}
	require.ErrorContains(t, parts.fault(), "is the beginning of")
	require.ErrorContains(t, rule{}.fault(), "list-mode")
	require.ErrorContains(t, rule{ListMode: "lax", Files: []string{"**/internal/*.go"}}.fault(), "config-path")
}
