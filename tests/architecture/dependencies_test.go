// Package architecture_test holds the direction of dependencies that
// docs/lifecycle.md draws. The rules are the linter's, in .golangci.yml: here they
// are checked for those who do not lint, and that they are about every package.
package architecture_test

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "hotcell/"

func TestEveryPackageStandsInOneRule(t *testing.T) {
	rules := readRules(t)
	for name := range packages(t) {
		covering := covering(rules, name)
		switch len(covering) {
		case 1:
		case 0:
			t.Errorf("%s stands in no rule of depguard in .golangci.yml: add its folder to the files of the rule for its layer, "+
				"its name to the allow lists of the rules for the packages that import it, and a row to docs/lifecycle.md", name)
		default:
			t.Errorf("%s stands in %d rules of depguard in .golangci.yml (%s): leave it in the one for its layer",
				name, len(covering), strings.Join(covering, ", "))
		}
	}
}

func TestDependenciesPointOneWay(t *testing.T) {
	rules := readRules(t)
	for name, imports := range packages(t) {
		for _, of := range covering(rules, name) {
			for _, imported := range imports {
				if !rules[of].allows(imported) {
					t.Errorf("%s imports %s, which the rule %q of depguard in .golangci.yml does not allow: "+
						"a package imports only those below it (docs/lifecycle.md)", name, imported, of)
				}
			}
		}
	}
}

// TestRulesAllowWhatIsImported: what a rule allows and nobody needs is a way that is open
// to whoever comes next.
func TestRulesAllowWhatIsImported(t *testing.T) {
	rules, all := readRules(t), packages(t)
	for of, each := range rules {
		imported := map[string]bool{}
		for name, imports := range all {
			for _, one := range imports {
				imported[one] = imported[one] || each.covers(strings.TrimPrefix(name, module))
			}
		}
		for _, pattern := range each.Allow {
			if exact, isExact := strings.CutSuffix(pattern, "$"); isExact && strings.HasPrefix(exact, module) && !imported[exact] {
				t.Errorf("the rule %q of depguard in .golangci.yml allows %s, which none of its packages imports: take it out", of, exact)
			}
		}
	}
}

// TestRulesPointOneWay: what the rules allow has no circle either, so that nobody can
// turn an arrow without touching a rule.
func TestRulesPointOneWay(t *testing.T) {
	rules := readRules(t)
	below := map[string][]string{}
	for name := range packages(t) {
		for of, each := range rules {
			if !slices.Contains(each.denied(), "hotcell") || !each.allows(name) {
				continue // the command and the tests, which nothing imports
			}
			for _, to := range covering(rules, name) {
				if to != of {
					below[of] = append(below[of], to)
				}
			}
		}
	}
	var walk func(of string, path []string)
	walk = func(of string, path []string) {
		require.NotContains(t, path, of, "these rules of depguard in .golangci.yml allow a circle")
		for _, to := range below[of] {
			walk(to, append(slices.Clone(path), of))
		}
	}
	for of := range rules {
		walk(of, nil)
	}
}

func TestJobNeedsTheStandardLibraryAndDigestsOnly(t *testing.T) {
	listed, err := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", "hotcell/internal/job").Output()
	require.NoError(t, err)
	require.Equal(t, "hotcell/internal/digest\nhotcell/internal/job", strings.TrimSpace(string(listed)))
}

// covering lists the rules that a package stands in.
func covering(rules map[string]rule, name string) []string {
	var found []string
	for of, each := range rules {
		if each.covers(strings.TrimPrefix(name, module)) {
			found = append(found, of)
		}
	}
	slices.Sort(found)
	return found
}

// TestOnlyStrictJSONKnowsItsLibrary: with one door, what one reader accepts another
// does not read otherwise.
func TestOnlyStrictJSONKnowsItsLibrary(t *testing.T) {
	listed, err := exec.CommandContext(t.Context(), "go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "hotcell/...").Output()
	require.NoError(t, err)
	var importers []string
	for line := range strings.Lines(string(listed)) {
		if strings.Contains(line, " github.com/go-json-experiment/") {
			importers = append(importers, strings.Fields(line)[0])
		}
	}
	require.Equal(t, []string{"hotcell/internal/strictjson"}, importers)
}

// packages lists the project's packages with the project's packages that they
// import on Linux or on a Mac, tests left out.
func packages(t *testing.T) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	for _, system := range []string{"GOOS=linux", "GOOS=darwin"} {
		list := exec.CommandContext(t.Context(), "go", "list", "-e", "-f", `{{.ImportPath}} {{join .Imports " "}}`, module+"...")
		list.Env = append(os.Environ(), system)
		listed, err := list.Output()
		require.NoError(t, err)
		for line := range strings.Lines(string(listed)) {
			fields := strings.Fields(line)
			all[fields[0]] = slices.Concat(all[fields[0]], slices.DeleteFunc(fields[1:], func(imported string) bool {
				return !strings.HasPrefix(imported, module)
			}))
		}
	}
	require.NotEmpty(t, all)
	return all
}
