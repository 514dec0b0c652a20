//go:build !linux

package main

import (
	"errors"

	"github.com/spf13/cobra"
)

func (a *app) serve(*cobra.Command, serveFlags) error {
	return usageError{errors.New("runner serve needs Linux: it is beside an engine process")}
}
