package records

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/job"
)

func openStore(t *testing.T, dir string) *Store {
	t.Helper()
	store, err := Open(dir)
	require.NoError(t, err)
	return store
}

// prepared is a commit that only its line is missing from.
func prepared(t *testing.T, store *Store) *commit {
	t.Helper()
	id := job.NewID(time.Now())
	draft, err := store.Begin(t.Context(), id, Asked{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, draft.Discard(t.Context())) })
	result := job.Result{RunID: id, Status: job.Failed, Provenance: job.Provenance{StartedAt: time.Now()}}
	made, err := draft.prepare(t.Context(), Entry{Result: result})
	require.NoError(t, err)
	return made
}

func manyPrepared(t *testing.T, store *Store, many int) (group []*commit) {
	t.Helper()
	for range many {
		group = append(group, prepared(t, store))
	}
	return group
}

// recordTogether lets the last of a group lead it.
func recordTogether(t *testing.T, store *Store, group []*commit) {
	t.Helper()
	for _, each := range group[:len(group)-1] {
		store.commits.add(each)
	}
	_ = store.record(t.Context(), group[len(group)-1])
	for _, each := range group {
		require.True(t, each.isDone())
	}
}

func chainOf(t *testing.T, store *Store) (ids []job.ID) {
	t.Helper()
	err := store.chain.each(t.Context(), func(line Event) error {
		if line.Kind == KindRun {
			ids = append(ids, line.RunID)
		}
		return nil
	})
	require.True(t, err == nil || errors.Is(err, ErrTorn), err)
	return ids
}

// leftBehind is a store as a dead process leaves it: nobody holds a lock.
func leftBehind(t *testing.T, dir string) string {
	t.Helper()
	left := filepath.Join(t.TempDir(), "state")
	require.NoError(t, os.CopyFS(left, os.DirFS(dir)))
	require.NoError(t, os.RemoveAll(filepath.Join(left, "lock")))
	return left
}

func TestAGroupIsRecordedInTheOrderOfItsComing(t *testing.T) {
	store := openStore(t, t.TempDir())
	group := manyPrepared(t, store, maxGroup+3) // more than one step
	recordTogether(t, store, group)
	var want []job.ID
	for _, each := range group {
		require.NoError(t, each.err)
		want = append(want, each.event.RunID)
	}
	require.Equal(t, want, chainOf(t, store))
	head, err := store.VerifyChain(t.Context())
	require.NoError(t, err)
	require.Equal(t, int64(len(group)), head.Seq)
	require.Empty(t, store.commits.waiting)
}

// Something is planted in the place of some, after Begin has looked. Whenever lines are
// about to be written, each record that is in its place has a line.
func TestOneOfAGroupThatCannotBePutInPlaceTakesBackItsOwnLineOnly(t *testing.T) {
	for name, planted := range map[string][]int{
		"the first": {0}, "the second": {1}, "the last": {4}, "two beside each other": {1, 2}, "two apart": {0, 3}, "all": {0, 1, 2, 3, 4},
	} {
		t.Run(name, func(t *testing.T) {
			store := openStore(t, t.TempDir())
			recordTogether(t, store, manyPrepared(t, store, 2))
			group := manyPrepared(t, store, 5)
			var obstacles []string
			for _, index := range planted {
				obstacles = append(obstacles, store.Path(group[index].event.RunID))
				require.NoError(t, os.MkdirAll(filepath.Join(obstacles[len(obstacles)-1], "x"), 0o700))
			}
			store.now = func() time.Time {
				listed := chainOf(t, store)
				ids, err := store.IDs()
				require.NoError(t, err)
				for _, id := range ids {
					require.True(t, slices.Contains(listed, id) || slices.Contains(obstacles, store.Path(id)))
				}
				return time.Now()
			}
			recordTogether(t, store, group)
			for _, path := range obstacles {
				require.NoError(t, os.RemoveAll(path))
			}
			for index, each := range group {
				recorded := slices.Contains(chainOf(t, store), each.event.RunID)
				require.Equal(t, !slices.Contains(planted, index), recorded, index)
				require.Equal(t, recorded, each.err == nil, index)
				require.NoError(t, each.draft.Discard(t.Context()))
			}
			head, err := store.VerifyChain(t.Context())
			require.NoError(t, err)
			require.Equal(t, int64(2+5-len(planted)), head.Seq)
		})
	}
}

