package policy

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestARequestNarrowsImportsAndNothingElse(t *testing.T) {
	whole, _ := builtin(t, "interpreter")
	before := whole.Clone()
	same, err := whole.Narrowed(nil)
	require.NoError(t, err)
	require.Equal(t, whole, same)
	none, err := whole.Narrowed([]string{})
	require.NoError(t, err)
	require.Empty(t, none.Guard.Imports)
	narrow, err := whole.Narrowed([]string{"numpy.linalg", "math", "math"})
	require.NoError(t, err)
	require.Equal(t, []string{"math", "numpy.linalg"}, narrow.Guard.Imports)
	narrow.Guard.Imports = whole.Guard.Imports
	require.Equal(t, whole, narrow, "preloaded modules and all else stay")
	require.Equal(t, before, whole, "the policy itself is as it was")
}

func TestARequestCannotWidenImports(t *testing.T) {
	whole, _ := builtin(t, "interpreter")
	_, err := whole.Narrowed([]string{"math", "pandas", "numpy.fft.helper", ""})
	require.ErrorContains(t, err, "resolve policy interpreter: import \"pandas\" is not among the policy's")
	require.ErrorContains(t, err, "a request can only tighten")
	require.ErrorContains(t, err, "import \"numpy.fft.helper\" is not among the policy's")
	require.ErrorContains(t, err, "; it lists numpy, ")
	require.ErrorContains(t, err, `import ""`)
	require.NotContains(t, err.Error(), `import "math"`)
	probe, _ := builtin(t, "containment-probe")
	_, err = probe.Narrowed([]string{})
	require.ErrorContains(t, err, "has no guard")
}

// A request is bounded before it is compared, and its error too.
func TestARequestWithManyImportsCostsLittle(t *testing.T) {
	whole, _ := builtin(t, "interpreter")
	many := make([]string, 1_000_000)
	_, err := whole.Narrowed(many)
	require.ErrorContains(t, err, "a request may name at most 10000 imports, and this one names 1000000")
	for index := range 10_000 {
		many[index] = fmt.Sprint("pandas.x", index)
	}
	_, err = whole.Narrowed(many[:10_000])
	require.ErrorContains(t, err, "the other 9980 imports of the request were not looked at")
	require.Equal(t, 20, strings.Count(err.Error(), "a request can only tighten"))
	for index := range 10_000 {
		many[index] = "math"
	}
	narrow, err := whole.Narrowed(many[:10_000])
	require.NoError(t, err)
	require.Equal(t, []string{"math"}, narrow.Guard.Imports)
}
