package store

import (
	"context"
	"strconv"
	"time"

	"hotcell/internal/job"
)

// Insert adds a row with its request, and returns when a loss of power cannot undo it. A key
// that was used before keptSince is forgotten for it.
func (s *Store) Insert(row Row, request []byte, keptSince time.Time) error {
	return s.writer.do(true, func(ctx context.Context, on execer) error {
		if row.Key != "" {
			if _, err := on.ExecContext(ctx, "UPDATE runs SET key = NULL, body = NULL WHERE principal = ? AND key = ? AND created < ?",
				row.Principal, row.Key, millis(keptSince)); err != nil {
				return err
			}
		}
		_, err := insert(ctx, on, "INSERT", row, request)
		return err
	})
}

// below is a number for a row that nobody has accepted here: those have numbers above 0.
const below = "(SELECT min(coalesce(min(seq), 0), 0) - 1 FROM runs)"

func insert(ctx context.Context, on execer, verb string, row Row, request []byte) (added int64, err error) {
	problem, err := writeProblem(row.Problem)
	if err != nil {
		return 0, err
	}
	var seq, key any // NULL: a number below all others, and no key
	if row.Seq != 0 {
		seq = row.Seq
	}
	if row.Key != "" {
		key = row.Key
	}
	result, err := on.ExecContext(ctx, verb+" INTO runs ("+columns+", request) VALUES (coalesce(?, "+below+"),?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
		seq, row.ID.String(), row.Principal, key, row.Body, row.Policy, row.Bundle, row.Priority, string(row.State), row.Attempt, row.Boot,
		row.Cancelled, millis(row.Created), millis(row.Started), millis(row.Ended), string(row.Status), row.Recorded, row.Last, problem, request)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// Giving is a row that is about to be given to an engine.
type Giving struct {
	ID      job.ID
	Attempt int
	Boot    string
	At      time.Time
}

// Give notes that an engine may have the run from now on, and returns when a loss of power
// cannot undo that.
func (s *Store) Give(giving Giving) error {
	return s.writer.do(true, func(ctx context.Context, on execer) error {
		return changed(ctx, on, "UPDATE runs SET state = 'given', attempt = ?, boot = ?, started = ? WHERE id = ? AND state <> 'done'",
			giving.Attempt, giving.Boot, millis(giving.At), giving.ID.String())
	})
}

// TakeBack notes that the engine did not take it.
func (s *Store) TakeBack(id job.ID) error {
	return s.writer.do(false, func(ctx context.Context, on execer) error {
		return changed(ctx, on, "UPDATE runs SET state = 'queued', started = 0 WHERE id = ? AND state = 'given'", id.String())
	})
}

// Withdraw removes a run that was not accepted after all, and returns when a loss of power cannot undo
// that.
func (s *Store) Withdraw(id job.ID) error {
	return s.writer.do(true, func(ctx context.Context, on execer) error {
		_, err := on.ExecContext(ctx, "DELETE FROM runs WHERE id = ? AND state <> 'done'", id.String())
		return err
	})
}

// Cancel notes that somebody has asked for it: it is not given any more.
func (s *Store) Cancel(id job.ID) error {
	return s.writer.do(true, func(ctx context.Context, on execer) error {
		return changed(ctx, on, "UPDATE runs SET cancelled = 1 WHERE id = ? AND state <> 'done'", id.String())
	})
}

// End notes how a run has ended, and forgets its request. Of the row only what comes with the
// end is read. It is durable at once where that is asked for: who has been told of an end that no
// record has must find it again.
func (s *Store) End(row Row, durable bool) error {
	problem, err := writeProblem(row.Problem)
	if err != nil {
		return err
	}
	return s.writer.do(durable, func(ctx context.Context, on execer) error {
		if err := changed(ctx, on, `UPDATE runs SET state = 'done', request = NULL, ended = ?, status = ?, recorded = ?, last = ?, problem = ?
			WHERE id = ? AND state <> 'done'`, millis(row.Ended), string(row.Status), row.Recorded, row.Last, problem, row.ID.String()); err != nil {
			return err
		}
		return addUse(ctx, on, row)
	})
}

// Day is the day, in UTC, in whose quotas a moment counts.
func Day(at time.Time) string { return at.UTC().Format(time.DateOnly) }

func addUse(ctx context.Context, on execer, row Row) error {
	if row.Used == (Use{}) {
		return nil
	}
	if _, err := on.ExecContext(ctx, "DELETE FROM cpu WHERE day < ?", Day(row.Ended.AddDate(0, 0, -7))); err != nil {
		return err
	}
	_, err := on.ExecContext(ctx, `INSERT INTO cpu (principal, day, ms, bytes) VALUES (?, ?, ?, ?)
		ON CONFLICT (principal, day) DO UPDATE SET ms = ms + excluded.ms, bytes = bytes + excluded.bytes`,
		row.Principal, Day(row.Ended), row.Used.CPU.Milliseconds(), row.Used.Bytes)
	return err
}

// Add adds rows that are done and have no request, but for those that are there, together with a
// note on how far whoever adds them has come. It says what each of them has counted for: bytes count
// with the row, so that they do once, whoever adds it first; CPU time always.
func (s *Store) Add(rows []Row, note, value string) (counted []Use, err error) {
	counted = make([]Use, len(rows))
	return counted, s.writer.do(false, func(ctx context.Context, on execer) error {
		for index, row := range rows {
			there, err := insert(ctx, on, "INSERT OR IGNORE", row, nil)
			if err != nil {
				return err
			}
			if there == 0 {
				row.Used.Bytes = 0
			}
			if err := addUse(ctx, on, row); err != nil {
				return err
			}
			counted[index] = row.Used
		}
		if note == "" {
			return nil
		}
		return write(ctx, on, note, value)
	})
}

// Write keeps a value by a name, and returns when a loss of power cannot undo it. "" removes it,
// which can be undone.
func (s *Store) Write(name, value string) error {
	return s.writer.do(value != "", func(ctx context.Context, on execer) error { return write(ctx, on, name, value) })
}

func write(ctx context.Context, on execer, name, value string) error {
	if value == "" {
		_, err := on.ExecContext(ctx, "DELETE FROM notes WHERE name = ?", name)
		return err
	}
	_, err := on.ExecContext(ctx, "INSERT INTO notes (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value", name, value)
	return err
}

// ForgetKeys forgets the keys of runs that were created before then.
func (s *Store) ForgetKeys(before time.Time) error {
	return s.writer.do(false, func(ctx context.Context, on execer) error {
		_, err := on.ExecContext(ctx, "UPDATE runs SET key = NULL, body = NULL WHERE key IS NOT NULL AND created < ?", millis(before))
		return err
	})
}

// changed is ErrNone where no row was.
func changed(ctx context.Context, on execer, statement string, arguments ...any) error {
	result, err := on.ExecContext(ctx, statement, arguments...)
	if err != nil {
		return err
	}
	if n, err := result.RowsAffected(); err != nil || n == 1 {
		return err
	}
	return ErrNone
}

// Bound lets the file have so many pages (of 4 KiB), and no more: a change that needs more fails, as
// on a full disk.
func (s *Store) Bound(pages int) error {
	return s.writer.do(true, func(ctx context.Context, on execer) error {
		_, err := on.ExecContext(ctx, "PRAGMA max_page_count = "+strconv.Itoa(pages))
		return err
	})
}
