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

	mu     sync.RWMutex // held for reading by who sends
	closed bool
}

var errClosed = errors.New("the database is closed")

// The most changes of one transaction, and how long nothing is written before the log is
// emptied: what was deleted stands in it until then.
const (
	maxBatch = 512
	calm     = 2 * time.Second
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
	idle := time.NewTimer(calm)
	idle.Stop()
	defer idle.Stop()
	for {
		select {
		case one, open := <-w.changes:
			if !open {
				return
			}
			w.write(w.batch(one))
			idle.Reset(calm)
		case <-idle.C:
			// A reader that is busy puts it off until the next time: the log is then larger, and whole.
			_, _ = w.conn.ExecContext(context.Background(), "PRAGMA wal_checkpoint(TRUNCATE)")
		}
	}
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
