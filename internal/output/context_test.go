package output_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
)

var errEnough = errors.New("enough")

// countdown is a context that ends when it has been asked a number of times, so
// that a test can end it in the middle of the work.
type countdown struct {
	context.Context
	cancel context.CancelCauseFunc
	left   *atomic.Int64
}

func contextEndingAt(t *testing.T, asked int64) (context.Context, context.CancelFunc) {
	t.Helper()
	inner, cancel := context.WithCancelCause(t.Context())
	left := new(atomic.Int64)
	left.Store(asked)
	return &countdown{inner, cancel, left}, func() { cancel(nil) }
}

func (c *countdown) Err() error {
	if c.left.Add(-1) < 0 {
		c.cancel(errEnough)
	}
	return c.Context.Err()
}
