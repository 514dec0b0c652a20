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

// TestWhatIsNoOfferHasNoPlace: what is refused, whoever has gone meanwhile, and what could not be looked
// up. What is offered has a place, and goes at once with its engine.
func TestWhatIsNoOfferHasNoPlace(t *testing.T) {
	s := newFrontScene(t, played{}, admission.Options{Places: 1, Queue: 1, Queues: 1})
	front := s.server.front
	front.offerKept = time.Hour
	offer := func(ctx context.Context, n int, policy string) error {
		return s.front.Offer(ctx, idOf(n), "a", job.Request{Policy: policy})
	}
	var leave func()
	prepare := front.options.Prepare
	front.options.Prepare = func(ctx context.Context, ask runner.Ask) (func(context.Context) (runner.Response, error), error) {
		switch ask.Request.Policy {
		case "left":
			leave()
			<-ctx.Done() // the engine has noticed
		case "broken by it":
			panic("looking up")
		}
		return prepare(ctx, ask)
	}
	places := cap(front.places)
	for n := range 2 * places {
		require.ErrorIs(t, offer(t.Context(), n, "nope"), runner.ErrInput)
		require.Error(t, offer(t.Context(), n, "broken by it"))
		ctx, cancel := context.WithCancel(t.Context())
		leave = cancel
		require.ErrorIs(t, offer(ctx, n, "left"), context.Canceled)
		cancel()
		require.Eventually(t, func() bool { return front.runs.find(idOf(n)) == nil }, 10*time.Second, time.Millisecond)
	}
	for n := range places {
		require.NoError(t, offer(t.Context(), n, "p"))
	}
	require.ErrorIs(t, offer(t.Context(), places, "p"), admission.ErrFull)
	require.ErrorIs(t, s.front.Start(t.Context(), idOf(places), "a", job.Request{Policy: "p"}), admission.ErrFull)

	<-s.server.Drain()
	for n := range places {
		require.ErrorIs(t, s.front.Begin(t.Context(), idOf(n), "a"), ErrUnknownRun)
	}
	require.ErrorIs(t, offer(t.Context(), 0, "p"), admission.ErrDraining)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	require.NoError(t, s.server.End(ctx), "an engine that ends waits for no offer")
	require.NoError(t, ctx.Err())
}

// TestAnOfferThatNobodyBeginsGoes after a while, and its place is free.
func TestAnOfferThatNobodyBeginsGoes(t *testing.T) {
	s := newFrontScene(t, played{}, oneRoom)
	s.server.front.offerKept = time.Millisecond
	for n := range 2 * cap(s.server.front.places) {
		require.NoError(t, s.front.Offer(t.Context(), idOf(n), "a", job.Request{Policy: "p"}))
		s.unknown(t, idOf(n))
		require.ErrorIs(t, s.front.Begin(t.Context(), idOf(n), "a"), ErrUnknownRun)
	}
	require.Zero(t, s.server.front.budget.Taken())
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
