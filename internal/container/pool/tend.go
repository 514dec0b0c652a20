package pool

import (
	"errors"
	"fmt"
	"time"

	"hotcell/internal/container"
	"hotcell/internal/panics"
)

// look is how often a shelf is looked at when nothing happens.
const look = 10 * time.Second

// lookAgain is how long what waits is believed to be of unchanged files.
const lookAgain = time.Minute

// After a failure nothing is prepared for a while: at first for firstRetry, and twice as
// long after each further one, while nothing at all comes of it: up to retry where there
// is no template, which takes seconds to make, and up to retryFork where there is one.
const (
	firstRetry = time.Second
	retry      = 30 * time.Second
	retryFork  = 4 * time.Second
)

// mostFailures in a row, in which none came of a template, are enough: it does not get better.
// They take about as long as retry.
const mostFailures = 8

// tend keeps the shelf filled until it is ended or nobody uses it.
func (s *shelf) tend() {
	defer s.clear()
	pause := firstRetry
	for s.ctx.Err() == nil && !s.pool.retire(s) {
		s.added = false
		began := time.Now()
		err := s.fill()
		took := time.Since(began)
		if err != nil && s.ctx.Err() == nil {
			s.fail(err)
		}
		if err == nil || s.added {
			pause = firstRetry
		}
		if s.current() != nil {
			pause = min(pause, retryFork)
		} else {
			pause = max(pause, took) // one that takes long to fail leaves as much time to others
		}
		s.wait(err, pause)
		if err != nil {
			pause = min(2*pause, max(pause, retry))
		}
	}
}

var (
	// errTooLarge is for a template that no retry makes smaller.
	errTooLarge = errors.New("template holds more memory than there is for it")
	// errDiedYoung is for one after which the next would cost as much, and die as soon.
	errDiedYoung = errors.New("the template has died soon after it was prepared")
)

// wait returns when there is something to do. After a failure, neither a request nor
// another death is a reason: what fails at once would fail without end.
func (s *shelf) wait(failed error, pause time.Duration) {
	wake, dead := s.wake, (<-chan struct{})(nil)
	switch {
	case errors.Is(failed, errTooLarge):
		wake, pause = nil, s.pool.options.Age
	case errors.Is(failed, errNoMemory):
		wake, pause = nil, inUse
	case errors.Is(failed, errDiedYoung):
		wake, pause = nil, retry
	case failed != nil:
		wake = nil
	default:
		dead, pause = s.death(), look
	}
	clock := time.NewTimer(pause)
	defer clock.Stop()
	select {
	case <-s.ctx.Done():
	case <-wake:
		s.leaveAlone()
	case <-dead:
	case <-clock.C:
	}
}

// runTime is about what a short run takes.
const runTime = 100 * time.Millisecond

// leaveAlone waits for so long, as long as half of the sandboxes are there: making one takes
// more of the machine than many a run, and the run that has just begun comes first.
func (s *shelf) leaveAlone() {
	clock := time.NewTimer(runTime)
	defer clock.Stop()
	for s.current() != nil && s.count() > s.pool.options.Idle/2 {
		select {
		case <-s.ctx.Done():
			return
		case <-clock.C:
			return
		case <-s.wake:
		}
	}
}

// death is the template's, or nil where there is none.
func (s *shelf) death() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.template == nil {
		return nil
	}
	return s.template.Dead()
}

// fail notes why there are none, and tells of it, but not more often than each retry.
func (s *shelf) fail(err error) {
	s.mu.Lock()
	s.failure = err
	s.change()
	again := !s.told.IsZero() && time.Since(s.told) < retry
	if !again {
		s.told = time.Now()
	}
	s.mu.Unlock()
	if !again {
		s.log("no sandboxes are kept ready", err)
	}
}

// fill makes a template where there is none that may go on, and idle sandboxes up to their
// number.
func (s *shelf) fill() error {
	s.bury()
	if err := s.endDead(); err != nil {
		return err
	}
	err := s.renew()
	if err == nil {
		err = s.lookAgain()
	}
	if err == nil {
		err = s.weigh(s.current())
	}
	if err != nil {
		s.clear() // what is worn, or too large, is not used for longer because there is nothing better
		return err
	}
	for s.ctx.Err() == nil && !s.worn() && !s.full() && s.fits() {
		err := s.add()
		if errors.Is(err, container.ErrBusy) {
			continue // callers have theirs made
		}
		if errors.Is(err, errNoMemory) && s.count() > 0 {
			return nil // another kind has taken it meanwhile: fewer wait
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// adoptFiles looks at the files before a template is made of them. Where nothing is there
// that was made of others, they may have changed.
func (s *shelf) adoptFiles() error {
	if s.current() != nil || s.count() > 0 {
		return s.requireUnchanged(s.ctx)
	}
	files, err := s.pool.options.Files.Look(s.ctx, s.spec)
	if err == nil {
		s.pool.adopt(s, files)
	}
	return err
}

// lookAgain looks now and then whether the files of what waits have changed.
func (s *shelf) lookAgain() error {
	if time.Since(s.looked) < lookAgain {
		return nil
	}
	if err := s.requireUnchanged(s.ctx); err != nil {
		return err
	}
	s.looked = time.Now()
	return nil
}

// count is how many sandboxes are idle, with those that may be again.
func (s *shelf) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.idle) + s.asked
}

// full tells whether enough sandboxes are idle, with those that may be again. Then nothing
// fails any more.
func (s *shelf) full() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.idle)+s.asked < s.pool.options.Idle {
		return false
	}
	s.failure = nil
	return true
}

