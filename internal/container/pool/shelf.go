package pool

import (
	"context"
	"errors"
	"sync"
	"time"

	"hotcell/internal/container"
	"hotcell/internal/panics"
)

// shelf holds what is ready for one kind of request: a template, and the idle sandboxes
// that came from it. One goroutine tends it.
type shelf struct {
	pool        *Pool
	spec        container.Spec
	preparation container.Preparation
	used        time.Time     // the pool's mu guards it
	wake        chan struct{} // has something in it when there is something to tend
	ended       chan struct{} // closed by end

	mu       sync.Mutex
	template container.Template // nil while there is none
	born     time.Time
	forks    int
	idle     []waiting
	failure  error
	changed  chan struct{} // closed, and made anew, when any of these changes
}

// waiting is one idle sandbox.
type waiting struct {
	id      container.ID
	sandbox container.PreparedSandbox
}

func newShelf(p *Pool, spec container.Spec, preparation container.Preparation) *shelf {
	return &shelf{
		pool: p, spec: spec, preparation: preparation,
		wake: make(chan struct{}, 1), ended: make(chan struct{}), changed: make(chan struct{}),
	}
}

// end has the goroutine end. The pool's mu is held, and it is called once.
func (s *shelf) end() { close(s.ended) }

// change notes what was changed. mu is held.
func (s *shelf) change() {
	close(s.changed)
	s.changed = make(chan struct{})
}

func (s *shelf) nudge() {
	select {
	case s.wake <- struct{}{}:
	default: // it will look anyway
	}
}

// take returns a sandbox with these limits: one that is idle, else one made now. ok is
// false where neither is to be had, and a cold one should be.
func (s *shelf) take(ctx context.Context, tightened container.Tightened) (container.ID, container.Sandbox, bool) {
	for {
		one, template := s.pop()
		s.nudge()
		if one.sandbox == nil && template == nil {
			return container.ID{}, nil, false
		}
		if one.sandbox == nil {
			one = s.make(ctx, template)
		}
		if one.sandbox == nil {
			return container.ID{}, nil, false
		}
		err := one.sandbox.Tighten(tightened)
		if err == nil {
			return one.id, one.sandbox, true
		}
		s.log("could not use an idle sandbox", err)
		s.remove(one.sandbox)
		if errors.Is(err, container.ErrCannotTighten) {
			return container.ID{}, nil, false
		}
	}
}

// pop takes the sandbox that waits longest and lives, and returns the template.
func (s *shelf) pop() (waiting, container.Template) {
	for {
		s.mu.Lock()
		if len(s.idle) == 0 {
			defer s.mu.Unlock()
			return waiting{}, s.template
		}
		one, template := s.idle[0], s.template
		s.idle = s.idle[1:]
		s.change()
		s.mu.Unlock()
		if isOpen(one.sandbox.Dead()) {
			return one, template
		}
		s.remove(one.sandbox)
	}
}

func isOpen(c <-chan struct{}) bool {
	select {
	case <-c:
		return false
	default:
		return true
	}
}

// make makes one more sandbox from the template, or none.
func (s *shelf) make(ctx context.Context, template container.Template) waiting {
	one := waiting{id: container.NewID()}
	err := panics.Catch("making a sandbox", func() (err error) {
		one.sandbox, err = template.Create(ctx, one.id)
		return err
	})
	s.mu.Lock()
	s.forks++
	s.mu.Unlock()
	if err != nil {
		if ctx.Err() == nil {
			s.log("could not make a sandbox from a template", err)
		}
		return waiting{}
	}
	return one
}

// remove destroys a sandbox, in the background until the pool is closed.
func (s *shelf) remove(sandbox container.Sandbox) {
	s.pool.background(func() { s.destroy(s.pool.ctx, sandbox) })
}

func (s *shelf) destroy(ctx context.Context, what interface{ Destroy(context.Context) error }) {
	ctx, cancel := container.ReleaseContext(ctx)
	defer cancel()
	err := panics.Catch("removing what was ready", func() error { return what.Destroy(ctx) })
	if err != nil {
		s.log("could not remove what was ready", err)
	}
}

func (s *shelf) log(what string, err error) {
	s.pool.options.Logger.Warn(what, "bundle", s.spec.Bundle, "reason", err)
}

// await waits until a sandbox is idle.
func (s *shelf) await(ctx context.Context) error {
	for {
		s.mu.Lock()
		ready, failure, changed := len(s.idle) > 0, s.failure, s.changed
		s.mu.Unlock()
		switch {
		case ready:
			return nil
		case failure != nil:
			return failure
		}
		select {
		case <-changed:
		case <-s.ended:
			return container.ErrClosed
		case <-s.pool.ctx.Done():
			return container.ErrClosed
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

func (s *shelf) stock() Stock {
	s.mu.Lock()
	defer s.mu.Unlock()
	stock := Stock{Image: s.spec.Image, Bundle: s.spec.Bundle, Idle: len(s.idle), Forks: s.forks}
	if s.failure != nil {
		stock.Failure = s.failure.Error()
	}
	if s.template != nil {
		stock.Age = time.Since(s.born)
		stock.MemoryBytes, _ = s.template.Memory() // 0 for one that has just died
	}
	return stock
}
