package runner

import (
	"context"
	"fmt"
	"time"

	"hotcell/internal/container"
	"hotcell/internal/seccomp/killlog"
)

// forbidden says for which system call seccomp ended a process, in words for a
// result, or why nobody can tell.
func forbidden(ctx context.Context, pid int, since time.Time) string {
	const answered = "a system call that seccomp answers with a kill"
	if pid == 0 {
		return "it made " + answered + "; which one is not known, because this engine runs on another machine"
	}
	// The run's clock may have ended; the look at the log is ours.
	ctx, cancel := container.ReleaseContext(ctx)
	defer cancel()
	killed, err := killlog.Find(ctx, pid, since)
	if err != nil {
		return fmt.Sprintf("it made %s; which one is not known: %v", answered, err)
	}
	return fmt.Sprintf("it made the system call %s, which seccomp answers with a kill (from %s)", killed, killed.Source)
}
