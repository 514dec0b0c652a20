package runner

import (
	"context"
	"errors"
	"os/exec"
	"slices"
	"syscall"
	"time"
)

// sameSignal is how long this process waits for a signal that a child has had: both were sent at once.
const sameSignal = 2 * time.Second

// cancelled is whether the caller has ended what err came of. A terminal's Ctrl-C goes to a runtime,
// too, until that has left the runner's process group, and may end it before this process has its own.
func cancelled(ctx context.Context, err error) bool {
	if ended, is := errors.AsType[*exec.ExitError](err); is && endedByTerminal(ended) {
		select {
		case <-ctx.Done():
		case <-time.After(sameSignal):
		}
	}
	return err != nil && ctx.Err() != nil
}

func endedByTerminal(ended *exec.ExitError) bool {
	status, known := ended.Sys().(syscall.WaitStatus)
	return known && status.Signaled() && slices.Contains([]syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT}, status.Signal())
}
