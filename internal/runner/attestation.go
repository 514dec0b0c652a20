package runner

import (
	"fmt"
	"slices"
	"strings"

	"hotcell/internal/bundle"
	"hotcell/internal/digest"
	"hotcell/internal/policy"
)

// checkAttestation holds what is attested of a bundle to what the policy accepts, on a day
// (YYYY-MM-DD). It says all that is lacking at once.
func checkAttestation(chosen policy.Policy, data *bundle.Bundle, today string) error {
	wanted := chosen.Attestation
	if data == nil || wanted == nil {
		return nil
	}
	said := data.Manifest.Deidentification
	var lacking []string
	if !slices.Contains(wanted.Methods, string(said.Method)) {
		lacking = append(lacking, fmt.Sprintf("it was de-identified by %s, and the policy accepts %s", said.Method, strings.Join(wanted.Methods, ", ")))
	}
	if len(wanted.Studies) > 0 && !slices.Contains(wanted.Studies, data.Manifest.Study) {
		lacking = append(lacking, fmt.Sprintf("it is of study %q, and the policy is for %s", data.Manifest.Study, strings.Join(wanted.Studies, ", ")))
	}
	if wanted.Expired != policy.ExpiredAccept && said.Expired(today) {
		lacking = append(lacking, fmt.Sprintf("its attestation ended on %s: have the data attested again, and add that as another version", said.ValidUntil))
	}
	if wanted.ValidUntil == policy.ValidUntilRequired && said.ValidUntil == "" {
		lacking = append(lacking, "its attestation does not say when it ends: attest it with `runner bundle create --valid-until DATE`, and add that as another version")
	}
	if problem := unsigned(wanted.Signers, data.SignedBy); problem != "" {
		lacking = append(lacking, problem+fmt.Sprintf(": whoever has such a key signs it with `runner bundle sign %s --key FILE`", data.Reference()))
	}
	if lacking == nil {
		return nil
	}
	return fmt.Errorf("policy %s does not accept the attestation of bundle %s: %s", chosen.Name, data, strings.Join(lacking, "; "))
}

// unsigned says which signature is lacking, or "".
func unsigned(accepted []string, by []digest.Digest) string {
	isOne := func(signer digest.Digest) bool { return slices.Contains(accepted, string(signer.Hex())) }
	switch {
	case len(accepted) == 0 || slices.ContainsFunc(by, isOne):
		return ""
	case len(by) == 0:
		return "it is not signed"
	}
	return "it is signed by none of the keys that the policy names, but by " + brief(by)
}

func brief(keys []digest.Digest) string {
	names := make([]string, len(keys))
	for at, key := range keys {
		names[at] = key.Short()
	}
	return strings.Join(names, ", ")
}
