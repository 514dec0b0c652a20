package records_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"hotcell/internal/durable"
	"hotcell/internal/job"
	"hotcell/internal/output"
	"hotcell/internal/records"
)

// planted is one fault whose message is known, and after which runs can be begun: what somebody
// has put among the drafts keeps nobody from anything, and is told.
func planted(t *testing.T, dir string, store *records.Store, problem records.Problem, message string) {
	t.Helper()
	for range 2 { // nor does a sweep take it away, or into the place of something else
		found := look(t, dir, records.VerifyOptions{})
		require.Len(t, found.Faults, 1, "%v", found.Faults)
		require.Equal(t, problem, found.Faults[0].Problem)
		require.Contains(t, found.Faults[0].Message, message)
		_, err := store.Sweep(t.Context(), anna)
		require.NoError(t, err)
	}
}

func TestADraftAmongTheStatementsTakesNoStatementsPlace(t *testing.T) {
	for name, test := range map[string]struct {
		plant   func(t *testing.T, releases, sum string)
		message string
	}{
		"beside its statement": {func(t *testing.T, releases, sum string) {
			put(t, filepath.Join(releases, ".draft-"+sum), "garbage")
		}, "lies beside the statement about a release"},
		"the same beside it": {func(t *testing.T, releases, sum string) {
			text, err := os.ReadFile(filepath.Join(releases, sum+".json"))
			require.NoError(t, err)
			put(t, filepath.Join(releases, ".draft-"+sum), string(text))
		}, "lies beside the statement about a release"},
		"a directory": {func(t *testing.T, releases, _ string) {
			require.NoError(t, os.MkdirAll(filepath.Join(releases, ".draft-x", "y"), 0o700))
		}, "is no draft of one"},
		"a directory with a hash": {func(t *testing.T, releases, _ string) {
			require.NoError(t, os.MkdirAll(filepath.Join(releases, ".draft-"+strings.Repeat("0", 64), "y"), 0o700))
		}, "is no draft of one"},
		"a file of another name": {func(t *testing.T, releases, _ string) { put(t, filepath.Join(releases, ".draft-x"), "") }, "is no draft of one"},
		"a named pipe": {func(t *testing.T, releases, sum string) {
			require.NoError(t, unix.Mkfifo(filepath.Join(releases, ".draft-"+sum), 0o600))
		}, "is no draft of one"},
		"altered": {func(t *testing.T, releases, sum string) {
			require.NoError(t, os.Remove(filepath.Join(releases, sum+".json")))
			put(t, filepath.Join(releases, ".draft-"+sum), "garbage")
		}, "its statement has been altered"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			store := open(t, dir)
			made, err := store.Release(t.Context(), records.ReleaseOptions{RunID: commit(t, store), To: output.Destination{Dir: filepath.Join(t.TempDir(), "out")}, By: published})
			require.NoError(t, err)
			test.plant(t, filepath.Join(dir, "releases"), string(made.SHA256))
			problem := records.Added
			if name == "altered" {
				problem = records.Changed
			}
			planted(t, dir, store, problem, test.message)
		})
	}
}

// A statement whose runner was killed behind its event gets its name, and one before it goes.
func TestADraftOfAStatementIsSweptByTheChain(t *testing.T) {
	dir := t.TempDir()
	store := open(t, dir)
	made, err := store.Release(t.Context(), records.ReleaseOptions{RunID: commit(t, store), To: output.Destination{Dir: filepath.Join(t.TempDir(), "out")}, By: published})
	require.NoError(t, err)
	releases := filepath.Join(dir, "releases")
	name := string(made.SHA256) + ".json"
	require.NoError(t, os.Rename(filepath.Join(releases, name), filepath.Join(releases, ".draft-"+string(made.SHA256))))
	put(t, filepath.Join(releases, ".draft-"+strings.Repeat("0", 64)), "torn")
	require.Empty(t, look(t, dir, records.VerifyOptions{}).Faults)
	_, err = store.Sweep(t.Context(), anna)
	require.NoError(t, err)
	require.Equal(t, []string{name}, names(t, releases))
	requireSound(t, store)
}

func TestARecordThatLiesAsADraftIsFound(t *testing.T) {
	dir := t.TempDir()
	store := open(t, dir)
	id := refuse(t, store)
	draft := filepath.Join(dir, "runs", ".draft-"+id.String())
	require.NoError(t, os.Rename(store.Path(id), draft))
	faults := look(t, dir, records.VerifyOptions{}).Faults
	require.Len(t, faults, 1)
	require.Equal(t, records.OutOfOrder, faults[0].Problem)

	put(t, filepath.Join(draft, "quarantine"), "patient") // nor is it moved into a place that is taken
	planted(t, dir, store, records.Added, "there is another in its place")
	require.NoError(t, os.Remove(filepath.Join(draft, "quarantine")))
	require.NoError(t, os.Mkdir(filepath.Join(draft, "quarantine"), 0o700))
	put(t, filepath.Join(draft, "quarantine", "0001.bin"), "patient")
	planted(t, dir, store, records.Added, "there is another in its place")
	require.NoError(t, os.RemoveAll(filepath.Join(draft, "quarantine")))
	_, err := store.Sweep(t.Context(), anna)
	require.NoError(t, err)
	requireSound(t, store)
}

// Of one who is about to rename a draft nothing is said.
func TestADraftThatIsBeingPutInPlaceIsNoFault(t *testing.T) {
	dir := t.TempDir()
	store := open(t, dir)
	id := commit(t, store)
	draft := filepath.Join(dir, "runs", ".draft-"+id.String())
	require.NoError(t, os.Rename(store.Path(id), draft))
	own, err := os.Open(draft)
	require.NoError(t, err)
	defer own.Close()
	require.NoError(t, durable.TryLock(own))
	require.Empty(t, look(t, dir, records.VerifyOptions{}).Faults)
}

