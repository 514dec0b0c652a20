package records_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"hotcell/internal/digest"
	"hotcell/internal/job"
	"hotcell/internal/output"
	"hotcell/internal/records"
)

// TestVerifyFindsEachChangeOfTheQuarantine: and what verify finds, nobody is shown or given.
func TestVerifyFindsEachChangeOfTheQuarantine(t *testing.T) {
	kept := func(store *records.Store, id job.ID, name string) string {
		return filepath.Join(store.QuarantinePath(id), name)
	}
	for name, test := range map[string]struct {
		tamper  func(t *testing.T, store *records.Store, id, other job.ID)
		problem records.Problem
	}{
		"a file changed": {func(t *testing.T, s *records.Store, id, _ job.ID) {
			rewrite(t, kept(s, id, "0001.bin"), "patient 8")
		}, records.Changed},
		"a file grown": {func(t *testing.T, s *records.Store, id, _ job.ID) {
			rewrite(t, kept(s, id, "0001.bin"), "patient 77")
		}, records.Changed},
		"a file and its hash in the index": {func(t *testing.T, s *records.Store, id, _ job.ID) {
			rewrite(t, kept(s, id, "0001.bin"), "patient 8")
			alter(t, kept(s, id, "index.json"), func(text string) string {
				return strings.ReplaceAll(text, string(digest.Of([]byte("patient 7")).Hex()), string(digest.Of([]byte("patient 8")).Hex()))
			})
		}, records.Changed},
		"a reason": {func(t *testing.T, s *records.Store, id, _ job.ID) {
			alter(t, kept(s, id, "index.json"), func(text string) string { return strings.Replace(text, "it is a symbolic link", "it is fine", 1) })
		}, records.Changed},
		"a file removed": {func(t *testing.T, s *records.Store, id, _ job.ID) {
			require.NoError(t, os.Remove(kept(s, id, "0001.bin")))
		}, records.Missing},
		"the index removed": {func(t *testing.T, s *records.Store, id, _ job.ID) {
			require.NoError(t, os.Remove(kept(s, id, "index.json")))
		}, records.Changed},
		"all of it removed": {func(t *testing.T, s *records.Store, id, _ job.ID) {
			require.NoError(t, os.RemoveAll(s.QuarantinePath(id)))
		}, records.Missing},
		"a file added": {func(t *testing.T, s *records.Store, id, _ job.ID) {
			require.NoError(t, os.WriteFile(kept(s, id, "0002.bin"), nil, 0o400))
		}, records.Added},
		"a directory added": {func(t *testing.T, s *records.Store, id, _ job.ID) {
			require.NoError(t, os.MkdirAll(kept(s, id, "d/e/f"), 0o700))
		}, records.Added},
		"two runs' exchanged": {func(t *testing.T, s *records.Store, id, other job.ID) {
			require.NoError(t, os.Rename(s.QuarantinePath(id), s.QuarantinePath(id)+".x"))
			require.NoError(t, os.Rename(s.QuarantinePath(other), s.QuarantinePath(id)))
			require.NoError(t, os.Rename(s.QuarantinePath(id)+".x", s.QuarantinePath(other)))
		}, records.Changed},
		"a link in its place": {func(t *testing.T, s *records.Store, id, _ job.ID) {
			require.NoError(t, os.Rename(s.QuarantinePath(id), s.QuarantinePath(id)+".x"))
			require.NoError(t, os.Symlink(s.QuarantinePath(id)+".x", s.QuarantinePath(id)))
		}, records.Unreadable},
		"a link in the place of a file": {func(t *testing.T, s *records.Store, id, other job.ID) {
			require.NoError(t, os.Remove(kept(s, id, "0001.bin")))
			require.NoError(t, os.Symlink(kept(s, other, "0001.bin"), kept(s, id, "0001.bin")))
		}, records.Changed},
		"a pipe": {func(t *testing.T, s *records.Store, id, _ job.ID) {
			require.NoError(t, os.Remove(kept(s, id, "0001.bin")))
			require.NoError(t, unix.Mkfifo(kept(s, id, "0001.bin"), 0o400))
		}, records.Changed},
		"a file that would take days to read": {func(t *testing.T, s *records.Store, id, _ job.ID) {
			require.NoError(t, os.Truncate(kept(s, id, "0001.bin"), 1<<42))
		}, records.Changed},
		"a file added that would take days to read": {func(t *testing.T, s *records.Store, id, _ job.ID) {
			require.NoError(t, os.WriteFile(kept(s, id, "0002.bin"), nil, 0o600))
			require.NoError(t, os.Truncate(kept(s, id, "0002.bin"), 1<<42))
		}, records.Added},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			store := open(t, dir)
			id := refuse(t, store)
			other := refuseThis(t, store, "patient 9")
			require.Empty(t, look(t, dir, records.VerifyOptions{}).Faults)
			test.tamper(t, store, id, other)
			begun := time.Now()
			problems := []records.Problem{}
			for _, fault := range look(t, dir, records.VerifyOptions{}).Faults {
				if fault.RunID == id {
					problems = append(problems, fault.Problem)
				}
				require.NotContains(t, fault.Message, ".exe", "the script's name")
			}
			require.Contains(t, problems, test.problem)
			_, _, err := store.Quarantined(t.Context(), id)
			require.Error(t, err)
			to := filepath.Join(t.TempDir(), "refused")
			require.Error(t, store.ExportQuarantine(t.Context(), id, output.Destination{Dir: to}, because))
			require.NoDirExists(t, to)
			require.Less(t, time.Since(begun), time.Minute)
		})
	}
}

