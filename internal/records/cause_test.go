package records_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/output"
	"hotcell/internal/records"
)

// Whatever is done for a reason is done for the whole of it, or not at all.
func TestAReasonIsKeptWordForWordOrRefused(t *testing.T) {
	store := open(t, t.TempDir())
	id := refuse(t, store)
	doing := map[string]func(context.Context, records.Cause) error{
		"hold":   func(ctx context.Context, by records.Cause) error { return store.Hold(ctx, id, by) },
		"unhold": func(ctx context.Context, by records.Cause) error { return store.Unhold(ctx, id, by) },
		"remove": func(ctx context.Context, by records.Cause) error {
			return store.Remove(ctx, id, records.PartRecord, by)
		},
		"export": func(ctx context.Context, by records.Cause) error {
			return store.ExportQuarantine(ctx, id, output.Destination{Dir: filepath.Join(t.TempDir(), "to")}, by)
		},
		"read": func(ctx context.Context, by records.Cause) error {
			return store.NoteQuarantineRead(ctx, records.Quarantined{RunID: id}, by)
		},
		"remove quarantine": func(ctx context.Context, by records.Cause) error {
			_, err := store.RemoveQuarantine(ctx, id, by)
			return err
		},
	}
	before := len(events(t, store))
	for name, reason := range map[string]string{
		"none": "", "blank": " \t", "too long": strings.Repeat("x", 257), "too long in bytes": strings.Repeat("ü", 129), "two lines": "a\nb", "not printable": "a\x1b[2J",
	} {
		t.Run(name, func(t *testing.T) {
			for what, do := range doing {
				require.ErrorIs(t, do(t.Context(), records.Cause{Actor: anna, Reason: reason}), records.ErrReason, what)
			}
		})
	}
	require.Len(t, events(t, store), before, "nothing was done")
	require.ErrorContains(t, records.Cause{Reason: strings.Repeat("x", 300)}.Check(), "it has 300 bytes, and the audit chain keeps 256 at most")

	whole := strings.Repeat("ü", 128)
	require.NoError(t, store.Hold(t.Context(), id, records.Cause{Actor: anna, Reason: whole}))
	all := events(t, store)
	require.Equal(t, whole, all[len(all)-1].Reason)
}
