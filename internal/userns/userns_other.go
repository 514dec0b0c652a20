//go:build !linux

package userns

import (
	"context"
	"errors"
	"io"
)

// Program is what Run starts.
type Program struct {
	Argv     []string
	Env      []string
	Progress io.Writer
}

// Run needs Linux.
func Run(context.Context, Program) error {
	return errors.New("user namespaces need Linux")
}
