package records_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/digest"
	"hotcell/internal/job"
	"hotcell/internal/records"
)

// TestADamagedRecordIsHeldAndRemoved: with an event that says what it was.
func TestADamagedRecordIsHeldAndRemoved(t *testing.T) {
	for name, damage := range map[string]func(t *testing.T, record string){
		"changed": func(t *testing.T, record string) {
			alter(t, record, func(text string) string { return strings.Replace(text, "succeeded", "failed", 1) })
		},
		"removed": func(t *testing.T, record string) { require.NoError(t, os.Remove(record)) },
		"a directory": func(t *testing.T, record string) {
			require.NoError(t, os.Remove(record))
			require.NoError(t, os.Mkdir(record, 0o700))
		},
		"a link": func(t *testing.T, record string) {
			require.NoError(t, os.Rename(record, record+".x"))
			require.NoError(t, os.Symlink(record+".x", record))
		},
		"a link to another": func(t *testing.T, record string) { require.NoError(t, os.Link(record, record+".x")) },
		"no directory around it": func(t *testing.T, record string) {
			require.NoError(t, os.RemoveAll(filepath.Dir(record)))
			require.NoError(t, os.WriteFile(filepath.Dir(record), nil, 0o600))
		},
		"too large": func(t *testing.T, record string) {
			require.NoError(t, os.Chmod(record, 0o600))
			require.NoError(t, os.Truncate(record, 1<<30))
		},
		"no record, says the chain": func(t *testing.T, record string) {
			put(t, record, "{}")
			vouchFor(t, filepath.Dir(filepath.Dir(filepath.Dir(record))), idOf(t, record))
		},
		"of a newer runner, it says": func(t *testing.T, record string) {
			alter(t, record, func(text string) string { return strings.Replace(text, `"version":3`, `"version":9`, 1) })
		},
	} {
		t.Run(name, func(t *testing.T) {
			store, id := recorded(t)
			dir := filepath.Dir(filepath.Dir(store.Path(id)))
			require.ErrorIs(t, store.RemoveDamaged(t.Context(), id, records.PartRecord, audited), records.ErrSound)
			damage(t, filepath.Join(store.Path(id), "record.json"))
			lies, _ := os.ReadFile(filepath.Join(store.Path(id), "record.json"))
			require.Error(t, store.Remove(t.Context(), id, records.PartRecord, audited))
			require.NoError(t, store.Hold(t.Context(), id, audited))
			require.ErrorIs(t, store.RemoveDamaged(t.Context(), id, records.PartRecord, audited), records.ErrHeld)
			require.NoError(t, store.Unhold(t.Context(), id, audited))
			require.ErrorIs(t, store.RemoveDamaged(t.Context(), id, records.PartCode, audited), records.ErrNotFound)
			require.NoError(t, store.RemoveDamaged(t.Context(), id, records.PartRecord, audited))
			require.NoDirExists(t, store.Path(id))
			all := events(t, store)
			last := all[len(all)-1]
			require.Equal(t, records.KindDeletion, last.Kind)
			require.False(t, *last.OK)
			if name == "changed" {
				require.Equal(t, digest.Of(lies).Hex(), last.Subject(records.RoleFile))
			}
			require.Empty(t, look(t, dir, records.VerifyOptions{}).Faults)
		})
	}
}

// TestALostRunIsClosedByAPerson: until then what it needs stays, and nothing else says that it is gone.
func TestALostRunIsClosedByAPerson(t *testing.T) {
	dir, store, ids := kept(t)
	lost := ids[0]
	draft := filepath.Join(dir, "runs", ".draft-"+lost.String())
	require.NoError(t, os.Rename(store.Path(lost), draft)) // the next sweep puts it in its place
	require.ErrorIs(t, store.RemoveDamaged(t.Context(), lost, records.PartRecord, audited), records.ErrNotFound)
	require.NoError(t, os.RemoveAll(draft))
	require.ErrorIs(t, store.Remove(t.Context(), lost, records.PartRecord, audited), records.ErrNotFound)
	require.ErrorIs(t, store.RemoveDamaged(t.Context(), lost, records.PartQuarantine, audited), records.ErrNotFound)
	require.ErrorContains(t, store.RemoveDamaged(t.Context(), job.NewID(started), records.PartRecord, audited), "no event of the chain names it")
	require.Len(t, look(t, dir, records.VerifyOptions{}).Faults, 1)
	require.NoError(t, store.RemoveDamaged(t.Context(), lost, records.PartRecord, audited))
	all := events(t, store)
	require.False(t, *all[len(all)-1].OK)
	require.Empty(t, look(t, dir, records.VerifyOptions{}).Faults)
	require.ErrorIs(t, store.RemoveDamaged(t.Context(), lost, records.PartRecord, audited), records.ErrNotFound)
	require.NoError(t, store.Remove(t.Context(), ids[1], records.PartRecord, audited))
	require.ErrorIs(t, store.RemoveDamaged(t.Context(), ids[1], records.PartRecord, audited), records.ErrNotFound)
	require.Len(t, events(t, store), len(all)+1)
}

