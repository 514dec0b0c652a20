// Package store keeps on disk what a service must not forget: runs that wait or were given to
// an engine, the keys of repeated requests, and an index of what has ended. It is SQLite, in
// one file, written by one goroutine.
//
// It decides nothing: what a row means, and when it may change, is internal/service's.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"time"

	_ "github.com/ncruces/go-sqlite3/driver" // SQLite without cgo
	"golang.org/x/sys/unix"

	"hotcell/internal/durable"
)

// The file in the directory, and who writes it: SQLite keeps both numbers for us.
const (
	fileName    = "service.db"
	lockName    = "lock"
	application = 0x48435356 // HCSV
	version     = 1
)

// ErrNewer is wrapped by the error for a database that a later runner has written.
var ErrNewer = errors.New("it was written by a newer runner: use that one, or move the file away and lose what has not begun")

// ErrInUse is wrapped by the error for a directory that another service has.
var ErrInUse = errors.New("another service uses it")

// Store is an open database. Its methods may be called concurrently.
type Store struct {
	lock   *os.File
	read   *sql.DB
	byID   *sql.Stmt
	byKey  *sql.Stmt
	writer *writer
	secret []byte
}

// Open opens the database in a directory, which nobody else may enter. Both are made where
// they are missing.
func Open(dir string) (_ *Store, err error) {
	s := &Store{}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("open the service's database in %s: %w", dir, withRoom(dir, err)), s.Close())
		}
	}()
	dir, err = made(dir)
	if err != nil {
		return nil, err
	}
	if s.lock, err = lock(filepath.Join(dir, lockName)); err != nil {
		return nil, err
	}
	if s.secret, err = secretOf(dir); err != nil {
		return nil, err
	}
	path := filepath.Join(dir, fileName)
	if err = makeFile(path); err != nil {
		return nil, err
	}
	pragmas := []string{"busy_timeout(" + patience + ")", "auto_vacuum(incremental)", "journal_mode(wal)", "secure_delete(on)", "foreign_keys(on)"}
	if s.writer, err = newWriter(open(path, pragmas...)); err != nil {
		return nil, err
	}
	s.read = open(path, "busy_timeout("+patience+")", "query_only(on)")
	s.read.SetMaxOpenConns(readers)
	for where, statement := range map[string]**sql.Stmt{byID: &s.byID, byKey: &s.byKey} {
		if *statement, err = s.read.PrepareContext(context.Background(), selecting(where)); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// leastRoom is what a start needs on the disk: SQLite shares memory in a file, and tells of a full
// disk as of one that has failed.
const leastRoom = 1 << 20

func withRoom(dir string, err error) error {
	var disk unix.Statfs_t
	if unix.Statfs(dir, &disk) == nil && disk.Bavail*uint64(disk.Bsize) < leastRoom {
		return fmt.Errorf("the disk is full: make room on it: %w", err)
	}
	return err
}

// patience is how many milliseconds a connection waits for another one's lock.
const patience = "10000"

// made makes the directory of the service, where it is not there.
func made(dir string) (string, error) {
	if err := durable.OwnDir(dir, fileName); err != nil {
		return dir, err
	}
	resolved, err := durable.MakeTrusted(dir)
	if err != nil {
		return dir, err
	}
	return resolved, durable.MakeDir(resolved, 0o700)
}

// CheckDir says why a directory cannot be a service's, with the way out, or that another service has it
// (ErrInUse). It makes nothing.
func CheckDir(dir string) error {
	if err := durable.OwnDir(dir, fileName); err != nil {
		return err
	}
	file, err := durable.Open(filepath.Join(dir, lockName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	err = durable.TryLock(file) // a service that starts meanwhile waits for longer than this has it
	if errors.Is(err, durable.ErrBusy) {
		err = ErrInUse
	}
	return errors.Join(err, file.Close())
}

// readers is how many connections read at a time. Each has some memory of its own.
const readers = 4

// lockTime is how long another service may take to end that is being replaced.
const lockTime = 2 * time.Second

// lock makes sure that one process alone gives runs away.
func lock(path string) (*os.File, error) {
	ctx, cancel := context.WithTimeoutCause(context.Background(), lockTime, ErrInUse)
	defer cancel()
	file, err := durable.Lock(ctx, path)
	if err != nil && ctx.Err() != nil {
		return nil, ErrInUse
	}
	return file, err
}

// makeFile makes it before SQLite does, which would leave its mode to the umask. Its log has
// the mode of the file.
func makeFile(path string) error {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0o600)
	if err != nil {
		return err
	}
	info, err := file.Stat()
	if err == nil && (!info.Mode().IsRegular() || !durable.Own(info)) {
		err = fmt.Errorf("%s is not a file of this user: remove it", path)
	}
	if err == nil {
		err = file.Chmod(0o600)
	}
	return errors.Join(err, file.Close())
}

// open does not touch the file: the first query does.
func open(path string, pragmas ...string) *sql.DB {
	options := url.Values{"_pragma": pragmas, "_txlock": {"immediate"}}
	name := url.URL{Scheme: "file", OmitHost: true, Path: path, RawQuery: options.Encode()}
	db, err := sql.Open("sqlite3", name.String())
	if err != nil { // only where no driver has that name
		panic(err)
	}
	return db
}

// Close ends it. What was written before is whole, however a process ends.
func (s *Store) Close() error {
	var errs []error
	for _, statement := range []*sql.Stmt{s.byID, s.byKey} {
		if statement != nil {
			errs = append(errs, statement.Close())
		}
	}
	if s.read != nil {
		errs = append(errs, s.read.Close())
	}
	if s.writer != nil {
		errs = append(errs, s.writer.close())
	}
	if s.lock != nil {
		errs = append(errs, s.lock.Close())
	}
	return errors.Join(errs...)
}

// Times are kept as milliseconds since 1970, and the zero time as 0. Request is the last
// column, because SQLite walks over what stands before the one that it wants. In cpu is all that
// principals have used of a day.
const schema = `
CREATE TABLE runs (
	seq       INTEGER PRIMARY KEY,
	id        TEXT NOT NULL UNIQUE,
	principal TEXT NOT NULL,
	key       TEXT,
	body      BLOB,
	policy    TEXT NOT NULL,
	bundle    TEXT NOT NULL,
	priority  INTEGER NOT NULL,
	state     TEXT NOT NULL CHECK (state IN ('queued', 'given', 'done')),
	attempt   INTEGER NOT NULL,
	boot      TEXT NOT NULL,
	cancelled INTEGER NOT NULL,
	created   INTEGER NOT NULL,
	started   INTEGER NOT NULL,
	ended     INTEGER NOT NULL,
	status    TEXT NOT NULL,
	recorded  INTEGER NOT NULL,
	last      INTEGER NOT NULL,
	problem   TEXT NOT NULL,
	request   BLOB
) STRICT;
CREATE UNIQUE INDEX keys ON runs (principal, key) WHERE key IS NOT NULL;
CREATE INDEX key_ages ON runs (created) WHERE key IS NOT NULL;
CREATE INDEX owned ON runs (principal, id);
CREATE INDEX active ON runs (seq) WHERE state <> 'done';
CREATE TABLE cpu (
	principal TEXT NOT NULL,
	day       TEXT NOT NULL,
	ms        INTEGER NOT NULL,
	bytes     INTEGER NOT NULL DEFAULT 0,
	PRIMARY KEY (principal, day)
) STRICT, WITHOUT ROWID;
CREATE TABLE notes (
	name  TEXT PRIMARY KEY,
	value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`

// prepare makes the tables of a new file, and looks whose an old one is.
func prepare(ctx context.Context, conn *sql.Conn) error {
	var app, found int
	if err := conn.QueryRowContext(ctx, `SELECT application_id, user_version FROM pragma_application_id, pragma_user_version`).
		Scan(&app, &found); err != nil {
		return err
	}
	switch {
	case app == 0 && found == 0:
		_, err := conn.ExecContext(ctx, fmt.Sprintf("BEGIN IMMEDIATE; %s PRAGMA application_id = %d; PRAGMA user_version = %d; COMMIT;",
			schema, application, version))
		return err
	case app != application:
		return fmt.Errorf("%s is a database of another program: remove it", fileName)
	case found > version:
		return ErrNewer
	}
	return errors.Join(countBytes(ctx, conn), giveBack(ctx, conn))
}

// countBytes has a database that was made without it count bytes, too. An older runner goes on with it.
func countBytes(ctx context.Context, conn *sql.Conn) error {
	var counts bool
	err := conn.QueryRowContext(ctx, "SELECT count(*) FROM pragma_table_info('cpu') WHERE name = 'bytes'").Scan(&counts)
	if err != nil || counts {
		return err
	}
	_, err = conn.ExecContext(ctx, "ALTER TABLE cpu ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0")
	return err
}

// giveBack has a database that was made without it give back room that nothing has any more.
func giveBack(ctx context.Context, conn *sql.Conn) error {
	const incremental = 2
	var mode int
	if err := conn.QueryRowContext(ctx, "PRAGMA auto_vacuum").Scan(&mode); err != nil || mode == incremental {
		return err
	}
	if _, err := conn.ExecContext(ctx, "PRAGMA auto_vacuum = incremental; VACUUM"); err != nil {
		return fmt.Errorf("rewrite %s, which needs as much room again on its disk: %w", fileName, err)
	}
	return nil
}
