package engineapi

import (
	"fmt"
	"sync/atomic"

	"hotcell/internal/admission"
)

const (
	// heldBytes is what all that a front has sent may have together: what is being read, what
	// waits, and what runs. It is above three of the largest requests.
	heldBytes = 512 << 20
	// maxMembers is above what any line of a front has. A list of names takes far more memory
	// than it has bytes.
	maxMembers = 64 << 10
	// maxNames is what a request's names may have together.
	maxNames = 256 << 10
)

// budget counts what is held.
type budget struct {
	most int64
	held atomic.Int64
}

// share is one request's part of a budget. One goroutine uses it at a time; nil has no bound.
type share struct {
	of    *budget
	bytes int64
}

// grow has the share have so many bytes at least.
func (s *share) grow(to int64) error {
	if s == nil || to <= s.bytes {
		return nil
	}
	more := to - s.bytes
	if s.of.held.Add(more) > s.of.most {
		s.of.held.Add(-more)
		return fmt.Errorf("%w: those that are there have too many bytes together: try again later", admission.ErrFull)
	}
	s.bytes = to
	return nil
}

// move hands it over to who frees it later.
func (s *share) move() *share {
	moved := *s
	s.bytes = 0
	return &moved
}

// free gives it back, once.
func (s *share) free() {
	s.of.held.Add(-s.bytes)
	s.bytes = 0
}

// checkNames refuses a request whose names no policy has.
func (r request) checkNames() error {
	names := len(r.Policy) + len(r.Bundle) + len(r.ScriptName) + len(r.Runtime)
	for _, list := range [][]string{r.Imports, r.Tables} {
		for _, name := range list {
			names += len(name)
		}
	}
	if names > maxNames {
		return fmt.Errorf("%w: the names of a request have at most %d bytes together", ErrMalformed, maxNames)
	}
	return nil
}
