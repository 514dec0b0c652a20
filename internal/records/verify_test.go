package records_test

import (
	"os"
	"path/filepath"
	"slices"
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

// kept is a store with three runs that keep their code, and some events around them.
func kept(t *testing.T) (dir string, store *records.Store, ids []job.ID) {
	t.Helper()
	dir = t.TempDir()
	store = open(t, dir)
	for n := range 3 {
		require.NoError(t, store.Append(t.Context(), records.Event{Kind: records.KindCheck, Actor: anna, Count: int64(n)}))
		draft, id := begin(t, store)
		entry := records.Entry{Result: result(id, job.Succeeded), Verified: verify(t, draft, "x\n"), Code: []byte("pass\n"), KeepCode: true, Actor: anna}
		entry.Result.Files = entry.Verified.Files()
		_, err := draft.Commit(t.Context(), entry)
		require.NoError(t, err)
		ids = append(ids, id)
	}
	return dir, store, ids
}

// look verifies as somebody who may not write.
func look(t *testing.T, dir string, options records.VerifyOptions) records.Verification {
	t.Helper()
	view, err := records.Look(dir)
	require.NoError(t, err)
	found, err := view.Verify(t.Context(), options)
	require.NoError(t, err)
	return found
}

func TestAStoreThatNobodyChangedHolds(t *testing.T) {
	dir, store, _ := kept(t)
	var told []int64
	leaves := 0
	found := look(t, dir, records.VerifyOptions{
		Progress: func(done, total int64) { told = append(told, done, total) },
		Leaf:     func(records.Event, []byte) { leaves++ },
	})
	require.Empty(t, found.Faults)
	require.Equal(t, []int64{6, 3, 9, 6}, []int64{found.Head.Seq, found.Runs, found.Files, found.Events})
	require.Equal(t, []int64{0, 3, 1, 3, 2, 3}, told)
	require.Equal(t, 6, leaves)
	draft, _ := begin(t, store) // a run that goes on is no fault
	quarantine(t, draft)
	require.Empty(t, look(t, dir, records.VerifyOptions{}).Faults)
}

// TestVerifyFindsEachChangeAndSaysWhere: every kind of tampering, of one thing each.
func TestVerifyFindsEachChangeAndSaysWhere(t *testing.T) {
	code := func(store *records.Store, id job.ID) string {
		return filepath.Join(store.Path(id), "run_20261121T004035Z_"+id.String()+".py")
	}
	file := func(store *records.Store, id job.ID) string { return filepath.Join(store.Path(id), "files", "a.txt") }
	write := func(t *testing.T, path, text string) {
		t.Helper()
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		_ = os.Chmod(path, 0o600)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	swap := func(t *testing.T, one, other string) {
		t.Helper()
		require.NoError(t, os.Rename(one, one+".tmp"))
		require.NoError(t, os.Rename(other, one))
		require.NoError(t, os.Rename(one+".tmp", other))
	}
	for name, test := range map[string]struct {
		tamper  func(t *testing.T, dir string, store *records.Store, id, other job.ID)
		problem records.Problem
		path    string // ends so
	}{
		"a file changed": {func(t *testing.T, _ string, s *records.Store, id, _ job.ID) { write(t, file(s, id), "y\n") }, records.Changed, "files/a.txt"},
		"a file grown":   {func(t *testing.T, _ string, s *records.Store, id, _ job.ID) { write(t, file(s, id), "x\nz") }, records.Changed, "files/a.txt"},
		"a file removed": {func(t *testing.T, _ string, s *records.Store, id, _ job.ID) {
			require.NoError(t, os.Remove(file(s, id)))
		}, records.Missing, "files/a.txt"},
		"a file added": {func(t *testing.T, _ string, s *records.Store, id, _ job.ID) { write(t, file(s, id)+"2", "") }, records.Added, "files/a.txt2"},
		"a file deep below": {func(t *testing.T, _ string, s *records.Store, id, _ job.ID) {
			write(t, filepath.Join(s.Path(id), "files", "d", "e"), "")
		}, records.Added, "files/d/e"},
		"a file beside the record": {func(t *testing.T, _ string, s *records.Store, id, _ job.ID) {
			write(t, filepath.Join(s.Path(id), "note"), "")
		}, records.Added, "note"},
		"a pipe": {func(t *testing.T, _ string, s *records.Store, id, _ job.ID) {
			require.NoError(t, os.Symlink("/etc/passwd", filepath.Join(s.Path(id), "link")))
		}, records.Added, "link"},
		"code changed": {func(t *testing.T, _ string, s *records.Store, id, _ job.ID) { write(t, code(s, id), "x") }, records.Changed, ".py"},
		"code removed": {func(t *testing.T, _ string, s *records.Store, id, _ job.ID) {
			require.NoError(t, os.Remove(code(s, id)))
		}, records.Missing, ".py"},
		"record changed": {func(t *testing.T, _ string, s *records.Store, id, _ job.ID) {
			write(t, filepath.Join(s.Path(id), "record.json"), "{}")
		}, records.Changed, "record.json"},
		"record removed": {func(t *testing.T, _ string, s *records.Store, id, _ job.ID) {
			require.NoError(t, os.Remove(filepath.Join(s.Path(id), "record.json")))
		}, records.Missing, "record.json"},
		"run removed": {func(t *testing.T, _ string, s *records.Store, id, _ job.ID) {
			require.NoError(t, os.RemoveAll(s.Path(id)))
		}, records.Missing, ""},
		"run renamed": {func(t *testing.T, _ string, s *records.Store, id, _ job.ID) {
			require.NoError(t, os.Rename(s.Path(id), s.Path(job.NewID(started))))
		}, records.Added, ""},
		"two runs exchanged": {func(t *testing.T, _ string, s *records.Store, id, other job.ID) { swap(t, s.Path(id), s.Path(other)) }, records.Changed, "record.json"},
		"two runs' code exchanged": {func(t *testing.T, _ string, s *records.Store, id, other job.ID) {
			swap(t, code(s, id), code(s, other))
		}, records.Changed, ".py"},
		"a quarantine added": {func(t *testing.T, _ string, s *records.Store, _, _ job.ID) {
			require.NoError(t, os.Mkdir(s.QuarantinePath(job.NewID(started)), 0o700))
		}, records.Added, ""},
		"something among the runs": {func(t *testing.T, dir string, _ *records.Store, _, _ job.ID) {
			write(t, filepath.Join(dir, "runs", "note"), "")
		}, records.Added, ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir, store, ids := kept(t)
			test.tamper(t, dir, store, ids[1], ids[2])
			found := look(t, dir, records.VerifyOptions{})
			require.NotEmpty(t, found.Faults)
			hit := false
			for _, fault := range found.Faults {
				hit = hit || fault.Problem == test.problem && strings.HasSuffix(fault.Path, test.path) && (fault.RunID == ids[1] || test.problem == records.Added)
				require.NotEqual(t, ids[0], fault.RunID, "nobody touched it")
			}
			require.True(t, hit, "%+v", found.Faults)
			require.Equal(t, int64(6), found.Head.Seq, "the chain itself holds")
		})
	}
}

func TestVerifyFindsEachChangeOfTheChain(t *testing.T) {
	for name, test := range map[string]struct {
		tamper func(all []string) []string
		want   []records.Fault // without their messages
		sound  int64
	}{
		"an event changed": {func(all []string) []string {
			all[2] = strings.Replace(all[2], `"count":1`, `"count":7`, 1)
			return all
		}, []records.Fault{{Problem: records.Changed, Line: 3}}, 2},
		"an event exchanged for another that is whole": {func(all []string) []string {
			body := strings.Replace(all[2][:strings.LastIndex(all[2], `,"sha256"`)], `"count":1`, `"count":7`, 1)
			all[2] = body + `,"sha256":"` + string(digest.Of([]byte(body+"}")).Hex()) + "\"}\n"
			return all
		}, []records.Fault{{Problem: records.Changed, Line: 4}}, 3},
		"an event removed":   {func(all []string) []string { return append(all[:2], all[3:]...) }, []records.Fault{{Problem: records.Missing, Line: 3}}, 2},
		"two events removed": {func(all []string) []string { return append(all[:2], all[4:]...) }, []records.Fault{{Problem: records.Missing, Line: 3}, {Problem: records.Added}}, 2},
		"two exchanged": {func(all []string) []string {
			all[1], all[2] = all[2], all[1]
			return all
		}, []records.Fault{{Problem: records.OutOfOrder, Line: 2}}, 1},
		"one doubled":   {func(all []string) []string { return append(all[:3], append([]string{all[2]}, all[3:]...)...) }, []records.Fault{{Problem: records.OutOfOrder, Line: 4}}, 3},
		"a run doubled": {func(all []string) []string { return append(all, all[5]) }, []records.Fault{{Problem: records.OutOfOrder, Line: 7}, {Problem: records.OutOfOrder, Line: 6}}, 6},
		"cut by a run":  {func(all []string) []string { return all[:5] }, []records.Fault{{Problem: records.Added}}, 5},
		"torn":          {func(all []string) []string { return append(all, all[5][:50]) }, []records.Fault{{Problem: records.Torn, Line: 7}}, 6},
		"something else": {func(all []string) []string { return append(all[:2], append([]string{"hello\n"}, all[2:]...)...) },
			[]records.Fault{{Problem: records.Changed, Line: 3}, {Problem: records.OutOfOrder, Line: 4}}, 2},
		"something long": {func(all []string) []string { return append(all, strings.Repeat("x", 1<<20)+"\n", all[0]) },
			[]records.Fault{{Problem: records.Changed, Line: 7}, {Problem: records.OutOfOrder, Line: 8}}, 6},
		"something that calls itself newer": {func(all []string) []string { return append(all, `{"version":3,"x":1}`+"\n", "rest\n") },
			[]records.Fault{{Problem: records.Changed, Line: 7}, {Problem: records.Changed, Line: 8}}, 6},
		"an event that calls itself newer": {func(all []string) []string {
			all[3] = strings.Replace(all[3], `"version":3`, `"version":9`, 1)
			return all
		}, []records.Fault{{Problem: records.Changed, Line: 4}, {Problem: records.Added}}, 3},
		"an event that calls itself newer, with its hash": {func(all []string) []string {
			all[3] = strings.Replace(all[3], `"version":3`, `"version":9`, 1)
			return rechain(all)
		}, []records.Fault{{Problem: records.Newer, Line: 4}, {Problem: records.Added, Line: 5}}, 3},
		"one that calls itself newer, with its hash alone": {func(all []string) []string {
			all[3] = strings.Replace(all[3], `"version":3`, `"version":9`, 1)
			rechain(all[3:4])
			return all
		}, []records.Fault{{Problem: records.Newer, Line: 4}, {Problem: records.Added, Line: 5}, {Problem: records.Changed, Line: 5}}, 3},
		"newer lines": {func(all []string) []string {
			one := strings.Replace(all[4], `"version":3`, `"version":4,"more":[{"x":1}]`, 1)
			return rechain(append(all, one, one, one))
		}, []records.Fault{{Problem: records.Newer, Line: 7}}, 6},
		"newer lines, one of which was removed": {func(all []string) []string {
			one := strings.Replace(all[4], `"version":3`, `"version":4`, 1)
			all = rechain(append(all, one, one, one))
			return append(all[:7], all[8])
		}, []records.Fault{{Problem: records.Newer, Line: 7}, {Problem: records.Missing, Line: 8}}, 6},
		"a text that drives a terminal": {func(all []string) []string {
			all[2] = strings.Replace(all[2], `"actor":{`, `"name":"\u001b[2J","actor":{`, 1)
			return all
		}, []records.Fault{{Problem: records.Changed, Line: 3}}, 2},
		"a status that drives a terminal": {func(all []string) []string {
			all[1] = strings.Replace(all[1], `"status":"succeeded"`, `"status":"\u001b[2J"`, 1)
			return rechain(all)
		}, []records.Fault{{Problem: records.Changed, Line: 2}, {Problem: records.Added}}, 1},
		"a reason that drives a terminal": {func(all []string) []string {
			all[2] = strings.Replace(all[2], `"count":1`, `"reason":"\u001b[2J","count":1`, 1)
			return rechain(all)
		}, []records.Fault{{Problem: records.Changed, Line: 3}}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			dir, _, _ := kept(t)
			alter(t, audit(dir), func(text string) string { return strings.Join(test.tamper(lines(text)), "") })
			found := look(t, dir, records.VerifyOptions{})
			got := []records.Fault{}
			for _, fault := range found.Faults {
				got = append(got, records.Fault{Problem: fault.Problem, Line: fault.Line})
			}
			require.Equal(t, test.want, got, "%+v", found.Faults)
			require.Equal(t, test.sound, found.Head.Seq)
		})
	}
}

