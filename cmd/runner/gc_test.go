package main

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/digest"
	"hotcell/internal/image"
	"hotcell/internal/job"
	"hotcell/internal/records"
	"hotcell/internal/retention"
)

// Nothing is deleted by a clock that is doubted, unless somebody has looked at it.
func TestADoubtedClockDeletesNothing(t *testing.T) {
	var said bytes.Buffer
	a := &app{stderr: &said}
	plan := []retention.Deletion{{}}
	require.ErrorContains(t, a.doubted("the clock has leapt", plan, gcFlags{}), "give --clock-is-right if it is")
	require.NoError(t, a.doubted("the clock has leapt", plan, gcFlags{clockIsRight: true}))
	require.NoError(t, a.doubted("the clock has leapt", nil, gcFlags{}), "nothing would be deleted")
	require.NoError(t, a.doubted("", plan, gcFlags{}))
	require.Empty(t, said.String())
	require.NoError(t, a.doubted("the clock has leapt", plan, gcFlags{dry: true}))
	require.Contains(t, said.String(), "without --clock-is-right nothing of this is deleted")
}

// What a run has had since gc looked, or may have while it goes on, is not deleted.
func TestWhatARunHasHadMeanwhileStays(t *testing.T) {
	a := &app{state: t.TempDir()}
	store, err := a.records()
	require.NoError(t, err)
	had, other := digest.Of([]byte("had")), digest.Of([]byte("other"))
	view, err := a.lookAtRecords()
	require.NoError(t, err)
	kept, err := a.inventory(t.Context(), view)
	require.NoError(t, err)
	require.NoError(t, a.refuseBusy(t.Context(), kept, had))
	id := job.NewID(time.Now())
	draft, err := store.Begin(t.Context(), id, records.Asked{})
	require.NoError(t, err)
	require.ErrorContains(t, a.refuseBusy(t.Context(), kept, had), "stays: a run has begun")
	require.NoError(t, a.refuseNew(t.Context(), kept, had), "a run holds its bundle itself")
	result := job.Result{RunID: id, Status: job.Failed, Provenance: job.Provenance{Image: had, StartedAt: time.Now()}}
	_, err = draft.Commit(t.Context(), records.Entry{Result: result})
	require.NoError(t, err)
	require.ErrorContains(t, a.refuseBusy(t.Context(), kept, had), "has had it meanwhile")
	require.NoError(t, a.refuseBusy(t.Context(), kept, other))
	later, err := a.inventory(t.Context(), view)
	require.NoError(t, err)
	require.NoError(t, a.refuseNew(t.Context(), later, had), "the inventory knows it")
}

// An image that loses its name to another is in the event of that one.
func TestAnImageThatReplacesAnotherSaysSo(t *testing.T) {
	before := []image.Image{{Name: "one", Architecture: "amd64", Digest: digest.Of([]byte("1"))}, {Name: "one", Architecture: "arm64", Digest: digest.Of([]byte("2"))}, {Digest: digest.Of([]byte("3"))}}
	built := image.Image{Name: "one", Architecture: "amd64", Digest: digest.Of([]byte("4"))}
	event := replacing(builtEvent(built), before, built)
	require.Len(t, event.Subjects, 2)
	require.Equal(t, built.Digest.Hex(), event.Subject(records.RoleImage))
	require.Equal(t, records.Subject{Role: records.RoleImage, Name: "replaced", SHA256: before[0].Digest.Hex()}, event.Subjects[1])
}
