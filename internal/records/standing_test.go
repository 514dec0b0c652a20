package records_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/job"
	"hotcell/internal/records"
)

// sizeOf is what lies in a directory.
func sizeOf(t *testing.T, dir string) (bytes int64) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(dir, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		bytes += info.Size()
		return err
	}))
	return bytes
}

func standing(t *testing.T, view *records.View, id job.ID) records.Standing {
	t.Helper()
	all, err := view.Standing(t.Context())
	require.NoError(t, err)
	for _, one := range all {
		if one.Event.RunID == id {
			return one
		}
	}
	t.Fatalf("there is no run %s", id)
	return records.Standing{}
}

// What nobody has changed is as large as it lies there.
func TestARunIsMeasuredByItsRecord(t *testing.T) {
	store := open(t, t.TempDir())
	store.SignWith(newSigner(t))
	id := refuse(t, store)
	found, err := store.Measure(t.Context(), standing(t, store.View, id))
	require.NoError(t, err)
	require.Equal(t, map[string]int64{
		records.PartRecord: sizeOf(t, store.Path(id)), records.PartQuarantine: sizeOf(t, store.QuarantinePath(id)),
	}, found.Bytes)

	kept, with := recorded(t)
	record, err := kept.Get(t.Context(), with)
	require.NoError(t, err)
	code := filepath.Join(kept.Path(with), record.Code)
	saved, err := os.ReadFile(code)
	require.NoError(t, err)
	found, err = kept.Measure(t.Context(), standing(t, kept.View, with))
	require.NoError(t, err)
	require.Equal(t, map[string]int64{
		records.PartRecord: sizeOf(t, kept.Path(with)), records.PartCode: int64(len(saved)),
	}, found.Bytes)

	// What an event has deleted counts no more, also where it lies there again.
	require.NoError(t, kept.Remove(t.Context(), with, records.PartCode, audited))
	for range 2 {
		found, err = kept.Measure(t.Context(), standing(t, kept.View, with))
		require.NoError(t, err)
		require.NotContains(t, found.Bytes, records.PartCode)
		require.Less(t, found.Bytes[records.PartRecord], int64(len(saved))+sizeOf(t, kept.Path(with)))
		require.NoError(t, os.WriteFile(code, saved, 0o600))
	}
	require.NoError(t, kept.Remove(t.Context(), with, records.PartRecord, audited))
	require.True(t, standing(t, kept.View, with).Deleted[records.PartRecord])
	_, err = kept.Measure(t.Context(), standing(t, kept.View, with))
	require.ErrorIs(t, err, records.ErrLost)
}

// TestWhatWasNotRecordedIsNotMeasured: each of these would have made a run smaller or larger.
func TestWhatWasNotRecordedIsNotMeasured(t *testing.T) {
	for name, tamper := range map[string]func(t *testing.T, run, quarantine string){
		"a file grown in quarantine": func(t *testing.T, _, quarantine string) {
			rewrite(t, filepath.Join(quarantine, "0001.bin"), "patient 77")
		},
		"a file removed from quarantine": func(t *testing.T, _, quarantine string) {
			require.NoError(t, os.Remove(filepath.Join(quarantine, "0001.bin")))
		},
		"a file added to quarantine": func(t *testing.T, _, quarantine string) { put(t, filepath.Join(quarantine, "9999.bin"), "x") },
		"a directory added to quarantine": func(t *testing.T, _, quarantine string) {
			require.NoError(t, os.Mkdir(filepath.Join(quarantine, "files"), 0o700))
		},
		"another size in its index": func(t *testing.T, _, quarantine string) {
			alter(t, filepath.Join(quarantine, "index.json"), func(text string) string {
				return strings.Replace(text, `"bytes": 9`, `"bytes": 9000000000`, 1)
			})
		},
		"its index longer": func(t *testing.T, _, quarantine string) {
			alter(t, filepath.Join(quarantine, "index.json"), func(text string) string { return text + strings.Repeat(" ", 9) })
		},
		"quarantine removed": func(t *testing.T, _, quarantine string) { require.NoError(t, os.RemoveAll(quarantine)) },
		"quarantine empty": func(t *testing.T, _, quarantine string) {
			require.NoError(t, os.RemoveAll(quarantine))
			require.NoError(t, os.Mkdir(quarantine, 0o700))
		},
		"a longer statement": func(t *testing.T, run, _ string) {
			alter(t, filepath.Join(run, "statement.dsse.json"), func(text string) string { return text + "\n" })
		},
		"no statement": func(t *testing.T, run, _ string) {
			require.NoError(t, os.Remove(filepath.Join(run, "statement.dsse.json")))
		},
		"a link among the files": func(t *testing.T, run, _ string) {
			require.NoError(t, os.MkdirAll(filepath.Join(run, "files"), 0o700))
			require.NoError(t, os.Symlink("/etc/passwd", filepath.Join(run, "files", "x")))
		},
	} {
		t.Run(name, func(t *testing.T) {
			store := open(t, t.TempDir())
			store.SignWith(newSigner(t))
			id := refuse(t, store)
			tamper(t, store.Path(id), store.QuarantinePath(id))
			_, err := store.Measure(t.Context(), standing(t, store.View, id))
			require.ErrorIs(t, err, records.ErrUnlike)
		})
	}
}

// Of a quarantine whose index no hash covers nothing says how large it was.
func TestAQuarantineOfAnOldRecordCountsNothing(t *testing.T) {
	dir := t.TempDir()
	store := open(t, dir)
	id := refuse(t, store)
	alter(t, filepath.Join(store.Path(id), "record.json"), func(text string) string {
		at := strings.Index(text, `,"quarantine_sha256"`)
		return strings.Replace(text[:at]+text[at+len(`,"quarantine_sha256":""`)+64:], `"version":3`, `"version":2`, 1)
	})
	vouchFor(t, dir, id)
	found, err := store.Measure(t.Context(), standing(t, store.View, id))
	require.NoError(t, err)
	require.Contains(t, found.Bytes, records.PartQuarantine)
	require.Zero(t, found.Bytes[records.PartQuarantine])
}

// TestWhatIsAsLargeAsItWasIsCompared: no size tells that these were altered.
func TestWhatIsAsLargeAsItWasIsCompared(t *testing.T) {
	store, id := recorded(t)
	require.NoError(t, store.Compare(t.Context(), id))
	record, err := store.Get(t.Context(), id)
	require.NoError(t, err)
	require.NotEmpty(t, record.Result.Files)
	file := filepath.Join(store.Path(id), "files", record.Result.Files[0].Path)
	alter(t, file, func(text string) string { return strings.Repeat("y", len(text)) })
	_, err = store.Measure(t.Context(), standing(t, store.View, id))
	require.NoError(t, err)
	require.ErrorIs(t, store.Compare(t.Context(), id), records.ErrUnlike)
	require.ErrorIs(t, store.Compare(t.Context(), job.NewID(started)), records.ErrNotFound)

	other := open(t, t.TempDir())
	other.SignWith(newSigner(t))
	refused := refuse(t, other)
	require.NoError(t, other.Compare(t.Context(), refused))
	rewrite(t, filepath.Join(other.QuarantinePath(refused), "0001.bin"), "patient 8")
	require.ErrorIs(t, other.Compare(t.Context(), refused), records.ErrUnlike)
	require.NoError(t, other.Remove(t.Context(), refused, records.PartQuarantine, audited))
	require.NoError(t, other.Compare(t.Context(), refused))
}
