package records_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/records"
	"hotcell/internal/signing"
)

// BenchmarkAppend is one event that is appended, and one that is verified, with a key and without.
func BenchmarkAppend(b *testing.B) {
	key, err := signing.Generate()
	require.NoError(b, err)
	for name, by := range map[string]records.Signer{"unsigned": nil, "signed": signer{key, key.Public()}} {
		dir := b.TempDir()
		store, err := records.Open(dir)
		require.NoError(b, err)
		store.SignBy(func() (records.Signer, error) { return by, nil })
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				require.NoError(b, store.Append(b.Context(), records.Event{Kind: records.KindCheck}))
			}
		})
		options := records.VerifyOptions{}
		if by != nil {
			options = byKeys(key.Public())
		}
		b.Run(name+" verified", func(b *testing.B) {
			events := int64(0)
			for b.Loop() {
				found, err := store.Verify(b.Context(), options)
				require.NoError(b, err)
				require.Empty(b, found.Faults)
				events += found.Events
			}
			b.ReportMetric(b.Elapsed().Seconds()*1e6/float64(events), "µs/event")
		})
	}
}
