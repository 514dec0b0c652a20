package selftest

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// A number of another processor's is another call: a probe that makes it would be
// refused for what it did not try.
func TestProbesAreToldTheNumbersOfThisProcessor(t *testing.T) {
	script, err := Probe{Name: "try_it"}.Script(Facts{})
	require.NoError(t, err)
	require.Contains(t, string(script), `CALLS = json.loads("{\"`+machine()+`\":{`)
	require.Contains(t, string(script), fmt.Sprintf(`\"mount\":%d,`, unix.SYS_MOUNT))
	require.NotContains(t, string(script), `"@calls@"`)
}
