// Package durable makes directories that appear whole or not at all, and that do
// not outlive the process that was making them.
//
// A Draft is a directory under construction, locked by its owner, in a directory
// that nobody else may write. Publish syncs it and renames it into place in one
// step; Discard removes it; Sweep removes the drafts of owners that are dead. A
// Delivery is for a directory that others may write too. OpenDir, MakeDir, Create
// and Rename are for what a user or the state directory names. The package does
// not decide what a directory holds. internal/bundle, internal/output and
// internal/records use it.
//
// A directory is opened once. Every step after that goes by its descriptor: a
// path leads wherever whoever may write above it wants it to lead (CWE-59,
// CWE-367; a root process was made to chmod foreign directories that way).
package durable

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sync/errgroup"
)

// ErrBusy means that a live owner holds the draft.
var ErrBusy = errors.New("another process is using it")

// Draft is a locked directory with mode 0700. It has one owner; its methods are
// not for concurrent use. The lock is flock(2) on the directory itself, so it
// ends with the process, however that ends, and moves with a rename.
type Draft struct {
	path   string
	name   string
	parent *os.Root
	root   *os.Root // closed once the draft is published or discarded
	held   *held    // nil once the draft is published or discarded
}

// NewDraft makes and locks the directory path, whose parent must exist. What a
// dead owner of the same user left there is removed first; a live one's is
// ErrBusy.
func NewDraft(path string) (*Draft, error) {
	return newDraftAt(path, func(*held) error { return nil })
}

// ErrLeft is wrapped by the error of NewOnlyDraft.
var ErrLeft = errors.New("a process that has ended has left it there")

// NewOnlyDraft is NewDraft, but what a dead owner left there stays, and is ErrLeft: a Sweep may
// have something to tell of it.
func NewOnlyDraft(path string) (*Draft, error) {
	return newDraftAt(path, func(*held) error { return ErrLeft })
}

func newDraftAt(path string, abandoned func(*held) error) (*Draft, error) {
	parent, err := OpenDir(filepath.Dir(path))
	if err != nil {
		return nil, fmt.Errorf("make draft: %w", err)
	}
	draft, err := newDraft(parent, path, abandoned)
	if err != nil {
		return nil, errors.Join(err, parent.Close())
	}
	return draft, nil
}

// newDraft asks abandoned before it removes what a dead owner left. It takes
// parent over when it succeeds.
func newDraft(parent *os.Root, path string, abandoned func(*held) error) (*Draft, error) {
	name := filepath.Base(path)
	for range 16 { // a Sweep can take a directory between mkdir and lock
		if err := removeAbandoned(parent, name, abandoned); err != nil {
			return nil, fmt.Errorf("make draft %s: %w", path, err)
		}
		if err := parent.Mkdir(name, 0o700); err != nil {
			if errors.Is(err, fs.ErrExist) {
				continue
			}
			return nil, fmt.Errorf("make draft: %w", err)
		}
		held, err := lockMade(parent, name)
		if err == nil {
			if err := held.isNew(); err != nil {
				return nil, errors.Join(fmt.Errorf("make draft %s: %w", path, err), held.Close())
			}
			return &Draft{path, name, parent, held.root, held}, nil
		}
		if !errors.Is(err, ErrBusy) && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("make draft %s: %w", path, err)
		}
	}
	return nil, fmt.Errorf("make draft %s: %w", path, ErrBusy)
}

// Path is where the draft is until it is published, for those who are told a
// name: within this module Root is to be used.
func (d *Draft) Path() string { return d.path }

// Root is the draft's directory, open until the draft is published or discarded.
func (d *Draft) Root() *os.Root { return d.root }

// Publish syncs everything in the draft to the disk, renames it to target, which
// must be in the same directory and must not exist or be an empty directory,
// and syncs that directory. On error the draft still is where it was, to be
// discarded.
func (d *Draft) Publish(target string) error {
	if d.held == nil {
		return errors.New("publish draft: it has been published or discarded")
	}
	if err := SyncTree(d.held.root); err != nil {
		return err
	}
	return d.place(target, true)
}

