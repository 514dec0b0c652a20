// Package admission decides when a run may begin: so many at a time, and the callers
// who wait take turns.
//
// It does not know what a run is, nor what it costs, and refuses nothing but what would
// wait in a queue that is full, or for a gate that is closing. internal/engineapi puts
// every request through one gate.
package admission

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
)

var (
	// ErrFull is wrapped by the error for a caller who waits too often already.
	ErrFull = errors.New("too many requests are waiting")
	// ErrDraining is the error for who comes, or still waits, while the gate closes.
	ErrDraining = errors.New("no new request is taken, because it ends: try again when it has ended")
)

// Options says how much a Gate lets in. Every number is required.
type Options struct {
	Places int  // at a time
	Queue  int  // that wait, of one caller
	Queues int  // that wait, of all callers together
	Shared bool // one caller has at most half of the places that others leave
}

// Default is what a machine with so many cores and so much memory, in bytes, can carry.
//
// A run has one CPU by every built-in policy, and mostly waits for its disk while its
// interpreter starts: two of them keep a core busy. Half of the memory is for runs of
// 512 MiB, which is what most built-in policies allow; the kernel needs the rest for the
// files that they read. The queue is as long as what is over within some tens of seconds.
func Default(cores int, memory int64) Options {
	return For(max(1, min(2*cores, int(memory/2/(512<<20)))))
}

// For is so many places, with queues to match.
func For(places int) Options {
	return Options{Places: places, Queue: 16 * places, Queues: 64 * places}
}

// ButOne is the same with one place less, where there are several: for work that may stay
// for as long as its caller likes, so that other work has a place left. Who goes through
// such a gate first, and through that of all work inside it, waits for nobody who waits for
// them.
func (o Options) ButOne() Options {
	o.Places = max(1, o.Places-1)
	return o
}

// Gate lets work in. Its methods may be called concurrently.
type Gate struct {
	options Options

	mu       sync.Mutex
	inside   int
	has      map[string]int       // of those, by caller
	waiting  map[string][]*waiter // by caller, the first comes first; none is empty
	turns    []string             // callers that wait, the next one first
	queued   int                  // in waiting
	draining bool
	empty    chan struct{} // closed when nobody is inside any more, and nobody will be
}

// waiter waits for its turn. answer has room for the one answer that it gets.
type waiter struct{ answer chan error }

// New checks the options.
func New(options Options) (*Gate, error) {
	if options.Places < 1 || options.Queue < 1 || options.Queues < options.Queue {
		return nil, fmt.Errorf("new gate: %+v lets nobody in", options)
	}
	return &Gate{options: options, has: make(map[string]int), waiting: make(map[string][]*waiter), empty: make(chan struct{})}, nil
}

// Options are what New was given.
func (g *Gate) Options() Options { return g.options }

// Do calls work once there is a place, and gives the place back however work ends. Who
// waits longest of the caller whose turn it is comes next. ctx ends the waiting, with its
// cause, and is what work gets. Where Do refuses, work was not called.
func (g *Gate) Do(ctx context.Context, caller string, work func(context.Context) error) error {
	if err := g.enter(ctx, caller); err != nil {
		return err
	}
	defer g.leave(caller)
	return work(ctx)
}

func (g *Gate) enter(ctx context.Context, caller string) error {
	mine, err := g.line(caller)
	if err != nil || mine == nil {
		return err
	}
	select {
	case err := <-mine.answer:
		return err
	case <-ctx.Done():
		return g.giveUp(ctx, caller, mine)
	}
}

// line gives a place at once, or one in the queue.
func (g *Gate) line(caller string) (*waiter, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case g.draining:
		return nil, ErrDraining
	case g.mayEnter(caller): // nobody waits then who may, too
		g.letIn(caller)
		return nil, nil //nolint:nilnil // there is nothing to wait for
	case len(g.waiting[caller]) >= g.options.Queue || g.queued >= g.options.Queues:
		return nil, fmt.Errorf("%w: running now: %d, waiting: %d: try again later", ErrFull, g.inside, g.queued)
	}
	if len(g.waiting[caller]) == 0 {
		g.turns = append(g.turns, caller)
	}
	mine := &waiter{make(chan error, 1)}
	g.waiting[caller] = append(g.waiting[caller], mine)
	g.queued++
	return mine, nil
}

// mayEnter reports whether there is a place for a caller. mu is held.
func (g *Gate) mayEnter(caller string) bool {
	left := g.options.Places - g.inside
	if !g.options.Shared {
		return left > 0
	}
	own := g.has[caller]
	return own < (left+own+1)/2
}

// letIn gives a caller a place. mu is held.
func (g *Gate) letIn(caller string) {
	g.inside++
	g.has[caller]++
}

// giveUp takes a waiter out of the queue. One that was let in at the same moment leaves.
func (g *Gate) giveUp(ctx context.Context, caller string, mine *waiter) error {
	g.mu.Lock()
	index := slices.Index(g.waiting[caller], mine)
	if index >= 0 {
		g.forget(caller, index)
	}
	g.mu.Unlock()
	if index < 0 && <-mine.answer == nil {
		g.leave(caller)
	}
	return context.Cause(ctx)
}

// forget takes one waiter out. mu is held.
func (g *Gate) forget(caller string, index int) {
	g.queued--
	g.waiting[caller] = slices.Delete(g.waiting[caller], index, index+1)
	if len(g.waiting[caller]) == 0 {
		delete(g.waiting, caller)
		g.turns = slices.DeleteFunc(g.turns, func(one string) bool { return one == caller })
	}
}

// leave hands the place on to whose turn it is.
func (g *Gate) leave(caller string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.inside--
	if g.has[caller]--; g.has[caller] == 0 {
		delete(g.has, caller)
	}
	for {
		turn := slices.IndexFunc(g.turns, g.mayEnter)
		if turn < 0 {
			g.closeIfEmpty()
			return
		}
		who := g.turns[turn]
		next := g.waiting[who][0]
		g.turns = append(slices.Delete(g.turns, turn, turn+1), who) // its next turn comes after everybody else's
		g.forget(who, 0)
		g.letIn(who)
		next.answer <- nil
	}
}

// closeIfEmpty says so once. mu is held.
func (g *Gate) closeIfEmpty() {
	if g.draining && g.inside == 0 {
		select {
		case <-g.empty:
		default:
			close(g.empty)
		}
	}
}

// Load is how many are inside, and how many wait.
func (g *Gate) Load() (inside, waiting int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.inside, g.queued
}

// Drain lets nobody in any more, and refuses all who wait: what is inside takes as long as
// it takes, and nobody shall wait for work that may not begin before the end. The channel
// is closed when nobody is inside. Idempotent.
func (g *Gate) Drain() <-chan struct{} {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.draining = true
	for _, line := range g.waiting {
		for _, one := range line {
			one.answer <- ErrDraining
		}
	}
	g.waiting, g.turns, g.queued = make(map[string][]*waiter), nil, 0
	g.closeIfEmpty()
	return g.empty
}