// A record of version 1 has no hash of the saved file: its script is compared.
// Where a line cannot be read, or is not there, the signed runs behind it hold as they are: only
// the line is told, and none of the runs that have nothing wrong.
func TestOneBadLineAccusesNoRunBehindIt(t *testing.T) {
	cut := func(line string) string { return line[1:] }
	for name, change := range map[string]func(all []string) []string{
		"the first unreadable": func(all []string) []string { all[0] = cut(all[0]); return all },
		"one unreadable":       func(all []string) []string { all[3] = cut(all[3]); return all },
		"too long":             func(all []string) []string { all[3] = strings.Repeat("x", 1<<17) + "\n"; return all },
		"one missing":          func(all []string) []string { return slices.Delete(all, 3, 4) },
		"two missing":          func(all []string) []string { return slices.Delete(all, 2, 4) },
		"the first missing":    func(all []string) []string { return slices.Delete(all, 0, 1) },
		"one moved":            func(all []string) []string { return append(slices.Delete(slices.Clone(all), 3, 4), all[3]) },
	} {
		t.Run(name, func(t *testing.T) {
			dir, by := t.TempDir(), newSigner(t)
			store := open(t, dir)
			store.SignWith(by)
			signOne(t, store)
			for n := range 3 {
				require.NoError(t, store.Append(t.Context(), records.Event{Kind: records.KindCheck, Count: int64(n)}))
			}
			signOne(t, store)
			_, err := store.Release(t.Context(), records.ReleaseOptions{RunID: commit(t, store), To: output.Destination{Dir: filepath.Join(t.TempDir(), "out")}, By: published})
			require.NoError(t, err)
			alter(t, audit(dir), func(text string) string { return strings.Join(change(lines(text)), "") })
			found := look(t, dir, byKeys(by))
			require.NotEmpty(t, found.Faults)
			for _, fault := range found.Faults {
				require.Zero(t, fault.RunID, fault.Message)
			}
			require.EqualValues(t, 3, found.Signed)
		})
	}
}

