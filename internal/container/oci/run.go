//go:build linux

package oci

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sys/unix"

	"hotcell/internal/container"
	"hotcell/internal/job"
)

// Run implements container.Sandbox.
func (s *sandbox) Run(ctx context.Context, streams container.Streams) (container.Exit, error) {
	return s.life.Run(streams, func() (container.Exit, error) { return s.run(ctx, streams) })
}

func (s *sandbox) run(ctx context.Context, streams container.Streams) (container.Exit, error) {
	begun := time.Now()
	flow := s.pipes.connect(streams)
	if ctx.Err() == nil && s.origin == nil { // else the idle container is killed, and that is its exit
		if err := s.release(ctx); err != nil {
			return container.Exit{}, errors.Join(err, s.kill(ctx), flow.finish())
		}
	}
	if ctx.Err() == nil { // a fork reads already, and code would begin
		s.life.Holdable()
		flow.feed()
	}
	end := s.watch(ctx, flow.failed)
	finished := flow.finish()
	wall := time.Since(begun)
	exit, err := s.account(ctx, end, wall)
	if err := errors.Join(end.err, err, finished); err != nil {
		return container.Exit{}, err
	}
	return exit, nil
}

// release lets the container's process execute the guard, and verifies it before
// the guard gets its first byte. Neither is cut short by ctx: watch looks at it
// next.
func (s *sandbox) release(ctx context.Context) error {
	ctx, cancel := container.ReleaseContext(ctx)
	defer cancel()
	if err := s.startContainer(ctx); err != nil {
		return err
	}
	if err := s.guard.awaitSeccomp(ctx); err != nil {
		return container.Lacking(container.ControlSeccomp, err)
	}
	if err := s.awaitConfined(ctx); err != nil {
		return s.unlessEnded(err)
	}
	return s.unlessEnded(s.verify(s.startedChecks()))
}

// ending is how watching a sandbox came to its end.
type ending struct {
	status unix.WaitStatus
	killed bool      // we sent SIGKILL
	limit  job.Limit // why, if it was one
	err    error     // we failed
}

// watch waits for the end of the guard, or forces it when it must, and then ends what
// else is in the pid namespace: the kernel has done that where the guard is its anchor.
func (s *sandbox) watch(ctx context.Context, failed <-chan error) ending {
	ended := s.guard.reap()
	clock := time.NewTimer(s.nextLook(s.spec.Limits.CPUTime))
	defer clock.Stop()
	for {
		var end ending
		select {
		case <-ended:
			status, err := s.guard.status()
			return ending{status: status, err: errors.Join(err, s.kill(ctx))}
		case <-clock.C:
			used, err := s.cpuTime()
			left := s.spec.Limits.CPUTime - used
			if err == nil && left > 0 {
				clock.Reset(s.nextLook(left))
				continue
			}
			end = ending{killed: true, limit: job.LimitCPUTime, err: err}
		case err := <-failed:
			end = ending{killed: true, err: err}
		case <-ctx.Done():
			end = ending{killed: true}
		}
		if err := s.kill(ctx); err != nil { // its status may be long in coming
			end.err = errors.Join(end.err, err)
			return end
		}
		status, err := s.guard.status()
		end.status, end.err = status, errors.Join(end.err, err)
		return end
	}
}

// kill ends the anchor, and what is in its pid namespace, whatever became of ctx.
func (s *sandbox) kill(ctx context.Context) error {
	thawed := s.life.EndHold(context.WithoutCancel(ctx)) // has a time of its own
	ctx, cancel := container.ReleaseContext(ctx)
	defer cancel()
	return errors.Join(thawed, s.endAnchor(ctx))
}

// cpuTime is what the guard and its children have used.
func (s *sandbox) cpuTime() (time.Duration, error) {
	used, err := s.group.CPUTime()
	return max(0, used-s.setupCPU), err
}

// The CPU clock is looked at when the rest could be used up at the earliest, but
// no more often and no more seldom than this.
const (
	shortestLook = 5 * time.Millisecond
	longestLook  = time.Second
)

func (s *sandbox) nextLook(left time.Duration) time.Duration {
	earliest := left * 1000 / time.Duration(max(s.spec.Enforced().CPUMillis, 1000))
	return min(max(earliest, shortestLook), longestLook)
}

// account turns an end into an Exit by the kernel's counters.
func (s *sandbox) account(ctx context.Context, end ending, wall time.Duration) (container.Exit, error) {
	usage, err := s.group.Usage()
	if err != nil {
		return container.Exit{}, err
	}
	if err := s.requireEmpty(ctx); err != nil {
		return container.Exit{}, err
	}
	cpu := max(0, usage.CPUTime-s.setupCPU)
	code, signal := s.endedWith(end.status)
	exit := container.Exit{
		Code: code, OOMKills: usage.OOMKills, HostOOMKills: usage.HostOOMKills, PIDsDenied: usage.PIDsDenied, PID: s.guard.pid,
		Usage: job.Usage{
			WallMS: wall.Milliseconds(), CPUMS: cpu.Milliseconds(),
			MemoryPeakBytes: usage.MemoryPeakBytes, PIDsPeak: max(-1, usage.PIDsPeak-s.anchorTasks),
		},
	}
	if signal != 0 {
		exit.Signal = signalName(signal)
		s.attribute(&exit, end, cpu)
	}
	return exit, nil
}

// attribute says whether a SIGKILL was ours. RLIMIT_CPU's is, too: it is the same
// limit's backstop.
func (s *sandbox) attribute(exit *container.Exit, end ending, cpu time.Duration) {
	if exit.Signal != "SIGKILL" {
		return
	}
	exit.KilledByUs, exit.Limit = end.killed, end.limit
	if !end.killed && exit.OOMKills+exit.HostOOMKills == 0 && cpu >= s.spec.Limits.CPUTime {
		exit.KilledByUs, exit.Limit = true, job.LimitCPUTime
	}
}

// requireEmpty holds Run's promise that nothing of the sandbox lives. The pid
// namespace has ended with its anchor, so this finds something only when
// that process was not in one: the gofer and the Sentry's own children, with gVisor.
func (s *sandbox) requireEmpty(ctx context.Context) error {
	ctx, cancel := container.ReleaseContext(ctx)
	defer cancel()
	if err := s.group.Kill(ctx); err != nil || !s.hasSentry() {
		return err
	}
	return s.reapSentry(ctx)
}

// signalName names real-time signals too, which x/sys does not.
func signalName(signal unix.Signal) string {
	if name := unix.SignalName(signal); name != "" {
		return name
	}
	return fmt.Sprintf("SIG%d", int(signal))
}
