package records_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/digest"
	"hotcell/internal/job"
	"hotcell/internal/records"
)

var (
	bertas = job.Actor{User: "hotcell", Principal: "token:berta"}
	asked  = records.Asked{
		Actor: bertas, Policy: "study-analysis", PolicySHA256: digest.Hex(strings.Repeat("a", 64)),
		Image: imageDigest, Bundle: bundleDigest, CodeSHA256: digest.Of([]byte("1 + 1\n")).Hex(),
	}
)

// died makes the draft of a run and leaves it as a process does that is killed.
func died(t *testing.T, store *records.Store, till func(draft *records.Draft)) (id job.ID, path string) {
	t.Helper()
	id = job.NewID(time.Now())
	draft, err := store.Begin(t.Context(), id, asked)
	require.NoError(t, err)
	till(draft)
	path = draft.Path()
	kept := path + "-kept" // as it is, while its owner lets it go
	require.NoError(t, os.CopyFS(kept, os.DirFS(path)))
	draft.NothingRan()
	require.NoError(t, draft.Discard(t.Context()))
	require.NoError(t, os.Rename(kept, path))
	return id, path
}

func toldOf(t *testing.T, store *records.Store, id job.ID) (all []records.Event) {
	t.Helper()
	for _, event := range events(t, store) {
		if event.RunID == id {
			event.Seq, event.Time, event.Version, event.PrevSHA256, event.SHA256 = 0, time.Time{}, 0, "", ""
			all = append(all, event)
		}
	}
	return all
}

func requireHolds(t *testing.T, dir string) {
	t.Helper()
	require.Empty(t, look(t, dir, records.VerifyOptions{}).Faults)
}

func TestARunWhoseRunnerDiedIsToldWhereItMayHaveBegun(t *testing.T) {
	full := records.Event{
		Kind: records.KindInterrupted, Actor: bertas, Reason: "its runner ended before the run was recorded",
		Subjects: []records.Subject{
			{Role: records.RolePolicy, Name: "study-analysis", SHA256: asked.PolicySHA256},
			{Role: records.RoleImage, SHA256: imageDigest.Hex()}, {Role: records.RoleBundle, SHA256: bundleDigest.Hex()},
			{Role: records.RoleScript, SHA256: asked.CodeSHA256},
		},
	}
	bare := records.Event{Kind: records.KindInterrupted, Reason: full.Reason}
	begun := func(draft *records.Draft) { require.NoError(t, draft.Begun()) }
	overwritten := func(text string) func(string) {
		return func(path string) {
			require.NoError(t, os.WriteFile(filepath.Join(path, "begun.json"), []byte(text), 0o600))
		}
	}
	for name, scene := range map[string]struct {
		till  func(*records.Draft)
		alter func(path string)
		told  records.Event
	}{
		"once it may have":         {begun, func(string) {}, full},
		"with a note that is torn": {begun, overwritten(`{"actor":{`), bare},
		"with an empty note":       {begun, overwritten(""), bare},
		"with a note of more":      {begun, overwritten(`{"actor":{"uid":null},"policy":"p","else":1}`), bare},
		"with a note of escapes":   {begun, overwritten(`{"actor":{"uid":null,"user":"a\u001b[2J"},"policy":"p"}`), bare},
		"with a note of no hash":   {begun, overwritten(`{"actor":{"uid":null},"policy":"p","policy_sha256":"abc"}`), bare},
		"with a note too long":     {begun, overwritten(`{"actor":{"uid":null},"policy":"` + strings.Repeat("p", 20<<10) + `"}`), bare},
		"with a link for a note": {begun, func(path string) {
			require.NoError(t, os.Rename(filepath.Join(path, "begun.json"), filepath.Join(path, "else")))
			require.NoError(t, os.Symlink("else", filepath.Join(path, "begun.json")))
		}, bare},
		"of a runner that wrote no note": {begun, func(path string) { require.NoError(t, os.Remove(filepath.Join(path, "begun.json"))) }, bare},
		"while it was committed": {begun, func(path string) {
			require.NoError(t, os.Remove(filepath.Join(path, "begun.json")))
			require.NoError(t, os.WriteFile(filepath.Join(path, "record.json"), []byte("{"), 0o600))
		}, bare},
		"with both notes": {begun, func(path string) {
			require.NoError(t, os.WriteFile(filepath.Join(path, "asked.json"), nil, 0o600))
		}, full},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			store := open(t, dir)
			id, path := died(t, store, scene.till)
			scene.alter(path)
			fate, err := store.Fate(t.Context(), id)
			require.NoError(t, err)
			require.Equal(t, records.FateLeft, fate)
			for range 2 {
				_, err = open(t, dir).Sweep(t.Context(), anna)
				require.NoError(t, err)
				require.NoDirExists(t, path)
				scene.told.RunID = id
				require.Equal(t, []records.Event{scene.told}, toldOf(t, store, id), "and nothing of a sweep")
				requireHolds(t, dir)
			}
			fate, err = store.Fate(t.Context(), id)
			require.NoError(t, err)
			require.Equal(t, records.FateInterrupted, fate)
			given := asked
			given.Given = true
			_, err = store.Begin(t.Context(), id, given)
			require.ErrorIs(t, err, records.ErrKnownID)
		})
	}
}