func TestAQuarantineOfADeletedRunIsFound(t *testing.T) {
	for name, begin := range map[string]func(*testing.T, *records.Store) job.ID{"of one that had none": commit, "of one that had one": refuse} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			store := open(t, dir)
			id := begin(t, store)
			require.NoError(t, store.Remove(t.Context(), id, records.PartRecord, audited))
			requireSound(t, store)
			require.NoError(t, os.Mkdir(store.QuarantinePath(id), 0o700))
			put(t, filepath.Join(store.QuarantinePath(id), "0001.bin"), "patient")
			faults := look(t, dir, records.VerifyOptions{}).Faults
			require.Len(t, faults, 1)
			require.Equal(t, records.Added, faults[0].Problem)
			require.Contains(t, faults[0].Message, "its quarantine is there, which was deleted by an event of the chain: `runner gc` deletes it again")
			finished, err := store.FinishDeletions(t.Context())
			require.NoError(t, err)
			require.Len(t, finished, 1)
			requireSound(t, store)
		})
	}
}

// What is in the way of a deletion's mark is not waited for: the lock of all deletions is held.
func TestNothingInThePlaceOfTheMarkIsWaitedFor(t *testing.T) {
	for name, plant := range map[string]func(path string) error{
		"a named pipe": func(path string) error { return unix.Mkfifo(path, 0o600) },
		"a directory":  func(path string) error { return os.Mkdir(path, 0o700) },
		"a link":       func(path string) error { return os.Symlink("audit.jsonl", path) },
	} {
		t.Run(name, func(t *testing.T) {
			dir, store, ids := kept(t)
			require.NoError(t, plant(filepath.Join(dir, ".deleting")))
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			require.ErrorContains(t, store.Remove(ctx, ids[0], records.PartRecord, audited), ".deleting is not the file")
			require.DirExists(t, store.Path(ids[0]))
		})
	}
}

// A file of more bytes than its record says is not read to its end, which may be none.
func TestWhatIsLongerThanItsRecordSaysIsNotRead(t *testing.T) {
	const endless = 900 << 30
	for name, test := range map[string]struct{ path, message string }{
		"a file":          {"files/a.txt", "the file files/a.txt has been altered"},
		"a record":        {"record.json", "has been altered"},
		"a file too many": {"files/b.txt", "its record does not name it"},
		"one beside them": {"more", "its record does not name it"},
		"a statement":     {"statement.dsse.json", "its statement has been altered"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			store, _ := keyed(t, dir)
			id := commit(t, store)
			path := filepath.Join(store.Path(id), test.path)
			_, err := os.Lstat(path)
			if err != nil {
				put(t, path, "")
			}
			require.NoError(t, os.Chmod(path, 0o600))
			require.NoError(t, os.Truncate(path, endless))
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
			defer cancel()
			found, err := store.Verify(ctx, records.VerifyOptions{})
			require.NoError(t, err)
			require.Len(t, found.Faults, 1, "%v", found.Faults)
			require.Contains(t, found.Faults[0].Message, test.message)
			require.Less(t, found.Bytes, int64(1<<20))
			into, err := os.OpenRoot(t.TempDir())
			require.NoError(t, err)
			defer into.Close()
			require.ErrorContains(t, store.Copy(ctx, id, into), test.message)
		})
	}
}

// A directory is a place for names, too: one that no file of the record is in is told.
func TestADirectoryThatNoFileIsInIsFound(t *testing.T) {
	for _, name := range []string{"files/empty", "files/a/b", "files/patient 7"} {
		dir := t.TempDir()
		store := open(t, dir)
		id := commit(t, store)
		require.NoError(t, os.MkdirAll(filepath.Join(store.Path(id), name), 0o700))
		faults := look(t, dir, records.VerifyOptions{}).Faults
		require.NotEmpty(t, faults, name)
		for _, fault := range faults {
			require.Equal(t, records.Added, fault.Problem)
			require.Contains(t, fault.Message, "it is a directory")
		}
	}
}

// What lies in the place of a run is told in a line, and removal tells the way out.
func TestWhatIsInTheWayOfARunIsToldInALine(t *testing.T) {
	store, id := recorded(t)
	dir := filepath.Dir(filepath.Dir(store.Path(id)))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "runs", "x\nrunner: all is well"), 0o700))
	_, err := store.IDs()
	require.ErrorContains(t, err, "does not belong there")
	require.NotContains(t, err.Error(), "\n")

	require.NoError(t, os.Rename(store.Path(id), filepath.Join(dir, "moved")))
	require.NoError(t, os.Symlink("../moved", store.Path(id)))
	require.ErrorIs(t, store.Remove(t.Context(), id, records.PartRecord, audited), records.ErrDamaged)
	require.NoError(t, os.Remove(store.Path(id)))
	require.ErrorIs(t, store.Remove(t.Context(), id, records.PartRecord, audited), records.ErrNotFound)
	require.NoError(t, os.Mkdir(store.Path(id), 0o700))
	err = store.Remove(t.Context(), id, records.PartRecord, audited)
	require.ErrorIs(t, err, records.ErrDamaged)
	require.NotContains(t, err.Error(), "\n")
	require.NotContains(t, err.Error(), "changed while")
	require.NoError(t, store.RemoveDamaged(t.Context(), id, records.PartRecord, audited))
}
