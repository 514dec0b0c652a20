package engineapi

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/admission"
	"hotcell/internal/job"
	"hotcell/internal/runner"
)

// TestAnOfferBeginsOnceAndForItsPrincipal: until then it is held, and nothing of it is carried out.
func TestAnOfferBeginsOnceAndForItsPrincipal(t *testing.T) {
	begun := make(chan job.ID, 1)
	s := newFrontScene(t, played{run: func(_ context.Context, ask runner.Ask) (runner.Response, error) {
		ask.Events.Phase(runner.PhaseRunning)
		begun <- ask.ID
		said := responseOf(job.Succeeded)
		said.Result.RunID = ask.ID
		return said, nil
	}}, oneRoom)
	require.ErrorIs(t, s.front.Begin(t.Context(), idOf(1), "a"), ErrUnknownRun, "nobody has offered it")
	require.ErrorIs(t, s.front.Begin(t.Context(), job.ID{}, "a"), ErrUnknownRun)
	require.NoError(t, s.front.Offer(t.Context(), idOf(1), "a", job.Request{Policy: "p"}))
	require.Len(t, s.refused, 1)
	require.ErrorIs(t, s.front.Offer(t.Context(), idOf(1), "a", job.Request{Policy: "p"}), ErrKnown)
	require.ErrorIs(t, s.front.Start(t.Context(), idOf(1), "a", job.Request{Policy: "p"}), ErrKnown)
	require.ErrorIs(t, s.front.Begin(t.Context(), idOf(1), "b"), ErrUnknownRun, "another principal's")
	found, err := s.front.Outcome(t.Context(), idOf(1), "a")
	require.NoError(t, err)
	require.Equal(t, FateHeld, found.Fate)
	require.Empty(t, begun)

	require.NoError(t, s.front.Begin(t.Context(), idOf(1), "a"))
	require.Equal(t, idOf(1), <-begun)
	require.NotEmpty(t, s.events(t, idOf(1), 0))
	require.Equal(t, FateEnded, s.outcome(t, idOf(1)).Fate)
	require.ErrorIs(t, s.front.Begin(t.Context(), idOf(1), "a"), ErrKnown)
	require.Len(t, s.refused, 1, "it was looked up once")
	require.Empty(t, begun)
}

// TestOffersThatNobodyBeginsGo: those that are refused at once, others after a while, and all of them
// with their engine. Until then each has a place.
func TestOffersThatNobodyBeginsGo(t *testing.T) {
	s := newFrontScene(t, played{}, admission.Options{Places: 1, Queue: 1, Queues: 1})
	places := cap(s.server.front.places)
	for n := range 2 * places {
		require.ErrorIs(t, s.front.Offer(t.Context(), idOf(n), "a", job.Request{Policy: "nope"}), runner.ErrInput)
	}
	for n := range places {
		require.NoError(t, s.front.Offer(t.Context(), idOf(n), "a", job.Request{Policy: "p"}))
	}
	require.ErrorIs(t, s.front.Offer(t.Context(), idOf(places), "a", job.Request{Policy: "p"}), admission.ErrFull)
	require.ErrorIs(t, s.front.Start(t.Context(), idOf(places), "a", job.Request{Policy: "p"}), admission.ErrFull)
	for n := range places {
		s.unknown(t, idOf(n)) // in offerKept
		require.ErrorIs(t, s.front.Begin(t.Context(), idOf(n), "a"), ErrUnknownRun)
	}
	require.Zero(t, s.server.front.budget.Taken())

	require.NoError(t, s.front.Offer(t.Context(), idOf(0), "a", job.Request{Policy: "p"}))
	<-s.server.Drain()
	require.ErrorIs(t, s.front.Begin(t.Context(), idOf(0), "a"), ErrUnknownRun)
	ctx, cancel := context.WithTimeout(t.Context(), offerKept/2)
	defer cancel()
	require.NoError(t, s.server.End(ctx), "an engine that ends waits for no offer")
	require.NoError(t, ctx.Err())
}

// TestACancelledOfferIsCancelledWhenItBegins: who has cancelled it has been told so.
func TestACancelledOfferIsCancelledWhenItBegins(t *testing.T) {
	s := newFrontScene(t, played{run: func(ctx context.Context, _ runner.Ask) (runner.Response, error) {
		select {
		case <-ctx.Done():
			return runner.Response{}, ctx.Err()
		case <-time.After(time.Minute):
			return responseOf(job.Succeeded), nil
		}
	}}, oneRoom)
	require.NoError(t, s.front.Offer(t.Context(), idOf(1), "a", job.Request{Policy: "p"}))
	require.NoError(t, s.front.Cancel(t.Context(), idOf(1)))
	require.NoError(t, s.front.Begin(t.Context(), idOf(1), "a"))
	require.ErrorIs(t, s.outcome(t, idOf(1)).Err, context.Canceled)
}