func TestTheCodeOfAnOldRecordIsCompared(t *testing.T) {
	dir, store, ids := kept(t)
	old := digest.Of([]byte("pass\n")).Hex()
	record := filepath.Join(store.Path(ids[2]), "record.json")
	alter(t, record, func(text string) string {
		at := strings.Index(text, `,"code_file_sha256"`)
		text = text[:at] + text[at+len(`,"code_file_sha256":""`)+64:]
		return strings.Replace(strings.Replace(text, `"version":3`, `"version":1`, 1), `"code_sha256":""`, `"code_sha256":"`+string(old)+`"`, 1)
	})
	data, err := os.ReadFile(record)
	require.NoError(t, err)
	alter(t, audit(dir), func(text string) string {
		all := lines(text)
		body := all[5][:strings.LastIndex(all[5], `,"sha256"`)]
		at := strings.Index(body, `"role":"record","sha256":"`) + len(`"role":"record","sha256":"`)
		body = body[:at] + string(digest.Of(data).Hex()) + body[at+64:]
		all[5] = body + `,"sha256":"` + string(digest.Of([]byte(body+"}")).Hex()) + "\"}\n"
		return strings.Join(all, "")
	})
	require.Empty(t, look(t, dir, records.VerifyOptions{}).Faults)
	alter(t, filepath.Join(store.Path(ids[2]), "run_20261121T004035Z_"+ids[2].String()+".py"), func(text string) string { return text + "#" })
	found := look(t, dir, records.VerifyOptions{})
	require.Len(t, found.Faults, 1)
	require.Equal(t, records.Changed, found.Faults[0].Problem)
}

