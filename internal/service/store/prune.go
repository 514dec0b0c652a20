package store

import (
	"context"
	"errors"
	"strconv"
	"time"
)

// pruneAtOnce is how many rows one change takes away: others write in between.
const pruneAtOnce = 500

// Prune takes rows away that are done and have no key: those of runs that were made before a moment,
// and of each principal those below its newest ones, of which so many stay.
func (s *Store) Prune(ctx context.Context, before time.Time, newest int) error {
	faults := []error{s.prune(ctx, "id < ?", strconv.FormatInt(before.UnixMilli(), 10))} // ids begin with their time
	rows, err := s.read.QueryContext(ctx, "SELECT principal FROM runs GROUP BY principal HAVING count(*) > ?", newest)
	if err != nil {
		return errors.Join(append(faults, err)...)
	}
	var many []string
	for rows.Next() {
		var principal string
		if err := rows.Scan(&principal); err != nil {
			return errors.Join(append(faults, err, rows.Close())...)
		}
		many = append(many, principal)
	}
	faults = append(faults, rows.Err(), rows.Close())
	for _, one := range many {
		var last string
		err := s.read.QueryRowContext(ctx, "SELECT id FROM runs WHERE principal = ? ORDER BY id DESC LIMIT 1 OFFSET ?", one, newest).Scan(&last)
		if err == nil {
			err = s.prune(ctx, "principal = ? AND id <= ?", one, last)
		}
		faults = append(faults, err)
	}
	return errors.Join(faults...)
}

func (s *Store) prune(ctx context.Context, where string, arguments ...any) error {
	for ctx.Err() == nil {
		var taken int64
		err := s.writer.do(false, func(ctx context.Context, on execer) error {
			result, err := on.ExecContext(ctx, "DELETE FROM runs WHERE seq IN (SELECT seq FROM runs WHERE "+where+
				" AND state = 'done' AND key IS NULL LIMIT "+strconv.Itoa(pruneAtOnce)+")", arguments...)
			if err == nil {
				taken, err = result.RowsAffected()
			}
			return err
		})
		if err != nil || taken < pruneAtOnce {
			return err
		}
	}
	return context.Cause(ctx)
}
