package service_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/api"
	"hotcell/internal/access"
	"hotcell/internal/service"
)

// With 100,000 runs that wait, nothing that somebody waits for is slow, and a restart is not, either.
func TestAServiceWithHundredThousandWaiting(t *testing.T) {
	if testing.Short() {
		t.Skip("some 20 seconds")
	}
	fake, dir := newFake(t, 1), t.TempDir()
	s := begin(t, service.Options{Engine: fake, Dir: dir, MaxQueued: 200_000})
	held := create(t, s, anna, "wait")
	const clients, all = 64, 64 * 1563
	var group sync.WaitGroup
	for c := range clients {
		who := access.Principal{Name: fmt.Sprintf("token:%d", c%20), Scopes: anna.Scopes}
		group.Go(func() {
			for range all / clients {
				if _, _, err := s.Create(t.Context(), who, asks("ok")); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	begun := time.Now()
	group.Wait()
	t.Logf("%d creates of %d callers: %v each", all, clients, time.Since(begun)/all)
	took := func(what string, do func()) {
		begun := time.Now()
		do()
		t.Logf("%s: %v", what, time.Since(begun))
	}
	var mine api.Run
	took("create", func() { mine = create(t, s, anna, "ok") })
	require.Equal(t, 20, *mine.Position, "one of each who came before")
	took("run", func() { _, _ = s.Run(t.Context(), anna, mine.RunID) })
	took("page", func() { _, _ = s.Runs(t.Context(), admin, service.Filter{Limit: 100}) })
	took("load", func() { s.Load(); s.Backlog() })
	took("cancel", func() { _, _ = s.Cancel(t.Context(), anna, mine.RunID) })
	mine = create(t, s, anna, "ok")
	took("close", func() { require.NoError(t, s.Close()) })
	took("open", func() { s = open(t, service.Options{Engine: fake, Dir: dir, MaxQueued: 200_000}) })
	require.GreaterOrEqual(t, s.Load().Queued, all)
	took("the turn of one among 20 others", func() {
		fake.finish(held.RunID, nil)
		ended(t, s, mine.RunID)
	})
}

func BenchmarkARun(b *testing.B) {
	s := open(b, service.Options{Engine: newFake(b, 2)})
	for range b.N {
		run, _, err := s.Create(b.Context(), anna, asks("ok"))
		if err != nil {
			b.Fatal(err)
		}
		if run, err = s.Wait(b.Context(), anna, run.RunID); err != nil || !run.Ended() {
			b.Fatal(run.Status, err)
		}
	}
}
