package sarif

import (
	"encoding/json"
	"fmt"
	"slices"
)

// Subject is what a self-test was about.
type Subject struct {
	Policy       string
	PolicySHA256 string
	Version      string // of the runner
}

// Rule is a promise that a finding breaks. ID is stable, for example "C5".
type Rule struct{ ID, Text string }

// Finding is one broken promise. Rule is the id of one of the rules; Path names the
// file that a reader should look at.
type Finding struct{ Rule, Message, Path string }

// Containment returns the SARIF log of a self-test as indented JSON. Without findings
// it is a log with no results.
func Containment(subject Subject, promises []Rule, findings []Finding) ([]byte, error) {
	rules := make([]rule, 0, len(promises))
	for _, promise := range promises {
		text := message{promise.Text}
		rules = append(rules, rule{
			ID: promise.ID, ShortDescription: text, FullDescription: text, Help: text,
			DefaultConfiguration: configuration{Level: "error"},
		})
	}
	results := make([]result, 0, len(findings)) // null would mean that nothing was looked for
	for _, finding := range findings {
		index := slices.IndexFunc(rules, func(r rule) bool { return r.ID == finding.Rule })
		if index < 0 {
			return nil, fmt.Errorf("write SARIF: finding has the unknown rule %q", finding.Rule)
		}
		results = append(results, result{
			RuleID: finding.Rule, RuleIndex: &index, Level: "error", Kind: "fail", Message: message{finding.Message},
			Locations: []physical{{physicalLocation{ArtifactLocation: location{URI: uri(finding.Path)}}}},
		})
	}
	text, err := json.MarshalIndent(log{
		Schema: schemaURI, Version: "2.1.0",
		Runs: []run{{
			Tool:        tool{driver{Name: "hotcell", Version: subject.Version, Rules: rules}},
			Invocations: []invocation{{ExecutionSuccessful: true}},
			ColumnKind:  "unicodeCodePoints",
			Properties:  properties{Policy: subject.Policy, PolicySHA256: subject.PolicySHA256},
			Results:     results,
		}},
	}, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("write SARIF: %w", err)
	}
	return append(text, '\n'), nil
}