func idOf(t *testing.T, record string) job.ID {
	t.Helper()
	id, err := job.ParseID(filepath.Base(filepath.Dir(record)))
	require.NoError(t, err)
	return id
}

// What a newer runner can read is sound, for all that this one knows.
func TestARecordOfANewerRunnerIsNotCalledDamaged(t *testing.T) {
	store, id := recorded(t)
	alter(t, filepath.Join(store.Path(id), "record.json"), func(text string) string { return strings.Replace(text, `"version":3`, `"version":9`, 1) })
	vouchFor(t, filepath.Dir(filepath.Dir(store.Path(id))), id)
	before := len(events(t, store))
	for _, part := range []string{records.PartRecord, records.PartQuarantine} {
		require.ErrorIs(t, store.RemoveDamaged(t.Context(), id, part, audited), records.ErrNewer)
	}
	require.DirExists(t, store.Path(id))
	require.Len(t, events(t, store), before)
}

func TestWhatTheChainDoesNotNameIsNotDeleted(t *testing.T) {
	store, id := recorded(t)
	other := job.NewID(started)
	require.NoError(t, os.CopyFS(store.Path(other), os.DirFS(store.Path(id))))
	require.ErrorContains(t, store.RemoveDamaged(t.Context(), other, records.PartRecord, audited), "no event of the chain names it")
	require.ErrorContains(t, store.Hold(t.Context(), other, audited), "no event of the chain names it")
	require.DirExists(t, store.Path(other))
}

// killedAt is a store of whose run a part was deleted, but for the deletion itself.
func killedAt(t *testing.T, part string, marked bool) (dir string, store *records.Store, id job.ID) {
	t.Helper()
	dir = t.TempDir()
	store = open(t, dir)
	id = refuse(t, store)
	if part == records.PartCode {
		draft, with := begin(t, store)
		_, err := draft.Commit(t.Context(), records.Entry{Result: result(with, job.Failed), Code: []byte("pass\n"), KeepCode: true})
		require.NoError(t, err)
		id = with
	}
	before := filepath.Join(t.TempDir(), "before")
	require.NoError(t, os.CopyFS(before, os.DirFS(dir)))
	require.NoError(t, store.Remove(t.Context(), id, part, audited))
	for _, name := range []string{"runs", "quarantine"} {
		require.NoError(t, os.RemoveAll(filepath.Join(dir, name)))
		require.NoError(t, os.Rename(filepath.Join(before, name), filepath.Join(dir, name)))
	}
	if marked {
		require.NoError(t, os.WriteFile(filepath.Join(dir, ".deleting"), nil, 0o600))
	}
	return dir, store, id
}

func TestADeletionThatWasKilledIsToldAndFinished(t *testing.T) {
	for _, part := range []string{records.PartRecord, records.PartQuarantine, records.PartCode} {
		t.Run(part, func(t *testing.T) {
			dir, store, id := killedAt(t, part, false)
			faults := look(t, dir, records.VerifyOptions{}).Faults
			require.NotEmpty(t, faults)
			require.Contains(t, faults[0].Message, "which was deleted by an event of the chain: `runner gc` deletes it again")
			finished, err := store.FinishDeletions(t.Context())
			require.NoError(t, err)
			require.Len(t, finished, 1)
			require.Equal(t, id, finished[0].RunID)
			require.Empty(t, look(t, dir, records.VerifyOptions{}).Faults)
			if part != records.PartRecord {
				require.FileExists(t, filepath.Join(store.Path(id), "record.json"))
			}
			finished, err = store.FinishDeletions(t.Context())
			require.NoError(t, err)
			require.Empty(t, finished)

			dir, store, _ = killedAt(t, part, true) // the next run's sweep, too
			_, err = store.Sweep(t.Context(), anna)
			require.NoError(t, err)
			require.Empty(t, look(t, dir, records.VerifyOptions{}).Faults)
			require.NoFileExists(t, filepath.Join(dir, ".deleting"))
		})
	}
}

