package selftest_test

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"hotcell/internal/selftest"
	"hotcell/tests/security"
)

func load(file, source string) ([]selftest.Attempt, error) {
	return selftest.LoadAttempts(fstest.MapFS{file: {Data: []byte(source)}})
}

func TestEveryClassOfAttemptsIsInASelfTest(t *testing.T) {
	attempts, err := security.Attempts()
	require.NoError(t, err)
	selected := map[string]bool{}
	for _, attempt := range attempts {
		selected[attempt.Class] = selected[attempt.Class] || attempt.Selected
	}
	require.Len(t, selected, 13)
	for class, has := range selected {
		require.True(t, has, class)
	}
}

func TestAnAttemptIsToldItsPlaces(t *testing.T) {
	attempts, err := load("G01/a.py", "\"\"\"Tries.\nBytes: escaped\nHeld by: the sandbox\n\"\"\"\nx = '@CANARY@ @OUTSIDE@ @PORT@ <<41>><<3 times ab>>'\n")
	require.NoError(t, err)
	require.True(t, attempts[0].Beyond)
	facts := selftest.Facts{Secret: "/a/b", TCPPort: 7}
	require.Equal(t, "x = '/a/b /a 7 Aababab'\n", string(attempts[0].Script(facts)))
	require.Equal(t, selftest.ClaimEscaped, attempts[0].Claim("ESCAPED:a"))
	require.Equal(t, selftest.ClaimNone, attempts[0].Claim("HELD:a:x"))
}

func TestLoadAttemptsRefuses(t *testing.T) {
	for name, test := range map[string]struct{ source, fault string }{
		"no doc string":       {"x = 1", "G01/a.py:1: does not begin with a doc string"},
		"an empty doc string": {`""" """`, "G01/a.py:1: does not begin"},
		"an unknown line":     {"\"\"\"Tries.\nSandbox: no\n\"\"\"", `G01/a.py:2: unknown line "Sandbox: no"`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := load("G01/a.py", test.source)
			require.ErrorContains(t, err, test.fault)
		})
	}
	_, err := load("a.py", "")
	require.ErrorContains(t, err, "there is no .py file")
}
