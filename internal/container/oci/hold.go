//go:build linux

package oci

import (
	"context"
	"errors"
	"fmt"
	"os"

	"hotcell/internal/container"
	"hotcell/internal/container/cgroup"
)

// Hold implements container.Sandbox, by the freezer of the sandbox's control group.
func (s *sandbox) Hold(ctx context.Context) (*container.Held, error) {
	return s.life.Hold(ctx, container.Freezer{
		Freeze: s.freeze,
		Still:  func(context.Context) error { return s.group.Frozen() },
		Thaw:   func(context.Context) error { return s.group.Thaw() },
		Open:   func(context.Context) (*os.Root, error) { return s.output.OpenRoot(".") },
	})
}

func (s *sandbox) freeze(ctx context.Context) error {
	if s.hasSentry() {
		return fmt.Errorf("%w: gVisor writes files by processes of its own, outside the sandbox's control group", container.ErrCannotHold)
	}
	if err := cgroup.CanFreeze(); err != nil {
		return fmt.Errorf("%w: %w", container.ErrCannotHold, err)
	}
	if s.group == nil {
		return errors.New("it has no control group yet")
	}
	return s.group.Freeze(ctx)
}
