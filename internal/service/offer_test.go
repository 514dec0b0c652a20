package service_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/api"
	"hotcell/internal/access"
	"hotcell/internal/admission"
	"hotcell/internal/job"
	"hotcell/internal/runner"
	"hotcell/internal/service"
	"hotcell/internal/service/store"
)

// rows are what is on the disk of a service.
func rows(t *testing.T, dir string) []store.Row {
	t.Helper()
	kept, err := store.Open(dir)
	require.NoError(t, err)
	defer func() { require.NoError(t, kept.Close()) }()
	found, err := kept.List(t.Context(), store.Query{Limit: 100})
	require.NoError(t, err)
	return found
}

func runsOf(t *testing.T, s *service.Broker, who access.Principal) []api.Run {
	t.Helper()
	page, err := s.Runs(t.Context(), who, service.Filter{})
	require.NoError(t, err)
	return page.Runs
}

// TestWhatIsRefusedIsNoRun: a run is written while the engine looks at its request. Of one that it
// refuses, or that nobody waits for any more, there is nothing: not in a list, not under its key, not
// on the disk, and not in the engine.
func TestWhatIsRefusedIsNoRun(t *testing.T) {
	fake, dir := newFake(t, 4), t.TempDir()
	asked, answer := make(chan struct{}), make(chan error)
	fake.onOffer = func(ctx context.Context) error {
		asked <- struct{}{}
		select {
		case err := <-answer:
			return err
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	s := begin(t, service.Options{Engine: fake, Dir: dir})
	ctx, cancel := context.WithCancel(t.Context())
	for _, one := range []struct {
		way  func()
		want error
	}{
		{func() { answer <- runner.ErrInput }, service.ErrRefused},
		{func() { answer <- errors.New("its disk broke") }, nil},
		{cancel, context.Canceled},
	} {
		ended := make(chan error, 1)
		creation := asks("ok")
		creation.Key = "key"
		go func() { _, _, err := s.Create(ctx, anna, creation); ended <- err }()
		select {
		case <-asked:
		case err := <-ended:
			require.NoError(t, err, "the engine was not asked")
		}
		require.Eventually(t, func() bool { return len(bodies(t, dir)) == 1 }, patience, time.Millisecond)
		require.Empty(t, runsOf(t, s, anna), "nobody has accepted it")
		require.Empty(t, runsOf(t, s, admin))
		one.way()
		err := <-ended
		require.Error(t, err)
		if one.want != nil {
			require.ErrorIs(t, err, one.want)
		}
		require.Empty(t, runsOf(t, s, anna))
		me, err := s.Me(t.Context(), anna)
		require.NoError(t, err)
		require.Zero(t, me.Quotas[0].Used, "its place is free")
	}
	require.NoError(t, s.Close())
	require.Empty(t, rows(t, dir))
	require.Empty(t, fake.starts)

	fake.onOffer = nil
	s = open(t, service.Options{Engine: fake, Dir: dir})
	creation := asks("ok")
	creation.Key = "key"
	run, replayed, err := s.Create(t.Context(), anna, creation)
	require.NoError(t, err)
	require.False(t, replayed, "the key was used for nothing")
	require.Equal(t, api.State(job.Succeeded), ended(t, s, run.RunID).Status)
}

// TestAnOfferThatIsForgottenIsGivenByItsRequest as one is that has no place in the engine after all.
func TestAnOfferThatIsForgottenIsGivenByItsRequest(t *testing.T) {
	for name, adapt := range map[string]func(*fakeEngine){
		"begun":     func(*fakeEngine) {},
		"forgotten": func(f *fakeEngine) { f.forgets = true },
		"full":      func(f *fakeEngine) { f.onOffer = func(context.Context) error { return errBusy } },
		"draining":  func(f *fakeEngine) { f.onOffer = func(context.Context) error { return admission.ErrDraining } },
	} {
		t.Run(name, func(t *testing.T) {
			fake := newFake(t, 4)
			adapt(fake)
			s := open(t, service.Options{Engine: fake})
			run := create(t, s, anna, "ok")
			require.Equal(t, api.State(job.Succeeded), ended(t, s, run.RunID).Status)
			fake.set(func() {
				require.Equal(t, 1, fake.starts[run.RunID])
				require.Equal(t, []job.ID{run.RunID}, fake.order)
			})
		})
	}
}
