package pool

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"hotcell/internal/container"
	"hotcell/internal/digest"
	"hotcell/internal/panics"
)

// shelf holds what is ready for one kind of request: a template, and the idle sandboxes
// that came from it. One goroutine tends it.
type shelf struct {
	pool        *Pool
	key         digest.Digest
	spec        container.Spec
	preparation container.Preparation
	ctx         context.Context // the shelf's own life; its cause says why it has ended
	end         context.CancelCauseFunc
	wake        chan struct{} // has something in it when there is something to tend

	// The pool's mu guards these.
	files   string // how those looked of which all of it is made
	used    time.Time
	keepers int   // how often it was asked to be kept; 0 for one that makes room
	bytes   int64 // that the template holds
	first   int64 // that it held when the first of its idle sandboxes had come, at most

	looked time.Time // when files were found unchanged; only who tends the shelf has it

	each  int64 // what an idle sandbox has added to that, at most; only who tends the shelf has it
	added bool  // whether one has come of the last attempt; as each

	failed int // attempts in a row of which none has come, of this template; as each

	mu       sync.Mutex
	template container.Template // nil while there is none
	born     time.Time
	forks    int
	idle     []waiting
	asked    int // sandboxes that were idle, and of which a request is finding out whether it can have them
	dropped  int // how often all that was idle was ended
	failure  error
	told     time.Time     // when a failure was
	changed  chan struct{} // closed, and made anew, when any of these changes
}

// waiting is one idle sandbox.
type waiting struct {
	id      container.ID
	sandbox container.PreparedSandbox
}

// claim is a sandbox that a request may get, and where it comes from.
type claim struct {
	waiting
	idle    bool // until now, and not made for this request
	dropped int  // the shelf's, at that time
}

func newShelf(p *Pool, key digest.Digest, spec container.Spec, preparation container.Preparation) *shelf {
	s := &shelf{
		pool: p, key: key, spec: spec, preparation: preparation,
		wake: make(chan struct{}, 1), changed: make(chan struct{}),
	}
	s.ctx, s.end = context.WithCancelCause(p.ctx)
	return s
}

// claims is how many bytes others must leave to the template. One that is kept has room for
// its first sandbox also while all of its own are used, or while it is replaced. The pool's mu
// is held.
func (s *shelf) claims() int64 {
	if s.keepers == 0 {
		return s.bytes
	}
	return max(s.bytes, s.first)
}

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
func (s *shelf) take(ctx context.Context, spec container.Spec) (id container.ID, ready container.PreparedSandbox, ok bool) {
	one, template := s.pop()
	if !one.idle {
		s.nudge()
	}
	if template != nil {
		one.waiting = s.make(ctx, template)
	}
	if one.sandbox == nil {
		return container.ID{}, nil, false
	}
	// One try: where limits cannot be had, they could not be of a thousand more. What the
	// host lacked when this one was made it may have by now.
	err := one.sandbox.Host().Admit(spec.Optional)
	if err == nil {
		err = panics.Catch("tightening a sandbox", func() error { return one.sandbox.Tighten(ctx, spec.Tightened) })
	}
	if err == nil && !isOpen(one.sandbox.Dead()) {
		err = errors.New("its guard has died")
	}
	kept := s.settle(one, err)
	if err == nil {
		return one.id, one.sandbox, true
	}
	if !kept {
		s.log("could not use a prepared sandbox", err)
		s.remove(one.sandbox)
	}
	return container.ID{}, nil, false
}

// pop takes the sandbox that waits longest and lives, or else returns the template, if
// one is to be had from it. Of a template that has died nothing is. What was idle is to be
// settled.
func (s *shelf) pop() (claim, container.Template) {
	s.bury()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.template == nil || !isOpen(s.template.Dead()) {
		return claim{}, nil // whoever tends it sees to that
	}
	if len(s.idle) > 0 {
		one := claim{s.idle[0], true, s.dropped}
		s.idle = slices.Delete(s.idle, 0, 1)
		s.asked++
		s.change()
		return one, nil
	}
	if s.failure != nil {
		return claim{}, nil // no caller waits for another
	}
	if !s.template.Quick() {
		return claim{}, nil // a cold one is there as soon
	}
	return claim{}, s.template
}

