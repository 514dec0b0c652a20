package sarif

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	subject  = Vetting{Policy: "study-analysis", PolicySHA256: sha256, Version: "1"}
	promises = []Rule{{"C5", "No network."}, {"attack.defective", "An attack proves something."}}
)

func TestContainmentIsValidSARIF(t *testing.T) {
	for name, broken := range map[string][]Broken{
		"nothing got out":       nil,
		"something got out":     {{"C5", "network: it reached the host", "attacks/probes/network.py"}},
		"a hostile message":     {{"C5", "<b>\x1b[31m\xff", "a b.py"}},
		"an attack with a path": {{"attack.defective", "x", "/srv/ü.py"}},
	} {
		t.Run(name, func(t *testing.T) {
			report, err := Containment(subject, promises, broken)
			require.NoError(t, err)
			require.NoError(t, valid(t, report))
			var got log
			require.NoError(t, json.Unmarshal(report, &got))
			require.Len(t, got.Runs[0].Results, len(broken))
			require.NotNil(t, got.Runs[0].Results)
		})
	}
}

func TestContainmentRefusesAFindingWithoutARule(t *testing.T) {
	_, err := Containment(subject, promises, []Broken{{"C6", "x", "y.py"}})
	require.ErrorContains(t, err, `unknown rule "C6"`)
}
