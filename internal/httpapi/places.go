package httpapi

import (
	"context"
	"errors"
	"sync"
)

// places is how much of something there is, for all principals and for each of them.
type places struct {
	most int64

	mu    sync.Mutex
	taken int64
	by    map[string]int64
}

func newPlaces(most int64) *places { return &places{most: most, by: map[string]int64{}} }

// take gives some to a principal, who has at most half of all, or says that there are none.
// What is given is given back once.
func (p *places) take(principal string, some int64) (back func(), ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.taken+some > p.most || p.by[principal]+some > (p.most+1)/2 {
		return nil, false
	}
	p.taken += some
	p.by[principal] += some
	return sync.OnceFunc(func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.taken -= some
		if p.by[principal] -= some; p.by[principal] == 0 {
			delete(p.by, principal)
		}
	}), true
}

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
