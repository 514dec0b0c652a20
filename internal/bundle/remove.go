package bundle

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"hotcell/internal/digest"
	"hotcell/internal/durable"
)

// Hold keeps a bundle in the store until release is called: Remove refuses it meanwhile, in
// this process and in others. The kernel ends the hold of a process that dies.
func (s *Store) Hold(ctx context.Context, sum digest.Digest) (release func() error, err error) {
	dir, err := s.open(sum)
	if err != nil {
		return nil, err
	}
	err = durable.WaitShared(ctx, dir)
	if err == nil {
		err = s.stillThere(dir, sum)
	}
	if err != nil {
		return nil, errors.Join(err, dir.Close())
	}
	return dir.Close, nil
}

// open opens a bundle's directory, to be locked.
func (s *Store) open(sum digest.Digest) (dir *os.File, err error) {
	root, err := durable.OpenDir(s.path(sum))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, unknown(sum.String())
	}
	if err != nil {
		return nil, fmt.Errorf("open bundle %s: %w", sum, err)
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	return root.Open(".")
}

// stillThere tells a bundle that was removed between the opening and the lock.
func (s *Store) stillThere(dir *os.File, sum digest.Digest) error {
	held, err := dir.Stat()
	if err != nil {
		return err
	}
	named, err := os.Lstat(s.path(sum)) // and not dir.Name, which leads through a descriptor
	if errors.Is(err, fs.ErrNotExist) || err == nil && !os.SameFile(held, named) {
		return unknown(sum.String())
	}
	return err
}

// Remove takes a bundle out of the store. One that a run holds is a *FaultError. Whether a
// record names the bundle is for the caller to ask.
func (s *Store) Remove(ctx context.Context, sum digest.Digest) (err error) {
	release, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, release()) }()
	dir, err := s.open(sum)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, dir.Close()) }()
	if err := durable.TryLock(dir); errors.Is(err, durable.ErrBusy) {
		return fault("bundle %s is in use by a run or a session: remove it when that has ended", sum.Short())
	} else if err != nil {
		return err
	}
	return s.discard(sum)
}

// discard takes the bundle out by one rename, so that nobody finds half of it. What a crash
// leaves is removed by the next sweep.
func (s *Store) discard(sum digest.Digest) (err error) {
	store, err := durable.OpenDir(s.dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	name := filepath.Base(s.path(sum))
	aside := draftPrefix + "removed-" + name
	if err := store.Rename(name, aside); err != nil {
		return fmt.Errorf("remove bundle %s: %w", sum, err)
	}
	if err := durable.SyncDir(store); err != nil {
		return err
	}
	return errors.Join(s.unsign(store, sum), durable.Remove(store, aside))
}
