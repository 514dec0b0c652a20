package records

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"hotcell/internal/beneath"
	"hotcell/internal/durable"
	"hotcell/internal/job"
)

// Remove deletes a part of a run that is not held: PartRecord for all of it, PartCode or
// PartQuarantine. The event comes first, with the hash of the record, so that a look at the
// chain tells this deletion from any other. A part that is not there is ErrNotFound.
func (s *Store) Remove(ctx context.Context, id job.ID, part string, by Cause) error {
	return s.removeFree(ctx, id, part, func(event *Event) (name string, err error) {
		record, err := s.Get(ctx, id)
		if err != nil && !errors.Is(err, ErrNotFound) && s.isDamaged(ctx, id) == nil {
			return "", fmt.Errorf("%w: %w", ErrDamaged, err)
		}
		if err != nil {
			return "", err
		}
		if event.Subjects[0].SHA256, err = s.named(ctx, id); err != nil {
			return "", err
		}
		if part == PartQuarantine && !record.Quarantined {
			return "", ErrNotFound // whatever lies there
		}
		return partName(record, id, part)
	}, by)
}

// ErrDamaged is wrapped by the error of Remove for a record that RemoveDamaged deletes.
var ErrDamaged = errors.New("its record is damaged")

// ErrSound is returned by RemoveDamaged for a record that is not damaged.
var ErrSound = errors.New("its record is the one that the audit chain names")

// RemoveDamaged is Remove for a run whose record is not the one that the chain names, or
// cannot be read. The event says so (OK is false), with the hash of what lies in the record's
// place, if it is a file. The code's name is not known then. Of a run that is lost the event alone
// is written: somebody knows of the loss.
func (s *Store) RemoveDamaged(ctx context.Context, id job.ID, part string, by Cause) error {
	return s.removeFree(ctx, id, part, func(event *Event) (name string, err error) {
		if err := s.isDamaged(ctx, id); err != nil {
			return "", err
		}
		if event.Subjects[0].SHA256, err = s.named(ctx, id); err != nil {
			return "", err
		}
		event.OK = new(false)
		if sum, err := hashFile(ctx, filepath.Join(s.Path(id), recordName)); err == nil {
			event.Subjects = append(event.Subjects, Subject{RoleFile, recordName, sum.Hex()})
		}
		return partName(Record{}, id, part)
	}, by)
}

// isDamaged is nil for a run whose record is damaged. A disk that fails, or a record that a newer
// runner can read, is no damage: what is sound would be deleted for it.
func (v *View) isDamaged(ctx context.Context, id job.ID) error {
	_, err := v.Get(ctx, id)
	switch {
	case err == nil:
		return ErrSound
	case errors.Is(err, ErrAltered), errors.Is(err, ErrNotFound), errors.Is(err, errIllFormed), errors.Is(err, beneath.ErrTooLarge), errors.Is(err, beneath.ErrLinked):
		return nil
	case errors.Is(err, ErrNewer), context.Cause(ctx) != nil:
		return err
	}
	if info, look := os.Lstat(v.Path(id)); look == nil && !info.IsDir() {
		return nil
	}
	info, look := os.Lstat(filepath.Join(v.Path(id), recordName))
	if errors.Is(look, fs.ErrNotExist) || look == nil && !info.Mode().IsRegular() {
		return nil
	}
	return err
}

// partName is where a part of a run lies in the store, or ErrNotFound.
func partName(record Record, id job.ID, part string) (string, error) {
	switch {
	case id == (job.ID{}): // the path of no run is that of all
		return "", errors.New("there is no run without an id")
	case part == PartRecord:
		return path.Join(runsDir, id.String()), nil
	case part == PartQuarantine:
		return path.Join(quarantineDir, id.String()), nil
	case part != PartCode || record.Code == "":
		return "", ErrNotFound
	case record.Code != CodeName(record.Result):
		return "", fmt.Errorf("its record names %q as its code, which is not how code is kept", Brief(record.Code))
	}
	return path.Join(runsDir, id.String(), record.Code), nil
}

// removeFree deletes what find names, of a run that nobody holds.
func (s *Store) removeFree(ctx context.Context, id job.ID, part string, find func(*Event) (string, error), by Cause) error {
	return s.because(ctx, by, func() error {
		held, err := s.Held(ctx)
		if err != nil {
			return err
		}
		if why, is := held[id]; is {
			return fmt.Errorf("run %s: %w: %s", id, ErrHeld, why.Reason)
		}
		event := Event{
			Kind: KindDeletion, Actor: by.Actor, RunID: id, Name: part, Reason: by.Reason,
			Subjects: []Subject{{Role: RoleRecord}},
		}
		name, err := find(&event)
		if err == nil {
			err = s.within(func(store *os.Root) error { return s.remove(ctx, store, name, event) })
		}
		if err != nil {
			return fmt.Errorf("remove %s of run %s: %w", part, id, err)
		}
		return nil
	})
}

