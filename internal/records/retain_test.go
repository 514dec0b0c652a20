package records_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/job"
	"hotcell/internal/records"
)

var audited = records.Cause{Actor: anna, Reason: "audit 7"}

// recorded is a store with one run, whose code is kept.
func recorded(t *testing.T) (*records.Store, job.ID) {
	t.Helper()
	_, store, ids := kept(t)
	return store, ids[0]
}

func requireSound(t *testing.T, store *records.Store) {
	t.Helper()
	_, err := store.VerifyChain(t.Context())
	require.NoError(t, err)
}

func TestWhatIsHeldStays(t *testing.T) {
	store, id := recorded(t)
	require.NoError(t, store.Hold(t.Context(), id, audited))
	for _, part := range []string{records.PartRecord, records.PartCode, records.PartQuarantine} {
		require.ErrorIs(t, store.Remove(t.Context(), id, part, audited), records.ErrHeld)
	}
	require.FileExists(t, filepath.Join(store.Path(id), "record.json"))
	held, err := store.Held(t.Context())
	require.NoError(t, err)
	require.Equal(t, "audit 7", held[id].Reason)
	require.Equal(t, anna, held[id].Actor)
	require.NoError(t, store.Unhold(t.Context(), id, records.Cause{Reason: "closed"}))
	require.ErrorIs(t, store.Unhold(t.Context(), id, audited), records.ErrNotHeld)
	require.NoError(t, store.Remove(t.Context(), id, records.PartRecord, audited))
	requireSound(t, store)
}

func TestADeletionIsToldFromALoss(t *testing.T) {
	store, id := recorded(t)
	require.NoError(t, store.Remove(t.Context(), id, records.PartCode, audited))
	record, err := store.Get(t.Context(), id)
	require.NoError(t, err)
	require.NoFileExists(t, filepath.Join(store.Path(id), record.Code))
	_, err = store.Code(t.Context(), record)
	require.ErrorIs(t, err, records.ErrNoCode)
	requireSound(t, store)
	require.ErrorIs(t, store.Remove(t.Context(), id, records.PartCode, audited), records.ErrNotFound)
	require.ErrorIs(t, store.Remove(t.Context(), id, records.PartQuarantine, audited), records.ErrNotFound)
	require.ErrorIs(t, store.Remove(t.Context(), id, "everything", audited), records.ErrNotFound)
	require.NoError(t, store.Remove(t.Context(), id, records.PartRecord, audited))
	requireSound(t, store)
	require.NoDirExists(t, store.Path(id))
	require.ErrorIs(t, store.Remove(t.Context(), id, records.PartRecord, audited), records.ErrNotFound)

	other, lost := recorded(t)
	require.NoError(t, os.RemoveAll(other.Path(lost)))
	_, err = other.VerifyChain(t.Context())
	require.ErrorContains(t, err, "has been removed")
}

// What a deletion that was cut short has left is no record, and goes with the next one.
func TestADeletionThatWasCutShortLeavesNothing(t *testing.T) {
	store, id := recorded(t)
	dir := filepath.Dir(filepath.Dir(store.Path(id)))
	require.NoError(t, os.MkdirAll(filepath.Join(dir, ".removing", "files"), 0o700))
	requireSound(t, store)
	require.NoError(t, store.Remove(t.Context(), id, records.PartCode, audited))
	require.NoDirExists(t, filepath.Join(dir, ".removing"))
	requireSound(t, store)
}

func TestOnlyARunThatIsThereIsHeld(t *testing.T) {
	store, id := recorded(t)
	require.NoError(t, store.Remove(t.Context(), id, records.PartRecord, audited))
	require.ErrorIs(t, store.Hold(t.Context(), id, audited), records.ErrNotFound)
}
