//go:build !linux

package trace

import (
	"context"
	"errors"
)

var errLinux = errors.New("tracing system calls needs Linux")

// Exec needs Linux.
func Exec([]string) error { return errLinux }

// Run needs Linux.
func Run(context.Context, Options) (Report, error) { return Report{}, errLinux }