// add makes an idle sandbox when few enough others are being made.
func (s *shelf) add() error {
	var one waiting
	err := s.inTurn(s.pool.makers, func() (err error) {
		one, err = s.create(s.ctx, s.current())
		return err
	})
	switch {
	case errors.Is(err, container.ErrBusy):
		return err // no fault of the template's
	case err != nil:
		if s.failed++; s.failed >= mostFailures {
			s.clear()
		}
		return err
	}
	s.failed = 0
	if err := s.weighAdded(); err != nil { // before anybody waits for it, or gets it
		s.destroy(s.pool.ctx, one.sandbox)
		if !errors.Is(err, errNoMemory) || s.count() == 0 {
			s.clear()
		}
		return err
	}
	s.added = true
	s.mu.Lock()
	defer s.mu.Unlock()
	s.idle = append(s.idle, one) // clear comes after, in the same goroutine
	s.failure = nil
	s.change()
	return nil
}

// inTurn does the work when there is room among those that do the like.
func (s *shelf) inTurn(others chan struct{}, work func() error) error {
	select {
	case others <- struct{}{}:
	case <-s.ctx.Done():
		return s.cause()
	}
	defer func() { <-others }()
	return work()
}

// current is the template. Only who tends the shelf changes it.
func (s *shelf) current() container.Template {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.template
}

// worn tells whether the template is to be replaced.
func (s *shelf) worn() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.template == nil || !isOpen(s.template.Dead()) || s.forks >= s.pool.options.Forks ||
		time.Since(s.born) >= s.pool.options.Age
}

// endDead ends a template that has died. One that died young is an error, so that what kills
// templates does not have them prepared as fast as they die. What was idle ends with it: it
// came from what has then gone wrong.
func (s *shelf) endDead() error {
	s.mu.Lock()
	old, lived := s.template, time.Since(s.born)
	s.mu.Unlock()
	if old == nil || isOpen(old.Dead()) {
		return nil
	}
	s.clear()
	if lived < retry {
		return fmt.Errorf("%w: %s", errDiedYoung, lived.Round(time.Millisecond))
	}
	return nil
}

// renew puts a new template in the place of none or of one that is worn. The idle
// sandboxes of that go with it.
func (s *shelf) renew() error {
	if !s.worn() {
		return nil
	}
	if err := s.adoptFiles(); err != nil {
		return err
	}
	var made container.Template
	err := s.inTurn(s.pool.turn, func() error {
		return panics.Catch("preparing a template", func() (err error) {
			made, err = s.pool.options.Engine.Prepare(s.ctx, container.NewID(), s.spec, s.preparation)
			return err
		})
	})
	if err != nil {
		return err
	}
	if err = s.requireUnchanged(s.ctx); err == nil {
		err = s.weigh(made)
	}
	if err != nil {
		s.destroy(s.pool.ctx, made) // before a caller has anything from it
		return err
	}
	s.mu.Lock()
	old, idle := s.template, s.idle
	s.template, s.born, s.forks, s.idle, s.each, s.failed = made, time.Now(), 0, nil, 0, 0
	s.dropped++
	s.change()
	s.mu.Unlock()
	s.discard(old, idle)
	return nil
}

// clear ends what there is.
func (s *shelf) clear() {
	s.mu.Lock()
	old, idle := s.template, s.idle
	s.template, s.idle = nil, nil
	s.dropped++
	s.change()
	s.mu.Unlock()
	s.discard(old, idle)
}

func (s *shelf) discard(template container.Template, idle []waiting) {
	for _, one := range idle {
		s.destroy(s.pool.ctx, one.sandbox)
	}
	if template != nil {
		s.destroy(s.pool.ctx, template)
	}
	if s.current() == nil { // else the new one was weighed
		s.pool.unload(s)
	}
}
