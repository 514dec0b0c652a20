package store

import (
	"context"
	"strconv"
)

// Bound lets the file have so many pages, as a disk does that is full.
func (s *Store) Bound(pages int) error {
	return s.writer.do(true, func(ctx context.Context, on execer) error {
		_, err := on.ExecContext(ctx, "PRAGMA max_page_count = "+strconv.Itoa(pages))
		return err
	})
}
