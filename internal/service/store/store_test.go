package store_test

import (
	"database/sql"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"hotcell/api"
	"hotcell/internal/job"
	"hotcell/internal/service/store"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func open(t testing.TB, dir string) *store.Store {
	t.Helper()
	s, err := store.Open(dir)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

func row(seq int64, key string) store.Row {
	now := time.Now().UTC().Truncate(time.Millisecond)
	return store.Row{
		Seq: seq, ID: job.NewID(now), Principal: "user:anna", Key: key, Body: []byte("sum"), Policy: "p", Bundle: "b@1", Priority: -3,
		State: store.Queued, Created: now, Last: store.LastUnknown, Cancelled: true,
	}
}

func TestARowComesBackAsItWas(t *testing.T) {
	dir := t.TempDir()
	s, err := store.Open(dir)
	require.NoError(t, err)
	one := row(7, "k")
	require.NoError(t, s.Insert(one, []byte("code"), time.Time{}))
	require.NoError(t, s.Close())
	s = open(t, dir)
	one.Bytes = 4
	found, err := s.ByKey(t.Context(), one.Principal, "k", one.Created)
	require.NoError(t, err)
	require.Equal(t, one, found)
	request, err := s.Request(t.Context(), one.ID)
	require.NoError(t, err)
	require.Equal(t, "code", string(request))

	at := one.Created.Add(time.Second)
	require.NoError(t, s.Give(store.Giving{ID: one.ID, Attempt: 1, Boot: "b", At: at}))
	one.Ended, one.Status, one.Last, one.Recorded = at, api.State(job.Failed), 12, true
	one.Problem = &api.Problem{Type: "t", Title: "x"}
	one.Used = store.Use{CPU: 1500 * time.Millisecond, Bytes: 1 << 40}
	require.NoError(t, s.End(one, false))
	one.Used = store.Use{}
	one.State, one.Attempt, one.Boot, one.Started, one.Bytes = store.Done, 1, "b", at, 0
	found, err = s.Get(t.Context(), one.ID)
	require.NoError(t, err)
	require.Equal(t, one, found)
	_, err = s.Request(t.Context(), one.ID)
	require.ErrorIs(t, err, store.ErrNone, "the request of what has ended is forgotten")
	require.ErrorIs(t, s.End(used(one, 1), false), store.ErrNone, "and it ends once")
	require.ErrorIs(t, s.Give(store.Giving{ID: one.ID}), store.ErrNone)
	require.Equal(t, map[string]store.Use{"user:anna": {CPU: 1500 * time.Millisecond, Bytes: 1 << 40}}, usedOn(t, s, at))
}

// used is a row that counts for something.
func used(row store.Row, bytes int64) store.Row {
	row.Used = store.Use{CPU: time.Hour, Bytes: bytes}
	return row
}

func usedOn(t *testing.T, s *store.Store, at time.Time) map[string]store.Use {
	t.Helper()
	used, err := s.Used(t.Context(), store.Day(at))
	require.NoError(t, err)
	return used
}

// Of a row that two add, the one and the other, bytes count once, and with the row that has come first.
func TestBytesCountWithTheirRow(t *testing.T) {
	s := open(t, t.TempDir())
	one := used(row(0, ""), 4096)
	one.State, one.Ended = store.Done, one.Created
	for index, want := range []store.Use{{CPU: time.Hour, Bytes: 4096}, {CPU: time.Hour}, {CPU: time.Hour}} {
		counted, err := s.Add([]store.Row{one}, "", "")
		require.NoError(t, err)
		require.Equal(t, []store.Use{want}, counted, index)
	}
	require.Equal(t, map[string]store.Use{one.Principal: {CPU: 3 * time.Hour, Bytes: 4096}}, usedOn(t, s, one.Ended))
	given := used(row(1, ""), 100)
	given.Ended = given.Created
	require.NoError(t, s.Insert(given, nil, time.Time{}))
	counted, err := s.Add([]store.Row{given}, "", "")
	require.NoError(t, err)
	require.Zero(t, counted[0].Bytes, "its end is to come")
	require.NoError(t, s.End(given, false))
	require.EqualValues(t, 4196, usedOn(t, s, one.Ended)[one.Principal].Bytes)
}

// A database that was made when nothing counted bytes does so from its next start on.
func TestAnOlderDatabaseCountsBytes(t *testing.T) {
	dir := t.TempDir()
	s, err := store.Open(dir)
	require.NoError(t, err)
	one := row(0, "")
	one.State, one.Ended, one.Used = store.Done, one.Created, store.Use{CPU: time.Second}
	_, err = s.Add([]store.Row{one}, "", "")
	require.NoError(t, err)
	require.NoError(t, s.Close())
	db, err := sql.Open("sqlite3", "file:"+filepath.Join(dir, "service.db"))
	require.NoError(t, err)
	_, err = db.ExecContext(t.Context(), "ALTER TABLE cpu DROP COLUMN bytes")
	require.NoError(t, err)
	require.NoError(t, db.Close())
	s = open(t, dir)
	other := row(0, "")
	other.State, other.Ended, other.Used = store.Done, one.Ended, store.Use{Bytes: 7}
	_, err = s.Add([]store.Row{other}, "", "")
	require.NoError(t, err)
	require.Equal(t, map[string]store.Use{one.Principal: {CPU: time.Second, Bytes: 7}}, usedOn(t, s, one.Ended))
}

// What was deleted is nowhere in the file, nor, when it has been quiet, beside it.
func TestNothingIsLeftOfARequest(t *testing.T) {
	dir := t.TempDir()
	s, err := store.Open(dir)
	require.NoError(t, err)
	one := row(1, "")
	secret := make([]byte, 50_000)
	for i := range secret {
		secret[i] = "canary-in-the-code "[i%19]
	}
	require.NoError(t, s.Insert(one, secret, time.Time{}))
	one.Ended = one.Created
	require.NoError(t, s.End(one, true))
	require.NoError(t, s.Close())
	names, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, name := range names {
		content, err := os.ReadFile(filepath.Join(dir, name.Name()))
		require.NoError(t, err)
		require.NotContains(t, string(content), "canary", name.Name())
		info, err := name.Info()
		require.NoError(t, err)
		require.EqualValues(t, 0o600, info.Mode().Perm(), name.Name())
	}
	info, err := os.Stat(dir)
	require.NoError(t, err)
	require.EqualValues(t, 0o700, info.Mode().Perm())
}

func TestAKeyIsOnce(t *testing.T) {
	s := open(t, t.TempDir())
	require.NoError(t, s.Insert(row(1, "k"), nil, time.Time{}))
	require.Error(t, s.Insert(row(2, "k"), nil, time.Time{}))
	require.NoError(t, s.Insert(row(3, "k"), nil, time.Now().Add(time.Minute)), "an old one gives way")
	require.NoError(t, s.ForgetKeys(time.Now().Add(time.Minute)))
	_, err := s.ByKey(t.Context(), "user:anna", "k", time.Time{})
	require.ErrorIs(t, err, store.ErrNone)
}

func TestManyWritersShareTheDisk(t *testing.T) {
	s := open(t, t.TempDir())
	var group sync.WaitGroup
	for i := range int64(500) {
		group.Go(func() {
			if err := s.Insert(row(i+1, ""), nil, time.Time{}); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	rows, err := s.Active(t.Context())
	require.NoError(t, err)
	require.Len(t, rows, 500)
	seq, err := s.LastSeq(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 500, seq)
}

func TestWhatIsAddedTakesNoNumberAndReplacesNothing(t *testing.T) {
	s := open(t, t.TempDir())
	mine := row(1, "")
	require.NoError(t, s.Insert(mine, nil, time.Time{}))
	other := mine
	other.Seq, other.State = 0, store.Done
	old, older := row(0, ""), row(0, "")
	_, err := s.Add([]store.Row{other, old, older}, "cursor", "c")
	require.NoError(t, err)
	found, err := s.Get(t.Context(), mine.ID)
	require.NoError(t, err)
	require.Equal(t, store.Queued, found.State)
	require.NoError(t, s.Insert(row(2, ""), nil, time.Time{}))
	note, err := s.Note(t.Context(), "cursor")
	require.NoError(t, err)
	require.Equal(t, "c", note)
	rows, err := s.List(t.Context(), store.Query{Principal: "user:anna", Limit: 10})
	require.NoError(t, err)
	require.Len(t, rows, 4)
}

func TestADatabaseOfAnotherIsRefused(t *testing.T) {
	for statement, want := range map[string]string{
		"PRAGMA application_id = 5":                                     "another program",
		"PRAGMA application_id = 1212371798; PRAGMA user_version = 999": "newer runner",
		"PRAGMA user_version = 1":                                       "another program",
	} {
		dir := t.TempDir()
		db, err := sql.Open("sqlite3", "file:"+filepath.Join(dir, "service.db"))
		require.NoError(t, err)
		_, err = db.ExecContext(t.Context(), statement)
		require.NoError(t, err)
		require.NoError(t, db.Close())
		_, err = store.Open(dir)
		require.ErrorContains(t, err, want)
	}
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "service.db"), []byte("no database at all, but long enough"), 0o600))
	_, err := store.Open(dir)
	require.Error(t, err)
	dir = t.TempDir()
	require.NoError(t, os.Symlink("/dev/null", filepath.Join(dir, "service.db")))
	_, err = store.Open(dir)
	require.Error(t, err)
}

// A full disk fails the change that it meets, and leaves nothing of it.
func TestAFullDiskAcceptsNothingByHalf(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	require.NoError(t, s.Bound(60))
	kept := 0
	var last error
	for i := range int64(100) {
		if last = s.Insert(row(i+1, ""), make([]byte, 10_000), time.Time{}); last != nil {
			break
		}
		kept++
	}
	require.ErrorContains(t, last, "full")
	rows, err := s.Active(t.Context())
	require.NoError(t, err)
	require.Len(t, rows, kept)
	rows[0].Ended = time.Now()
	require.NoError(t, s.End(rows[0], true), "what frees space goes on")
	require.NoError(t, s.Insert(row(1000, ""), make([]byte, 1000), time.Time{}))
}

func BenchmarkInsertAndEnd(b *testing.B) {
	s := open(b, b.TempDir())
	request := make([]byte, 2000)
	for i := range b.N {
		one := row(int64(i+1), "")
		if err := s.Insert(one, request, time.Time{}); err != nil {
			b.Fatal(err)
		}
		one.Ended = one.Created
		if err := s.End(one, false); err != nil {
			b.Fatal(err)
		}
	}
}

// TestADirectoryIsLookedAtBeforeAService: what Open would say, and nothing is made or changed.
func TestADirectoryIsLookedAtBeforeAService(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	require.NoError(t, store.CheckDir(dir))
	require.NoDirExists(t, dir)
	opened, err := store.Open(dir)
	require.NoError(t, err)
	require.ErrorIs(t, store.CheckDir(dir), store.ErrInUse)
	require.NoError(t, opened.Close())
	require.NoError(t, store.CheckDir(dir))

	sockets := filepath.Join(t.TempDir(), "run")
	require.NoError(t, os.Mkdir(sockets, 0o700))
	require.NoError(t, os.Chmod(sockets, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(sockets, "a.sock"), nil, 0o600))
	require.ErrorContains(t, store.CheckDir(sockets), "open to others")
	_, err = store.Open(sockets)
	require.ErrorContains(t, err, "open to others")
	info, err := os.Stat(sockets)
	require.NoError(t, err)
	require.Equal(t, os.ModeDir|0o755, info.Mode())
}
