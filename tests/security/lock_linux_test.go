package security_test

import (
	"encoding/base64"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/seccomp"
	"hotcell/internal/selftest"
	"hotcell/policies"
)

// lockFirst stands before a probe's script. It imports what the script does, since
// no native code can be loaded afterwards, and locks the process with the guard's
// own code.
const lockFirst = `
import base64
%s
from hotcell_guard.confining import _lock
_lock.install(base64.b64decode(%q), None)
`

// lockedInterpreter runs a probe as interpreter does, in a locked process.
func lockedInterpreter(t *testing.T, probe selftest.Probe, facts selftest.Facts) []string {
	t.Helper()
	script, err := probe.Script(facts)
	require.NoError(t, err)
	program, err := stageTwo()
	require.NoError(t, err)
	start := fmt.Sprintf(lockFirst, strings.Join(imports(string(script)), "\n"), base64.StdEncoding.EncodeToString(program))
	// The script is compiled after the lock, as user code is.
	code := start + begins + "exec(compile(" + strconv.QuoteToASCII(string(script)) + ", '<probe>', 'exec'))"
	return []string{"/usr/bin/python3", "-sBP", "-c", code}
}

func imports(script string) []string {
	var found []string
	for line := range strings.Lines(script) {
		if strings.HasPrefix(line, "import ") {
			found = append(found, strings.TrimSpace(line))
		}
	}
	return found
}

// stageTwo is the shipped second filter, compiled for this machine.
var stageTwo = sync.OnceValues(func() ([]byte, error) {
	name := seccomp.UserCode("python-analysis")
	source, err := policies.Files.ReadFile("seccomp/" + name + ".json")
	if err != nil {
		return nil, err
	}
	profile, err := seccomp.Load(name, source)
	if err != nil {
		return nil, err
	}
	arch, known := seccomp.Native(runtime.GOARCH)
	if !known {
		return nil, fmt.Errorf("no filter for %s", runtime.GOARCH)
	}
	program, err := profile.Compile(arch)
	if err != nil {
		return nil, err
	}
	return program.Bytes(), nil
})
