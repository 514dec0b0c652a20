package sarif

import (
	"encoding/json"
	"fmt"
	"slices"

	"hotcell/internal/digest"
)

// Vetting is what a self-test was about, or what scripts were vetted by.
type Vetting struct {
	Policy       string
	PolicySHA256 digest.Hex
	Version      string // of the runner
}

// Rule is a promise. ID is stable, for example "C5".
type Rule struct{ ID, Text string }

// Broken is a promise that was not kept. Rule is the id of one of them; Path names the
// file that a reader should look at.
type Broken struct{ Rule, Message, Path string }

// Containment returns the SARIF log of a self-test as indented JSON. With none broken
// it is a log with no results.
func Containment(subject Vetting, promises []Rule, broken []Broken) ([]byte, error) {
	rules := make([]rule, 0, len(promises))
	for _, promise := range promises {
		text := message{promise.Text}
		rules = append(rules, rule{
			ID: promise.ID, ShortDescription: text, FullDescription: text, Help: text,
			DefaultConfiguration: configuration{Level: "error"},
		})
	}
	results := make([]result, 0, len(broken)) // null would mean that nothing was looked for
	for _, one := range broken {
		index := slices.IndexFunc(rules, func(r rule) bool { return r.ID == one.Rule })
		if index < 0 {
			return nil, fmt.Errorf("write SARIF: a promise has the unknown rule %q", one.Rule)
		}
		results = append(results, result{
			RuleID: one.Rule, RuleIndex: &index, Level: "error", Kind: "fail", Message: message{one.Message},
			Locations: []physical{{physicalLocation{ArtifactLocation: location{URI: uri(one.Path)}}}},
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
