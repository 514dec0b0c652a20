package docker

import (
	"testing"

	"github.com/stretchr/testify/require"

	pythonanalysis "hotcell/images/python-analysis"
	"hotcell/internal/bundle"
)

// TestFactsAreThoseOfTheirHome: an engine imports neither bundles nor the image, so it
// repeats what it has to know of them.
func TestFactsAreThoseOfTheirHome(t *testing.T) {
	require.Equal(t, bundle.ManifestName, bundleManifest)
	require.Equal(t, bundle.MaxManifest, maxManifest)
	require.Equal(t, pythonanalysis.Interpreter, holderCommand[0])
}
