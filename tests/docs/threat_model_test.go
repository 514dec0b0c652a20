package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const probesDir = "../security/container"

var (
	threatRow  = regexp.MustCompile(`(?m)^\| ([CIAE][0-9]+) \| .* \| ([^|]*) \|$`)
	probeName  = regexp.MustCompile("`([a-z0-9_]+)`")
	threatLine = regexp.MustCompile(`(?m)^Threats: (.*)$`)
)

// The page promises what the corpus shows, and names all of it.
func TestThreatModelNamesEveryProbe(t *testing.T) {
	page, err := os.ReadFile("../../docs/threat-model.md")
	require.NoError(t, err)
	named := map[string]map[string]bool{}
	for _, row := range threatRow.FindAllStringSubmatch(string(page), -1) {
		require.NotEmpty(t, strings.TrimSpace(row[2]), "%s has neither a probe nor a test", row[1])
		named[row[1]] = map[string]bool{}
		for _, name := range probeName.FindAllStringSubmatch(row[2], -1) {
			named[row[1]][name[1]] = true
		}
	}
	require.Len(t, named, 14+12+10+24)
	for threat, probes := range probesByThreat(t) {
		require.Contains(t, named, threat)
		for probe := range probes {
			require.True(t, named[threat][probe], "docs/threat-model.md: the row of %s lacks %s", threat, probe)
		}
		for name := range named[threat] {
			if !probes[name] {
				require.NoFileExists(t, filepath.Join(probesDir, name+".py"), "docs/threat-model.md: %s is not a probe of %s", name, threat)
				require.Fail(t, "docs/threat-model.md names a probe that does not exist", "%s: %s", threat, name)
			}
		}
	}
}

func probesByThreat(t *testing.T) map[string]map[string]bool {
	t.Helper()
	paths, err := filepath.Glob(probesDir + "/*.py")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	found := map[string]map[string]bool{}
	for _, path := range paths {
		source, err := os.ReadFile(path)
		require.NoError(t, err)
		line := threatLine.FindStringSubmatch(string(source))
		require.NotNil(t, line, path)
		for _, threat := range strings.Fields(line[1]) {
			if strings.HasPrefix(threat, "CVE-") {
				continue
			}
			if found[threat] == nil {
				found[threat] = map[string]bool{}
			}
			found[threat][strings.TrimSuffix(filepath.Base(path), ".py")] = true
		}
	}
	return found
}
