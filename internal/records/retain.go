package records

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

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
// replaces the reason.
func (s *Store) Hold(ctx context.Context, id job.ID, by Cause) error {
	return s.alone(ctx, func() error {
		if _, err := s.Get(ctx, id); err != nil {
			return err
		}
		return s.Append(ctx, Event{Kind: KindHold, Actor: by.Actor, RunID: id, OK: new(true), Reason: Brief(by.Reason)})
	})
}

// Unhold ends a hold.
func (s *Store) Unhold(ctx context.Context, id job.ID, by Cause) error {
	return s.alone(ctx, func() error {
		held, err := s.Held(ctx)
		if err != nil {
			return err
		}
		if _, is := held[id]; !is {
			return fmt.Errorf("run %s: %w", id, ErrNotHeld)
		}
		return s.Append(ctx, Event{Kind: KindHold, Actor: by.Actor, RunID: id, OK: new(false), Reason: Brief(by.Reason)})
	})
}

const retentionLock = "retention.lock"

// alone keeps those who hold and those who delete from each other.
func (s *Store) alone(ctx context.Context, do func() error) (err error) {
	lock, err := durable.Lock(ctx, filepath.Join(s.dir, retentionLock))
	if err != nil {
		return fmt.Errorf("lock records: %w", err)
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	return do()
}

// Remove deletes a part of a run that is not held: PartRecord for all of it, PartCode or
// PartQuarantine. The event comes first, with the hash of the record, so that a look at the
// chain tells this deletion from any other. A part that is not there is ErrNotFound.
func (s *Store) Remove(ctx context.Context, id job.ID, part string, by Cause) error {
	return s.alone(ctx, func() error {
		held, err := s.Held(ctx)
		if err != nil {
			return err
		}
		if why, is := held[id]; is {
			return fmt.Errorf("run %s: %w: %s", id, ErrHeld, why.Reason)
		}
		if err := s.remove(ctx, id, part, by); err != nil {
			return fmt.Errorf("remove %s of run %s: %w", part, id, err)
		}
		return nil
	})
}

func (s *Store) remove(ctx context.Context, id job.ID, part string, by Cause) error {
	record, err := s.Get(ctx, id)
	if err != nil {
		return err
	}
	name, ok := map[string]string{
		PartRecord: path.Join(runsDir, id.String()), PartCode: path.Join(runsDir, id.String(), record.Code), PartQuarantine: path.Join(quarantineDir, id.String()),
	}[part]
	if !ok || part == PartCode && record.Code == "" {
		return ErrNotFound
	}
	if part == PartCode && record.Code != CodeName(record.Result) {
		return fmt.Errorf("its record names %q as its code, which is not how code is kept", Brief(record.Code))
	}
	return s.within(func(store *os.Root) error {
		if _, err := store.Lstat(name); errors.Is(err, fs.ErrNotExist) {
			return ErrNotFound
		} else if err != nil {
			return err
		}
		sum, err := hashFile(ctx, filepath.Join(s.Path(id), recordName))
		if err != nil {
			return err
		}
		event := Event{
			Kind: KindDeletion, Actor: by.Actor, RunID: id, Name: part, Reason: Brief(by.Reason),
			Subjects: []Subject{{Role: RoleRecord, SHA256: sum.Hex()}},
		}
		if err := s.Append(ctx, event); err != nil {
			return err
		}
		if part == PartRecord { // before the record: what is left would belong to nobody
			if err := discard(store, path.Join(quarantineDir, id.String())); err != nil {
				return err
			}
		}
		return discard(store, name)
	})
}

// removingName is what is being deleted, so that nobody finds half of a record. What a crash
// leaves of it the next deletion removes.
const removingName = ".removing"

// sweepRemoved removes what a deletion that was cut short has left, if nobody deletes now.
func (s *Store) sweepRemoved(ctx context.Context) (err error) {
	if _, err := os.Lstat(filepath.Join(s.dir, removingName)); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, time.Millisecond)
	defer cancel()
	lock, err := durable.Lock(ctx, filepath.Join(s.dir, retentionLock))
	if err != nil {
		return nil // somebody deletes, and removes it
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	return s.within(func(store *os.Root) error { return durable.Remove(store, removingName) })
}

// discard takes away what is there by one rename.
func discard(store *os.Root, name string) error {
	if err := durable.Remove(store, removingName); err != nil {
		return err
	}
	if err := store.Rename(name, removingName); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := syncDir(store, path.Dir(name)); err != nil {
		return err
	}
	return durable.Remove(store, removingName)
}
