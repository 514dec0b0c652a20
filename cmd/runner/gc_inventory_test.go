package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/digest"
	"hotcell/internal/job"
	"hotcell/internal/policy"
	"hotcell/internal/records"
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

// A run of which one part cannot be read stays, and no other part of it is to go.
func TestARunThatStaysIsNotInThePlan(t *testing.T) {
	dir := t.TempDir()
	_, err := records.Open(dir)
	require.NoError(t, err)
	view, err := records.Look(dir)
	require.NoError(t, err)
	id := job.NewID(time.Now())
	require.NoError(t, os.MkdirAll(view.Path(id), 0o700))
	require.NoError(t, os.Remove(filepath.Join(dir, "quarantine")))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "quarantine"), nil, 0o600)) // no directory
	kept := inventory{naming: map[digest.Digest]map[string]bool{}}
	record := records.Record{Result: job.Result{RunID: id}}
	require.Error(t, kept.run(view, record, nil))
	require.Empty(t, kept.ofRuns)
}

// Each way out is one: a run that the chain does not name is nobody's to delete by a command.
func TestWhatStaysIsToldWithAWayOut(t *testing.T) {
	known, unknown := job.NewID(time.Now()), job.NewID(time.Now())
	kept := &inventory{had: map[job.ID]records.Event{known: {RunID: known}}, naming: map[digest.Digest]map[string]bool{}}
	kept.unreadable(known, records.ErrAltered)
	kept.unreadable(unknown, records.ErrAltered)
	require.ErrorContains(t, kept.damaged[0], "records rm "+known.String()+" --damaged")
	require.NotContains(t, kept.damaged[1].Error(), "--damaged")
	require.ErrorContains(t, kept.damaged[1], "move it away")
}