func TestWhatARuleHasDeletedIsNotMissing(t *testing.T) {
	dir, store, ids := kept(t)
	for n, part := range []string{records.PartCode, records.PartRecord} {
		require.NoError(t, store.Remove(t.Context(), ids[n], part, records.Cause{Actor: anna, Reason: "retention"}))
		require.Empty(t, look(t, dir, records.VerifyOptions{}).Faults, part)
	}
}

// An event that no runner would have written excuses nothing.
func TestADeletionThatNobodyMadeIsFound(t *testing.T) {
	recordOf := func(t *testing.T, store *records.Store, id job.ID) []records.Subject {
		data, err := os.ReadFile(filepath.Join(store.Path(id), "record.json"))
		require.NoError(t, err)
		return []records.Subject{{Role: records.RoleRecord, SHA256: digest.Of(data).Hex()}}
	}
	for name, test := range map[string]struct {
		hold  bool
		spoil func(*records.Event)
		want  string
	}{
		"of a run that is held":  {hold: true, want: "which was held"},
		"of another record":      {spoil: func(event *records.Event) { event.Subjects[0].SHA256 = digest.Of(nil).Hex() }, want: "names another record"},
		"of no record":           {spoil: func(event *records.Event) { event.Subjects = nil }, want: "names another record"},
		"of a part there is not": {spoil: func(event *records.Event) { event.Name = "files" }, want: "which no runner deletes"},
		"of no run":              {spoil: func(event *records.Event) { event.RunID = job.NewID(time.Now()) }, want: "there was no such run"},
	} {
		t.Run(name, func(t *testing.T) {
			dir, store, ids := kept(t)
			if test.hold {
				require.NoError(t, store.Hold(t.Context(), ids[0], records.Cause{Actor: anna, Reason: "audit"}))
			}
			event := records.Event{Kind: records.KindDeletion, RunID: ids[0], Name: records.PartRecord, Subjects: recordOf(t, store, ids[0])}
			if test.spoil != nil {
				test.spoil(&event)
			}
			require.NoError(t, store.Append(t.Context(), event))
			require.NoError(t, os.RemoveAll(store.Path(ids[0])))
			found := look(t, dir, records.VerifyOptions{}).Faults
			require.Len(t, found, 2)
			require.Contains(t, found[0].Message, test.want)
			require.Contains(t, found[1].Message, "has been removed")
		})
	}
}

