package records

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"hotcell/internal/digest"
	"hotcell/internal/durable"
	"hotcell/internal/job"
)

// ErrHeld is wrapped by the error for a run that is held: nothing of it may be deleted.
var ErrHeld = errors.New("it is held")

// ErrNotHeld is returned for a run that nobody holds.
var ErrNotHeld = errors.New("nobody holds it")

// Held are the runs that are held, each with the event that says by whom and why.
func (v *View) Held(ctx context.Context) (map[job.ID]Event, error) {
	held := map[job.ID]Event{}
	for event, err := range v.Events(ctx) {
		if err != nil && !errors.Is(err, ErrTorn) {
			return nil, err
		}
		if event.Kind != KindHold {
			continue
		}
		if event.OK != nil && *event.OK {
			held[event.RunID] = event
		} else {
			delete(held, event.RunID)
		}
	}
	return held, nil
}

// Busy reports whether a run is going on, or one that was is not yet swept.
func (v *View) Busy() (bool, error) {
	entries, err := os.ReadDir(v.runs())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, fmt.Errorf("look at records: %w", err)
	}
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), draftPrefix) {
			return true, nil
		}
	}
	return false, nil
}

// Hold keeps a run, and what it needs, from being deleted until Unhold. A second hold
// replaces the reason. A run whose record was changed can be held: that may be evidence.
func (s *Store) Hold(ctx context.Context, id job.ID, by Cause) error {
	return s.because(ctx, by, func() error {
		if err := s.present(ctx, id); err != nil {
			return err
		}
		return s.Append(ctx, Event{Kind: KindHold, Actor: by.Actor, RunID: id, OK: new(true), Reason: by.Reason})
	})
}

// present reports by ErrNotFound that nothing is there of a run, and by another error that the
// chain does not name it.
func (s *Store) present(ctx context.Context, id job.ID) error {
	if _, err := s.Get(ctx, id); err == nil || errors.Is(err, ErrNotFound) {
		return err
	}
	_, err := s.named(ctx, id)
	return err
}

// named is the hash of a run's record by the chain.
func (v *View) named(ctx context.Context, id job.ID) (digest.Hex, error) {
	said, err := v.ledger.of(ctx, v, id)
	if err != nil {
		return "", err
	}
	if said.record == "" {
		return "", fmt.Errorf("run %s: no event of the chain names it: what lies there is none of this chain's, and yours to move away", id)
	}
	return said.record, nil
}

// Unhold ends a hold.
func (s *Store) Unhold(ctx context.Context, id job.ID, by Cause) error {
	return s.because(ctx, by, func() error {
		held, err := s.Held(ctx)
		if err != nil {
			return err
		}
		if _, is := held[id]; !is {
			return fmt.Errorf("run %s: %w", id, ErrNotHeld)
		}
		return s.Append(ctx, Event{Kind: KindHold, Actor: by.Actor, RunID: id, OK: new(false), Reason: by.Reason})
	})
}

const retentionLock = "retention.lock"

// because is alone for what is done for a reason.
func (s *Store) because(ctx context.Context, by Cause, do func() error) error {
	if err := by.Check(); err != nil {
		return err
	}
	return s.alone(ctx, do)
}

// alone keeps those who hold, release and delete from each other.
func (s *Store) alone(ctx context.Context, do func() error) (err error) {
	lock, err := durable.Lock(ctx, filepath.Join(s.dir, retentionLock))
	if err != nil {
		return fmt.Errorf("lock records: %w", err)
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	return do()
}

// whileNobodyDeletes does something, unless somebody deletes or releases now: who does so also
// ends what was cut short.
func (s *Store) whileNobodyDeletes(ctx context.Context, do func() error) (err error) {
	soon, cancel := context.WithTimeout(ctx, time.Millisecond)
	defer cancel()
	lock, err := durable.Lock(soon, filepath.Join(s.dir, retentionLock))
	if err != nil {
		return nil
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	return do()
}
