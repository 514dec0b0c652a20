package records_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/job"
	"hotcell/internal/records"
)

// sweepOnce sweeps what a dead runner has left.
func sweepOnce(dir string) error {
	store, err := records.Open(filepath.Join(dir, "state"))
	if err == nil {
		_, err = store.Sweep(context.Background(), anna)
	}
	if err == nil {
		fmt.Println("swept")
	}
	return err
}

// TestAFaultInASweepLosesNoInterruptedRun has a sweep meet each fault at each call that changes a
// file: two runs that had begun are told once each, whatever it had done.
func TestAFaultInASweepLosesNoInterruptedRun(t *testing.T) {
	for _, what := range []fault{killed, torn, full, filled} {
		t.Run(string(what), func(t *testing.T) {
			met := 0
			for n := 1; ; n++ {
				dir := t.TempDir()
				state := filepath.Join(dir, "state")
				store := open(t, state)
				begun := func(draft *records.Draft) { require.NoError(t, draft.Begun()) }
				first, _ := died(t, store, begun)
				second, _ := died(t, store, begun)
				said, call, hit := meet(t, "sweep", dir, what, n)
				when := fmt.Sprintf("%s at call %d, %s", what, n, call)
				afterwards(t, state, said, when)
				for _, id := range []job.ID{first, second} {
					all := toldOf(t, open(t, state), id)
					require.Len(t, all, 1, when)
					require.Equal(t, records.KindInterrupted, all[0].Kind, when)
				}
				if !hit {
					require.Contains(t, said, "swept")
					break
				}
				met++
			}
			require.Greater(t, met, map[fault]int{killed: 8, torn: 1, full: 8, filled: 2}[what])
		})
	}
}

// requireToldOnce finds one event of a run that has begun: that it is recorded, or was interrupted.
func requireToldOnce(t *testing.T, store *records.Store, id, when string) {
	t.Helper()
	told := 0
	for _, event := range events(t, store) {
		if event.RunID.String() != id {
			continue
		}
		told++
		require.Contains(t, []records.Kind{records.KindRun, records.KindInterrupted}, event.Kind, when)
		require.Equal(t, bertas, event.Actor, when)
	}
	require.Equal(t, 1, told, when)
}
