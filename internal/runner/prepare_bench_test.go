package runner

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"hotcell/internal/container"
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

// BenchmarkRun is a run from its request to its record, with a sandbox that costs next to
// nothing: what is left is the runner's own part, by so many at a time.
func BenchmarkRun(b *testing.B) {
	for _, many := range []int{1, 16} {
		b.Run(fmt.Sprint(many, " at a time"), func(b *testing.B) {
			var heard heardFailures
			t := newBench(b, quick, pending(32, &heard))
			var group errgroup.Group
			group.SetLimit(many)
			for b.Loop() {
				ask := t.ask(request())
				ask.Events = Events{}
				group.Go(func() error {
					_, err := t.runner.Run(b.Context(), ask)
					return err
				})
			}
			require.NoError(b, group.Wait())
			require.NoError(b, t.runner.Close(b.Context()))
			require.Empty(b, heard.failures)
		})
	}
}

// quick plays a guard whose script does nothing.
func quick(_ context.Context, g guard) container.Exit {
	g.begin()
	g.report("completed", "")
	return container.Exit{}
}
