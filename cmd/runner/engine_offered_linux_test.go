package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/policy"
	"hotcell/internal/runner"
	"hotcell/policies"
)

// TestAPolicyWithoutTheGuardIsNotThereForPrincipals: neither by its name nor among those that are.
func TestAPolicyWithoutTheGuardIsNotThereForPrincipals(t *testing.T) {
	catalog := policy.NewCatalog(policies.Files, "")
	names, err := catalog.Names()
	require.NoError(t, err)
	require.Contains(t, names, "containment-probe")
	for _, name := range []string{"containment-probe", "nosuch", ""} {
		_, err := toolsOf(catalog, policy.HostTools{})(name)
		require.ErrorIs(t, err, runner.ErrInput)
		require.ErrorContains(t, err, "study-analysis")
		require.NotContains(t, err.Error()[len("request cannot be run: there is no policy \"containment-probe\""):], "containment-probe")
	}
	_, err = toolsOf(catalog, policy.HostTools{})("interpreter")
	require.NoError(t, err)
}
