package pool

import (
	"context"
	"time"

	"hotcell/internal/container"
	"hotcell/internal/panics"
)

// look is how often a shelf is looked at when nothing happens.
const look = 10 * time.Second

// tend keeps the shelf filled until it is ended or nobody uses it.
func (s *shelf) tend(ctx context.Context) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	go func() {
		select {
		case <-s.ended:
			stop()
		case <-ctx.Done():
		}
	}()
	defer s.clear()
	for ctx.Err() == nil && !s.pool.unused(s) {
		pause := look
		if err := s.fill(ctx); err != nil && ctx.Err() == nil {
			s.fail(err)
			pause = s.pool.options.retry
		}
		s.wait(ctx, pause)
	}
}

// wait returns when there is something to do. After a failure no request is a reason.
func (s *shelf) wait(ctx context.Context, pause time.Duration) {
	s.mu.Lock()
	failed, template := s.failure != nil, s.template
	s.mu.Unlock()
	wake, dead := s.wake, (<-chan struct{})(nil)
	if failed {
		wake = nil
	}
	if template != nil {
		dead = template.Dead()
	}
	clock := time.NewTimer(pause)
	defer clock.Stop()
	select {
	case <-ctx.Done():
	case <-wake:
	case <-dead:
	case <-clock.C:
	}
}

func (s *shelf) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failure = err
	s.change()
	s.log("no sandboxes are kept ready", err)
}

// fill makes a template where there is none that may go on, and idle sandboxes up to their
// number.
func (s *shelf) fill(ctx context.Context) error {
	if err := s.renew(ctx); err != nil {
		return err
	}
	for ctx.Err() == nil {
		s.mu.Lock()
		template, full := s.template, len(s.idle) >= s.pool.options.Idle
		s.mu.Unlock()
		if full || s.worn() {
			return nil
		}
		one, err := s.makeInTurn(ctx, template)
		if err != nil {
			return err
		}
		s.put(one)
	}
	return nil
}

// makeInTurn makes a sandbox when few enough others are being made.
func (s *shelf) makeInTurn(ctx context.Context, template container.Template) (waiting, error) {
	select {
	case s.pool.makers <- struct{}{}:
	case <-ctx.Done():
		return waiting{}, context.Cause(ctx)
	}
	defer func() { <-s.pool.makers }()
	one := waiting{id: container.NewID()}
	err := panics.Catch("making a sandbox", func() (err error) {
		one.sandbox, err = template.Create(ctx, one.id)
		return err
	})
	s.mu.Lock()
	s.forks++
	s.mu.Unlock()
	return one, err
}

// put makes a sandbox known that has just been made, and by its maker alone.
func (s *shelf) put(one waiting) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.idle = append(s.idle, one)
	s.failure = nil
	s.change()
}

// worn tells whether the template is to be replaced.
func (s *shelf) worn() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.template == nil || !isOpen(s.template.Dead()) || s.forks >= s.pool.options.Forks ||
		time.Since(s.born) >= s.pool.options.Age
}

// renew puts a new template in the place of none or of one that is worn. The idle
// sandboxes of that go with it.
func (s *shelf) renew(ctx context.Context) error {
	if !s.worn() {
		return nil
	}
	var made container.Template
	err := panics.Catch("preparing a template", func() (err error) {
		made, err = s.pool.options.Engine.Prepare(ctx, container.NewID(), s.spec, s.preparation)
		return err
	})
	if err != nil {
		return err
	}
	s.mu.Lock()
	old, idle := s.template, s.idle
	s.template, s.born, s.forks, s.idle = made, time.Now(), 0, nil
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
}
