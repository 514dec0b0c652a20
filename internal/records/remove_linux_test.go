package records_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"hotcell/internal/records"
)

// What keeps a record from being opened, as a mount does, says nothing of the record.
func TestARecordThatCouldNotBeReadIsNotCalledDamaged(t *testing.T) {
	if os.Geteuid() != 0 {
		require.NotEqual(t, "1", os.Getenv("HOTCELL_REQUIRE_ALL"), "this test needs root")
		t.Skip("this test needs root")
	}
	store, id := recorded(t)
	record := filepath.Join(store.Path(id), "record.json")
	require.NoError(t, unix.Mount("/proc/self/mem", record, "", unix.MS_BIND, ""))
	t.Cleanup(func() { _ = unix.Unmount(record, unix.MNT_DETACH) })
	before := len(events(t, store))
	require.ErrorContains(t, store.RemoveDamaged(t.Context(), id, records.PartRecord, audited), "it is a mount point")
	require.Len(t, events(t, store), before)
	require.NoError(t, unix.Unmount(record, unix.MNT_DETACH))
	require.ErrorIs(t, store.RemoveDamaged(t.Context(), id, records.PartRecord, audited), records.ErrSound)
}
