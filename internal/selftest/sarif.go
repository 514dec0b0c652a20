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
	ruleDefective = "attack.defective"
	ruleCanary    = "canary.lost"
)

// SARIF returns the report as SARIF 2.1.0: a rule for each threat, a result for each
// attack that was not held. version is the runner's, and where tells its file.
func (r Report) SARIF(version string, where func(Outcome) string) ([]byte, error) {
	var broken []sarif.Broken
	for _, bad := range r.Bad() {
		rule := ruleDefective
		if bad.Verdict == Escaped {
			rule = bad.Threats[0]
		}
		broken = append(broken, sarif.Broken{Rule: rule, Message: r.sentence(bad), Path: where(bad)})
	}
	for _, lost := range r.Lost() {
		broken = append(broken, sarif.Broken{Rule: ruleCanary, Message: lost.Name + ": " + lost.Detail, Path: "attacks"})
	}
	subject := sarif.Vetting{Policy: r.Policy, PolicySHA256: r.PolicySHA256, Version: version}
	return sarif.Containment(subject, r.rules(), broken)
}

func (r Report) sentence(bad Outcome) string {
	return fmt.Sprintf("%s (%s, %s, %s): %s %s", bad.Attack, bad.Suite, bad.Mode, strings.Join(bad.Threats, " "), bad.Title, bad.Detail)
}

// rules lists every threat of an attack, with what the attacks of it try.
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
		{ID: ruleDefective, Text: "Every attack says that it escaped or that it was held, or is ended for what it did."},
	}
	for _, threat := range slices.Sorted(maps.Keys(titles)) {
		rules = append(rules, sarif.Rule{ID: threat, Text: "Threat " + threat + " is held. Attacks: " + strings.Join(titles[threat], " ")})
	}
	return rules
}
