// Package sarif writes what the vetting of a script has found as SARIF 2.1.0, for
// code-scanning services and editors.
//
// It only translates: what a violation means is decided by the guard. cmd/runner is
// its caller. The structures hold the few properties that are used; a library for
// the whole standard would be larger than this command line.
package sarif

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"hotcell/internal/digest"
	"hotcell/internal/job"
)

// guardRules is a copy of the guard's table RULES: the id of each rule with a
// paragraph of help. A test compares the two.
//
//go:embed rules.json
var guardRules []byte

// hostRules are what the host refuses by itself, before there is a sandbox.
var hostRules = map[string]string{
	"source.empty": "The script is empty. Write one, or check that the right file was named.",
	"source.size":  "The script is larger than the policy allows. Split it, or read data from the bundle instead of writing it into the script.",
}

// Script is one that was vetted, and what was found in it.
type Script struct {
	Path string // as the user named it, or "stdin.py"
	// Bytes and SHA256 are of the file.
	Bytes  int
	SHA256 digest.Hex
	// Violations without a line are about the file.
	Violations []job.Violation
	// Unread says why the file could not be read, else "": nothing else is known of it.
	Unread string
}

const schemaURI = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

// Report returns the SARIF log of scripts as indented JSON. Without violations it is a log
// with no results, which is what clean files have.
func Report(subject Vetting, files []Script) ([]byte, error) {
	rules, err := allRules()
	if err != nil {
		return nil, err
	}
	looked := make([]file, 0, len(files))
	found := []result{} // null would mean that nothing was looked for
	ending := invocation{ExecutionSuccessful: true}
	for _, one := range files {
		at := location{URI: uri(one.Path)}
		if one.Unread != "" {
			ending.ExecutionSuccessful = false
			ending.Notifications = append(ending.Notifications, notification{"error", message{one.Unread}, []physical{{physicalLocation{ArtifactLocation: at}}}})
			continue
		}
		looked = append(looked, file{
			Location: at, Length: one.Bytes, SourceLanguage: "python", Encoding: "UTF-8",
			Hashes: map[string]string{"sha-256": string(one.SHA256)},
		})
		found = append(found, results(one.Violations, rules, at)...)
	}
	text, err := json.MarshalIndent(log{
		Schema: schemaURI, Version: "2.1.0",
		Runs: []run{{
			Tool:        tool{driver{Name: "hotcell", Version: subject.Version, Rules: rules}},
			Invocations: []invocation{ending},
			Artifacts:   looked,
			ColumnKind:  "unicodeCodePoints", // the guard counts characters
			Properties:  properties{Policy: subject.Policy, PolicySHA256: subject.PolicySHA256},
			Results:     found,
		}},
	}, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("write SARIF: %w", err)
	}
	return append(text, '\n'), nil
}

func results(violations []job.Violation, rules []rule, at location) []result {
	all := make([]result, 0, len(violations))
	for _, violation := range violations {
		one := result{
			RuleID: violation.Rule, Level: "error", Kind: "fail", Message: message{violation.Message},
			Locations: []physical{{physicalLocation{ArtifactLocation: at}}},
		}
		if index := slices.IndexFunc(rules, func(r rule) bool { return r.ID == violation.Rule }); index >= 0 {
			one.RuleIndex = &index
		}
		if violation.Line > 0 {
			one.Locations[0].PhysicalLocation.Region = &region{violation.Line, max(violation.Column, 1)}
		}
		all = append(all, one)
	}
	return all
}

// allRules returns every rule that a script can break, by id.
func allRules() ([]rule, error) {
	texts := map[string]string{}
	if err := json.Unmarshal(guardRules, &texts); err != nil { //nolint:forbidigo // our own text
		return nil, fmt.Errorf("read rules: %w", err)
	}
	maps.Copy(texts, hostRules)
	var rules []rule
	for _, id := range slices.Sorted(maps.Keys(texts)) {
		first, _, _ := strings.Cut(texts[id], ". ")
		rules = append(rules, rule{
			ID: id, ShortDescription: message{strings.TrimSuffix(first, ".") + "."},
			FullDescription: message{texts[id]}, Help: message{texts[id]},
			DefaultConfiguration: configuration{Level: "error"},
		})
	}
	return rules, nil
}

// RuleIDs are the ids of every rule that a script can break, sorted.
func RuleIDs() ([]string, error) {
	rules, err := allRules()
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(rules))
	for index, one := range rules {
		ids[index] = one.ID
	}
	return ids, nil
}

// uri is a path as RFC 3986 wants it: relative ones stay so, for the reader to
// resolve against its checkout.
func uri(path string) string {
	slashed := filepath.ToSlash(path)
	if filepath.IsAbs(path) {
		return (&url.URL{Scheme: "file", Path: slashed}).String()
	}
	return (&url.URL{Path: slashed}).String()
}
