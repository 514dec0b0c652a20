package service

import (
	"fmt"
	"sync"
	"time"

	"hotcell/internal/service/store"
)

const (
	ageNote   = "age_clock"
	ageFaster = 24 // how many times as fast as it is asked for a clock catches up with the host's
)

// ageing is the time by which what is old is forgotten. A host's clock that is wrong by a year would
// have all of it forgotten at once, and a request under a forgotten key runs twice. So this one is
// kept over restarts, is never ahead of the host's when it is used, and comes nearer to that only
// while the service runs: after a year off in some fifteen days.
type ageing struct {
	store *store.Store
	mu    sync.Mutex
	at    time.Time // never goes back: a clock that is behind for a moment would keep everything for years
}

// load goes on where the process before has ended. A database without a note has no other time than now.
func (a *ageing) load(note string, now time.Time) error {
	a.at = now
	if note == "" {
		return a.store.Write(ageNote, now.UTC().Format(time.RFC3339))
	}
	at, err := time.Parse(time.RFC3339, note)
	if err != nil {
		return fmt.Errorf("read the note %s of the database: %w", ageNote, err)
	}
	a.at = at
	return nil
}

// pass goes on, as so much time has passed in which the service ran.
func (a *ageing) pass(passed time.Duration, now time.Time) error {
	a.mu.Lock()
	next := a.at.Add(ageFaster * passed)
	if now.Before(next) {
		next = now
	}
	if !next.After(a.at) {
		a.mu.Unlock()
		return nil
	}
	a.at = next
	a.mu.Unlock()
	return a.store.Write(ageNote, next.UTC().Format(time.RFC3339))
}

// before is the moment before which all is older than kept.
func (a *ageing) before(now time.Time, kept time.Duration) time.Time {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.at.Before(now) {
		now = a.at
	}
	return now.Add(-kept)
}
