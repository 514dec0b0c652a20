package service_test

import (
	"crypto/sha256"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	_ "github.com/ncruces/go-sqlite3/driver"
	"github.com/stretchr/testify/require"

	"hotcell/api"
	"hotcell/internal/access"
	"hotcell/internal/job"
	"hotcell/internal/service"
	"hotcell/internal/strictjson"
)

// What waits is bounded by its bytes, of one principal and of all, also after a restart.
func TestWhatWaitsIsBoundedByItsBytes(t *testing.T) {
	fake, dir := newFake(t, 1), t.TempDir()
	large := asks("ok " + strings.Repeat("#", 10_000))
	options := service.Options{Engine: fake, Dir: dir, Quotas: everybody(service.Quotas{QueuedBytes: 35_000}), MaxQueuedBytes: 65_000}
	s := begin(t, options)
	held := create(t, s, anna, "wait")
	refused := func(who access.Principal, quota bool) {
		t.Helper()
		_, _, err := s.Create(t.Context(), who, large)
		if quota {
			require.ErrorContains(t, err, "queued_bytes")
		} else {
			require.ErrorIs(t, err, service.ErrQueueFull)
		}
	}
	var waits []job.ID
	for _, who := range []access.Principal{anna, anna, anna, bert, bert, bert} {
		run, _, err := s.Create(t.Context(), who, large)
		require.NoError(t, err)
		waits = append(waits, run.RunID)
	}
	refused(anna, false) // of all
	require.NoError(t, s.Close())
	s = open(t, options)
	refused(admin, false)
	_, err := s.Cancel(t.Context(), bert, waits[5])
	require.NoError(t, err)
	refused(anna, true)
	_, _, err = s.Create(t.Context(), bert, large)
	require.NoError(t, err, "another's place is not taken")
	fake.finish(held.RunID, nil)
	for _, id := range waits[:5] {
		ended(t, s, id)
	}
	_, _, err = s.Create(t.Context(), anna, large)
	require.NoError(t, err, "what has begun waits no more")
}

// bodies is what the database has to tell the requests of keys by.
func bodies(t *testing.T, dir string) (all [][]byte) {
	t.Helper()
	db, err := sql.Open("sqlite3", "file:"+filepath.Join(dir, "service.db"))
	require.NoError(t, err)
	defer db.Close()
	rows, err := db.QueryContext(t.Context(), "SELECT body FROM runs WHERE key IS NOT NULL")
	require.NoError(t, err)
	defer rows.Close()
	for rows.Next() {
		var body []byte
		require.NoError(t, rows.Scan(&body))
		all = append(all, body)
	}
	require.NoError(t, rows.Err())
	return all
}

// Whoever has a copy of the database tries all inputs that there can be, and finds none.
func TestInputsAreNotFoundByTryingThemAll(t *testing.T) {
	fake, dir := newFake(t, 2), t.TempDir()
	s := begin(t, service.Options{Engine: fake, Dir: dir})
	asked := service.Creation{Key: "one", Request: api.CreateRun{Policy: "p", Code: "ok", Inputs: []byte(`{"patient":4711}`)}}
	first, _, err := s.Create(t.Context(), anna, asked)
	require.NoError(t, err)
	asked.Key = "two"
	_, _, err = s.Create(t.Context(), anna, asked)
	require.NoError(t, err)
	ended(t, s, first.RunID)
	require.NoError(t, s.Close())

	found := bodies(t, dir)
	require.Len(t, found, 2)
	require.NotEqual(t, found[0], found[1], "that two requests are equal is not to be seen")
	text, err := strictjson.Encode(asked.Request)
	require.NoError(t, err)
	guess := sha256.Sum256(text)
	for _, body := range found {
		require.NotEqual(t, guess[:], body)
	}

	s = begin(t, service.Options{Engine: fake, Dir: dir})
	asked.Key = "one"
	again, replayed, err := s.Create(t.Context(), anna, asked)
	require.NoError(t, err)
	require.True(t, replayed)
	require.Equal(t, first.RunID, again.RunID)
	require.NoError(t, s.Close())

	// A database that came back without its secret knows no request by its key, and has none run twice.
	require.NoError(t, os.Remove(filepath.Join(dir, "secret")))
	s = open(t, service.Options{Engine: fake, Dir: dir})
	_, _, err = s.Create(t.Context(), anna, asked)
	require.ErrorIs(t, err, service.ErrKeyReused)
}

// A run of long ago is in the index no more, also where the engine's list has it.
func TestARunOfLongAgoIsForgotten(t *testing.T) {
	fake, dir := newFake(t, 1), t.TempDir()
	long := time.Now().Add(-400 * 24 * time.Hour)
	s := begin(t, service.Options{Engine: fake, Dir: dir, Now: func() time.Time { return long }})
	old := ended(t, s, create(t, s, anna, "ok").RunID)
	require.NoError(t, s.Close())

	s = begin(t, service.Options{Engine: fake, Dir: dir})
	recent := ended(t, s, create(t, s, anna, "ok").RunID)
	require.NoError(t, s.Close())
	require.NoError(t, os.Remove(filepath.Join(dir, "service.db"))) // all is read from the engine's list again
	s = open(t, service.Options{Engine: fake, Dir: dir})
	require.Eventually(t, func() bool {
		list, err := s.Runs(t.Context(), anna, service.Filter{})
		return err == nil && len(list.Runs) == 1 && list.Runs[0].RunID == recent.RunID
	}, 30*time.Second, 10*time.Millisecond)
	_, err := s.Run(t.Context(), anna, old.RunID)
	require.ErrorIs(t, err, service.ErrNotFound)
}

func TestAFullDiskRefusesARunAndGoesOn(t *testing.T) {
	fake := newFake(t, 1)
	s := open(t, service.Options{Engine: fake})
	held := create(t, s, anna, "wait")
	require.NoError(t, s.BoundDisk(70))
	large := strings.Repeat("x = 1 # as long as it may be\n", 1000)
	var waits []job.ID
	var err error
	for err == nil {
		var run api.Run
		if run, _, err = s.Create(t.Context(), anna, asks("ok "+large)); err == nil {
			waits = append(waits, run.RunID)
		}
		require.Less(t, len(waits), 100)
	}
	require.ErrorIs(t, err, service.ErrStorage)
	list, err := s.Runs(t.Context(), anna, service.Filter{Status: api.StateQueued})
	require.NoError(t, err)
	require.Len(t, list.Runs, len(waits))
	require.Equal(t, len(waits), s.Load().Queued)
	_, err = s.Cancel(t.Context(), anna, waits[0])
	require.NoError(t, err, "what frees space goes on")
	create(t, s, anna, "ok")
	fake.finish(held.RunID, nil)
	for _, id := range waits[1:] {
		require.EqualValues(t, job.Succeeded, ended(t, s, id).Status)
	}
}
