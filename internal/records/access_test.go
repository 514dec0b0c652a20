package records_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/beneath"
	"hotcell/internal/digest"
	"hotcell/internal/job"
	"hotcell/internal/records"
)

func accesses(t *testing.T, store *records.Store) (all []records.Event) {
	t.Helper()
	for _, event := range events(t, store) {
		if event.Kind == records.KindAccess {
			all = append(all, event)
		}
	}
	return all
}

func TestAPartIsReadByItsHashAndItsReaderIsInTheChain(t *testing.T) {
	dir := t.TempDir()
	store, key := keyed(t, dir)
	id := commit(t, store)
	for n, scene := range []struct{ part, path, role string }{
		{"record", "record.json", records.RoleRecord},
		{"statement", "statement.dsse.json", records.RoleStatement},
		{"files/a.txt", "files/a.txt", records.RoleFile},
	} {
		want, err := os.ReadFile(filepath.Join(store.Path(id), scene.path))
		require.NoError(t, err)
		content, size, err := store.ReadPart(t.Context(), id, scene.part, bertas)
		require.NoError(t, err)
		all := accesses(t, store)
		require.Len(t, all, n+1, "before anything is read")
		require.Equal(t, bertas, all[n].Actor)
		require.Equal(t, id, all[n].RunID)
		require.Equal(t, int64(len(want)), all[n].Bytes)
		require.Equal(t, []records.Subject{{Role: scene.role, SHA256: digest.Of(want).Hex()}}, all[n].Subjects, "and no name of a file")
		got, err := io.ReadAll(content)
		require.NoError(t, err)
		require.NoError(t, content.Close())
		require.Equal(t, string(want), string(got))
		require.EqualValues(t, len(want), size)
	}
	require.Empty(t, look(t, dir, byKeys(key.Public())).Faults)
}

func TestWhatIsNoPartOfARunIsNotRead(t *testing.T) {
	store := open(t, t.TempDir())
	id := commit(t, store)
	for _, part := range []string{
		"", "x", "Record", "record.json", "record/", "statement", "files", "files/", "files/b.txt", "files//a.txt", "files/./a.txt", "files/a.txt/",
		"files/../record.json", "files/../../" + id.String() + "/files/a.txt", "/files/a.txt", "files/A.TXT", "files/a.txt\x00", "files/" + strings.Repeat("a/", 5000),
	} {
		_, _, err := store.ReadPart(t.Context(), id, part, bertas)
		require.ErrorIs(t, err, records.ErrNoPart, part)
		require.NotContains(t, err.Error(), "a.txt")
	}
	require.Empty(t, accesses(t, store))
}

func TestARunWhosePartsAreNotReadSaysWhy(t *testing.T) {
	aside := func(t *testing.T, path string) string {
		t.Helper()
		moved := filepath.Join(t.TempDir(), "aside")
		require.NoError(t, os.Rename(path, moved))
		return moved
	}
	for name, scene := range map[string]struct {
		happen func(t *testing.T, store *records.Store, id job.ID) job.ID
		part   string
		want   error
	}{
		"there is none": {func(*testing.T, *records.Store, job.ID) job.ID { return job.NewID(started) }, "record", records.ErrNotFound},
		"it was deleted": {func(t *testing.T, store *records.Store, id job.ID) job.ID {
			require.NoError(t, store.Remove(t.Context(), id, records.PartRecord, published))
			return id
		}, "record", records.ErrDeleted},
		"it was interrupted": {func(t *testing.T, store *records.Store, _ job.ID) job.ID {
			id, _ := died(t, store, func(draft *records.Draft) { require.NoError(t, draft.Begun()) })
			_, err := store.Sweep(t.Context(), anna)
			require.NoError(t, err)
			return id
		}, "record", records.ErrInterrupted},
		"its record is another": {func(t *testing.T, store *records.Store, id job.ID) job.ID {
			alter(t, filepath.Join(store.Path(id), "record.json"), func(text string) string { return text + " " })
			return id
		}, "files/a.txt", records.ErrAltered},
		"its record is gone": {func(t *testing.T, store *records.Store, id job.ID) job.ID {
			require.NoError(t, os.RemoveAll(store.Path(id)))
			return id
		}, "record", records.ErrLost},
		"its file is longer": {func(t *testing.T, store *records.Store, id job.ID) job.ID {
			alter(t, filepath.Join(store.Path(id), "files", "a.txt"), func(text string) string { return text + " " })
			return id
		}, "files/a.txt", records.ErrAltered},
		"its file is gone": {func(t *testing.T, store *records.Store, id job.ID) job.ID {
			aside(t, filepath.Join(store.Path(id), "files", "a.txt"))
			return id
		}, "files/a.txt", records.ErrAltered},
		"its file has two names": {func(t *testing.T, store *records.Store, id job.ID) job.ID {
			require.NoError(t, os.Link(filepath.Join(store.Path(id), "files", "a.txt"), filepath.Join(t.TempDir(), "b")))
			return id
		}, "files/a.txt", beneath.ErrLinked}, // and altered
		"a file of it was refused": {func(t *testing.T, store *records.Store, _ job.ID) job.ID {
			draft, id := begin(t, store)
			quarantine(t, draft)
			_, err := draft.Commit(t.Context(), records.Entry{Result: result(id, job.OutputRejected)})
			require.NoError(t, err)
			return id
		}, "files/a.txt", records.ErrRefused},
		"its file is a link": {func(t *testing.T, store *records.Store, id job.ID) job.ID {
			path := filepath.Join(store.Path(id), "files", "a.txt")
			require.NoError(t, os.Symlink(aside(t, path), path))
			return id
		}, "files/a.txt", records.ErrAltered},
		"its files are a link": {func(t *testing.T, store *records.Store, id job.ID) job.ID {
			path := filepath.Join(store.Path(id), "files")
			require.NoError(t, os.Symlink(aside(t, path), path))
			return id
		}, "files/a.txt", records.ErrAltered},
	} {
		t.Run(name, func(t *testing.T) {
			store := open(t, t.TempDir())
			id := scene.happen(t, store, commit(t, store))
			_, _, err := store.ReadPart(t.Context(), id, scene.part, bertas)
			require.ErrorIs(t, err, scene.want)
			require.NotContains(t, err.Error(), "a.txt")
			if errors.Is(err, records.ErrDeleted) || errors.Is(err, records.ErrInterrupted) {
				_, getErr := store.Get(t.Context(), id)
				require.ErrorIs(t, getErr, scene.want)
				require.ErrorIs(t, getErr, records.ErrNotFound)
			}
			require.Empty(t, accesses(t, store))
		})
	}
}

