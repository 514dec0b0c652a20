package runner

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/digest"
	"hotcell/internal/policy"
	"hotcell/internal/wire"
	"hotcell/policies"
)

// BenchmarkPrepare is all that a run costs before its sandbox, when nothing has changed
// since the run before. The bundle's part is in package bundle.
func BenchmarkPrepare(b *testing.B) {
	t := newBench(b, nil, nil)
	for b.Loop() {
		_, err := t.runner.prepare(b.Context(), t.ask(request()), wire.ModeRun)
		require.NoError(b, err)
	}
}

func BenchmarkPolicy(b *testing.B) {
	catalog := policy.NewCatalog(policies.Files, b.TempDir())
	found, err := catalog.Get("study-analysis")
	require.NoError(b, err)
	b.Run("Get", func(b *testing.B) {
		for b.Loop() {
			_, err := catalog.Get("study-analysis")
			require.NoError(b, err)
		}
	})
	b.Run("Clone", func(b *testing.B) {
		for b.Loop() {
			_ = found.Clone()
		}
	})
	b.Run("digest", func(b *testing.B) {
		for b.Loop() {
			_, err := digestOf(found)
			require.NoError(b, err)
		}
	})
	b.Run("json", func(b *testing.B) {
		for b.Loop() {
			_, err := json.Marshal(found)
			require.NoError(b, err)
		}
	})
	encoded, err := json.Marshal(found)
	require.NoError(b, err)
	b.Logf("%d bytes", len(encoded))
	b.Run("sha", func(b *testing.B) {
		for b.Loop() {
			_ = digest.Of(encoded)
		}
	})
}
