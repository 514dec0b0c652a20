package service_test

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/api"
	"hotcell/internal/access"
	"hotcell/internal/admission"
	"hotcell/internal/engineapi"
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

// lapsing is an engine that has an offer still when it is cancelled, as a real one says (FateHeld: Cancel is nil),
// and no more when the word to begin it is read.
type lapsing struct {
	*fakeEngine
	word, cancelled, lapse chan struct{}
}

func (l *lapsing) Begin(context.Context, job.ID, engineapi.Principal) error {
	close(l.word)
	<-l.lapse
	return engineapi.ErrUnknownRun
}

func (l *lapsing) Cancel(ctx context.Context, id job.ID) error {
	var offered bool
	l.set(func() {
		_, offered = l.offered[id]
		delete(l.offered, id)
	})
	if offered {
		close(l.cancelled)
		return nil
	}
	return l.fakeEngine.Cancel(ctx, id)
}

func TestACancelThatAnOfferTookIsNotLostWithIt(t *testing.T) {
	l := &lapsing{newFake(t, 4), make(chan struct{}), make(chan struct{}), make(chan struct{})}
	s := open(t, service.Options{Engine: l})
	run := create(t, s, anna, "wait")
	<-l.word
	_, err := s.Cancel(t.Context(), anna, run.RunID)
	require.NoError(t, err)
	<-l.cancelled
	time.Sleep(50 * time.Millisecond) // nobody passes it on once more
	close(l.lapse)
	require.Equal(t, api.State(job.Cancelled), ended(t, s, run.RunID).Status)
	l.set(func() { require.Zero(t, l.starts[run.RunID], "it was cancelled, and begun after that") })
}

// TestWhatCannotBeTakenBackIsAccepted: where a disk fails just then, the run is there for who asks, and
// ends as refused, rather than that it was refused and is carried out by the next process.
func TestWhatCannotBeTakenBackIsAccepted(t *testing.T) {
	fake, dir := newFake(t, 4), t.TempDir()
	fake.startErr = runner.ErrInput
	s := begin(t, service.Options{Engine: fake, Dir: dir})
	db, err := sql.Open("sqlite3", "file:"+filepath.Join(dir, "service.db"))
	require.NoError(t, err)
	_, err = db.ExecContext(t.Context(), "CREATE TRIGGER broken BEFORE DELETE ON runs BEGIN SELECT raise(ABORT, 'the disk is broken'); END")
	require.NoError(t, err)
	creation := asks("ok")
	fake.onOffer = func(context.Context) error { return runner.ErrInput }
	creation.Key = "key"
	run, _, err := s.Create(t.Context(), anna, creation)
	require.NoError(t, err)
	for range 2 { // and so it is after a restart
		found := ended(t, s, run.RunID)
		require.Equal(t, api.StateError, found.Status)
		require.Equal(t, "urn:hotcell:problem:refused", found.Error.Type)
		again, replayed, err := s.Create(t.Context(), anna, creation)
		require.NoError(t, err)
		require.True(t, replayed)
		require.Equal(t, run.RunID, again.RunID)
		require.NoError(t, s.Close())
		s = begin(t, service.Options{Engine: fake, Dir: dir})
	}
	require.NoError(t, s.Close())
	_, err = db.ExecContext(t.Context(), "DROP TRIGGER broken")
	require.NoError(t, errors.Join(err, db.Close()))
	fake.set(func() { require.Empty(t, fake.starts) })
}
