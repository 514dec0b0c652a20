package store_test

import (
	"bytes"
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/job"
	"hotcell/internal/service/store"
)

// soonEnough is far above what anything here takes.
const soonEnough = time.Minute

// What has ended leaves the log beside the database although others write all the time.
func TestWhatHasEndedLeavesTheLogOfABusyStore(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	ctx, stop := context.WithCancel(t.Context())
	var group sync.WaitGroup
	group.Go(func() {
		for seq := int64(100); ctx.Err() == nil; seq++ { // never quiet for as long as it would take
			if err := s.Insert(row(seq, ""), nil, time.Time{}); err != nil {
				t.Error(err)
			}
			time.Sleep(50 * time.Millisecond)
		}
	})
	defer group.Wait()
	defer stop()
	one := row(1, "")
	require.NoError(t, s.Insert(one, bytes.Repeat([]byte("canary-in-the-code "), 3000), time.Time{}))
	one.Ended = one.Created
	require.NoError(t, s.End(one, true))
	require.Eventually(t, func() bool {
		for _, name := range []string{"service.db", "service.db-wal"} {
			content, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil || bytes.Contains(content, []byte("canary")) {
				return false
			}
		}
		return true
	}, soonEnough, 100*time.Millisecond)
}

// fileSize is how much of the disk the database has, with its log.
func fileSize(t *testing.T, dir string) (bytes int64) {
	t.Helper()
	for _, name := range []string{"service.db", "service.db-wal"} {
		info, err := os.Stat(filepath.Join(dir, name))
		require.NoError(t, err)
		bytes += info.Size()
	}
	return bytes
}

func TestWhatIsForgottenGivesItsRoomBack(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	var rows []store.Row
	for seq := range int64(20) {
		one := row(seq+1, "")
		require.NoError(t, s.Insert(one, make([]byte, 1<<20), time.Time{}))
		rows = append(rows, one)
	}
	require.Greater(t, fileSize(t, dir), int64(20<<20))
	for _, one := range rows {
		one.Ended = one.Created
		require.NoError(t, s.End(one, false))
	}
	require.Eventually(t, func() bool { return fileSize(t, dir) < 1<<20 }, soonEnough, 100*time.Millisecond)
}

// A database that was made when nothing gave room back does so from its next start on.
func TestAnOlderDatabaseGivesItsRoomBack(t *testing.T) {
	dir := t.TempDir()
	s, err := store.Open(dir)
	require.NoError(t, err)
	require.NoError(t, s.Insert(row(1, ""), []byte("code"), time.Time{}))
	require.NoError(t, s.Close())
	db, err := sql.Open("sqlite3", "file:"+filepath.Join(dir, "service.db"))
	require.NoError(t, err)
	_, err = db.ExecContext(t.Context(), "PRAGMA auto_vacuum = 0; VACUUM")
	require.NoError(t, err)
	require.NoError(t, db.Close())
	s = open(t, dir)
	rows, err := s.Active(t.Context())
	require.NoError(t, err)
	require.Len(t, rows, 1)
	rows[0].Ended = rows[0].Created
	require.NoError(t, s.Insert(row(2, ""), make([]byte, 4<<20), time.Time{}))
	two, err := s.Active(t.Context())
	require.NoError(t, err)
	two[1].Ended = two[1].Created
	require.NoError(t, s.End(two[1], true))
	require.Eventually(t, func() bool { return fileSize(t, dir) < 1<<20 }, soonEnough, 100*time.Millisecond)
}

// What ended long ago, or is below the newest of its principal, is pruned; what has not ended, and
// what has a key, is not.
func TestTheIndexIsPruned(t *testing.T) {
	s := open(t, t.TempDir())
	at := time.Now().UTC().Truncate(time.Millisecond)
	add := func(age time.Duration, key string, state store.State) job.ID {
		one := row(0, key)
		one.ID, one.Created, one.State, one.Cancelled = job.NewID(at.Add(-age)), at.Add(-age), state, false
		require.NoError(t, s.Insert(one, nil, time.Time{}))
		return one.ID
	}
	const year = 366 * 24 * time.Hour
	old, oldButKeyed, oldButWaits := add(2*year, "", store.Done), add(2*year, "k", store.Done), add(2*year, "", store.Queued)
	var newer []job.ID
	for age := range 1200 { // more than are pruned at a time
		newer = append(newer, add(time.Duration(age+1)*time.Minute, "", store.Done))
	}
	other := row(0, "")
	other.Principal, other.State = "user:bert", store.Done
	require.NoError(t, s.Insert(other, nil, time.Time{}))
	require.NoError(t, s.Prune(t.Context(), at.Add(-year), 10))
	there := func(id job.ID) bool {
		_, err := s.Get(t.Context(), id)
		return err == nil
	}
	require.False(t, there(old))
	require.True(t, there(oldButKeyed))
	require.True(t, there(oldButWaits))
	require.True(t, there(other.ID), "another principal's")
	for index, id := range newer {
		require.Equal(t, index < 10, there(id), index)
	}
}

func TestTheSecretStaysAndIsNotInTheDatabase(t *testing.T) {
	dir := t.TempDir()
	s, err := store.Open(dir)
	require.NoError(t, err)
	secret := s.Secret()
	require.Len(t, secret, 32)
	require.NotEqual(t, make([]byte, 32), secret)
	require.NoError(t, s.Close())
	info, err := os.Stat(filepath.Join(dir, "secret"))
	require.NoError(t, err)
	require.EqualValues(t, 0o600, info.Mode().Perm())
	content, err := os.ReadFile(filepath.Join(dir, "service.db"))
	require.NoError(t, err)
	require.NotContains(t, string(content), string(secret))
	s, err = store.Open(dir)
	require.NoError(t, err)
	require.Equal(t, secret, s.Secret())
	require.NoError(t, s.Close())

	for name, spoil := range map[string]func(path string) error{
		"short":           func(path string) error { return os.WriteFile(path, secret[:31], 0o600) },
		"empty":           func(path string) error { return os.WriteFile(path, nil, 0o600) },
		"long":            func(path string) error { return os.WriteFile(path, append(secret[:32:32], 'x'), 0o600) },
		"read by others":  func(path string) error { return os.Chmod(path, 0o644) },
		"a link to other": func(path string) error { return os.Symlink("/dev/zero", path) },
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(dir, "secret")
			if name != "read by others" {
				require.NoError(t, os.Remove(path))
			}
			require.NoError(t, spoil(path))
			_, err := store.Open(dir)
			require.ErrorContains(t, err, path)
			if name == "short" || name == "read by others" {
				require.ErrorContains(t, err, "requests that repeat a key of the last seven days refused")
			}
			require.NoError(t, os.Remove(path))
			require.NoError(t, os.WriteFile(path, secret, 0o600))
		})
	}
}
