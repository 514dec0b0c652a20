package records_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"hotcell/internal/job"
	"hotcell/internal/records"
)

// TestASweepNeverMeetsALivingDraft lets drafts be made while others sweep, as
// every start of a runner does.
func TestASweepNeverMeetsALivingDraft(t *testing.T) {
	store, err := records.Open(t.TempDir())
	require.NoError(t, err)
	var group errgroup.Group
	for range crowd {
		group.Go(func() error { return makeDrafts(t, store) })
		group.Go(func() error { return sweepDrafts(t, store) })
	}
	require.NoError(t, group.Wait())
}

const (
	crowd      = 8
	draftsEach = 200
)

func makeDrafts(t *testing.T, store *records.Store) error {
	for range draftsEach {
		draft, err := store.Begin(t.Context(), job.NewID(time.Now()), records.Asked{})
		if err != nil {
			return err
		}
		if err := draft.Discard(t.Context()); err != nil {
			return err
		}
	}
	return nil
}

func sweepDrafts(t *testing.T, store *records.Store) error {
	for range draftsEach {
		swept, err := store.Sweep(t.Context(), job.Actor{})
		if err != nil {
			return err
		}
		if swept != 0 {
			t.Errorf("%d drafts of living owners were swept", swept)
		}
	}
	return nil
}
