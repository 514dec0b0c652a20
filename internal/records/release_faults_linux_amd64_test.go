package records_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/job"
	"hotcell/internal/output"
	"hotcell/internal/records"
	"hotcell/internal/signing"
)

// releaseOnce releases the one run of a state, and tells of it once it is done.
func releaseOnce(dir string) error {
	store, err := records.Open(filepath.Join(dir, "state"))
	if err != nil {
		return err
	}
	key, err := signing.Load(filepath.Join(dir, "key"))
	if err != nil {
		return err
	}
	store.SignWith(signer{key, key.Public()})
	ids, err := store.IDs()
	if err != nil {
		return err
	}
	to := output.Destination{Dir: filepath.Join(dir, "state", "out")} // where the tracer looks
	_, err = store.Release(context.Background(), records.ReleaseOptions{RunID: ids[0], To: to, By: published})
	if err == nil {
		fmt.Println("released")
	}
	return err
}

// TestAReleaseThatAFaultMeetsIsWholeOrNotThere has a release meet each fault at each call that
// changes a file: the directory is whole or not there, never there without its event, and all
// that is kept holds, before and after the next sweep.
func TestAReleaseThatAFaultMeetsIsWholeOrNotThere(t *testing.T) {
	for _, what := range []fault{killed, torn, full, filled} {
		t.Run(string(what), func(t *testing.T) {
			met := 0
			for n := 1; ; n++ {
				dir := t.TempDir()
				state := filepath.Join(dir, "state")
				store, key := keyed(t, state)
				commit(t, store)
				secret, err := key.PEM()
				require.NoError(t, err)
				require.NoError(t, os.WriteFile(filepath.Join(dir, "key"), secret, 0o600))
				said, call, hit := meet(t, "release", dir, what, n)
				afterRelease(t, store, key, said, fmt.Sprintf("%s at call %d, %s", what, n, call))
				if !hit {
					require.Contains(t, said, "released")
					break
				}
				met++
			}
			require.Greater(t, met, map[fault]int{killed: 20, torn: 3, full: 20, filled: 5}[what])
		})
	}
}

// afterRelease looks at what a fault has left, and lets the next runner end it.
func afterRelease(t *testing.T, store *records.Store, key signing.Key, said, when string) {
	t.Helper()
	out := filepath.Join(filepath.Dir(filepath.Dir(store.Path(job.ID{}))), "out")
	holds := func() (releases int64) {
		found, err := store.Verify(t.Context(), records.VerifyOptions{Keys: []records.Opener{key.Public()}})
		require.NoError(t, err, when)
		for _, fault := range found.Faults { // a line that was cut short is cut off by the next
			require.Equal(t, records.Torn, fault.Problem, when+": "+fault.Message)
		}
		return found.Releases
	}
	told := holds()
	if _, err := os.Lstat(out); err == nil {
		require.Equal(t, []string{"a.txt", "release.dsse.json"}, names(t, out), when)
		require.EqualValues(t, 1, told, when)
		text, err := os.ReadFile(filepath.Join(out, "a.txt"))
		require.NoError(t, err)
		require.Equal(t, "x\n", string(text), when)
	}
	_, err := store.Sweep(t.Context(), job.Actor{})
	require.NoError(t, err, when)
	require.Equal(t, told, holds(), when)
	if _, err := os.Lstat(filepath.Join(filepath.Dir(out), "releases")); err == nil {
		require.Len(t, names(t, filepath.Join(filepath.Dir(out), "releases")), int(told), when)
	}
	if told == 0 {
		require.NotContains(t, said, "released", when)
	}
	id, err := store.IDs()
	require.NoError(t, err)
	again := out + "-again"
	_, err = store.Release(t.Context(), records.ReleaseOptions{RunID: id[0], To: output.Destination{Dir: again}, By: published})
	require.NoError(t, err, when)
	require.Equal(t, []string{"a.txt", "release.dsse.json"}, names(t, again), when)
	require.Equal(t, told+1, holds(), when)
}
