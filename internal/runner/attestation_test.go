package runner

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/bundle"
	"hotcell/internal/digest"
	"hotcell/internal/policy"
)

func TestAPolicyChoosesWhatIsAttested(t *testing.T) {
	one, other := digest.Of([]byte("one")), digest.Of([]byte("other"))
	attested := func(change func(*bundle.Bundle)) *bundle.Bundle {
		data := &bundle.Bundle{
			Digest: digest.Of([]byte("data")), SignedBy: []digest.Digest{one},
			Manifest: bundle.Manifest{Name: "visits", BundleVersion: "1.0", Study: "S-1", Deidentification: bundle.Deidentification{Method: bundle.SafeHarbor, ValidUntil: "2026-06-30"}},
		}
		if change != nil {
			change(data)
		}
		return data
	}
	wanted := policy.Attestation{Methods: []string{"safe_harbor"}, Studies: []string{"S-1"}, Signers: []string{string(one.Hex())}, Expired: policy.ExpiredRefuse}
	for name, each := range map[string]struct {
		data *bundle.Bundle
		day  string
		want []string // nil: accepted
	}{
		"what it accepts":    {attested(nil), "2026-06-30", nil},
		"no data":            {nil, "2026-06-30", nil},
		"another method":     {attested(func(b *bundle.Bundle) { b.Manifest.Deidentification.Method = bundle.Synthetic }), "2026-06-30", []string{"de-identified by synthetic", "accepts safe_harbor"}},
		"another study":      {attested(func(b *bundle.Bundle) { b.Manifest.Study = "S-10" }), "2026-06-30", []string{`of study "S-10"`, "is for S-1"}},
		"an expired one":     {attested(nil), "2026-07-01", []string{"ended on 2026-06-30", "attested again"}},
		"one without an end": {attested(func(b *bundle.Bundle) { b.Manifest.Deidentification.ValidUntil = "" }), "2999-01-01", nil},
		"no signature":       {attested(func(b *bundle.Bundle) { b.SignedBy = nil }), "2026-06-30", []string{"it is not signed", "runner bundle sign visits@1.0 --key FILE"}},
		"another's":          {attested(func(b *bundle.Bundle) { b.SignedBy = []digest.Digest{other} }), "2026-06-30", []string{"by none of the keys that the policy names", other.Short()}},
		"another's beside":   {attested(func(b *bundle.Bundle) { b.SignedBy = []digest.Digest{other, one} }), "2026-06-30", nil},
		"all of it at once":  {attested(func(b *bundle.Bundle) { b.SignedBy, b.Manifest.Study = nil, "S" }), "2027-01-01", []string{"of study", "ended on", "not signed"}},
	} {
		t.Run(name, func(t *testing.T) {
			err := checkAttestation(policy.Policy{Name: "mine", Attestation: &wanted}, each.data, each.day)
			if each.want == nil {
				require.NoError(t, err)
				return
			}
			for _, text := range each.want {
				require.ErrorContains(t, err, text)
			}
		})
	}
	require.NoError(t, checkAttestation(policy.Policy{}, attested(nil), "2999-01-01"), "a policy that says nothing accepts any")
	late := wanted
	late.Expired = policy.ExpiredAccept
	require.NoError(t, checkAttestation(policy.Policy{Attestation: &late}, attested(nil), "2999-01-01"))
	late.ValidUntil = policy.ValidUntilRequired
	require.NoError(t, checkAttestation(policy.Policy{Attestation: &late}, attested(nil), "2999-01-01"))
	endless := attested(func(b *bundle.Bundle) { b.Manifest.Deidentification.ValidUntil = "" })
	require.ErrorContains(t, checkAttestation(policy.Policy{Attestation: &late}, endless, "2026-01-01"), "does not say when it ends: attest it with")
	late.ValidUntil, late.Expired = "", ""
	require.Error(t, checkAttestation(policy.Policy{Attestation: &late}, attested(nil), "2999-01-01"), "what is not said refuses")
}
