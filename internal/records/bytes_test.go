package records_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/job"
	"hotcell/internal/records"
)

// onDisk is what lies below some directories, in blocks of 4 KiB.
func onDisk(t *testing.T, dirs ...string) (bytes int64) {
	t.Helper()
	for _, dir := range dirs {
		require.NoError(t, filepath.WalkDir(dir, func(_ string, entry fs.DirEntry, err error) error {
			require.NoError(t, err)
			info, err := entry.Info()
			require.NoError(t, err)
			blocks := int64(1)
			for size := info.Size(); entry.Type().IsRegular() && size > blocks<<12; {
				blocks++
			}
			bytes += blocks << 12
			return nil
		}))
	}
	return bytes
}

// The figure is that of what lies there: record, code, files, quarantine. Small files count for
// what they take, too.
func TestARecordsBytesAreThoseOnTheDisk(t *testing.T) {
	store := open(t, t.TempDir())
	draft, id := begin(t, store)
	verified := verify(t, draft, strings.Repeat("x", 9000))
	entry := records.Entry{Result: result(id, job.Succeeded), Verified: verified, Code: []byte("1\n"), KeepCode: true}
	entry.Result.Files = verified.Files()
	require.Zero(t, draft.Bytes())
	_, err := draft.Commit(t.Context(), entry)
	require.NoError(t, err)
	bytes, err := store.Bytes(t.Context(), id)
	require.NoError(t, err)
	require.Equal(t, onDisk(t, store.Path(id)), bytes)
	require.Equal(t, bytes, draft.Bytes())

	refused := refuseThis(t, store, strings.Repeat("y", 90))
	bytes, err = store.Bytes(t.Context(), refused)
	require.NoError(t, err)
	require.Equal(t, onDisk(t, store.Path(refused), store.QuarantinePath(refused)), bytes)
	_, err = store.RemoveQuarantine(t.Context(), refused, because)
	require.NoError(t, err)
	bytes, err = store.Bytes(t.Context(), refused)
	require.NoError(t, err)
	require.Equal(t, onDisk(t, store.Path(refused)), bytes)

	bytes, err = store.Bytes(t.Context(), job.NewID(time.Now()))
	require.NoError(t, err)
	require.Zero(t, bytes, "which is not there")
	planted := job.NewID(time.Now())
	require.NoError(t, os.Symlink("/", store.Path(planted)))
	_, err = store.Bytes(t.Context(), planted)
	require.ErrorContains(t, err, "no directory of this store")
}

// What a draft takes that is committed with its quarantine counts that, too.
func TestADraftsBytesHaveItsQuarantine(t *testing.T) {
	store := open(t, t.TempDir())
	draft, id := begin(t, store)
	quarantine(t, draft)
	_, err := draft.Commit(t.Context(), records.Entry{Result: result(id, job.OutputRejected)})
	require.NoError(t, err)
	require.Equal(t, onDisk(t, store.Path(id), store.QuarantinePath(id)), draft.Bytes())
}
