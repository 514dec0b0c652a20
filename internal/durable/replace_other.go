//go:build !linux

package durable

import (
	"errors"
	"os"
)

// exchangeAt is refused: nothing here has two directories change places in one step.
func exchangeAt(*os.Root, string, *os.Root, string) error { return errors.ErrUnsupported }

// renameNew gives a file its name, where nothing stands.
func renameNew(from int, name string, to int, otherName string) error {
	return linkNew(from, name, to, otherName)
}
