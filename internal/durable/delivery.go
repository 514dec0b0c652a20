package durable

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
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
}

// contentName is the one entry of a delivery's draft.
const contentName = "content"

// NewDelivery begins a directory that Publish will put at target, an absolute
// path whose parent exists. It is the same draft for every delivery to one
// target, so that the next one removes what a killed one left.
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
		if !shared {
			return nil
		}
		return left.isDelivery()
	})
	if err != nil {
		return nil, errors.Join(err, parent.Close())
	}
	content, err := makeContent(draft.Root())
	if err != nil {
		return nil, errors.Join(fmt.Errorf("make draft: %w", err), draft.Discard())
	}
	return &Delivery{draft, content, name}, nil
}

func makeContent(root *os.Root) (*os.Root, error) {
	if err := root.Mkdir(contentName, 0o700); err != nil {
		return nil, err
	}
	return root.OpenRoot(contentName)
}

// isDelivery recognises what a killed delivery left. Where others may write, one
// of them can give that name to any directory of ours that stands there, so as to
// have us remove what he may not.
func (h *held) isDelivery() error {
	info, err := h.root.Stat(".")
	if err != nil {
		return err
	}
	entries, err := fs.ReadDir(h.root.FS(), ".")
	if err != nil {
		return err
	}
	if info.Mode().Perm() != 0o700 || len(entries) > 1 || len(entries) == 1 && entries[0].Name() != contentName {
		return errors.New("it is not what an interrupted run leaves")
	}
	return nil
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

// Publish syncs everything, gives the directory its mode and renames it to the
// target, which must not exist or be an empty directory. On error the target is
// as it was, and Discard is still to be called. An error also tells that somebody
// took the target away at once.
func (d *Delivery) Publish(mode fs.FileMode) error {
	if err := SyncTree(d.content); err != nil {
		return err
	}
	parent := d.draft.parent
	if err := RenameAt(d.draft.Root(), contentName, parent, d.name); err != nil {
		return fmt.Errorf("publish draft: %w", err)
	}
	if err := d.finish(parent, mode); err != nil {
		return errors.Join(err, RenameAt(parent, d.name, d.draft.Root(), contentName))
	}
	return nil
}

func (d *Delivery) finish(parent *os.Root, mode fs.FileMode) (err error) {
	dir, err := d.content.Open(".")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, dir.Close()) }()
	// After the rename: a directory without w for its owner cannot change its parent.
	if err := dir.Chmod(mode); err != nil {
		return err
	}
	made, err := dir.Stat()
	if err != nil {
		return err
	}
	there, err := parent.Lstat(d.name)
	if err != nil {
		return err
	}
	if !os.SameFile(made, there) {
		return fmt.Errorf("publish draft: somebody replaced %s meanwhile: name a directory in one that only you may write", d.name)
	}
	return errors.Join(dir.Sync(), SyncDir(parent))
}

// Discard removes what is left: the whole before Publish, and what Publish moved
// out of afterwards. It does nothing the second time.
func (d *Delivery) Discard() error {
	if d.draft.held == nil {
		return nil
	}
	return errors.Join(d.content.Close(), d.draft.Discard())
}