func (s *Store) remove(ctx context.Context, store *os.Root, name string, event Event) error {
	_, err := store.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		err = s.mayBeLost(ctx, event)
	}
	if err != nil {
		return err
	}
	if err := mark(store); err != nil {
		return err
	}
	if err := s.Append(ctx, event); err != nil {
		return errors.Join(err, store.Remove(pendingName))
	}
	if _, err := discardPart(store, name, event); err != nil {
		return err
	}
	return store.Remove(pendingName)
}

// mayBeLost is ErrNotFound, but for a run of which nothing is there, no event says why, and this one
// says that it was damaged.
func (s *Store) mayBeLost(ctx context.Context, event Event) error {
	if event.OK == nil || event.Name != PartRecord {
		return ErrNotFound
	}
	run, err := s.standing(ctx, event.RunID)
	if err != nil {
		return err
	}
	if _, err := s.Measure(ctx, run); errors.Is(err, ErrLost) {
		return nil
	}
	return ErrNotFound
}

// discardPart takes away what an event says, and of a whole run its quarantine first: what is
// left of it would belong to nobody.
func discardPart(store *os.Root, name string, event Event) (there bool, err error) {
	all := []string{name}
	if event.Name == PartRecord {
		all = []string{path.Join(quarantineDir, event.RunID.String()), name}
	}
	for _, one := range all {
		if _, err := store.Lstat(one); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		there = true
		if err := discard(store, one); err != nil {
			return there, err
		}
	}
	return there, nil
}

const (
	// removingName is what is being deleted, so that nobody finds half of a record. What a
	// crash leaves of it the next deletion removes.
	removingName = ".removing"
	// pendingName is there while somebody deletes: who finds it later looks for a deletion that
	// the chain has and that was not done.
	pendingName = ".deleting"
)

// mark is on the disk before the event is, or a crash between would leave nobody to look.
func mark(store *os.Root) error {
	info, err := store.Lstat(pendingName)
	if err == nil && !info.Mode().IsRegular() { // a named pipe would be waited for
		return fmt.Errorf("%s is not the file that tells of a deletion: look what it is, and move it away", pendingName)
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = writeSynced(store, pendingName, nil, 0o600)
	}
	return errors.Join(err, durable.SyncDir(store))
}

// sweepRemoved ends a deletion that was cut short, if nobody deletes now.
func (s *Store) sweepRemoved(ctx context.Context) (err error) {
	left := false
	for _, name := range []string{removingName, pendingName} {
		_, err := os.Lstat(filepath.Join(s.dir, name))
		left = left || !errors.Is(err, fs.ErrNotExist)
	}
	if !left {
		return nil
	}
	return s.whileNobodyDeletes(ctx, func() error {
		_, err := s.finishDeletions(ctx)
		return err
	})
}

// FinishDeletions deletes what an event of the chain says is deleted and is there, because a
// machine or a process ended between the two, or somebody has put it back. It returns the
// events. What is held now stays.
func (s *Store) FinishDeletions(ctx context.Context) (finished []Event, err error) {
	err = s.alone(ctx, func() error {
		finished, err = s.finishDeletions(ctx)
		return err
	})
	return finished, err
}

func (s *Store) finishDeletions(ctx context.Context) (finished []Event, err error) {
	if err := s.chain.sync(); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("finish deletions: %w", err)
	}
	known, wanted := newDeletions(), []Event{}
	err = s.each(ctx, func(event Event) error {
		if problem := known.note(event); problem == "" && event.Kind == KindDeletion {
			wanted = append(wanted, event)
		}
		return nil
	})
	if err != nil && !errors.Is(err, ErrTorn) {
		return nil, fmt.Errorf("finish deletions: %w", err)
	}
	err = s.within(func(store *os.Root) error {
		for _, event := range wanted {
			if known.held[event.RunID] {
				continue
			}
			name, err := s.left(ctx, event)
			if err != nil || name == "" {
				continue // verify tells
			}
			there, err := discardPart(store, name, event)
			if err != nil {
				return err
			}
			if there {
				finished = append(finished, event)
			}
		}
		err := store.Remove(pendingName)
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return errors.Join(err, durable.Remove(store, removingName))
	})
	if err != nil {
		err = fmt.Errorf("finish deletions: %w", err)
	}
	return finished, err
}

// left is where that lies which an event has deleted. The name of code is that of the record
// which the chain names, or there is none.
func (s *Store) left(ctx context.Context, event Event) (string, error) {
	var record Record
	if event.Name == PartCode {
		var err error
		if record, err = s.Get(ctx, event.RunID); err != nil {
			return "", err
		}
	}
	return partName(record, event.RunID, event.Name)
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
