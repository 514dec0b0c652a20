package records

import (
	"context"
	"errors"
	"slices"
	"sync"
)

// commit is one draft, written and synced, whose line is to be appended, or a line alone.
// Whoever takes it out of the queue finishes it.
type commit struct {
	draft       *Draft // nil for a line alone
	event       Event
	quarantined bool

	done chan struct{} // closed once err says what became of it
	err  error
}

func (c *commit) finish(err error) {
	c.err = err
	close(c.done)
}

func (c *commit) isDone() bool {
	select {
	case <-c.done:
		return true
	default:
		return false
	}
}

// commits are those of this process that wait.
type commits struct {
	lead chan struct{} // has room for the one who appends for all

	mu      sync.Mutex
	waiting []*commit // the oldest first
}

// maxGroup bounds how many lines are written in one step. Each has below maxLine bytes.
const maxGroup = 64

var errBrokeOff = errors.New("who appended its audit line for others as well broke off; the audit chain may name a run that was not recorded")

// record appends the audit line of a draft and renames it, with those of others who wait
// at the same time. Ending ctx withdraws the commit as long as nobody has begun with it.
func (s *Store) record(ctx context.Context, mine *commit) error {
	s.commits.add(mine)
	select {
	case <-mine.done:
		return mine.err
	case s.commits.lead <- struct{}{}:
		defer func() { <-s.commits.lead }()
	case <-ctx.Done():
		if s.commits.withdraw(mine) {
			return context.Cause(ctx)
		}
		<-mine.done
		return mine.err
	}
	for !mine.isDone() {
		if err := s.recordGroup(ctx); err != nil {
			if s.commits.withdraw(mine) {
				return err
			}
			return errors.Join(mine.err, err)
		}
	}
	return mine.err
}

// recordGroup finishes the oldest of those who wait, or nobody where the store's lock
// cannot be had.
func (s *Store) recordGroup(ctx context.Context) (err error) {
	release, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, release()) }()
	group := s.commits.take()
	defer func() { // after a panic: the others wait for their answer
		for _, each := range group {
			if !each.isDone() {
				each.finish(errBrokeOff)
			}
		}
	}()
	for left := group; len(left) > 0; {
		left = s.publish(ctx, left)
	}
	return nil
}

// publish appends the lines of a group, renames the drafts and finishes all up to the
// first that cannot be renamed. It returns those behind it, whose lines are gone by then.
func (s *Store) publish(ctx context.Context, group []*commit) (again []*commit) {
	group, by := s.keyed(group)
	if len(group) == 0 {
		return nil
	}
	lines := make([]Event, len(group))
	for n, each := range group {
		lines[n] = each.event
		if lines[n].Time.IsZero() { // else it is signed
			lines[n].Time = s.now().UTC()
		}
	}
	before, whole, err := s.chain.append(ctx, lines, by)
	if err != nil {
		for _, each := range group {
			each.finish(err)
		}
		return nil
	}
	for n, each := range group {
		var fault error
		if each.draft != nil {
			fault = each.draft.place(each.quarantined)
		}
		if fault == nil {
			each.finish(nil)
			continue
		}
		each.finish(errors.Join(fault, s.chain.cut(before[n])))
		if at, err := s.chain.tail(); err != nil || at != whole {
			return group[n+1:]
		}
		// The line could not be taken back, and so those behind it are there, too.
	}
	return nil
}

func (c *commits) add(one *commit) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.waiting = append(c.waiting, one)
}

// withdraw reports whether nobody has taken it.
func (c *commits) withdraw(one *commit) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	index := slices.Index(c.waiting, one)
	if index < 0 {
		return false
	}
	c.waiting = slices.Delete(c.waiting, index, index+1)
	return true
}

func (c *commits) take() []*commit {
	c.mu.Lock()
	defer c.mu.Unlock()
	group := slices.Clone(c.waiting[:min(maxGroup, len(c.waiting))])
	c.waiting = slices.Delete(c.waiting, 0, len(group))
	return group
}

// appendHeld appends events that nobody waits for. The store's lock is held.
func (s *Store) appendHeld(ctx context.Context, events []Event) error {
	by, current, err := s.keyNow()
	if err == nil && by.sum != current {
		err = unsuited(by.sum, current)
	}
	if err != nil {
		return err
	}
	_, _, err = s.chain.append(ctx, events, by)
	return err
}