func TestAQuarantineOfARunThatHadNoneIsFound(t *testing.T) {
	dir := t.TempDir()
	store := open(t, dir)
	refused, id := refuse(t, store), commit(t, store)
	require.NoError(t, os.CopyFS(store.QuarantinePath(id), os.DirFS(store.QuarantinePath(refused))))
	faults := look(t, dir, records.VerifyOptions{}).Faults
	require.Len(t, faults, 1)
	require.Equal(t, records.Added, faults[0].Problem)
	_, _, err := store.Quarantined(t.Context(), id)
	require.ErrorIs(t, err, records.ErrAltered)
}

// A quarantine before its sweep, and one whose record is of an earlier version.
func TestTheQuarantineOfADraftAndOfAnOldRecordIsCompared(t *testing.T) {
	dir := t.TempDir()
	store := open(t, dir)
	id := refuse(t, store)
	draft := filepath.Join(dir, "runs", ".draft-"+id.String())
	require.NoError(t, os.Rename(store.Path(id), draft))
	require.NoError(t, os.Chmod(draft, 0o700))
	require.NoError(t, os.Rename(store.QuarantinePath(id), filepath.Join(draft, "quarantine")))
	require.Len(t, look(t, dir, records.VerifyOptions{}).Faults, 1) // that it is a draft
	rewrite(t, filepath.Join(draft, "quarantine", "0001.bin"), "patient 8")
	require.Len(t, look(t, dir, records.VerifyOptions{}).Faults, 2)
	rewrite(t, filepath.Join(draft, "quarantine", "0001.bin"), "patient 7")
	_, err := store.Sweep(t.Context(), anna)
	require.NoError(t, err)

	alter(t, filepath.Join(store.Path(id), "record.json"), func(text string) string {
		at := strings.Index(text, `,"quarantine_sha256"`)
		return strings.Replace(text[:at]+text[at+len(`,"quarantine_sha256":""`)+64:], `"version":3`, `"version":2`, 1)
	})
	vouchFor(t, dir, id)
	found := look(t, dir, records.VerifyOptions{})
	require.Empty(t, found.Faults)
	require.EqualValues(t, 1, found.Unbound)
	_, _, err = store.Quarantined(t.Context(), id)
	require.NoError(t, err)
}