// settle ends what pop began. A sandbox that cannot have the limits is as it was, and no
// caller has had it: it waits on, before all others, for the next request. It tells whether
// it does.
func (s *shelf) settle(one claim, fault error) (kept bool) {
	if !one.idle {
		return false
	}
	defer s.nudge()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked--
	// What was idle with it may have been ended since, and its template with that.
	kept = errors.Is(fault, container.ErrCannotTighten) && one.dropped == s.dropped
	if kept {
		s.idle = slices.Insert(s.idle, 0, one.waiting)
		s.change()
	}
	return kept
}

// bury removes the idle sandboxes whose guard has died.
func (s *shelf) bury() {
	s.mu.Lock()
	var dead []waiting
	s.idle = slices.DeleteFunc(s.idle, func(one waiting) bool {
		open := isOpen(one.sandbox.Dead())
		if !open {
			dead = append(dead, one)
		}
		return !open
	})
	if len(dead) > 0 {
		s.change()
	}
	s.mu.Unlock()
	for _, one := range dead {
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

// make makes one more sandbox from the template for a caller, or from the one by which it has
// been replaced meanwhile, or none.
func (s *shelf) make(ctx context.Context, template container.Template) waiting {
	for {
		one, err := s.create(ctx, template)
		if err == nil {
			return one
		}
		current := s.current()
		switch {
		case ctx.Err() != nil || s.ctx.Err() != nil || current == nil || errors.Is(err, container.ErrBusy):
			return waiting{}
		case current == template:
			s.fail(err)
			s.nudge()
			return waiting{}
		}
		template = current
	}
}

// create makes a sandbox, which on success is its caller's alone.
func (s *shelf) create(ctx context.Context, template container.Template) (waiting, error) {
	one := waiting{id: container.NewID()}
	err := panics.Catch("making a sandbox", func() (err error) {
		one.sandbox, err = template.Create(ctx, one.id)
		return err
	})
	if !errors.Is(err, container.ErrBusy) {
		s.mu.Lock()
		s.forks++
		s.mu.Unlock()
	}
	if err == nil {
		if err = s.requireUnchanged(ctx); err != nil {
			s.destroy(ctx, one.sandbox)
			one.sandbox = nil
		}
	}
	return one, err
}

// errChanged is for what was made of files that have become others.
var errChanged = errors.New("the files of its image or its bundle have changed")

// requireUnchanged is asked when something has been made: it was made of the files that all
// of the shelf is for, and not of others that stood there meanwhile.
func (s *shelf) requireUnchanged(ctx context.Context) error {
	files, err := s.pool.options.Files.Look(ctx, s.spec)
	if err == nil && files != s.pool.filesOf(s) {
		err = errChanged
	}
	return err
}

// remove destroys a sandbox in the background. mu is not held: the pool's is taken.
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
		case <-s.ctx.Done():
			return s.cause()
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// fails tells whether nothing comes of it: the last attempt failed, and there is no template.
func (s *shelf) fails() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.template == nil && s.failure != nil
}

// cause is why the shelf has ended.
func (s *shelf) cause() error { return context.Cause(s.ctx) }

func (s *shelf) stock() Stock {
	s.mu.Lock()
	stock := Stock{For: s.preparation.For, Runtime: s.spec.Runtime, Image: s.spec.Image, Bundle: s.spec.Bundle, Idle: len(s.idle), Made: s.forks}
	if s.failure != nil {
		stock.Failure = s.failure.Error()
	}
	template, born := s.template, s.born
	s.mu.Unlock()
	if template != nil {
		stock.Age = time.Since(born)
		stock.MemoryBytes, _ = template.Memory() // 0 for one that has just died
	}
	return stock
}
