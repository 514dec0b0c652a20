package records_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/durable"
	"hotcell/internal/job"
	"hotcell/internal/records"
)

// A process lives longer than the look at its directory when it started: whoever can change that
// from some moment on has nothing recorded, begun or told from then on.
func TestNothingIsRecordedWhereAnotherCouldChangeIt(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root gives a directory away")
	}
	above := filepath.Join(t.TempDir(), "above")
	dir := filepath.Join(above, "state")
	require.NoError(t, os.Mkdir(above, 0o700))
	for name, spoil := range map[string]func() (mend func() error, err error){
		"another owner": func() (func() error, error) {
			return func() error { return os.Chown(dir, 0, 0) }, os.Chown(dir, 65534, 0)
		},
		"others may write it": func() (func() error, error) {
			return func() error { return os.Chmod(dir, 0o700) }, os.Chmod(dir, 0o733)
		},
		"others may put another one in its place": func() (func() error, error) {
			return func() error { return os.Chmod(above, 0o700) }, os.Chmod(above, 0o777)
		},
	} {
		t.Run(name, func(t *testing.T) {
			store := open(t, dir)
			commit(t, store)
			under, id := begin(t, store)
			verified := verify(t, under, "x")
			before, err := os.ReadFile(filepath.Join(dir, "audit.jsonl"))
			require.NoError(t, err)

			mend, err := spoil()
			require.NoError(t, err)
			_, begun := store.Begin(t.Context(), job.NewID(time.Now()), records.Asked{})
			noted := store.Append(t.Context(), records.Event{Kind: records.KindBundleAdded, Name: "b"})
			_, swept := store.Sweep(t.Context(), anna)
			entry := records.Entry{Result: result(id, job.Succeeded), Verified: verified}
			entry.Result.Files = verified.Files()
			_, ended := under.Commit(t.Context(), entry)
			require.NoError(t, mend())
			for what, err := range map[string]error{"begin": begun, "event": noted, "sweep": swept, "end": ended} {
				require.ErrorIs(t, err, durable.ErrNotTrusted, what)
			}
			after, err := os.ReadFile(filepath.Join(dir, "audit.jsonl"))
			require.NoError(t, err)
			require.Equal(t, string(before), string(after))
			commit(t, store)
		})
	}
}
