package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"time"
)

// change is something that is written whole or not at all.
type change struct {
	// apply writes it. One that fails is undone, and the others of its transaction are not.
	apply func(ctx context.Context, on execer) error
	// durable is whether it must outlast a loss of power before who asked goes on. A change that
	// is not is seen by all at once, and is durable with the next one that must be.
	durable bool
	done    chan error
}

type execer interface {
	ExecContext(ctx context.Context, query string, arguments ...any) (sql.Result, error)
}

// prepared parses each statement once. Their texts are of this package, so that they are few.
type prepared struct {
	conn  *sql.Conn
	known map[string]*sql.Stmt
}

// ExecContext implements execer.
func (p *prepared) ExecContext(ctx context.Context, query string, arguments ...any) (sql.Result, error) {
	statement := p.known[query]
	if statement == nil {
		var err error
		if statement, err = p.conn.PrepareContext(ctx, query); err != nil {
			return nil, err
		}
		p.known[query] = statement
	}
	return statement.ExecContext(ctx, arguments...)
}

// close closes the statements, and the connection.
func (p *prepared) close() error {
	var errs []error
	for _, statement := range p.known {
		errs = append(errs, statement.Close())
	}
	return errors.Join(append(errs, p.conn.Close())...)
}

// writer is the one connection that writes. All who come while the disk is busy share the next
// transaction, and one fsync.
type writer struct {
	db      *sql.DB
	conn    *prepared
	changes chan change
	ended   chan struct{}
	isClean bool // of loop: nothing was written since clean

	mu     sync.RWMutex // held for reading by who sends
	closed bool
}

var errClosed = errors.New("the database is closed")

// maxBatch is the most changes of one transaction.
const maxBatch = 512

// When room is given back and the log emptied: after so long in which nothing is written, at most so
// long after something was, and again where not all of it could be done.
const (
	calm     = 2 * time.Second
	restless = 5 * time.Second
	again    = 200 * time.Millisecond
)

// Of one cleaning: how many pages (of 4 KiB) are given back, and how many milliseconds readers are
// waited for. Who writes waits for it.
const (
	vacuumPages   = "2048"
	cleanPatience = "500"
)

func newWriter(db *sql.DB) (*writer, error) {
	db.SetMaxOpenConns(1)
	ctx := context.Background()
	conn, err := db.Conn(ctx)
	if err == nil {
		if err = prepare(ctx, conn); err != nil {
			err = errors.Join(err, conn.Close())
		}
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	w := &writer{db: db, conn: &prepared{conn, map[string]*sql.Stmt{}}, changes: make(chan change, maxBatch), ended: make(chan struct{})}
	go w.loop()
	return w, nil
}

// do waits until a change is written: whoever gave it away cannot know without that whether it
// was. It takes as long as the disk does.
func (w *writer) do(durable bool, apply func(ctx context.Context, on execer) error) error {
	one := change{apply, durable, make(chan error, 1)}
	w.mu.RLock()
	if w.closed {
		w.mu.RUnlock()
		return errClosed
	}
	w.changes <- one
	w.mu.RUnlock()
	return <-one.done
}

func (w *writer) close() error {
	w.mu.Lock()
	first := !w.closed
	if first {
		w.closed = true
		close(w.changes)
	}
	w.mu.Unlock()
	<-w.ended
	if !first {
		return nil
	}
	_, err := w.conn.ExecContext(context.Background(), "PRAGMA wal_checkpoint(TRUNCATE)")
	return errors.Join(err, w.conn.close(), w.db.Close())
}

func (w *writer) loop() {
	defer close(w.ended)
	quiet, late := time.NewTimer(calm), time.NewTimer(restless)
	defer quiet.Stop()
	defer late.Stop()
	for {
		select {
		case one, open := <-w.changes:
			if !open {
				return
			}
			w.write(w.batch(one))
			quiet.Reset(calm)
			if w.isClean {
				w.isClean = false
				late.Reset(restless)
			}
			continue
		case <-quiet.C:
		case <-late.C:
		}
		if w.isClean = w.clean(); w.isClean {
			late.Stop()
		} else {
			late.Reset(again)
		}
	}
}

// clean gives back room that nothing has any more, and empties the log, in which stands what was
// deleted. It reports whether nothing is left to do: a reader that is busy puts it off, and the
// log is larger then, and whole.
func (w *writer) clean() bool {
	ctx := context.Background()
	var busy, pages, moved, free int
	_, err := w.conn.ExecContext(ctx, "PRAGMA incremental_vacuum("+vacuumPages+")")
	if err == nil {
		_, err = w.conn.ExecContext(ctx, "PRAGMA busy_timeout = "+cleanPatience)
	}
	if err == nil {
		err = w.conn.conn.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &pages, &moved)
	}
	if err == nil {
		err = w.conn.conn.QueryRowContext(ctx, "PRAGMA freelist_count").Scan(&free)
	}
	_, other := w.conn.ExecContext(ctx, "PRAGMA busy_timeout = "+patience)
	return errors.Join(err, other) == nil && busy == 0 && free == 0
}

// batch is a change, and all that have come meanwhile.
func (w *writer) batch(first change) []change {
	batch := []change{first}
	for len(batch) < maxBatch {
		select {
		case one, open := <-w.changes:
			if !open {
				return batch
			}
			batch = append(batch, one)
		default:
			return batch
		}
	}
	return batch
}

// write answers each change of a batch.
func (w *writer) write(batch []change) {
	errs := make([]error, len(batch))
	if err := w.transaction(batch, errs); err != nil {
		for i := range errs {
			errs[i] = errors.Join(errs[i], err)
		}
	}
	for i, one := range batch {
		one.done <- errs[i]
	}
}

// transaction carries out a batch. Its error is of all of it, and those in errs of one each.
func (w *writer) transaction(batch []change, errs []error) (err error) {
	ctx, level := context.Background(), "NORMAL"
	for _, one := range batch {
		if one.durable {
			level = "FULL" // the log is synced at the commit
		}
	}
	if _, err := w.conn.ExecContext(ctx, "PRAGMA synchronous = "+level); err != nil {
		return err
	}
	if _, err := w.conn.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return err
	}
	for i, one := range batch {
		if errs[i], err = w.one(ctx, one); err != nil {
			return errors.Join(err, w.rollback(ctx))
		}
	}
	if _, err := w.conn.ExecContext(ctx, "COMMIT"); err != nil {
		return errors.Join(err, w.rollback(ctx))
	}
	return nil
}

// one carries out a change, of which nothing stays where it fails. Where that cannot be had,
// the transaction is over: err.
func (w *writer) one(ctx context.Context, of change) (failed, err error) {
	if _, err := w.conn.ExecContext(ctx, "SAVEPOINT one"); err != nil {
		return nil, err
	}
	failed = of.apply(ctx, w.conn)
	if failed != nil {
		if _, err := w.conn.ExecContext(ctx, "ROLLBACK TO one"); err != nil {
			return failed, err
		}
	}
	_, err = w.conn.ExecContext(ctx, "RELEASE one")
	return failed, err
}

// rollback undoes what SQLite has not undone itself, as it does where the disk is full.
func (w *writer) rollback(ctx context.Context) error {
	if _, err := w.conn.ExecContext(ctx, "ROLLBACK"); err != nil && !isNoTransaction(err) {
		return fmt.Errorf("undo: %w", err)
	}
	return nil
}
