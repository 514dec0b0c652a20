// Package budget counts what requests hold at a time, in bytes or in places: there is so much
// for all of them, and for each owner.
//
// It holds nothing itself, and waits for nothing: what is too much is refused at once, before it
// is read, or made. What stands behind an owner's name is its users' business: internal/httpapi
// bounds what callers of a service hold, internal/mcpserver what one answer has, and
// internal/engineapi what a front has sent.
package budget

import (
	"context"
	"sync"
)

// Budget is so much of something. Its methods may be called concurrently.
type Budget struct {
	most   int64
	shared bool

	mu    sync.Mutex
	taken int64
	by    map[string]int64
}

// New makes a budget of which one owner may have all.
func New(most int64) *Budget { return &Budget{most: most, by: map[string]int64{}} }

// Shared makes a budget of which one owner has at most half of what others leave of seven eighths. The
// last eighth is for those who have little: each may have a 64th, or one, as long as there is any. So
// a few who take as much as they can shut nobody out.
func Shared(most int64) *Budget {
	return &Budget{most: most, shared: true, by: map[string]int64{}}
}

// Each is the most that one owner has, which is where nobody else has anything.
func (b *Budget) Each() int64 { return b.of(b.most) }

// of is what one owner may have of what others leave.
func (b *Budget) of(left int64) int64 {
	if !b.shared {
		return left
	}
	half := max(0, left-b.most/8)
	half -= half / 2
	return max(half, min(left, max(1, b.most/64)))
}

// Taken is what is held just now.
func (b *Budget) Taken() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.taken
}

// Take gives some to an owner, or says that there is not so much left.
func (b *Budget) Take(owner string, some int64) (*Share, bool) {
	share := &Share{of: b, owner: owner}
	return share, share.Grow(some)
}

// Share is what one request of an owner's holds. Whoever has it frees it.
type Share struct {
	of    *Budget
	owner string
	has   int64 // guarded by of.mu
}

// Has is how much it is.
func (s *Share) Has() int64 {
	s.of.mu.Lock()
	defer s.of.mu.Unlock()
	return s.has
}

// Grow has the share have so much at least, or leaves it as it is and says that there is not so
// much left.
func (s *Share) Grow(to int64) bool {
	b := s.of
	b.mu.Lock()
	defer b.mu.Unlock()
	more := to - s.has
	if more <= 0 {
		return true
	}
	own := b.by[s.owner]
	if more > b.of(b.most-(b.taken-own))-own {
		return false
	}
	s.has, b.taken, b.by[s.owner] = to, b.taken+more, b.by[s.owner]+more
	return true
}

// Shrink gives back what is above so much.
func (s *Share) Shrink(to int64) {
	b := s.of
	b.mu.Lock()
	defer b.mu.Unlock()
	if less := s.has - to; less > 0 {
		s.has, b.taken = to, b.taken-less
		if b.by[s.owner] -= less; b.by[s.owner] <= 0 {
			delete(b.by, s.owner)
		}
	}
}

// Move hands what it has over to a share that somebody else frees.
func (s *Share) Move() *Share {
	s.of.mu.Lock()
	defer s.of.mu.Unlock()
	moved := *s
	s.has = 0
	return &moved
}

// Free gives all of it back. Idempotent, and nothing for a nil one.
func (s *Share) Free() {
	if s == nil {
		return
	}
	s.Shrink(0)
}

type shareKey struct{}

// With is a context of work whose answer takes as much of a share as it has bytes.
func With(ctx context.Context, share *Share) context.Context {
	return context.WithValue(ctx, shareKey{}, share)
}

// Of is the share of a context, or nil where nothing is counted.
func Of(ctx context.Context) *Share {
	share, _ := ctx.Value(shareKey{}).(*Share)
	return share
}