// What was altered, and is as long as it was, shows at the end of what is read.
func TestAPartThatIsAnotherFailsAtItsEnd(t *testing.T) {
	store := open(t, t.TempDir())
	id := commit(t, store)
	alter(t, filepath.Join(store.Path(id), "files", "a.txt"), func(string) string { return "y\n" })
	content, _, err := store.ReadPart(t.Context(), id, "files/a.txt", bertas)
	require.NoError(t, err)
	_, err = io.ReadAll(content)
	require.ErrorIs(t, err, digest.ErrMismatch)
	require.NoError(t, content.Close())
	content, _, err = store.ReadPart(t.Context(), id, "files/a.txt", bertas)
	require.NoError(t, err)
	require.ErrorIs(t, content.Close(), digest.ErrMismatch, "also for who does not read so far")
}

func TestNothingIsReadThatTheChainCannotBeTold(t *testing.T) {
	store := open(t, t.TempDir())
	id := commit(t, store)
	_, _, err := store.ReadPart(t.Context(), id, "record", job.Actor{Principal: "two\nlines"})
	require.ErrorContains(t, err, "not one printable line")
	require.Empty(t, accesses(t, store))
}

// An event of a reader, or of a run that was interrupted, is held to what the chain says of its run.
func TestEventsOfRunsAreHeldToTheirForm(t *testing.T) {
	sum := digest.Of([]byte("x")).Hex()
	of := func(role string, sum digest.Hex) []records.Subject {
		return []records.Subject{{Role: role, SHA256: sum}}
	}
	for name, forge := range map[string]func(known, other job.ID, record digest.Hex) records.Event{
		"of no run": func(_, other job.ID, _ digest.Hex) records.Event {
			return records.Event{Kind: records.KindAccess, RunID: other, Subjects: of(records.RoleFile, sum)}
		},
		"of another record": func(known, _ job.ID, _ digest.Hex) records.Event {
			return records.Event{Kind: records.KindAccess, RunID: known, Subjects: of(records.RoleRecord, sum)}
		},
		"of a statement that there is not": func(known, _ job.ID, _ digest.Hex) records.Event {
			return records.Event{Kind: records.KindAccess, RunID: known, Subjects: of(records.RoleStatement, sum)}
		},
		"of something else": func(known, _ job.ID, record digest.Hex) records.Event {
			return records.Event{Kind: records.KindAccess, RunID: known, Subjects: of(records.RoleCode, record)}
		},
		"of nothing": func(known, _ job.ID, _ digest.Hex) records.Event {
			return records.Event{Kind: records.KindAccess, RunID: known}
		},
		"with a name": func(known, _ job.ID, record digest.Hex) records.Event {
			return records.Event{Kind: records.KindAccess, RunID: known, Name: "a.txt", Subjects: of(records.RoleRecord, record)}
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			store := open(t, dir)
			known := commit(t, store)
			record := events(t, store)[0].Subject(records.RoleRecord)
			require.NoError(t, store.Append(t.Context(), forge(known, job.NewID(started), record)))
			faults := look(t, dir, records.VerifyOptions{}).Faults
			require.Len(t, faults, 1)
			require.Equal(t, records.Added, faults[0].Problem)
			require.EqualValues(t, 2, faults[0].Line)
		})
	}
}
