// Package architecture_test holds the direction of dependencies that
// docs/lifecycle.md draws; .golangci.yml holds it too, for those who lint.
package architecture_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// layers from the top to the bottom. A package imports its own layer only where
// sameLayer says so, and never a higher one.
var layers = [][]string{
	{"hotcell/cmd/runner"},
	{"hotcell/tests/security"}, // the corpus, which the command carries
	{"hotcell/internal/selftest"},
	{"hotcell/internal/container/oci", "hotcell/internal/container/docker", "hotcell/internal/container/fake"},
	{"hotcell/internal/runner"},
	{"hotcell/internal/records"},
	{"hotcell/internal/seccomp/killlog", "hotcell/internal/seccomp/trace"},
	{"hotcell/internal/output", "hotcell/internal/policy", "hotcell/internal/bundle", "hotcell/internal/wire", "hotcell/internal/tool", "hotcell/internal/image", "hotcell/internal/seccomp", "hotcell/internal/sarif", "hotcell/internal/doctor"},
	{"hotcell/internal/container"},
	{"hotcell/internal/container/cgroup", "hotcell/internal/container/apparmor"},
	{"hotcell/internal/job", "hotcell/internal/panics", "hotcell/internal/beneath", "hotcell/internal/durable", "hotcell/internal/strictjson", "hotcell/internal/userns", "hotcell/policies", "hotcell/images/python-analysis"},
}

// engines may import only these of the project.
var enginesMayImport = []string{"hotcell/internal/container", "hotcell/internal/container/apparmor", "hotcell/internal/container/cgroup", "hotcell/internal/durable", "hotcell/internal/job", "hotcell/internal/panics"}

func TestDependenciesPointOneWay(t *testing.T) {
	rank := map[string]int{}
	for depth, layer := range layers {
		for _, name := range layer {
			rank[name] = depth
		}
	}
	for name, imports := range packages(t) {
		if strings.HasPrefix(name, "hotcell/tests/") || strings.HasSuffix(name, "/containertest") || strings.HasSuffix(name, "/imagetest") {
			continue // behaviour suites and tests may look at everything
		}
		own, known := rank[name]
		require.True(t, known, "%s stands in no layer: add it to the layers above and to docs/lifecycle.md", name)
		for _, imported := range imports {
			require.Greater(t, rank[imported], own, "%s imports %s, which is not below it", name, imported)
		}
	}
}

func TestEnginesKnowNothingAboveTheirContract(t *testing.T) {
	for name, imports := range packages(t) {
		if name == "hotcell/internal/container/oci" || name == "hotcell/internal/container/docker" {
			require.Subset(t, enginesMayImport, imports, name)
		}
	}
}

func TestJobNeedsTheStandardLibraryOnly(t *testing.T) {
	listed, err := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", "hotcell/internal/job").Output()
	require.NoError(t, err)
	require.Equal(t, "hotcell/internal/job", strings.TrimSpace(string(listed)))
}

// packages lists the project's packages with the project's packages that they
// import, tests left out.
func packages(t *testing.T) map[string][]string {
	t.Helper()
	listed, err := exec.CommandContext(t.Context(), "go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "hotcell/...").Output()
	require.NoError(t, err)
	all := map[string][]string{}
	for line := range strings.Lines(string(listed)) {
		fields := strings.Fields(line)
		all[fields[0]] = []string{}
		for _, imported := range fields[1:] {
			if strings.HasPrefix(imported, "hotcell/") {
				all[fields[0]] = append(all[fields[0]], imported)
			}
		}
	}
	require.NotEmpty(t, all)
	return all
}
