package records_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"hotcell/internal/job"
	"hotcell/internal/records"
)

func given(t *testing.T, store *records.Store, id job.ID) error {
	t.Helper()
	draft, err := store.Begin(t.Context(), id, records.Asked{Given: true})
	if err == nil {
		require.NoError(t, draft.Discard(t.Context()))
	}
	return err
}

func TestAnIDThatIsKnownIsRefused(t *testing.T) {
	for name, happen := range map[string]func(t *testing.T, store *records.Store, id job.ID){
		"of a run that goes on": func(t *testing.T, store *records.Store, id job.ID) {
			draft, err := store.Begin(t.Context(), id, records.Asked{})
			require.NoError(t, err)
			t.Cleanup(func() { require.NoError(t, draft.Discard(t.Context())) })
		},
		"of a run that is recorded": record,
		"of a run that was deleted": func(t *testing.T, store *records.Store, id job.ID) {
			record(t, store, id)
			require.NoError(t, store.Remove(t.Context(), id, records.PartRecord, published))
		},
		"of a run that has called a tool, and whose draft is gone": func(t *testing.T, store *records.Store, id job.ID) {
			require.NoError(t, store.Append(t.Context(), records.Event{Kind: records.KindToolCall, RunID: id, OK: new(true)}))
		},
		"of what lies in quarantine": func(t *testing.T, store *records.Store, id job.ID) {
			require.NoError(t, os.Mkdir(store.QuarantinePath(id), 0o700))
		},
		"of what a dead runner left": func(t *testing.T, store *records.Store, id job.ID) {
			require.NoError(t, os.Mkdir(filepath.Join(filepath.Dir(store.Path(id)), ".draft-"+id.String()), 0o700))
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			store := open(t, dir)
			commit(t, store)
			id := job.NewID(time.Now())
			require.NoError(t, given(t, store, id), "it is free before, and after a run that had not begun")
			happen(t, store, id)
			for range 2 {
				require.ErrorIs(t, given(t, store, id), records.ErrKnownID)
				require.ErrorIs(t, given(t, open(t, dir), id), records.ErrKnownID)
			}
		})
	}
}

func record(t *testing.T, store *records.Store, id job.ID) {
	t.Helper()
	draft, err := store.Begin(t.Context(), id, records.Asked{})
	require.NoError(t, err)
	_, err = draft.Commit(t.Context(), records.Entry{Result: result(id, job.Failed), Actor: bertas})
	require.NoError(t, err)
}

// TestOneIDIsForOneRun has many begin, and end, runs of the same id.
func TestOneIDIsForOneRun(t *testing.T) {
	dir := t.TempDir()
	for range 20 {
		id := job.NewID(time.Now())
		var group errgroup.Group
		made := make(chan struct{}, crowd)
		for range crowd {
			store := open(t, dir)
			group.Go(func() error {
				draft, err := store.Begin(t.Context(), id, records.Asked{Given: true})
				if err != nil {
					return nil //nolint:nilerr // another has it
				}
				made <- struct{}{}
				_, err = draft.Commit(t.Context(), records.Entry{Result: result(id, job.Failed)})
				return err
			})
		}
		require.NoError(t, group.Wait())
		require.Len(t, made, 1)
	}
}

func TestAFateThatNoEventTellsIsAnError(t *testing.T) {
	store := open(t, t.TempDir())
	id := job.NewID(time.Now())
	require.NoError(t, os.Mkdir(store.Path(id), 0o700))
	_, err := store.Fate(t.Context(), id)
	require.ErrorContains(t, err, "no event of the chain names it")
}

