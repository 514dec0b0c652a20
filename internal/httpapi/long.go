package httpapi

import (
	"context"
	"errors"
	"sync"
)

// errEnding is the cause with which long requests end when their server does.
var errEnding = errors.New("the service ends")

// longOnes are the requests that last until something happens: a server that ends does not
// wait for that.
type longOnes struct {
	mu     sync.Mutex
	ending bool
	ends   map[int64]context.CancelCauseFunc
	next   int64
}

// begin gives a context that ends with its parent, with done, or with all of them.
func (l *longOnes) begin(parent context.Context) (ctx context.Context, end context.CancelCauseFunc) {
	ctx, cancel := context.WithCancelCause(parent)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ending {
		cancel(errEnding)
		return ctx, cancel
	}
	if l.ends == nil {
		l.ends = map[int64]context.CancelCauseFunc{}
	}
	l.next++
	number := l.next
	l.ends[number] = cancel
	return ctx, func(cause error) {
		cancel(cause)
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.ends, number)
	}
}

// endAll ends those that there are, and all that come.
func (l *longOnes) endAll() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ending = true
	for _, end := range l.ends {
		end(errEnding)
	}
}
