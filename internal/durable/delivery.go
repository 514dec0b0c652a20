package durable

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// Delivery is a directory under construction for a place that others may write,
// who can rename, replace and link whatever stands there under a name. So it is
// made in a directory that only its owner may enter: that can be moved and
// replaced, but nobody else reaches what is in it, and Publish moves out of the
// directory that was opened, wherever it is by then.
type Delivery struct {
	draft   *Draft
	content *os.Root
	name    string // of the target
	// published tells that the target has its mode: what is in it by then is not
	// ours alone.
	published bool
	uid, gid  int // that the directory is given to, or -1
}

// contentName is the one entry of a delivery's draft.
const contentName = "content"

// NewDelivery begins a directory that Publish will put at target, an absolute
// path whose parent exists. It is the same draft for every delivery to one
// target, so that the next one meets what a killed one left, and removes it where
// nobody else could have put something of ours in its place.
func NewDelivery(target string) (*Delivery, error) {
	parent, err := OpenDir(filepath.Dir(target))
	if err != nil {
		return nil, err
	}
	name := filepath.Base(target)
	path := filepath.Join(filepath.Dir(target), "."+name+".hotcell-partial")
	shared, err := othersWrite(parent)
	if err != nil {
		return nil, errors.Join(err, parent.Close())
	}
	draft, err := newDraft(parent, path, func(left *held) error {
		if shared {
			return left.holdsNothing()
		}
		return left.setAside()
	})
	if err != nil {
		return nil, errors.Join(err, parent.Close())
	}
	content, err := makeContent(draft.Root())
	if err != nil {
		return nil, errors.Join(fmt.Errorf("make draft: %w", err), draft.abandon())
	}
	return &Delivery{draft: draft, content: content, name: name, uid: -1, gid: -1}, nil
}

func makeContent(root *os.Root) (*os.Root, error) {
	if err := root.Mkdir(contentName, 0o700); err != nil {
		return nil, err
	}
	return root.OpenRoot(contentName)
}

// holdsNothing tells what a killed delivery left from what somebody would have us
// remove: where others may write, one of them can give that name to any directory
// of ours that stands there, results of ours in a "content" included. So only what
// is empty goes, and it goes by rmdir(2).
func (h *held) holdsNothing() error {
	err := removeEmpty(h.root, contentName)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("it is not empty, and others may write here: %w", err)
	}
	entries, err := fs.ReadDir(h.root.FS(), ".")
	if err == nil && len(entries) > 0 {
		err = errors.New("it is not empty, and others may write here")
	}
	return err
}

// othersWrite reports whether somebody else may rename what is in a directory.
// The sticky bit does not count: its protection ends where the directory's owner
// is another user.
func othersWrite(dir *os.Root) (bool, error) {
	info, err := dir.Stat(".")
	if err != nil {
		return false, err
	}
	return !Own(info) || info.Mode().Perm()&0o022 != 0, nil
}

// Root is the directory under construction.
func (d *Delivery) Root() *os.Root { return d.content }

// Publish syncs everything, renames the directory to the target, which must not
// exist or be an empty directory, and gives it its mode. Nothing is ever moved
// back: what stands under the name by then may be anything that somebody gave the
// name to. On error Discard is still to be called; it leaves nothing of ours. An
// error also tells that somebody took the target away at once.
func (d *Delivery) Publish(mode fs.FileMode) error {
	if err := SyncTree(d.content); err != nil {
		return err
	}
	if err := d.place(); err != nil {
		return err
	}
	return d.finish(d.draft.parent, mode)
}

func (d *Delivery) place() error {
	if err := renameAt(d.draft.Root(), contentName, d.draft.parent, d.name); err != nil {
		return fmt.Errorf("publish draft: %w", err)
	}
	return nil
}

// finish gives the mode last: until then nobody else reaches or adds anything, and
// Discard may empty the directory. A directory without w for its owner could not
// have been moved into another one, either.
func (d *Delivery) finish(parent *os.Root, mode fs.FileMode) (err error) {
	dir, err := d.content.Open(".")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, dir.Close()) }()
	made, err := dir.Stat()
	if err != nil {
		return err
	}
	there, err := parent.Lstat(d.name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err != nil || !os.SameFile(made, there) {
		return fmt.Errorf("publish draft: somebody replaced %s meanwhile; what is there now was left alone: name a directory whose parent only you can write to", d.name)
	}
	if err := SyncDir(parent); err != nil {
		return err
	}
	if d.uid >= 0 {
		if err := dir.Chown(d.uid, d.gid); err != nil {
			return err
		}
	}
	if err := dir.Chmod(mode); err != nil {
		return err
	}
	d.published = true
	return dir.Sync()
}

// Discard removes what is left: the whole before Publish, and what Publish moved
// out of afterwards. It empties the directory that was made here, by its
// descriptor, wherever that is by then; other names lose an empty directory at the
// most. It does nothing the second time.
func (d *Delivery) Discard() error {
	if d.draft.held == nil {
		return nil
	}
	var faults []error
	if !d.published {
		faults = append(faults, empty(d.content), d.unname())
	}
	faults = append(faults, d.unmark())
	return errors.Join(append(faults, d.content.Close(), d.draft.abandon())...)
}

// unname removes the name that Publish gave to the directory, now empty, if it is
// still the directory's, and the one that it has in the draft.
func (d *Delivery) unname() error {
	for _, at := range []struct {
		parent *os.Root
		name   string
	}{{d.draft.Root(), contentName}, {d.draft.parent, d.name}} {
		ours, err := d.isContent(at.parent, at.name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if ours {
			return removeEmpty(at.parent, at.name)
		}
	}
	return nil // somebody has moved it, and keeps an empty directory
}

// abandon gives up a draft without looking into it: mkdir(2) and open(2) are two
// steps, so it may be an empty directory that somebody exchanged for the one made
// here, and another process of ours may have filled it since.
func (d *Draft) abandon() error {
	err := d.held.named(d.parent, d.name)
	switch {
	case err == nil:
		err = removeEmpty(d.parent, d.name)
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, ErrBusy):
		err = nil // somebody has moved it, and keeps an empty directory
	}
	return errors.Join(err, d.release())
}

// removeEmpty is rmdir(2): whatever has the name by now, nothing but an empty
// directory goes.
func removeEmpty(parent *os.Root, name string) (err error) {
	dir, err := parent.Open(".")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, dir.Close()) }()
	if err := unix.Unlinkat(int(dir.Fd()), name, unix.AT_REMOVEDIR); err != nil {
		return &os.PathError{Op: "rmdir", Path: name, Err: err}
	}
	return nil
}
