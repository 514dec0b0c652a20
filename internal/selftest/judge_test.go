package selftest

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/job"
)

const token = "TOKENTOKEN"

func probe(name string, ends ...job.Status) Probe {
	return Probe{Name: name, Title: "Tries " + name + ".", Threats: []string{"C5", "E11"}, Contract: Confidentiality, Ends: ends}
}

func caseOf(p Probe, mode Mode) testCase {
	return testCase{name: p.Name, title: p.Title, suite: Suite(p.Contract), threats: p.Threats, mode: mode, ends: p.Ends, claim: p.Claim}
}

func TestJudge(t *testing.T) {
	sigsys := &job.Error{Type: "SIGSYS", Message: "bpf"}
	for name, test := range map[string]struct {
		result job.Result
		ends   []job.Status
		mode   Mode
		want   Verdict
	}{
		"an escape":                               {result: job.Result{Status: job.Succeeded, Stdout: "ESCAPED:p it\n"}, want: Escaped},
		"an escape on stderr":                     {result: job.Result{Status: job.Succeeded, Stderr: "x\nESCAPED:p\n"}, want: Escaped},
		"an escape after a word of being held":    {result: job.Result{Status: job.Succeeded, Stdout: "HELD:p:no\nESCAPED:p it\n"}, want: Escaped},
		"an escape whose run was ended":           {result: job.Result{Status: job.TimedOut, Stdout: "ESCAPED:p it\n"}, ends: []job.Status{job.TimedOut}, want: Escaped},
		"an escape with the guard on":             {result: job.Result{Status: job.Failed, Stdout: "ESCAPED:p it\n"}, mode: GuardOn, want: Escaped},
		"a secret in stdout":                      {result: job.Result{Status: job.Succeeded, Stdout: "HELD:p:" + token}, want: Escaped},
		"a secret in stderr":                      {result: job.Result{Status: job.Killed, Stderr: token}, want: Escaped},
		"a secret in the result":                  {result: job.Result{Status: job.Succeeded, Stdout: "HELD:p:x", Value: json.RawMessage(`"` + token + `"`)}, want: Escaped},
		"a secret in an exception":                {result: job.Result{Status: job.Failed, Error: &job.Error{Message: token}}, want: Escaped},
		"held":                                    {result: job.Result{Status: job.Succeeded, Stdout: "HELD:p:EPERM\n"}, want: Held},
		"held, then a messy end":                  {result: job.Result{Status: job.OutputRejected, Stdout: "HELD:p:EPERM\n"}, want: Held},
		"killed by seccomp":                       {result: job.Result{Status: job.Killed, Error: sigsys}, want: Killed},
		"killed by another signal":                {result: job.Result{Status: job.Killed, Error: &job.Error{Type: "SIGSEGV"}}, want: Defective},
		"ended as it says":                        {result: job.Result{Status: job.OutOfMemory}, ends: []job.Status{job.OutOfMemory}, want: Ended},
		"ended as it does not say":                {result: job.Result{Status: job.OutOfMemory}, ends: []job.Status{job.TimedOut}, want: Defective},
		"silence":                                 {result: job.Result{Status: job.Succeeded}, want: Defective},
		"silence with the guard on":               {result: job.Result{Status: job.Succeeded}, mode: GuardOn, want: Defective},
		"another probe's word":                    {result: job.Result{Status: job.Succeeded, Stdout: "HELD:pp:EPERM\n"}, want: Defective},
		"an exception":                            {result: job.Result{Status: job.Failed}, want: Defective},
		"an exception with the guard on":          {result: job.Result{Status: job.Failed}, mode: GuardOn, want: Rejected},
		"rejected":                                {result: job.Result{Status: job.Rejected, Violations: []job.Violation{{Rule: "import.denied"}}}, mode: GuardOn, want: Rejected},
		"no Python, which the guard did not stop": {result: job.Result{Status: job.Rejected}, want: Defective},
	} {
		t.Run(name, func(t *testing.T) {
			mode := test.mode
			if mode == "" {
				mode = GuardOff
			}
			got, _ := caseOf(probe("p", test.ends...), mode).judge(test.result, token)
			require.Equal(t, test.want, got)
		})
	}
}

func TestJudgeOfAnAttemptOnTheGuard(t *testing.T) {
	attempt := Attempt{Name: "a", Class: "G01"}
	of := func(beyond bool) testCase {
		return testCase{name: "a", suite: GuardSuite, mode: GuardOn, beyondGuard: beyond, claim: attempt.Claim, ends: endings()}
	}
	escaped := job.Result{Status: job.Succeeded, Stdout: "ESCAPED:a"}
	for want, got := range map[Verdict][]Verdict{
		Escaped:  {first(of(false).judge(escaped, token)), first(of(true).judge(job.Result{Stdout: "ESCAPED:a " + token}, token))},
		Held:     {first(of(true).judge(escaped, token)), first(of(false).judge(job.Result{Status: job.Succeeded}, token))},
		Rejected: {first(of(false).judge(job.Result{Status: job.Rejected}, token)), first(of(false).judge(job.Result{Status: job.Failed}, token))},
		Ended:    {first(of(false).judge(job.Result{Status: job.TimedOut}, token))},
	} {
		for _, one := range got {
			require.Equal(t, want, one)
		}
	}
}

// TestWhatAHostMayLackIsNoEscape only where the run itself lacked it, and nothing of the host's
// came out.
func TestWhatAHostMayLackIsNoEscape(t *testing.T) {
	probe := testCase{name: "p", mode: GuardOff, control: "output_inodes", claim: Probe{Name: "p"}.Claim}
	with := func(active bool, printed string) job.Result {
		return job.Result{
			Status: job.Succeeded, Stdout: printed,
			Provenance: job.Provenance{Controls: []job.Control{{Name: "output_inodes", Active: active}, {Name: "seccomp"}}},
		}
	}
	require.Equal(t, Absent, first(probe.judge(with(false, "ESCAPED:p 65\n"), token)))
	require.Equal(t, Escaped, first(probe.judge(with(true, "ESCAPED:p 65\n"), token)))
	require.Equal(t, Escaped, first(probe.judge(with(false, "ESCAPED:p "+token+"\n"), token)))
	probe.control = ""
	require.Equal(t, Escaped, first(probe.judge(with(false, "ESCAPED:p 65\n"), token)))
}

func first(verdict Verdict, _ string) Verdict { return verdict }

func TestOnlyAWholeReportIsContained(t *testing.T) {
	good := Report{Outcomes: []Outcome{{Verdict: Held}, {Verdict: Killed}, {Verdict: Ended}, {Verdict: Rejected}, {Verdict: Absent}}, Canaries: []Canary{{Intact: true}}}
	require.True(t, good.Contained())
	require.False(t, Report{}.Contained(), "nothing was tried")
	for _, bad := range []Verdict{Escaped, Defective, ""} {
		report := good
		report.Outcomes = append([]Outcome{{Verdict: bad}}, good.Outcomes...)
		require.False(t, report.Contained(), bad)
		require.Len(t, report.Bad(), 1)
	}
	lost := good
	lost.Canaries = []Canary{intact("host_file", "changed")}
	require.False(t, lost.Contained())
	require.Equal(t, "changed", lost.Lost()[0].Detail)
}
