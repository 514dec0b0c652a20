package selftest_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"hotcell/internal/selftest"
)

func loadAttempts(files map[string]string) ([]selftest.Attempt, error) {
	fsys := fstest.MapFS{}
	for name, source := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(source)}
	}
	return selftest.LoadAttempts(fsys)
}

func TestEveryClassOfAttemptsIsInASelfTest(t *testing.T) {
	attacks, err := selftest.BuiltIn()
	require.NoError(t, err)
	selected := map[string]bool{}
	for _, attempt := range attacks.Attempts {
		selected[attempt.Class] = selected[attempt.Class] || attempt.Selected
	}
	require.Len(t, selected, 13)
	for class, has := range selected {
		require.True(t, has, class)
	}
}

func TestAnAttemptIsToldItsPlaces(t *testing.T) {
	attempts, err := loadAttempts(map[string]string{"G01/a.py": "\"\"\"Tries.\n\nBytes: escaped\nHeld by: the sandbox\n\"\"\"\nx = '@CANARY@ @OUTSIDE@ @PORT@ <<41>><<3 times ab>>'\n"})
	require.NoError(t, err)
	require.True(t, attempts[0].Beyond)
	facts := selftest.Facts{Secret: "/a/b", TCPPort: 7}
	require.Equal(t, "x = '/a/b /a 7 Aababab'\n", string(attempts[0].Script(facts)))
	require.Equal(t, selftest.ClaimEscaped, attempts[0].Claim("ESCAPED:a"))
	require.Equal(t, selftest.ClaimNone, attempts[0].Claim("HELD:a:x"))
}

func TestLoadAttemptsRefuses(t *testing.T) {
	const whole = "\"\"\"Tries.\n\nSelected: yes\n\"\"\"\n"
	for name, test := range map[string]struct {
		files map[string]string
		fault string
	}{
		"no doc string":           {map[string]string{"G01/a.py": "x = 1"}, "G01/a.py:1: does not begin with a doc string"},
		"an unknown field":        {map[string]string{"G01/a.py": strings.Replace(whole, "Selected", "Sandbox", 1)}, `G01/a.py:3: unknown field "Sandbox": known are Bytes, Selected, Held by`},
		"an unknown value":        {map[string]string{"G01/a.py": strings.Replace(whole, "yes", "no", 1)}, `G01/a.py:3: Selected is "no": write yes`},
		"an unknown class":        {map[string]string{"odd/a.py": whole}, "odd/a.py: is in no directory of a class"},
		"a name in two classes":   {map[string]string{"G01/a.py": whole, "G02/a.py": whole}, "G02/a.py:1: its name a is that of G01/a.py"},
		"a name with other signs": {map[string]string{"G01/a-b.py": whole}, "G01/a-b.py: its name must have"},
		"none":                    {nil, "there is no .py file"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := loadAttempts(test.files)
			require.ErrorContains(t, err, "load attempt")
			require.ErrorContains(t, err, test.fault)
		})
	}
}