// TestAGroupThatACrashCutIsRecordedAsFarAsItsLinesAreWhole stops the writing of a group's
// lines at every place, before any draft was renamed, and with those renamed whose line
// comes before the end.
func TestAGroupThatACrashCutIsRecordedAsFarAsItsLinesAreWhole(t *testing.T) {
	dir := t.TempDir()
	store := openStore(t, dir)
	recordTogether(t, store, manyPrepared(t, store, 1))
	group := manyPrepared(t, store, 3)
	before, whole, err := store.chain.append(t.Context(), []Event{group[0].event, group[1].event, group[2].event}, signingKey{})
	require.NoError(t, err)
	before = append(before, whole.size)
	for size := before[0]; size <= whole.size; size += 7 {
		left := leftBehind(t, dir)
		require.NoError(t, os.Truncate(filepath.Join(left, "audit.jsonl"), size))
		after := openStore(t, left)
		recorded := 0
		for n := range group {
			if before[n+1] <= size {
				recorded++
			}
		}
		for n := range recorded - 1 { // some were already in their place
			id := group[n].event.RunID
			require.NoError(t, os.Rename(after.draftPath(id), after.Path(id)))
		}
		_, err := after.Sweep(t.Context(), job.Actor{})
		require.NoError(t, err)
		ids, err := after.IDs()
		require.NoError(t, err)
		require.Len(t, ids, 1+recorded, "cut to %d", size)
		require.ElementsMatch(t, ids, chainOf(t, after))
		recordTogether(t, after, manyPrepared(t, after, 2))
		head, err := after.VerifyChain(t.Context())
		require.NoError(t, err)
		require.Equal(t, int64(1+recorded+(len(group)-recorded)+2), head.Seq) // an event of each that was swept
	}
}

// awaitWaiting returns once so many commits wait. Who waits for a lock of a file is not
// durably blocked in the sense of synctest, so this asks again and again.
func awaitWaiting(t *testing.T, store *Store, many int) {
	t.Helper()
	require.Eventually(t, func() bool {
		store.commits.mu.Lock()
		defer store.commits.mu.Unlock()
		return len(store.commits.waiting) == many
	}, time.Minute, time.Millisecond, "never do %d wait", many)
}

// TestWhoGivesUpIsNotRecordedAndTakesNobodyAlong lets another process hold the lock.
func TestWhoGivesUpIsNotRecordedAndTakesNobodyAlong(t *testing.T) {
	dir := t.TempDir()
	store := openStore(t, dir)
	group := manyPrepared(t, store, 3)
	release, err := openStore(t, dir).lock(t.Context())
	require.NoError(t, err)
	ctx, cancel := context.WithCancelCause(t.Context())
	gone := errors.New("gone")
	var all sync.WaitGroup
	for n, ctx := range []context.Context{ctx, ctx, t.Context()} {
		all.Go(func() {
			if err := store.record(ctx, group[n]); n < 2 && !errors.Is(err, gone) || n == 2 && err != nil {
				t.Error(n, err)
			}
		})
	}
	awaitWaiting(t, store, 3)
	cancel(gone)
	awaitWaiting(t, store, 1)
	require.NoError(t, release())
	all.Wait()
	require.Equal(t, []job.ID{group[2].event.RunID}, chainOf(t, store))
	for _, each := range group {
		require.NoError(t, each.draft.Discard(t.Context()))
	}
	_, err = store.VerifyChain(t.Context())
	require.NoError(t, err)
}

func TestAPanicOfWhoLeadsLeavesNobodyWaiting(t *testing.T) {
	store := openStore(t, t.TempDir())
	group := manyPrepared(t, store, 2)
	store.commits.add(group[0])
	store.now = func() time.Time { panic("no clock") }
	require.Panics(t, func() { _ = store.record(t.Context(), group[1]) })
	require.ErrorIs(t, group[0].err, errBrokeOff)
	store.now = time.Now
	recordTogether(t, store, manyPrepared(t, store, 2)) // no lock was left behind
	require.Len(t, chainOf(t, store), 2)
}

