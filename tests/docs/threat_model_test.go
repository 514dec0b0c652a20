package docs_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/selftest"
)

var (
	threatRow = regexp.MustCompile(`(?m)^\| ([CIAE][0-9]+) \| .* \| ([^|]*) \|$`)
	probeName = regexp.MustCompile("`([a-z0-9_]+)`")
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
	require.Len(t, named, 14+14+10+24)
	for threat, probes := range probesByThreat(t) {
		require.Contains(t, named, threat)
		for probe := range probes {
			require.True(t, named[threat][probe], "docs/threat-model.md: the row of %s lacks %s", threat, probe)
		}
		for name := range named[threat] {
			require.True(t, probes[name], "docs/threat-model.md: %s is no probe of %s", name, threat)
		}
	}
}

func probesByThreat(t *testing.T) map[string]map[string]bool {
	t.Helper()
	attacks, err := selftest.BuiltIn()
	require.NoError(t, err)
	found := map[string]map[string]bool{}
	for _, probe := range attacks.Probes {
		for _, threat := range probe.Threats {
			if strings.HasPrefix(threat, "CVE-") {
				continue
			}
			if found[threat] == nil {
				found[threat] = map[string]bool{}
			}
			found[threat][probe.Name] = true
		}
	}
	return found
}