// What was deleted does not come back unseen.
func TestWhatWasDeletedAndIsThereIsFound(t *testing.T) {
	dir, store, ids := kept(t)
	backup := filepath.Join(t.TempDir(), "backup")
	require.NoError(t, os.CopyFS(backup, os.DirFS(store.Path(ids[0]))))
	require.NoError(t, store.Remove(t.Context(), ids[0], records.PartRecord, records.Cause{Actor: anna, Reason: "withdrew"}))
	require.NoError(t, os.Rename(backup, store.Path(ids[0])))
	found := look(t, dir, records.VerifyOptions{}).Faults
	require.NotEmpty(t, found)
	require.Contains(t, found[len(found)-1].Message, "its record is there, which was deleted")
}

// Whatever is done with a record is done by what its run has left: an edited one would name
// anything of the store as its code, which is deleted by a rule.
func TestAnEditedRecordIsNotActedUpon(t *testing.T) {
	dir, store, ids := kept(t)
	alter(t, filepath.Join(store.Path(ids[0]), "record.json"), func(text string) string {
		return strings.Replace(text, `"code":"run_`, `"code":"../../audit.jsonl","x":"`, 1)
	})
	_, err := store.Get(t.Context(), ids[0])
	require.ErrorIs(t, err, records.ErrAltered)
	for _, part := range []string{records.PartCode, records.PartRecord, records.PartQuarantine} {
		require.ErrorIs(t, store.Remove(t.Context(), ids[0], part, records.Cause{Actor: anna, Reason: "withdrew"}), records.ErrAltered)
	}
	require.NoError(t, store.Hold(t.Context(), ids[0], records.Cause{Actor: anna, Reason: "evidence"})) // by its name alone
	require.FileExists(t, audit(dir))
	list, err := store.List(t.Context())
	require.ErrorIs(t, err, records.ErrAltered)
	require.Len(t, list, 2)
}

