package records_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/job"
	"hotcell/internal/output"
	"hotcell/internal/records"
)

// export is a copy of a run, as somebody gets it, with its events and the name of its chain.
func export(t *testing.T, store *records.Store, id job.ID) (string, records.CopyOptions) {
	t.Helper()
	dir, err := copied(t, store, id)
	require.NoError(t, err)
	options := records.CopyOptions{Included: func(records.Event, []byte) bool { return true }}
	_, err = store.Lines(t.Context(), func(event records.Event, line []byte) error {
		if event.Seq == 1 {
			options.Chain = "hotcell-audit/" + string(event.SHA256)
		}
		if event.RunID == id {
			options.Lines = append(options.Lines, []byte(string(line)))
		}
		return nil
	})
	require.NoError(t, err)
	return dir, options
}

func lookAtCopy(t *testing.T, dir string, options records.CopyOptions) records.Verification {
	t.Helper()
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	defer root.Close()
	found, err := records.VerifyCopy(t.Context(), root, options)
	require.NoError(t, err)
	return found
}

// A copy has no event that says which key is in use: one by which the run was released, and
// one that came between, are as good as that of the run.
func TestACopyHoldsWhoseRunWasReleasedByALaterKey(t *testing.T) {
	store, first, second := open(t, t.TempDir()), newSigner(t), newSigner(t)
	store.SignWith(first)
	id := commit(t, store)
	store.SignWith(second)
	_, err := store.Release(t.Context(), records.ReleaseOptions{RunID: id, To: output.Destination{Dir: filepath.Join(t.TempDir(), "out")}, By: published})
	require.NoError(t, err)
	dir, options := export(t, store, id)
	options.Keys = []records.Opener{first, second}
	found := lookAtCopy(t, dir, options)
	require.Empty(t, found.Faults)
	require.Equal(t, []int64{1, 2, 1}, []int64{found.Runs, found.Events, found.Signed})

	options.Keys = []records.Opener{second}
	require.Contains(t, lookAtCopy(t, dir, options).Faults[0].Message, "is none of those that were given")
}

func TestEachChangeOfACopyIsFound(t *testing.T) {
	store, by := open(t, t.TempDir()), newSigner(t)
	store.SignWith(by)
	id, other := commit(t, store), commit(t, store)
	require.NoError(t, store.Hold(t.Context(), id, published))
	_, others := export(t, store, other)
	for name, change := range map[string]func(dir string, options *records.CopyOptions){
		"it is about a run of another chain": func(_ string, options *records.CopyOptions) { options.Chain += "0" },
		"nothing proves that it is in the chain": func(_ string, options *records.CopyOptions) {
			options.Included = func(event records.Event, _ []byte) bool { return event.Kind == records.KindRun }
		},
		"stands behind event": func(_ string, options *records.CopyOptions) { options.Lines = append(options.Lines, options.Lines[0]) },
		"it is an event of another run": func(_ string, options *records.CopyOptions) {
			options.Lines[1] = others.Lines[0]
		},
		"there is no event of a run":            func(_ string, options *records.CopyOptions) { options.Lines = nil },
		"or before the run's own":               func(_ string, options *records.CopyOptions) { options.Lines = options.Lines[1:] },
		"line 1":                                func(_ string, options *records.CopyOptions) { options.Lines[0] = options.Lines[0][1:] },
		"the file files/a.txt has been altered": func(dir string, _ *records.CopyOptions) { rewrite(t, filepath.Join(dir, "files", "a.txt"), "y\n") },
		"its statement has been removed": func(dir string, _ *records.CopyOptions) {
			require.NoError(t, os.Remove(filepath.Join(dir, "statement.dsse.json")))
		},
		"the file more does not belong there":                    func(dir string, _ *records.CopyOptions) { put(t, filepath.Join(dir, "more"), "x") },
		"the record of run " + id.String() + " has been altered": func(dir string, _ *records.CopyOptions) { put(t, filepath.Join(dir, "record.json"), "{}") },
	} {
		t.Run(name, func(t *testing.T) {
			dir, options := export(t, store, id)
			options.Keys = []records.Opener{by}
			require.Empty(t, lookAtCopy(t, dir, options).Faults)
			change(dir, &options)
			var said []string
			for _, fault := range lookAtCopy(t, dir, options).Faults {
				said = append(said, fault.Message)
			}
			require.Contains(t, strings.Join(said, "\n"), name)
		})
	}
}
