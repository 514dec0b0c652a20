package main

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/digest"
	"hotcell/internal/job"
	"hotcell/internal/records"
)

// A run that has ended without a record is listed, and shown, as that.
func TestAnInterruptedRunIsTold(t *testing.T) {
	var said bytes.Buffer
	a := &app{state: t.TempDir(), stdout: &said, stderr: &said}
	store, err := a.records()
	require.NoError(t, err)
	sum := digest.Of([]byte("x"))
	id := job.NewID(time.Now())
	draft, err := store.Begin(t.Context(), id, records.Asked{
		Actor: job.Actor{User: "hotcell", Principal: "token:berta"}, Policy: "interpreter", PolicySHA256: sum.Hex(), Image: sum, Bundle: sum, CodeSHA256: sum.Hex(),
	})
	require.NoError(t, err)
	require.NoError(t, draft.Begun())
	require.NoError(t, draft.Discard(t.Context()))
	tell := func(do func() error) string {
		said.Reset()
		require.NoError(t, do())
		return said.String()
	}
	started := id.Time().Local().Format(time.DateTime)

	for _, flags := range []listFlags{{}, {status: "interrupted"}, {policy: "interpreter", bundle: "sha256:" + string(sum.Hex()[:12])}, {actor: "token:berta"}} {
		listed := tell(func() error { return a.listRuns(t.Context(), filter{listFlags: flags}) })
		require.Regexp(t, started+` +`+id.String()+` +interrupted +interpreter +\S+ +- +\S+`, listed)
	}
	require.Equal(t, "no run fits\n", tell(func() error { return a.listRuns(t.Context(), filter{listFlags: listFlags{status: "succeeded"}}) }))

	shown := tell(func() error { return a.showRecord(t.Context(), id.String()) })
	require.Contains(t, shown, "run "+id.String()+": interrupted, it could not be recorded\n  started  "+started+", by ")
	require.Contains(t, shown, "\n  policy   interpreter  sha256 "+string(sum.Hex())+"\n")
	require.Contains(t, shown, "\n  script   sha256 "+string(sum.Hex())+"\n")
	require.Regexp(t, `\n1 .* interrupted .*`+id.String(), shown)

	_, _, err = a.recorded(t.Context(), id.String())
	require.ErrorContains(t, err, "it was interrupted, and has no record: `runner records show "+id.String()+"` tells")

	a.json = true
	require.Contains(t, tell(func() error { return a.listRuns(t.Context(), filter{}) }), `"status": "interrupted"`)
	require.Contains(t, tell(func() error { return a.showRecord(t.Context(), id.String()) }), `"kind": "interrupted"`)
}