// The chain's last line was written, and its writer died before it was synced: what is put
// in its place on the word of a line must not outlive it.
func TestSweepSyncsTheLinesThatItBelieves(t *testing.T) {
	dir := t.TempDir()
	store := openStore(t, dir)
	made := prepared(t, store)
	_, _, err := store.chain.append(t.Context(), []Event{made.event}, signingKey{})
	require.NoError(t, err)
	left := leftBehind(t, dir)
	after := openStore(t, left)
	require.Nil(t, after.chain.named)
	swept, err := after.Sweep(t.Context(), job.Actor{})
	require.NoError(t, err)
	require.Equal(t, 1, swept)
	require.NotNil(t, after.chain.named)
}

// So with what is deleted, and with the statement that is kept.
func TestADeletionIsFinishedByLinesThatAreSynced(t *testing.T) {
	for name, act := range map[string]func(*Store) error{
		"deletions":  func(store *Store) error { _, err := store.FinishDeletions(t.Context()); return err },
		"statements": func(store *Store) error { _, err := store.toldStatements(t.Context()); return err },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			empty := openStore(t, t.TempDir())
			require.NoError(t, act(empty)) // where there is no chain yet
			require.NoError(t, openStore(t, dir).Append(t.Context(), Event{Kind: KindCheck}))
			after := openStore(t, dir)
			require.Nil(t, after.chain.named)
			require.NoError(t, act(after))
			require.NotNil(t, after.chain.named)
		})
	}
}

// A line that cannot be taken back stays, with those behind it; its run's error says so. One
// that was taken back, though its sync failed, takes those behind it along.
func TestALineThatCannotBeTakenBackCostsNobodyElseARecord(t *testing.T) {
	broken := errors.New("input/output error")
	for name, test := range map[string]struct {
		truncate func(file *os.File, size int64) error
		stays    bool
	}{
		"it stays":            {func(*os.File, int64) error { return broken }, true},
		"it goes nonetheless": {func(file *os.File, size int64) error { return errors.Join(file.Truncate(size), broken) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			store := openStore(t, t.TempDir())
			group := manyPrepared(t, store, 4)
			obstacle := store.Path(group[1].event.RunID)
			require.NoError(t, os.MkdirAll(filepath.Join(obstacle, "x"), 0o700))
			store.chain.truncate = test.truncate
			recordTogether(t, store, group)
			require.NoError(t, os.RemoveAll(obstacle))
			for n, each := range group {
				if n != 1 {
					require.NoError(t, each.err)
					require.DirExists(t, store.Path(each.event.RunID))
				}
			}
			require.ErrorIs(t, group[1].err, broken)
			require.ErrorContains(t, group[1].err, "may name a run that was not recorded")
			require.NoError(t, group[1].draft.Discard(t.Context()))
			_, err := store.VerifyChain(t.Context())
			if test.stays {
				require.ErrorContains(t, err, "line 2: the record of run "+group[1].event.RunID.String()+" has been removed")
				require.Len(t, chainOf(t, store), 4)
			} else {
				require.NoError(t, err)
				require.Len(t, chainOf(t, store), 3)
			}
		})
	}
}

// The order is the events', whatever the clock says.
func TestAClockThatJumpsBackChangesNoOrder(t *testing.T) {
	store := openStore(t, t.TempDir())
	clock := time.Date(2026, 11, 27, 10, 0, 0, 0, time.UTC)
	store.now = func() time.Time {
		clock = clock.Add(-36 * time.Hour)
		return clock
	}
	var ids []job.ID
	for range 3 {
		require.NoError(t, store.Append(t.Context(), Event{Kind: KindCheck}))
		made := prepared(t, store)
		recordTogether(t, store, []*commit{made})
		require.NoError(t, made.err)
		ids = append(ids, made.event.RunID)
	}
	require.Equal(t, ids, chainOf(t, store))
	head, err := store.VerifyChain(t.Context())
	require.NoError(t, err)
	require.Equal(t, int64(6), head.Seq)
}
