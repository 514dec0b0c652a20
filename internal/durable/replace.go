package durable

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// GiveTo has Publish and Replace give the directory to another user, and reports whether
// it will: only where the place that it gets belongs to that user already, who could
// exchange the directory there for one of their own anyway. What is in it is the caller's
// to give.
func (d *Delivery) GiveTo(uid, gid int) (bool, error) {
	info, err := d.draft.parent.Stat(".")
	if err != nil {
		return false, err
	}
	if !belongsTo(info, uid) {
		return false, nil
	}
	d.uid, d.gid = uid, gid
	return true, nil
}

// Earlier is what stands at a delivery's target, and may be replaced by it.
type Earlier struct {
	Check  func(*os.Root) error // looks at it; an error leaves everything as it was
	Remove func(*os.Root) error // removes what Check has seen of it, and nothing else
}

// Replace is Publish where a directory stands that is not empty. The two change places
// in one step, so that one of them is there at every moment. Then the earlier one is in
// the draft, where no name of somebody else's leads, and is looked at by its descriptor:
// if it is not what may be replaced, they change places again.
func (d *Delivery) Replace(mode fs.FileMode, earlier Earlier) error {
	if err := SyncTree(d.content); err != nil {
		return err
	}
	if err := d.mark(); err != nil {
		return err
	}
	if err := d.exchange(); err != nil {
		return err
	}
	old, err := d.openEarlier(earlier.Check)
	if err != nil {
		return errors.Join(err, d.restore())
	}
	defer old.Close()
	if err := d.finish(d.draft.parent, mode); err != nil {
		return errors.Join(err, d.restore())
	}
	if err := errors.Join(earlier.Remove(old), removeEmpty(d.draft.Root(), contentName)); err != nil {
		return fmt.Errorf("remove what was replaced, which is in %s now: %w", d.draft.Path(), err)
	}
	return nil
}

// restore gives what has come into the draft its place again, in exchange for what was made
// here, or where nothing stands. What somebody has put there is left alone, and so is what is
// in the draft then: the mark keeps it from the next delivery.
func (d *Delivery) restore() (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("%w: what was there is in %s now", err, filepath.Join(d.draft.Path(), contentName))
		}
	}()
	ours, err := d.isContent(d.draft.parent, d.name)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	case ours:
		err = d.exchange()
	case err == nil:
		return fmt.Errorf("somebody has put something else in the place of %s", d.name)
	}
	if errors.Is(err, fs.ErrNotExist) { // it was taken away, and would be again if it came back
		return d.place()
	}
	return err
}

// isContent reports whether a name leads to the directory that was made here.
func (d *Delivery) isContent(parent *os.Root, name string) (bool, error) {
	made, err := d.content.Stat(".")
	if err != nil {
		return false, err
	}
	there, err := parent.Lstat(name)
	return err == nil && os.SameFile(made, there), err
}

// markName is the entry of a delivery's draft that says which directory was made there:
// another one is what stood at the target.
const markName = "replacing"

// mark is written, and is on the disk, before anything changes its place.
func (d *Delivery) mark() error {
	made, err := d.content.Stat(".")
	if err == nil {
		err = WriteFile(d.draft.Root(), markName, []byte(inodeOf(made)))
	}
	if err == nil {
		err = errors.Join(sync(d.draft.Root(), markName), SyncDir(d.draft.Root()), SyncDir(d.draft.parent))
	}
	if err != nil {
		return fmt.Errorf("mark draft: %w", err)
	}
	return nil
}

// unmark removes the mark where nothing is in the draft any more.
func (d *Delivery) unmark() error {
	if _, err := d.draft.Root().Lstat(contentName); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := d.draft.Root().Remove(markName); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// errSetAside is wrapped by the error of a draft that holds what stood at a target.
var errSetAside = errors.New("it was set aside to be replaced, and what did that has ended before it could give it back")

// setAside is an error for a draft with a directory that was not made in it.
func (h *held) setAside() error {
	made, err := h.root.ReadFile(markName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if len(made) == 0 { // it has been made and not been written: see mark
		return nil
	}
	there, err := h.root.Lstat(contentName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if inodeOf(there) != string(made) {
		return errSetAside
	}
	return nil
}

func inodeOf(info fs.FileInfo) string {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return ""
	}
	return fmt.Sprintf("%d:%d", stat.Dev, stat.Ino)
}

func (d *Delivery) exchange() error {
	if err := exchangeAt(d.draft.Root(), contentName, d.draft.parent, d.name); err != nil {
		return fmt.Errorf("exchange directories: %w", err)
	}
	return nil
}

// openEarlier opens what has come into the draft, if it is a directory and not a link.
func (d *Delivery) openEarlier(check func(*os.Root) error) (*os.Root, error) {
	info, err := d.draft.Root().Lstat(contentName)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, errors.New("what stands there is no directory any more")
	}
	old, err := d.draft.Root().OpenRoot(contentName)
	if err != nil {
		return nil, err
	}
	if err := check(old); err != nil {
		return nil, errors.Join(err, old.Close())
	}
	return old, nil
}
