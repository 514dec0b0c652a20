package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/digest"
	"hotcell/internal/image"
	"hotcell/internal/job"
	"hotcell/internal/output"
	"hotcell/internal/policy"
	"hotcell/internal/records"
	"hotcell/internal/retention"
)

// A run that somebody has renamed still needs its bundle and its image.
func TestWhatHasNoRunsNameKeepsBundlesAndImages(t *testing.T) {
	a := &app{state: t.TempDir()}
	_, err := records.Open(a.state)
	require.NoError(t, err)
	view, err := records.Look(a.state)
	require.NoError(t, err)
	kept, err := a.inventory(t.Context(), view)
	require.NoError(t, err)
	require.Empty(t, kept.item(policy.RetainBundles, digest.Of(nil), "", 0).Needed)
	require.NoError(t, os.Mkdir(filepath.Join(a.state, "runs", "renamed"), 0o700))
	kept, err = a.inventory(t.Context(), view)
	require.NoError(t, err)
	require.Len(t, kept.damaged, 1)
	require.Equal(t, "a record that cannot be read may name it", kept.item(policy.RetainBundles, digest.Of(nil), "", 0).Needed)
}

// stocked is a store with runs of the policy p, each with code and a bundle and an image of its own.
func stocked(t *testing.T, runs int) (a *app, view *records.View, all []job.Result) {
	t.Helper()
	a = &app{state: t.TempDir()}
	store, err := a.records()
	require.NoError(t, err)
	for n := range runs {
		result := job.Result{RunID: job.NewID(time.Now()), Status: job.Failed, Provenance: job.Provenance{
			Policy: "p", PolicySHA256: digest.Of(nil).Hex(), StartedAt: time.Now().Add(time.Duration(n) * time.Second),
			Bundle: digest.Of([]byte{1, byte(n)}), Image: digest.Of([]byte{2, byte(n)}), CodeSHA256: digest.Of([]byte("pass")).Hex(),
		}}
		draft, err := store.Begin(t.Context(), result.RunID, records.Asked{})
		require.NoError(t, err)
		_, err = draft.Commit(t.Context(), records.Entry{Result: result, Code: []byte("pass"), KeepCode: true})
		require.NoError(t, err)
		all = append(all, result)
	}
	view, err = a.lookAtRecords()
	require.NoError(t, err)
	return a, view, all
}

func (a *app) taken(t *testing.T, view *records.View) *inventory {
	t.Helper()
	kept, err := a.inventory(t.Context(), view)
	require.NoError(t, err)
	return kept
}

func planned(kept *inventory) (ids []string) {
	most := &policy.Keep{Bytes: 10 << 20}
	rules := &policy.Retention{Records: most, FailedCode: most, Quarantine: most}
	for _, one := range retention.Plan(kept.ofRuns, map[string]*policy.Retention{"p": rules}, time.Now()) {
		ids = append(ids, one.ID)
	}
	return ids
}