// A pipe or a link in the place of what is the store's own is told, and not waited for.
func TestWhatIsNoneOfTheStoresIsNotOpened(t *testing.T) {
	for name, put := range map[string]func(path string) error{
		"a pipe": func(path string) error { return unix.Mkfifo(path, 0o600) },
		"a link": func(path string) error { return os.Symlink(t.TempDir(), path) },
	} {
		t.Run(name, func(t *testing.T) {
			dir, store, ids := kept(t)
			require.NoError(t, os.RemoveAll(store.Path(ids[0])))
			require.NoError(t, put(store.Path(ids[0])))
			_, err := store.Get(t.Context(), ids[0])
			require.ErrorContains(t, err, "is no directory of this store")
			found := look(t, dir, records.VerifyOptions{}).Faults
			require.Len(t, found, 1)
			require.Contains(t, found[0].Message, "is no directory of this store")
			require.NoError(t, os.Remove(audit(dir)))
			require.NoError(t, put(audit(dir)))
			_, err = store.Get(t.Context(), ids[1])
			require.ErrorContains(t, err, "is no file of this store")
		})
	}
}

// A rule deletes a run while it is being compared.
func TestWhatIsDeletedMeanwhileIsNotMissing(t *testing.T) {
	dir, store, ids := kept(t)
	found := look(t, dir, records.VerifyOptions{Progress: func(done, _ int64) {
		if done == 0 {
			require.NoError(t, store.Remove(t.Context(), ids[1], records.PartRecord, records.Cause{Actor: anna, Reason: "retention"}))
			require.NoError(t, os.RemoveAll(store.Path(ids[2]))) // by nobody's rule
		}
	}})
	require.Len(t, found.Faults, 1)
	require.Equal(t, ids[2], found.Faults[0].RunID)
}

func TestLookingMakesNothing(t *testing.T) {
	above := t.TempDir()
	_, err := records.Look(filepath.Join(above, "nothing"))
	require.ErrorIs(t, err, records.ErrNone)
	_, err = records.Look(above)
	require.ErrorIs(t, err, records.ErrNone)
	require.Empty(t, names(t, above))
	file := filepath.Join(above, "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	_, err = records.Look(file)
	require.ErrorIs(t, err, records.ErrNone)

	dir, _, ids := kept(t)
	require.NoError(t, os.Remove(filepath.Join(dir, "lock")))
	before := names(t, dir)
	require.Empty(t, look(t, dir, records.VerifyOptions{}).Faults)
	view, err := records.Look(dir)
	require.NoError(t, err)
	_, err = view.Get(t.Context(), ids[0])
	require.NoError(t, err)
	list, err := view.List(t.Context())
	require.NoError(t, err)
	require.Len(t, list, 3)
	require.Equal(t, before, names(t, dir))
}
