//go:build !linux

package durable

import (
	"errors"
	"os"
)

// exchangeAt is refused: nothing here has two directories change places in one step.
func exchangeAt(*os.Root, string, *os.Root, string) error { return errors.ErrUnsupported }
