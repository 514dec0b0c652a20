package selftest

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"hotcell/internal/sarif"
)

// Rules of a SARIF log that stand for no threat.
const (
	ruleDefective = "probe.defective"
	ruleCanary    = "canary.lost"
)

// SARIF returns the report as SARIF 2.1.0: a rule for each threat, a result for each
// probe that was not held. version is the runner's, and where tells the file of a
// probe.
func (r Report) SARIF(version string, where func(Outcome) string) ([]byte, error) {
	var findings []sarif.Finding
	for _, bad := range r.Bad() {
		rule := ruleDefective
		if bad.Verdict == Escaped {
			rule = bad.Threats[0]
		}
		findings = append(findings, sarif.Finding{Rule: rule, Message: r.sentence(bad), Path: where(bad)})
	}
	for _, lost := range r.Lost() {
		findings = append(findings, sarif.Finding{Rule: ruleCanary, Message: lost.Name + ": " + lost.Detail, Path: "tests/security"})
	}
	subject := sarif.Subject{Policy: r.Policy, PolicySHA256: r.PolicySHA256, Version: version}
	return sarif.Containment(subject, r.rules(), findings)
}

func (r Report) sentence(bad Outcome) string {
	return fmt.Sprintf("%s (%s, %s, %s): %s %s", bad.Probe, bad.Suite, bad.Mode, strings.Join(bad.Threats, " "), bad.Title, bad.Detail)
}

// rules lists every threat that a probe tried, with what the probes of it try.
func (r Report) rules() []sarif.Rule {
	titles := map[string][]string{}
	for _, outcome := range r.Outcomes {
		for _, threat := range outcome.Threats {
			if !slices.Contains(titles[threat], outcome.Title) {
				titles[threat] = append(titles[threat], outcome.Title)
			}
		}
	}
	rules := []sarif.Rule{
		{ID: ruleCanary, Text: "Nothing of the host is changed, reached or left behind by a run."},
		{ID: ruleDefective, Text: "Every probe says that it escaped or that it was held, or is ended for what it did."},
	}
	for _, threat := range slices.Sorted(maps.Keys(titles)) {
		rules = append(rules, sarif.Rule{ID: threat, Text: "Threat " + threat + " is held. Probes: " + strings.Join(titles[threat], " ")})
	}
	return rules
}