// Only what the chain names is deleted: neither what a record that was changed since names,
// nor what an event does that no runner would have written.
func TestAForgedDeletionDeletesNothing(t *testing.T) {
	deletion := func(t *testing.T, store *records.Store, event records.Event) {
		t.Helper()
		event.Kind, event.Actor = records.KindDeletion, anna
		require.NoError(t, store.Append(t.Context(), event))
	}
	for name, forge := range map[string]func(t *testing.T, store *records.Store, id job.ID){
		"a part that is none": func(t *testing.T, s *records.Store, id job.ID) {
			deletion(t, s, records.Event{RunID: id, Name: "../bundles", Subjects: recordOf(t, s, id)})
		},
		"another record": func(t *testing.T, s *records.Store, id job.ID) {
			deletion(t, s, records.Event{RunID: id, Name: "record", Subjects: []records.Subject{{Role: records.RoleRecord, SHA256: digest.Of(nil).Hex()}}})
		},
		"a run that was held": func(t *testing.T, s *records.Store, id job.ID) {
			require.NoError(t, s.Hold(t.Context(), id, audited))
			deletion(t, s, records.Event{RunID: id, Name: "record", Subjects: recordOf(t, s, id)})
		},
		"a run that is held since": func(t *testing.T, s *records.Store, id job.ID) {
			deletion(t, s, records.Event{RunID: id, Name: "record", Subjects: recordOf(t, s, id)})
			require.NoError(t, s.Hold(t.Context(), id, audited))
		},
		"code that a changed record names": func(t *testing.T, s *records.Store, id job.ID) {
			deletion(t, s, records.Event{RunID: id, Name: "code", Subjects: recordOf(t, s, id)})
			alter(t, filepath.Join(s.Path(id), "record.json"), func(text string) string {
				return strings.Replace(text, `"code":"run_`, `"code":"files/run_`, 1)
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir, store, ids := kept(t)
			forge(t, store, ids[1])
			before := tree(t, dir)
			finished, err := store.FinishDeletions(t.Context())
			require.NoError(t, err)
			require.Empty(t, finished)
			require.Equal(t, before, tree(t, dir))
		})
	}
}

func recordOf(t *testing.T, store *records.Store, id job.ID) []records.Subject {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(store.Path(id), "record.json"))
	require.NoError(t, err)
	return []records.Subject{{Role: records.RoleRecord, SHA256: digest.Of(data).Hex()}}
}

// tree lists the files of a store's runs.
func tree(t *testing.T, dir string) (all []string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(filepath.Join(dir, "runs"), func(path string, _ os.DirEntry, err error) error {
		all = append(all, path)
		return err
	}))
	return all
}

// An event of a run that names none would be carried out on what all runs lie in.
func TestAnEventOfARunNamesIt(t *testing.T) {
	store, id := recorded(t)
	dir := filepath.Dir(filepath.Dir(store.Path(id)))
	for _, kind := range []records.Kind{records.KindDeletion, records.KindHold, records.KindRelease, records.KindExport, records.KindToolCall, records.KindReplication} {
		require.ErrorContains(t, store.Append(t.Context(), records.Event{Kind: kind, Actor: anna, Name: records.PartRecord}), "names no run", kind)
	}
	require.Error(t, store.Remove(t.Context(), job.ID{}, records.PartRecord, audited))
	require.Error(t, store.RemoveDamaged(t.Context(), job.ID{}, records.PartQuarantine, audited))
	require.NoError(t, store.Remove(t.Context(), id, records.PartCode, audited))
	whole, err := os.ReadFile(audit(dir))
	require.NoError(t, err)
	for name, text := range map[string]string{"none": "", "an empty one": `"run_id":"",`, "a path": `"run_id":"..",`, "null": `"run_id":null,`} {
		require.NoError(t, os.WriteFile(audit(dir), whole, 0o600))
		forge(t, dir, func(all []string) []string {
			for n, line := range all { // the run, too, so that the deletion is of one that the chain has
				all[n] = strings.Replace(line, `"run_id":"`+id.String()+`",`, text, 1)
				all[n] = strings.Replace(all[n], `"name":"code"`, `"name":"record"`, 1)
			}
			return all
		})
		_, err := store.FinishDeletions(t.Context())
		require.Error(t, err, name)
		require.DirExists(t, store.Path(id))
		require.DirExists(t, filepath.Join(dir, "quarantine"))
		require.NotEmpty(t, look(t, dir, records.VerifyOptions{}).Faults)
	}
}
