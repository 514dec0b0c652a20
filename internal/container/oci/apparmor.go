//go:build linux

package oci

import (
	"context"
	"errors"
	"strings"
	"time"

	"hotcell/internal/container"
	"hotcell/internal/container/apparmor"
)

// loadAppArmor returns the name of the profile, loaded, and what of it this host does not
// keep, or why sandboxes have none.
// crun names what it is built with; runc has AppArmor since 1.0.
func loadAppArmor(ctx context.Context, runtime, version, state string) (name, gap string, err error) {
	switch {
	case runtime == gVisor:
		return "", "", errors.New("not with gVisor: its guest's files and calls are the Sentry's, which confines itself by filters of its own")
	case runtime == "crun" && !strings.Contains(version, "+APPARMOR"):
		return "", "", errors.New("this crun is built without AppArmor")
	default:
		return apparmor.Load(ctx, state)
	}
}

// confinedTimeout bounds the time from the last filter to the execution of the guard,
// of microseconds: with it, the kernel changes the profile.
const confinedTimeout = 10 * time.Second

// awaitConfined waits until the guard has been executed under the profile. Before, the
// process is the runtime, which is not confined; it stays so when the runtime forgot
// the profile.
func (s *sandbox) awaitConfined(ctx context.Context) error {
	if !s.enforces(container.ControlAppArmor) {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, confinedTimeout)
	defer cancel()
	for {
		err := apparmor.Confined(s.guard.pid, s.paths.AppArmor)
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return container.Lacking(container.ControlAppArmor, err)
		case <-time.After(time.Millisecond):
		}
	}
}
