//go:build linux

package oci

import (
	"context"
	"errors"
	"strings"
	"time"
)

// guardProcess is the process that runs the guard: its end is the run's, its status and
// its number are those of the Exit, and what is verified of a sandbox is verified of it.
// Where the runtime has started it, it is the anchor, too. With gVisor it is the Sentry.
type guardProcess struct{ *child }

// What /proc/<pid>/status says of seccomp: a filter is on, or it has killed the
// task (Linux 5.16). A guard that makes such a call at once may be gone before we
// look.
const (
	seccompFilter = "2"
	seccompDead   = "3"
)

// awaitSeccomp waits until the kernel says that a filter is on. Runtimes load it
// last, just before they execute the guard. An earlier end is an error.
func (g guardProcess) awaitSeccomp(ctx context.Context) error {
	pause := 100 * time.Microsecond
	for {
		fields, err := g.procStatus()
		if err != nil {
			return err
		}
		if fields["Seccomp"] == seccompFilter || fields["Seccomp"] == seccompDead {
			return nil
		}
		if strings.HasPrefix(fields["State"], "Z") {
			return errors.New("the process ended before it had a filter")
		}
		select {
		case <-ctx.Done():
			return errors.New("the process has no filter")
		case <-time.After(pause):
			pause = min(2*pause, 10*time.Millisecond)
		}
	}
}
