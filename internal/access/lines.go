package access

import (
	"log/slog"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"
)

// How many lines the log has of requests of nobody, and of those that are turned away because of
// their number: so many at once, and then one in so long. Metrics count them all.
const (
	lineBurst = 100
	lineEvery = time.Second
)

// Lines bounds the log where strangers would have it grow. It may be asked by many at a time.
type Lines struct {
	few  *rate.Limiter
	left atomic.Int64
}

// NewLines has all of them.
func NewLines() *Lines { return &Lines{few: rate.NewLimiter(rate.Every(lineEvery), lineBurst)} }

// Take says whether there is a line, and what it says of those that were left out before it.
func (l *Lines) Take(bounded bool) (more []any, ok bool) {
	if bounded && !l.few.Allow() {
		l.left.Add(1)
		return nil, false
	}
	if left := l.left.Swap(0); left > 0 {
		return []any{slog.Int64("lines_left_out", left)}, true
	}
	return nil, true
}
