package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWhatIsNearlyANameIsNamed(t *testing.T) {
	known := []string{"run", "session", "check", "policy", "bundle", "ls", "output-numbered"}
	for given, want := range map[string]string{
		"rn": "run", "urn": "run", "runn": "run", "sesion": "session", "polcy": "policy", "bundles": "bundle", "output-number": "output-numbered",
		"rm": "", "x": "", "": "", "frobnicate": "", strings.Repeat("x", 100): "",
	} {
		got := meant(given, "--", known)
		if want == "" {
			require.Empty(t, got, given)
			continue
		}
		require.Equal(t, ": maybe you meant --"+want, got, given)
	}
}