func TestRunsOfPrincipalsAreListedBehindACursor(t *testing.T) {
	dir := t.TempDir()
	store := open(t, dir)
	found, next, err := store.ListEnded(t.Context(), "", 10)
	require.NoError(t, err)
	require.Empty(t, found)
	require.Empty(t, next)

	var ids []job.ID
	for n := range 7 {
		commit(t, store) // of nobody that a service knows
		if n == 3 {
			id, _ := died(t, store, func(draft *records.Draft) { require.NoError(t, draft.Begun()) })
			_, err := store.Sweep(t.Context(), anna)
			require.NoError(t, err)
			ids = append(ids, id)
			continue
		}
		id := job.NewID(time.Now())
		record(t, store, id)
		ids = append(ids, id)
	}
	var all []job.ID
	cursor := ""
	for page := range 4 {
		if page == 2 { // a deletion, and another process
			require.NoError(t, store.Remove(t.Context(), ids[0], records.PartRecord, published))
			require.NoError(t, store.Remove(t.Context(), ids[5], records.PartRecord, published))
			store = open(t, dir)
		}
		found, next, err := store.ListEnded(t.Context(), cursor, 2)
		require.NoError(t, err)
		require.LessOrEqual(t, len(found), 2)
		for _, one := range found {
			require.Equal(t, bertas.Principal, one.Principal)
			require.Equal(t, "study-analysis", one.Policy)
			require.Equal(t, one.ID == ids[3], one.Interrupted)
			all = append(all, one.ID)
		}
		cursor = next
	}
	require.Equal(t, ids, all)
	found, next, err = store.ListEnded(t.Context(), cursor, 1<<30)
	require.NoError(t, err)
	require.Empty(t, found)
	require.Equal(t, cursor, next, "it is kept for what comes")

	record(t, store, job.NewID(time.Now()))
	found, _, err = store.ListEnded(t.Context(), cursor, 0)
	require.NoError(t, err)
	require.Len(t, found, 1)
	for _, other := range []string{"x", "-", "1", "99-0011223344556677", cursor + "0", " " + cursor} {
		_, _, err = store.ListEnded(t.Context(), other, 1)
		require.ErrorIs(t, err, records.ErrCursor, other)
	}
}

// TestTheLedgerGoesOnWithTheChain asks one store after each event of another process, and after
// lines were taken back and others put in their place.
func TestTheLedgerGoesOnWithTheChain(t *testing.T) {
	dir := t.TempDir()
	asks, writes := open(t, dir), open(t, dir)
	fate := func(id job.ID) records.Fate {
		found, err := asks.Fate(t.Context(), id)
		require.NoError(t, err)
		return found
	}
	var before []byte
	var last job.ID
	for range 5 {
		id := job.NewID(time.Now())
		require.Equal(t, records.FateUnknown, fate(id))
		before, _ = os.ReadFile(audit(dir))
		record(t, writes, id)
		require.Equal(t, records.FateRecorded, fate(id))
		last = id
	}
	require.NoError(t, os.WriteFile(audit(dir), before, 0o600)) // as a rename that failed
	require.NoError(t, os.RemoveAll(writes.Path(last)))
	for range 3 { // longer than it was
		require.NoError(t, writes.Append(t.Context(), records.Event{Kind: records.KindCheck, Name: "another"}))
	}
	require.Equal(t, records.FateUnknown, fate(last))

	whole, err := os.ReadFile(audit(dir))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(audit(dir), append(whole, []byte(`{"version":3`)...), 0o600))
	require.Equal(t, records.FateUnknown, fate(last), "a torn line says nothing")
	require.NoError(t, os.WriteFile(audit(dir), append(whole, lines(string(whole))[0]...), 0o600))
	_, err = asks.Fate(t.Context(), last)
	require.ErrorContains(t, err, "is damaged")
}

// BenchmarkBeginGiven is a run of an id that was given, while the chain has so many events.
func BenchmarkBeginGiven(b *testing.B) {
	for _, many := range []int{0, 10000} {
		b.Run(fmt.Sprint(many, " events"), func(b *testing.B) {
			dir := b.TempDir()
			store, err := records.Open(dir)
			require.NoError(b, err)
			for range many {
				require.NoError(b, store.Append(b.Context(), records.Event{Kind: records.KindCheck}))
			}
			for b.Loop() {
				id := job.NewID(time.Now())
				draft, err := store.Begin(b.Context(), id, records.Asked{Given: true})
				require.NoError(b, err)
				_, err = draft.Commit(b.Context(), records.Entry{Result: result(id, job.Failed), Actor: bertas})
				require.NoError(b, err)
			}
		})
	}
}
