package durable

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
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
	if err := d.exchange(); err != nil {
		return err
	}
	old, err := d.openEarlier(earlier.Check)
	if err != nil {
		return errors.Join(err, d.exchange())
	}
	defer old.Close()
	if err := d.finish(d.draft.parent, mode); err != nil {
		return err
	}
	if err := errors.Join(earlier.Remove(old), removeEmpty(d.draft.Root(), contentName)); err != nil {
		return fmt.Errorf("remove what was replaced, which is in %s now: %w", d.draft.Path(), err)
	}
	return nil
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
