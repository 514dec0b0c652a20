//go:build !linux

package docker

import (
	"context"
	"errors"

	"github.com/moby/moby/api/types/system"

	"hotcell/internal/container"
)

// sharesKernel is false: outside Linux a daemon for Linux containers runs in a
// virtual machine.
func sharesKernel(string, system.Info) bool { return false }

func parentCgroups(context.Context, daemon) cgroupSupport {
	return cgroupSupport{detail: "the daemon's kernel is not this host's, so that its oom_kill counter cannot be read"}
}

// checkProfile and loadProfile are not called: no daemon is local.
func checkProfile(context.Context, string) (name, gap string, err error) {
	return "", "", errors.New("the daemon's kernel is not this host's")
}

func loadProfile(ctx context.Context, state string) (name, gap string, err error) {
	return checkProfile(ctx, state)
}

func (s *sandbox) surround(ctx context.Context, daemon daemon, image string) error {
	return s.surroundRemote(ctx, daemon, image)
}

// removeLocal has nothing to remove: only Linux has mounts and cgroups of ours.
func removeLocal(context.Context, string, container.ID) error { return nil }

// thawLocal has nothing to let go on.
func thawLocal(string, container.ID) error { return nil }
