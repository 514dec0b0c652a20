package durable

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// exchangeAt has two names in open directories change places, in one step.
func exchangeAt(one *os.Root, name string, other *os.Root, otherName string) (err error) {
	from, err := one.Open(".")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	to, err := other.Open(".")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, to.Close()) }()
	err = unix.Renameat2(int(from.Fd()), name, int(to.Fd()), otherName, unix.RENAME_EXCHANGE)
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) {
		return errors.Join(errors.New("this file system cannot have two directories change places: name another directory"), err)
	}
	return err
}

// renameNew is a rename that replaces nothing, or a link where the file system has none.
func renameNew(from int, name string, to int, otherName string) error {
	err := unix.Renameat2(from, name, to, otherName, unix.RENAME_NOREPLACE)
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) {
		return linkNew(from, name, to, otherName)
	}
	if err != nil {
		return &os.LinkError{Op: "renameat2", Old: name, New: otherName, Err: err}
	}
	return nil
}
