package records_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"hotcell/internal/job"
	"hotcell/internal/records"
)

// BenchmarkCommit is a record without files from Begin to Commit, by so many at a time.
func BenchmarkCommit(b *testing.B) {
	for _, many := range []int{1, 4, 16} {
		b.Run(fmt.Sprint(many, " at a time"), func(b *testing.B) {
			store, err := records.Open(b.TempDir())
			require.NoError(b, err)
			var group errgroup.Group
			group.SetLimit(many)
			for b.Loop() {
				group.Go(func() error { return commitOne(b, store) })
			}
			require.NoError(b, group.Wait())
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "runs/s")
		})
	}
}

func commitOne(b *testing.B, store *records.Store) error {
	id := job.NewID(time.Now())
	draft, err := store.Begin(b.Context(), id, records.Asked{})
	if err != nil {
		return err
	}
	_, err = draft.Commit(b.Context(), records.Entry{Result: result(id, job.Failed), Code: []byte("pass\n"), KeepCode: true})
	return err
}