// Who can write the state and put something beside a run has neither others deleted by a rule
// nor that run: it stays and is told.
func TestWhatLiesBesideARunDeletesNothing(t *testing.T) {
	const large = 100 << 20
	grow := func(t *testing.T, path string) {
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o600)
		require.NoError(t, err)
		require.NoError(t, file.Truncate(large))
		require.NoError(t, file.Close())
	}
	for name, test := range map[string]struct {
		plant func(t *testing.T, view *records.View, newest job.Result)
		tells string
	}{
		"a file among its files": {func(t *testing.T, view *records.View, newest job.Result) {
			grow(t, filepath.Join(view.Path(newest.RunID), "files", ".pad"))
		}, "files/.pad does not belong there"},
		"a file beside its record": {func(t *testing.T, view *records.View, newest job.Result) {
			grow(t, filepath.Join(view.Path(newest.RunID), "pad"))
		}, "pad does not belong there"},
		"a directory": {func(t *testing.T, view *records.View, newest job.Result) {
			require.NoError(t, os.MkdirAll(filepath.Join(view.Path(newest.RunID), "files", "x"), 0o700))
		}, "files/x does not belong there"},
		"longer code": {func(t *testing.T, view *records.View, newest job.Result) {
			path := filepath.Join(view.Path(newest.RunID), records.CodeName(newest))
			require.NoError(t, os.Chmod(path, 0o600))
			require.NoError(t, os.Truncate(path, 20<<20))
		}, ".py: it is not what was recorded"},
		"no code": {func(t *testing.T, view *records.View, newest job.Result) {
			require.NoError(t, os.Remove(filepath.Join(view.Path(newest.RunID), records.CodeName(newest))))
		}, ".py: it is not what was recorded"},
		"a statement": {func(t *testing.T, view *records.View, newest job.Result) {
			grow(t, filepath.Join(view.Path(newest.RunID), "statement.dsse.json"))
		}, "statement.dsse.json does not belong there"},
		"a quarantine": {func(t *testing.T, view *records.View, newest job.Result) {
			grow(t, filepath.Join(view.QuarantinePath(newest.RunID), "0001.bin"))
		}, "its quarantine: it is not what was recorded"},
		"a file in the quarantine's place": {func(t *testing.T, view *records.View, newest job.Result) {
			grow(t, view.QuarantinePath(newest.RunID))
		}, "is no directory of this store"},
		"a longer record": {func(t *testing.T, view *records.View, newest job.Result) {
			path := filepath.Join(view.Path(newest.RunID), "record.json")
			require.NoError(t, os.Chmod(path, 0o600))
			require.NoError(t, os.Truncate(path, 20<<20))
		}, "--damaged` deletes it"},
	} {
		t.Run(name, func(t *testing.T) {
			a, view, all := stocked(t, 3)
			require.Empty(t, a.taken(t, view).damaged)
			test.plant(t, view, all[2])
			kept := a.taken(t, view)
			require.Empty(t, planned(kept))
			require.Len(t, kept.ofRuns, 4, "records and code of two runs")
			require.Len(t, kept.damaged, 1)
			require.ErrorContains(t, kept.damaged[0], test.tells)
			require.ErrorContains(t, kept.damaged[0], all[2].RunID.String())
			require.Equal(t, "named by 1 record", kept.item(policy.RetainImages, all[2].Provenance.Image, "", 0).Needed)
		})
	}
}

// What was altered and is as large as it was is found before it goes: it stays.
func TestWhatWasAlteredIsNotDeletedByARule(t *testing.T) {
	a, view, _ := stocked(t, 0)
	store, err := a.records()
	require.NoError(t, err)
	hostile := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(hostile, "x"), []byte("patient 7"), 0o600))
	root, err := os.OpenRoot(hostile)
	require.NoError(t, err)
	defer root.Close()
	id := job.NewID(time.Now())
	draft, err := store.Begin(t.Context(), id, records.Asked{})
	require.NoError(t, err)
	limits := output.QuarantineLimits{MaxEntries: 10, MaxBytes: 100, MaxDepth: 3}
	require.NoError(t, draft.Quarantine(t.Context(), root, []job.Violation{{Rule: output.RuleUndeclared}}, limits))
	result := job.Result{RunID: id, Status: job.OutputRejected, Provenance: job.Provenance{Policy: "p", StartedAt: time.Now()}}
	_, err = draft.Commit(t.Context(), records.Entry{Result: result})
	require.NoError(t, err)

	blob := filepath.Join(view.QuarantinePath(id), "0001.bin")
	put := func(text string) {
		require.NoError(t, os.Chmod(blob, 0o600))
		require.NoError(t, os.WriteFile(blob, []byte(text), 0o600))
	}
	put("patient 8")
	kept := a.taken(t, view)
	require.Empty(t, kept.damaged)
	require.Len(t, kept.ofRuns, 2)
	for _, one := range kept.ofRuns {
		require.ErrorIs(t, a.delete(t.Context(), kept, retention.Deletion{Item: one, Rule: "old"}), records.ErrUnlike)
	}
	require.FileExists(t, blob)
	put("patient 7")
	for _, one := range []int{1, 0, 0} { // what is gone already is no fault
		require.NoError(t, a.delete(t.Context(), kept, retention.Deletion{Item: kept.ofRuns[one], Rule: "old"}))
	}
	require.NoDirExists(t, view.Path(id))
}

