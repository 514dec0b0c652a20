package records_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/records"
)

// BenchmarkVerify is a look at a store of 500 runs without files, by run.
func BenchmarkVerify(b *testing.B) {
	const runs = 500
	dir := b.TempDir()
	store, err := records.Open(dir)
	require.NoError(b, err)
	for range runs {
		require.NoError(b, commitOne(b, store))
	}
	view, err := records.Look(dir)
	require.NoError(b, err)
	for b.Loop() {
		found, err := view.Verify(b.Context(), records.VerifyOptions{})
		require.NoError(b, err)
		require.Empty(b, found.Faults)
	}
	b.ReportMetric(b.Elapsed().Seconds()*1e6/float64(b.N*runs), "µs/run")
}
