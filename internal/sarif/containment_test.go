package sarif

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	subject  = Subject{Policy: "study-analysis", PolicySHA256: source.PolicySHA256, Version: "1"}
	promises = []Rule{{"C5", "No network."}, {"probe.defective", "A probe proves something."}}
)

func TestContainmentIsValidSARIF(t *testing.T) {
	for name, findings := range map[string][]Finding{
		"nothing got out":     nil,
		"something got out":   {{"C5", "network: it reached the host", "tests/security/container/network.py"}},
		"a hostile message":   {{"C5", "<b>\x1b[31m\xff", "a b.py"}},
		"a probe with a path": {{"probe.defective", "x", "/srv/ü.py"}},
	} {
		t.Run(name, func(t *testing.T) {
			report, err := Containment(subject, promises, findings)
			require.NoError(t, err)
			require.NoError(t, valid(t, report))
			var got log
			require.NoError(t, json.Unmarshal(report, &got))
			require.Len(t, got.Runs[0].Results, len(findings))
			require.NotNil(t, got.Runs[0].Results)
		})
	}
}

func TestContainmentRefusesAFindingWithoutARule(t *testing.T) {
	_, err := Containment(subject, promises, []Finding{{"C6", "x", "y.py"}})
	require.ErrorContains(t, err, `unknown rule "C6"`)
}
