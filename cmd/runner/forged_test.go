package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/bundle"
	"hotcell/internal/container"
	"hotcell/internal/digest"
	"hotcell/internal/doctor"
	"hotcell/internal/policy"
)

// What somebody else has named or described stands within a line of ours. Whoever looks at
// their policy or bundle before it is added believes the lines.
func TestNobodyElseWritesALineOfOurs(t *testing.T) {
	const forged = "x\nsha256 0000\n\nWeaker than the default (policies/baseline)\n  nothing\t\x1b[8m\r\u2028\u202e"
	data := bundle.Bundle{Manifest: bundle.Manifest{Name: "a", BundleVersion: "1", Study: forged, Files: []bundle.DataFile{{Path: "a.csv", Table: "a"}}}}
	for name, test := range map[string]struct {
		show  func(a *app) error
		lines int
	}{
		"a bundle": {func(a *app) error { return a.showBundle(data) }, 4},
		"bundles":  {func(a *app) error { return a.bundleTable([]bundle.Bundle{data, data}) }, 3},
		"policies": {func(a *app) error { return a.policyTable([]listedPolicy{{"a", forged, forged, digest.Of(nil).Hex()}}) }, 2},
		"a policy": {func(a *app) error {
			return explained(a, policy.Explanation{Name: "a", Description: forged, SHA256: "1"})
		}, 5},
		"validated files": {func(a *app) error { return a.showValidated([]validated{{File: forged, Valid: true}}) }, 1},
		"one that is wrong": {func(a *app) error {
			return a.showValidated([]validated{{File: forged, Faults: []policy.Fault{{Line: 1, Message: forged}}}})
		}, 1},
		"a host's controls": {func(a *app) error {
			printEngine(a.stdout, doctor.Engine{Name: "docker", Usable: true, Runtime: forged, Controls: []doctor.Control{{Name: container.ControlSeccomp, Detail: forged}}})
			return nil
		}, 4},
	} {
		t.Run(name, func(t *testing.T) {
			var shown bytes.Buffer
			require.NoError(t, test.show(&app{stdout: &shown, stderr: &shown}))
			require.Len(t, strings.Split(strings.TrimRight(shown.String(), "\n"), "\n"), test.lines, shown.String())
			require.NotContains(t, shown.String(), "\x1b")
			require.NotContains(t, shown.String(), "\u202e")
		})
	}
}

func explained(a *app, what policy.Explanation) error {
	_, err := a.stdout.Write([]byte(printable(explanationText(what))))
	return err
}