// Sync syncs everything in the draft, and the name that it has as a draft.
func (d *Draft) Sync() error {
	if d.held == nil {
		return errors.New("sync draft: it has been published or discarded")
	}
	var group errgroup.Group
	group.Go(func() error { return SyncDir(d.parent) })
	group.Go(func() error { return SyncTree(d.held.root) })
	return group.Wait()
}

// Place is Publish for a draft that Sync has synced, and whose owner finds it under
// either name after a crash: the rename is not synced.
func (d *Draft) Place(target string) error {
	if d.held == nil {
		return errors.New("publish draft: it has been published or discarded")
	}
	return d.place(target, false)
}

func (d *Draft) place(target string, synced bool) error {
	name := filepath.Base(target)
	if filepath.Dir(target) != filepath.Dir(d.path) {
		return fmt.Errorf("publish draft %s: %s is in another directory", d.path, target)
	}
	if err := renameAt(d.parent, d.name, d.parent, name); err != nil {
		return fmt.Errorf("publish draft: %w", err)
	}
	back := func() error { return renameAt(d.parent, name, d.parent, d.name) }
	if synced {
		if err := SyncDir(d.parent); err != nil {
			return errors.Join(err, back())
		}
	}
	if err := d.release(); err != nil {
		return errors.Join(fmt.Errorf("unlock draft: %w", err), back())
	}
	return nil
}

// Discard removes the draft. It does nothing after Publish or another Discard.
func (d *Draft) Discard() error {
	if d.held == nil {
		return nil
	}
	return errors.Join(d.held.remove(d.parent, d.name), d.release())
}

// Leave gives the draft up as it is, for a Sweep to find. It does nothing after Publish, Discard
// or another Leave.
func (d *Draft) Leave() error {
	if d.held == nil {
		return nil
	}
	return d.release()
}

func (d *Draft) release() error {
	held := d.held
	d.held = nil
	return errors.Join(held.Close(), d.parent.Close())
}

// Sweep calls remove with each directory in parent whose name begins with prefix
// and whose owner is dead, and returns how many it was. The directory is open and
// locked during the call. remove is Remove where nothing can be saved.
func Sweep(parent *os.Root, prefix string, remove func(parent *os.Root, name string) error) (int, error) {
	entries, err := fs.ReadDir(parent.FS(), ".")
	if err != nil {
		return 0, fmt.Errorf("sweep drafts: %w", err)
	}
	swept := 0
	var faults []error
	for _, entry := range entries {
		if !entry.IsDir() || !strings.HasPrefix(entry.Name(), prefix) {
			continue
		}
		done, err := sweepOne(parent, entry.Name(), remove)
		if done {
			swept++
		}
		faults = append(faults, err)
	}
	return swept, errors.Join(faults...)
}

func sweepOne(parent *os.Root, name string, remove func(*os.Root, string) error) (done bool, err error) {
	held, err := lock(parent, name)
	if errors.Is(err, ErrBusy) || errors.Is(err, fs.ErrNotExist) {
		return false, nil // alive, or just published
	}
	if err != nil {
		return false, fmt.Errorf("sweep draft %s: %w", name, err)
	}
	defer func() { err = errors.Join(err, held.Close()) }()
	if err := remove(parent, name); err != nil {
		return false, fmt.Errorf("sweep draft: %w", err)
	}
	return true, nil
}

// removeAbandoned makes room for a draft. A directory that another user planted
// is not ours to remove.
func removeAbandoned(parent *os.Root, name string, abandoned func(*held) error) error {
	info, err := parent.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if !info.IsDir() || !Own(info) {
		return inTheWay(name)
	}
	held, err := lock(parent, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := abandoned(held); errors.Is(err, errSetAside) {
		return errors.Join(fmt.Errorf("%s holds what stood there before: %w: move what is in %s to where it belongs, then remove %s", name, err, filepath.Join(name, contentName), name), held.Close())
	} else if err != nil {
		return errors.Join(inTheWay(name), err, held.Close())
	}
	return errors.Join(held.remove(parent, name), held.Close())
}

func inTheWay(name string) error {
	return fmt.Errorf("%s is in the way: remove it", name)
}
