package journal_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/api"
	"hotcell/internal/journal"
)

func numbers(events []api.Event) (seqs []int64) {
	for _, one := range events {
		seqs = append(seqs, one.Seq)
	}
	return seqs
}

func TestEventsAreReadFromAnyNumberOn(t *testing.T) {
	log := journal.New(1 << 20)
	for range 3 {
		log.Append(api.EventStdout, []byte(`{}`))
	}
	for after, want := range map[int64][]int64{-5: {1, 2, 3}, 0: {1, 2, 3}, 1: {2, 3}, 2: {3}} {
		page, err := log.Next(t.Context(), after)
		require.NoError(t, err)
		require.Nil(t, page.Gap)
		require.Equal(t, want, numbers(page.Events), after)
	}
	require.EqualValues(t, 3, log.Last())
}

func TestWhatIsForgottenIsAGap(t *testing.T) {
	log := journal.New(2 * (64 + 2))
	for range 5 {
		log.Append(api.EventStdout, []byte(`{}`))
	}
	page, err := log.Next(t.Context(), 1)
	require.NoError(t, err)
	require.Equal(t, &api.GapEvent{From: 2, To: 3}, page.Gap)
	require.Equal(t, []int64{4, 5}, numbers(page.Events))
	require.LessOrEqual(t, log.Bytes(), int64(2*66))
	log.Append(api.EventStdout, make([]byte, 1000))
	page, err = log.Next(t.Context(), 5)
	require.NoError(t, err)
	require.Nil(t, page.Gap)
	require.Equal(t, []int64{6}, numbers(page.Events), "the newest one is kept however large it is")
}

func TestAReaderWaitsForWhatComes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := journal.New(1 << 20)
		var readers sync.WaitGroup
		for range 3 {
			readers.Go(func() {
				page, err := log.Next(t.Context(), 0)
				require.NoError(t, err)
				require.Equal(t, []int64{1}, numbers(page.Events))
				_, err = log.Next(t.Context(), 1)
				require.ErrorIs(t, err, journal.ErrEnded)
			})
		}
		synctest.Wait()
		log.Append(api.EventState, []byte(`{}`))
		synctest.Wait()
		log.End()
		log.End()
		readers.Wait()
		require.Zero(t, log.Append(api.EventState, nil), "nothing follows the end")
	})
}

func TestTheReadersContextEndsItsWaiting(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	gone := errors.New("gone")
	cancel(gone)
	_, err := journal.New(1).Next(ctx, 0)
	require.ErrorIs(t, err, gone)
}

func TestANumberThatIsTooHighIsTheNewest(t *testing.T) {
	log := journal.New(1 << 20)
	log.Resume(10)
	require.EqualValues(t, 11, log.Append(api.EventState, nil))
	page, err := log.Next(t.Context(), 3)
	require.NoError(t, err)
	require.Equal(t, &api.GapEvent{From: 4, To: 10}, page.Gap)
	log.End()
	_, err = log.Next(t.Context(), 99)
	require.ErrorIs(t, err, journal.ErrEnded)
}

// TestAPageHasABound: a reader that is slow keeps it, also when it is forgotten here.
func TestAPageHasABound(t *testing.T) {
	log := journal.New(1 << 20)
	for range 30 {
		log.Append(api.EventStdout, make([]byte, 5<<10))
	}
	log.Append(api.EventStep, make([]byte, 1<<20-200<<10))
	var seen []int64
	for after := int64(0); after < 31; after = seen[len(seen)-1] {
		page, err := log.Next(t.Context(), after)
		require.NoError(t, err)
		require.Nil(t, page.Gap)
		require.LessOrEqual(t, len(page.Events), 3)
		seen = append(seen, numbers(page.Events)...)
	}
	require.Len(t, seen, 31, "each once")
	log.End()
	_, err := log.Next(t.Context(), 31)
	require.ErrorIs(t, err, journal.ErrEnded)
}

// TestJoinedEventsComeTogether: those of a moment, and no later than that; a page that is half full, and
// the last ones, at once.
func TestJoinedEventsComeTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log, began := journal.New(1<<20), time.Now()
		joined := func(after int64) []api.Event {
			page, err := log.Joined(t.Context(), after, time.Hour)
			require.NoError(t, err)
			return page.Events
		}
		log.Append(api.EventState, []byte("1"))
		time.AfterFunc(time.Minute, func() { log.Append(api.EventState, []byte("2")) })
		require.Equal(t, []int64{1, 2}, numbers(joined(0)))
		require.Equal(t, time.Hour, time.Since(began))

		log.Append(api.EventStdout, make([]byte, 9<<10))
		require.Equal(t, []int64{3}, numbers(joined(2)))
		require.Equal(t, time.Hour, time.Since(began), "much is told at once")

		time.AfterFunc(time.Minute, log.End)
		log.Append(api.EventState, []byte("4"))
		require.Equal(t, []int64{4}, numbers(joined(3)))
		require.Equal(t, time.Hour+time.Minute, time.Since(began), "and the last ones are")
		_, err := log.Joined(t.Context(), 4, time.Hour)
		require.ErrorIs(t, err, journal.ErrEnded)
	})
}
