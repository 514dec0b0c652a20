package pool

import (
	"errors"
	"fmt"
	"time"

	"hotcell/internal/container"
)

// keep returns the shelf for such requests, of which one more has it kept.
func (p *Pool) keep(spec container.Spec, preparation container.Preparation, files string) (*shelf, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	found, err := p.find(spec, preparation, files, true)
	if err != nil {
		return nil, err
	}
	if err := p.fits(found, max(found.bytes, found.first)); err != nil {
		return nil, err
	}
	found.keepers++
	return found, nil
}

// release has one less keep the shelf.
func (p *Pool) release(one *shelf) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if now := p.shelves[one.key]; now != nil { // perhaps another one, which has it from this one
		now.keepers--
	}
}

// inUse is for how long after a request a template makes no room for another kind: more kinds
// that are asked for in turns than there may be templates would have each other's prepared
// for nothing, and none would ever be ready. Some of them are cold.
const inUse = time.Minute

// makeRoom ends templates until there may be one more: those first from which nothing comes,
// then one that was not used for the longest time. Only one that is to be kept takes the
// place of one that is in use. mu is held.
func (p *Pool) makeRoom(keep bool) error {
	kept := 0
	for _, one := range p.shelves {
		if one.keepers > 0 {
			kept++
		}
	}
	for len(p.shelves) >= p.options.Templates {
		switch {
		case p.endOldest(func(one *shelf) bool { return one.fails() }):
		case p.endUnused(keep, nil):
		case kept >= p.options.Templates:
			return fmt.Errorf("%d kinds are kept ready, and no more can be", kept)
		default:
			return fmt.Errorf("%d kinds are in use, and no more can be", len(p.shelves))
		}
	}
	return nil
}

var (
	errMadeRoom = errors.New("it has made room for others")
	errUnused   = errors.New("nobody has asked for it")
	errNoMemory = errors.New("other kinds are in use, and templates may not hold more memory beside theirs")
)

// endOldest ends the template that was not used for the longest time, of those that may be
// ended and are not kept, or tells that there is none. mu is held.
func (p *Pool) endOldest(may func(*shelf) bool) (ended bool) {
	var oldest *shelf
	for _, one := range p.shelves {
		if one.keepers == 0 && may(one) && (oldest == nil || one.used.Before(oldest.used)) {
			oldest = one
		}
	}
	if oldest == nil {
		return false
	}
	p.end(oldest, errMadeRoom)
	return true
}

// endUnused is endOldest for one that is not in use, or for one that is kept any other.
func (p *Pool) endUnused(kept bool, but *shelf) (ended bool) {
	idle := time.Now().Add(-inUse)
	return p.endOldest(func(one *shelf) bool { return one != but && (kept || one.used.Before(idle)) })
}

// end has nobody find the shelf any more, and its goroutine end. mu is held.
func (p *Pool) end(one *shelf, why error) {
	if p.shelves[one.key] == one {
		delete(p.shelves, one.key)
	}
	one.end(why)
}

// weigh keeps the bound on memory. A template whose memory nobody knows is not kept.
func (s *shelf) weigh(template container.Template) error {
	if s.pool.options.MemoryBytes == 0 {
		return nil
	}
	bytes, err := template.Memory()
	if err != nil {
		return fmt.Errorf("weigh template: %w", err)
	}
	return s.pool.weigh(s, bytes)
}

// fits tells whether one more sandbox may be idle, where each holds memory for itself: the
// first has others' templates ended, and further ones take only what nobody has.
func (s *shelf) fits() bool {
	return s.count() == 0 || s.each == 0 || s.pool.hasRoom(s.each)
}

// weighAdded notes what the sandbox that has just come has added.
func (s *shelf) weighAdded() error {
	before := s.pool.weighed(s)
	if err := s.weigh(s.current()); err != nil {
		return err
	}
	s.each = max(s.each, s.pool.weighed(s)-before)
	if s.count() == 0 {
		s.pool.reserve(s)
	}
	return nil
}

// weigh notes what a shelf's template holds, and ends others until they hold together what they
// may: those that are not in use, and for one that is kept any that is not. It is errTooLarge
// where that does not help, and errNoMemory where it has to wait for others. Where there is no
// bound, nothing is weighed.
func (p *Pool) weigh(one *shelf, bytes int64) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.fits(one, bytes); err != nil {
		return err
	}
	before := one.bytes
	one.bytes = bytes
	for p.held() > p.options.MemoryBytes {
		if !p.endUnused(one.keepers > 0, one) {
			one.bytes = before // until it has ended, no other one is to
			return errNoMemory
		}
	}
	return nil
}

// unload notes that a shelf has no template.
func (p *Pool) unload(one *shelf) {
	p.mu.Lock()
	defer p.mu.Unlock()
	one.bytes = 0
}

// reserve notes what a shelf's template holds now that one sandbox is idle.
func (p *Pool) reserve(one *shelf) {
	p.mu.Lock()
	defer p.mu.Unlock()
	one.first = max(one.first, one.bytes)
}

// fits is errTooLarge where a shelf's template cannot hold so much, even if all others that
// are not kept were ended. mu is held.
func (p *Pool) fits(one *shelf, bytes int64) error {
	var kept int64
	for _, other := range p.shelves {
		if other != one && other.keepers > 0 {
			kept += other.claims()
		}
	}
	switch bound := p.options.MemoryBytes; {
	case bound == 0 || bytes+kept <= bound:
		return nil
	case kept == 0:
		return fmt.Errorf("%w: %d bytes, and they may hold %d", errTooLarge, bytes, bound)
	default:
		return fmt.Errorf("%w: %d bytes, and they may hold %d, of which those that are kept have %d", errTooLarge, bytes, bound, kept)
	}
}

// hasRoom tells whether templates may hold so much more.
func (p *Pool) hasRoom(bytes int64) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.options.MemoryBytes == 0 || p.held()+bytes <= p.options.MemoryBytes
}

// weighed is what a shelf's template held when it was last weighed.
func (p *Pool) weighed(one *shelf) int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return one.bytes
}

// held is what all templates hold, and what is reserved for them. mu is held.
func (p *Pool) held() int64 {
	var sum int64
	for _, one := range p.shelves {
		sum += one.claims()
	}
	return sum
}
