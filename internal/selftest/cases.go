package selftest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"hotcell/internal/job"
)

// testCase is one attack in one mode.
type testCase struct {
	name    string
	title   string
	suite   Suite
	threats []string
	mode    Mode
	ends    []job.Status
	// endless says that the clock is to end it. Such cases wait more than they work,
	// and have places of their own.
	endless bool
	// beyondGuard says that the guard is not expected to hold it: what it gets must
	// still stay in its sandbox.
	beyondGuard bool
	// control alone holds it, or "" for more than one.
	control string
	code    []byte
	runs    int // one after the other; the last one counts
	claim   func(stdout string) Claim
}

// cases makes one of every attack in every mode that the policy allows, in
// the order of the report.
func (s *suite) cases() ([]testCase, error) {
	var all []testCase
	for _, mode := range s.modes() {
		for _, probe := range s.options.Attacks.Probes {
			if !probe.RunsHere() {
				continue
			}
			made, err := s.probeCase(probe, mode)
			if err != nil {
				return nil, err
			}
			all = append(all, made)
		}
	}
	if slices.Contains(s.modes(), GuardOn) {
		for _, attempt := range s.options.Attacks.Attempts {
			all = append(all, s.attemptCase(attempt))
		}
	}
	slices.SortStableFunc(all, func(a, b testCase) int {
		return cmp.Or(
			cmp.Compare(slices.Index(suites(), a.suite), slices.Index(suites(), b.suite)),
			cmp.Compare(slices.Index([]Mode{GuardOff, GuardOn}, a.mode), slices.Index([]Mode{GuardOff, GuardOn}, b.mode)),
			cmp.Compare(a.name, b.name),
		)
	})
	return all, nil
}

func (s *suite) probeCase(probe Probe, mode Mode) (testCase, error) {
	facts := s.bait.Facts()
	endless := slices.Contains(probe.Ends, job.TimedOut)
	var err error
	if facts.Limits, err = s.limits(endless); err != nil {
		return testCase{}, err
	}
	code, err := probe.Script(facts)
	if err != nil {
		return testCase{}, err
	}
	return testCase{
		name: probe.Name, title: probe.Title, suite: Suite(probe.Contract), threats: probe.Threats,
		mode: mode, ends: probe.Ends, control: probe.Control, endless: endless, code: code, claim: probe.Claim, runs: max(1, probe.Runs),
	}, nil
}

func (s *suite) attemptCase(attempt Attempt) testCase {
	return testCase{
		name: attempt.Name, title: attempt.Title, suite: GuardSuite, threats: []string{attempt.Class}, mode: GuardOn,
		beyondGuard: attempt.Beyond, code: attempt.Script(s.bait.Facts()), claim: attempt.Claim, runs: 1,
		ends: endings(),
	}
}

// judge says what a run of a case means. token is the secret that lies on the host:
// where it is in anything that came out, something got out, whatever the attack says.
func (c testCase) judge(result job.Result, token string) (Verdict, string) {
	printed := result.Stdout + "\n" + result.Stderr
	claim := c.claim(result.Stdout)
	if c.claim(result.Stderr) == ClaimEscaped { // an attack whose stdout is gone still has a say
		claim = ClaimEscaped
	}
	switch {
	case strings.Contains(printed+string(result.Value)+failureText(result), token):
		return Escaped, "a secret of the host came out"
	case claim == ClaimEscaped && c.beyondGuard:
		return Held, "past the guard, and held by the container"
	case claim == ClaimEscaped && lacks(result, c.control):
		return Absent, c.control + ": " + evidence(printed)
	case claim == ClaimEscaped:
		return Escaped, evidence(printed)
	case result.Status == job.Rejected && c.mode == GuardOn:
		return Rejected, rejection(result)
	case result.Status == job.Killed && result.Error != nil && result.Error.Type == "SIGSYS":
		return Killed, result.Error.Message
	case slices.Contains(c.ends, result.Status):
		return Ended, ending(result)
	case claim == ClaimHeld:
		return Held, evidence(printed)
	case c.mode == GuardOn && result.Status == job.Failed:
		return Rejected, "while it ran: " + failureText(result)
	case c.suite == GuardSuite:
		return Held, string(result.Status)
	default:
		return Defective, fmt.Sprintf("it says neither that it escaped nor that it was held; its run %s", ending(result))
	}
}

// lacks tells whether the run had a sandbox without the control. The policy has accepted that,
// or there would have been no run.
func lacks(result job.Result, control string) bool {
	return slices.ContainsFunc(result.Provenance.Controls, func(one job.Control) bool { return one.Name == control && !one.Active })
}

// evidence is the first line in which an attack speaks.
func evidence(printed string) string {
	for line := range strings.Lines(printed) {
		if strings.Contains(line, "ESCAPED:") || strings.HasPrefix(line, "HELD:") {
			return short(line)
		}
	}
	return ""
}

func rejection(result job.Result) string {
	if len(result.Violations) == 0 {
		return "before it ran"
	}
	first := result.Violations[0]
	return fmt.Sprintf("before it ran: %s, line %d", first.Rule, first.Line)
}

func ending(result job.Result) string {
	text := string(result.Status)
	if result.Limit != "" {
		text += " (" + string(result.Limit) + ")"
	}
	if failure := failureText(result); failure != "" {
		text += ": " + failure
	}
	return text
}

func failureText(result job.Result) string {
	if result.Error == nil {
		return ""
	}
	return short(result.Error.Type + ": " + result.Error.Message)
}

// short keeps foreign text from filling a report.
func short(text string) string {
	const most = 200
	text = strings.TrimSpace(text)
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}
