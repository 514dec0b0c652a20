//go:build !linux

package main

import (
	"errors"

	"github.com/spf13/cobra"
)

func (a *app) keepEngine(*cobra.Command, engineFlags) error {
	return usageError{errors.New("runner engine needs Linux: on other systems each command runs for itself")}
}
