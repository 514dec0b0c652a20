package durable

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// PublishFile is Publish for one file of the directory, which its writer has synced: it gets the
// target's name, where nothing may stand. Discard removes the rest.
func (d *Delivery) PublishFile(name string) error {
	from, err := d.content.Open(".")
	if err != nil {
		return err
	}
	to, err := d.draft.parent.Open(".")
	if err != nil {
		return errors.Join(err, from.Close())
	}
	err = renameNew(int(from.Fd()), name, int(to.Fd()), d.name)
	if err = errors.Join(err, from.Close(), to.Close()); err != nil {
		return fmt.Errorf("publish file: %w", err)
	}
	return SyncDir(d.draft.parent)
}

// linkNew gives a file a second name, where nothing stands: what has the first is removed with
// the directory that it is in.
func linkNew(from int, name string, to int, otherName string) error {
	if err := unix.Linkat(from, name, to, otherName, 0); err != nil {
		return &os.LinkError{Op: "linkat", Old: name, New: otherName, Err: err}
	}
	return nil
}
