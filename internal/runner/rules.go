package runner

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"hotcell/internal/digest"
	"hotcell/internal/policy"
	"hotcell/internal/wire"
)

// guardRules is what a policy says to the guard.
func guardRules(chosen policy.Policy) wire.Rules {
	guard := chosen.Guard
	rules := wire.Rules{
		Imports: guard.Imports, DeniedBuiltins: guard.DeniedBuiltins, DeniedAttributes: guard.DeniedAttributes,
		DeniedSyntax: guard.DeniedSyntax, MaxFigures: guard.MaxFigures, Inputs: guard.Inputs,
		Answer:    wire.Answer(chosen.Output.Answer),
		Unguarded: guard.Mode == policy.GuardOff,
	}
	if rules.Inputs == "" {
		rules.Inputs = wire.InputsNone
	}
	for _, name := range slices.Sorted(maps.Keys(guard.Preloaded)) {
		rules.Preloaded = append(rules.Preloaded, wire.Module{Name: name, Module: guard.Preloaded[name]})
	}
	return rules
}

// rulesVersion is the format of ExportedRules.
const rulesVersion = 1

// ExportedRules is one policy's part for the guard, for who replicates a run
// without a host: the policy's name and digest are those in the saved code's header.
type ExportedRules struct {
	Version      int        `json:"version"`
	Policy       string     `json:"policy"`
	PolicySHA256 digest.Hex `json:"policy_sha256"`
	Rules        wire.Rules `json:"rules"`
}

// ErrGuardOff is returned for a policy that has no rules, because its guard is off.
var ErrGuardOff = errors.New("the guard is off (guard.mode: off): there are no rules to vet by")

// ExportRules returns what a guard without a host needs of a policy. It never
// returns rules without a guard: there, no container would stand behind it.
func ExportRules(chosen policy.Policy) (ExportedRules, error) {
	if chosen.Guard.Mode == policy.GuardOff {
		return ExportedRules{}, fmt.Errorf("export rules of policy %s: %w", chosen.Name, ErrGuardOff)
	}
	rules := guardRules(chosen)
	rules.Imports, rules.Preloaded = orEmpty(rules.Imports), orEmpty(rules.Preloaded)
	rules.DeniedBuiltins, rules.DeniedAttributes = orEmpty(rules.DeniedBuiltins), orEmpty(rules.DeniedAttributes)
	rules.DeniedSyntax = orEmpty(rules.DeniedSyntax)
	return ExportedRules{Version: rulesVersion, Policy: chosen.Name, PolicySHA256: chosen.SHA256, Rules: rules}, nil
}