func TestARunThatHadNotBegunIsSweptAndItsIDIsFree(t *testing.T) {
	for name, alter := range map[string]func(path string){
		"before it may have":    func(string) {},
		"before it had a note":  func(path string) { require.NoError(t, os.RemoveAll(path)); require.NoError(t, os.Mkdir(path, 0o700)) },
		"with a note half made": func(path string) { require.NoError(t, os.Truncate(filepath.Join(path, "asked.json"), 3)) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			store := open(t, dir)
			id, path := died(t, store, func(*records.Draft) {})
			alter(path)
			_, err := store.Sweep(t.Context(), anna)
			require.NoError(t, err)
			all := toldOf(t, store, id)
			require.Len(t, all, 1)
			require.Equal(t, records.KindSweep, all[0].Kind)
			require.Equal(t, anna, all[0].Actor)
			fate, err := store.Fate(t.Context(), id)
			require.NoError(t, err)
			require.Equal(t, records.FateUnknown, fate)
			given := asked
			given.Given = true
			draft, err := store.Begin(t.Context(), id, given)
			require.NoError(t, err)
			fate, err = store.Fate(t.Context(), id)
			require.NoError(t, err)
			require.Equal(t, records.FateOpen, fate)
			require.NoError(t, draft.Discard(t.Context()))
			requireHolds(t, dir)
		})
	}
}

// What a sweep that was killed between the two has told is not told again.
func TestAnInterruptedRunIsToldOnce(t *testing.T) {
	dir := t.TempDir()
	store := open(t, dir)
	id, path := died(t, store, func(draft *records.Draft) { require.NoError(t, draft.Begun()) })
	kept := filepath.Join(dir, "kept")
	require.NoError(t, os.CopyFS(kept, os.DirFS(path)))
	_, err := store.Sweep(t.Context(), anna)
	require.NoError(t, err)
	require.NoError(t, os.Rename(kept, path))
	for _, one := range []*records.Store{store, open(t, dir)} {
		_, err = one.Sweep(t.Context(), anna)
		require.NoError(t, err)
		require.NoDirExists(t, path)
		require.Len(t, toldOf(t, store, id), 1)
	}
	requireHolds(t, dir)
}

// A run that has begun and cannot be recorded, on a full disk for example, is told by its own
// runner.
func TestARunThatBeganAndWasNotCommittedIsTold(t *testing.T) {
	dir := t.TempDir()
	store := open(t, dir)
	id := job.NewID(time.Now())
	draft, err := store.Begin(t.Context(), id, asked)
	require.NoError(t, err)
	require.NoError(t, draft.Begun())
	require.NoError(t, draft.Begun())
	for range 2 {
		require.NoError(t, draft.Discard(t.Context()))
		all := toldOf(t, store, id)
		require.Len(t, all, 1)
		require.Equal(t, records.KindInterrupted, all[0].Kind)
		require.Equal(t, bertas, all[0].Actor)
		require.Equal(t, "it could not be recorded", all[0].Reason)
		require.NoDirExists(t, draft.Path())
	}
	requireHolds(t, dir)
}

func TestADraftStaysWhereTheChainCannotBeTold(t *testing.T) {
	dir := t.TempDir()
	store := open(t, dir)
	commit(t, store)
	id := job.NewID(time.Now())
	draft, err := store.Begin(t.Context(), id, asked)
	require.NoError(t, err)
	require.NoError(t, draft.Begun())
	whole, err := os.ReadFile(audit(dir))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(audit(dir), append(whole, []byte("{}\n")...), 0o600))
	require.ErrorContains(t, draft.Discard(t.Context()), "is damaged")
	require.DirExists(t, draft.Path())
	require.NoError(t, os.WriteFile(audit(dir), whole, 0o600))
	_, err = store.Sweep(t.Context(), anna)
	require.NoError(t, err)
	require.Equal(t, records.KindInterrupted, toldOf(t, store, id)[0].Kind)
	require.NoDirExists(t, draft.Path())
}

func TestARunThatIsRecordedIsNotInterrupted(t *testing.T) {
	dir := t.TempDir()
	store := open(t, dir)
	id := job.NewID(time.Now())
	draft, err := store.Begin(t.Context(), id, asked)
	require.NoError(t, err)
	require.NoError(t, draft.Begun())
	path, err := draft.Commit(t.Context(), records.Entry{Result: result(id, job.Failed)})
	require.NoError(t, err)
	require.NoError(t, draft.Discard(t.Context()))
	require.Equal(t, []string{"record.json"}, names(t, path), "no note stays in a record")
	require.Len(t, toldOf(t, store, id), 1)
	fate, err := store.Fate(t.Context(), id)
	require.NoError(t, err)
	require.Equal(t, records.FateRecorded, fate)
	requireHolds(t, dir)
}

func TestNobodyAppendsThatARunWasInterrupted(t *testing.T) {
	store := open(t, t.TempDir())
	err := store.Append(t.Context(), records.Event{Kind: records.KindInterrupted, RunID: job.NewID(started)})
	require.ErrorContains(t, err, "it comes with a run's record or draft")
}

// Who asks in words that no event can have would have a run that cannot be recorded.
func TestNoRunIsBegunThatCouldNotBeTold(t *testing.T) {
	dir := t.TempDir()
	store := open(t, dir)
	for _, principal := range []string{"two\nlines", "a\x1b[2J", strings.Repeat("a", 300), "\xff"} {
		_, err := store.Begin(t.Context(), job.NewID(time.Now()), records.Asked{Actor: job.Actor{Principal: principal}})
		require.ErrorContains(t, err, "not one printable line")
	}
	require.Empty(t, names(t, filepath.Join(dir, "runs")))
}
