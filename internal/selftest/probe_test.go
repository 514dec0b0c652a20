package selftest

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"hotcell/internal/job"
)

const wholeProbe = `"""Tries something.

Threats: E11 CVE-2022-0492
Contract: integrity
Ends: timed_out killed
Runs: 2
Held by: seccomp alone
Processor: x86_64
Unproven: a kernel may be built without it
"""

run(attack)
`

func loadProbes(files map[string]string) ([]Probe, error) {
	fsys := fstest.MapFS{}
	for name, source := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(source)}
	}
	return LoadProbes(fsys)
}

func TestLoadProbesReadsEveryField(t *testing.T) {
	probes, err := loadProbes(map[string]string{"try_it.py": wholeProbe, "README.md": "no probe"})
	require.NoError(t, err)
	require.Equal(t, []Probe{{
		Name: "try_it", Title: "Tries something.", Source: "\nrun(attack)\n", Threats: []string{"E11", "CVE-2022-0492"},
		Contract: Integrity, Ends: []job.Status{job.TimedOut, job.Killed}, Runs: 2, SeccompOnly: true,
		Processor: "x86_64", Unproven: "a kernel may be built without it",
	}}, probes)
}

func TestLoadProbesRefuses(t *testing.T) {
	replaced := func(old, replacement string) string { return strings.Replace(wholeProbe, old, replacement, 1) }
	for _, test := range []struct{ name, source, fault string }{
		{"no doc string", "import os\n", "try_it.py:1: does not begin with a doc string"},
		{"an unknown field", replaced("Runs: 2", "Walks: 2"), `try_it.py:6: unknown field "Walks": known are Threats, Contract, Ends, Runs, Held by, Control, Processor, Unproven`},
		{"an odd threat", replaced("E11", "E-11"), `try_it.py:3: Threats is "E-11 CVE-2022-0492": write ids`},
		{"no Threats line", replaced("Threats: E11 CVE-2022-0492\n", ""), "try_it.py:1: the doc string lacks the line Threats"},
		{"no Contract line", replaced("Contract: integrity\n", ""), "try_it.py:1: the doc string lacks the line Contract"},
		{"an unknown contract", replaced("integrity", "safety"), `try_it.py:4: Contract is "safety"`},
		{"an ending that proves nothing", replaced("timed_out", "succeeded"), `try_it.py:5: Ends is "succeeded killed"`},
		{"a third run", replaced("Runs: 2", "Runs: 3"), `try_it.py:6: Runs is "3": write 2`},
		{"an unknown holder", replaced("seccomp alone", "luck"), `try_it.py:7: Held by is "luck"`},
		{"an unknown processor", replaced("x86_64", "i386"), `try_it.py:8: Processor is "i386"`},
		{"a huge file", wholeProbe + strings.Repeat("#", maxAttack), "try_it.py: is not a regular file"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := loadProbes(map[string]string{"try_it.py": test.source})
			require.ErrorContains(t, err, test.fault)
		})
	}
}

func TestLoadProbesReportsAllFaults(t *testing.T) {
	_, err := loadProbes(map[string]string{"a.py": "", "b.py": wholeProbe, "c.py": wholeProbe, "D.py": wholeProbe})
	require.ErrorContains(t, err, "a.py:1:")
	require.ErrorContains(t, err, `c.py:1: its title "Tries something." is that of b.py`)
	require.ErrorContains(t, err, "D.py: its name must have")
	_, err = loadProbes(nil)
	require.ErrorContains(t, err, "there is no .py file")
}

// What is told to a probe comes from the host's own names, which may hold anything.
func TestScriptQuotesWhatItFillsIn(t *testing.T) {
	probe := Probe{Name: "try_it", Source: "run(attack)\n"}
	script, err := probe.Script(Facts{Secret: "/a\"b'c\\d\n", Abstract: "@name@", Limits: job.Limits{PIDs: 7}})
	require.NoError(t, err)
	require.Contains(t, string(script), `NAME = "try_it"`)
	require.Contains(t, string(script), `\\\"b'c`)
	require.Contains(t, string(script), `\"PIDs\":7`)
	require.NotContains(t, string(script), `"@host@"`)
	require.True(t, strings.HasSuffix(string(script), probe.Source))
}

func TestAProbeOfAnotherProcessorDoesNotRunHere(t *testing.T) {
	require.True(t, Probe{}.RunsHere())
	require.True(t, Probe{Processor: machine()}.RunsHere())
	other := "aarch64"
	if machine() == other {
		other = "x86_64"
	}
	require.False(t, Probe{Processor: other}.RunsHere())
}

func TestClaim(t *testing.T) {
	probe := Probe{Name: "try_it"}
	for stdout, want := range map[string]Claim{
		"":                                     ClaimNone,
		"HELD:try_it:EPERM\n":                  ClaimHeld,
		"HELD:try_it_too:EPERM\n":              ClaimNone,
		"words\nHELD:try_it:EPERM\n":           ClaimNone,
		"ESCAPED:try_it evidence\n":            ClaimEscaped,
		"words ESCAPED:try_it evidence\n":      ClaimEscaped,
		"ESCAPED:try_it\n":                     ClaimEscaped,
		"ESCAPED:try_it_too evidence\n":        ClaimNone,
		"HELD:try_it:x\nESCAPED:try_it more\n": ClaimEscaped,
	} {
		require.Equal(t, want, probe.Claim(stdout), stdout)
	}
}