// A run that somebody has moved away needs what it had by the chain, and is told.
func TestARunThatIsNotThereKeepsWhatItHad(t *testing.T) {
	a, view, all := stocked(t, 2)
	lost, was := all[0].RunID, all[0].Provenance
	require.NoError(t, os.Rename(view.Path(lost), filepath.Join(t.TempDir(), "away")))
	kept := a.taken(t, view)
	require.Len(t, kept.damaged, 1)
	require.ErrorContains(t, kept.damaged[0], lost.String()+": nothing of it is there")
	require.ErrorContains(t, kept.damaged[0], "put it back")
	for _, sum := range []digest.Digest{was.Bundle, was.Image} {
		require.Equal(t, "named by 1 record", kept.item(policy.RetainBundles, sum, "", 0).Needed)
	}
	require.Empty(t, kept.item(policy.RetainBundles, digest.Of([]byte("other")), "", 0).Needed, "no more than that")

	// One that an event has deleted needs nothing.
	store, err := a.records()
	require.NoError(t, err)
	require.NoError(t, store.Remove(t.Context(), all[1].RunID, records.PartCode, records.Cause{Reason: "old"}))
	require.Len(t, a.taken(t, view).damaged, 1, "its code is not missed")
	require.NoError(t, store.Remove(t.Context(), all[1].RunID, records.PartRecord, records.Cause{Reason: "old"}))
	kept = a.taken(t, view)
	require.Len(t, kept.damaged, 1)
	require.Empty(t, kept.item(policy.RetainBundles, all[1].Provenance.Bundle, "", 0).Needed)
}

// A run between its event and its place is whole, and is none that may go.
func TestARunThatIsBeingPutInPlaceIsNotMissed(t *testing.T) {
	a, view, all := stocked(t, 1)
	id := all[0].RunID
	require.NoError(t, os.Rename(view.Path(id), filepath.Join(filepath.Dir(view.Path(id)), ".draft-"+id.String())))
	kept := a.taken(t, view)
	require.Empty(t, kept.damaged)
	require.Empty(t, kept.ofRuns)
	require.True(t, kept.busy)
	require.Equal(t, "named by 1 record", kept.item(policy.RetainBundles, all[0].Provenance.Bundle, "", 0).Needed)
}

// The name of an image that somebody has taken out of the store's index is in the chain.
func TestAnImageHasTheNameThatTheChainSays(t *testing.T) {
	a, view, _ := stocked(t, 1)
	first := image.Image{Name: "one", Digest: digest.Of([]byte("1"))}
	second := image.Image{Name: "one", Digest: digest.Of([]byte("2"))}
	require.NoError(t, a.note(t.Context(), builtEvent(first)))
	kept := a.taken(t, view)
	kept.images = []image.Image{{Digest: first.Digest}}
	require.Equal(t, "it is the current one of its name", kept.shared()[0].Needed)
	require.NoError(t, a.note(t.Context(), replacing(builtEvent(second), []image.Image{first}, second)))
	kept = a.taken(t, view)
	kept.images = []image.Image{{Digest: first.Digest}, {Digest: second.Digest}}
	require.Empty(t, kept.shared()[0].Needed)
	require.Equal(t, "it is the current one of its name", kept.shared()[1].Needed)
}

// Each way out is one: a run that the chain does not name is nobody's to delete by a command.
func TestWhatStaysIsToldWithAWayOut(t *testing.T) {
	a, view, all := stocked(t, 1)
	unknown := job.NewID(time.Now())
	require.NoError(t, os.MkdirAll(view.Path(unknown), 0o700))
	require.NoError(t, os.Remove(filepath.Join(view.Path(all[0].RunID), "record.json")))
	kept := a.taken(t, view)
	require.ErrorContains(t, kept.damaged[0], "records rm "+all[0].RunID.String()+" --damaged")
	require.NotContains(t, kept.damaged[1].Error(), "--damaged")
	require.ErrorContains(t, kept.damaged[1], unknown.String())
	require.ErrorContains(t, kept.damaged[1], "move it away")
	require.True(t, kept.unknown)
}
