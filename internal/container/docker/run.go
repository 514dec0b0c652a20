package docker

import (
	"context"
	"errors"
	"fmt"
	"time"

	containerapi "github.com/moby/moby/api/types/container"
	"github.com/moby/moby/client"

	"hotcell/internal/container"
	"hotcell/internal/job"
)

// sampleInterval is how often CPU time is read while a sandbox runs. It is what
// the CPU clock can be late by.
const sampleInterval = 50 * time.Millisecond

const (
	// sampleTimeout bounds one reading, and with it how long an unresponsive daemon
	// keeps supervise from its other duties.
	sampleTimeout = 5 * time.Second
	killTimeout   = 10 * time.Second
)

// watch is over one Run, from the start of the container to its death.
type watch struct {
	*sandbox
	attachment *attachment
	relayed    <-chan struct{} // closed when what was held back has been handed on; nil where nothing was
	waited     chan waitResult
	stopWait   context.CancelFunc

	killed bool
	limit  job.Limit
	fault  error // ours: it wins over the Exit
}

type waitResult struct {
	code int64
	err  error
}

// Run implements container.Sandbox. Nothing is sent to the container before it
// has been checked.
func (s *sandbox) Run(ctx context.Context, streams container.Streams) (container.Exit, error) {
	return s.life.Run(streams, func() (container.Exit, error) { return s.run(ctx, streams) })
}

func (s *sandbox) run(ctx context.Context, streams container.Streams) (container.Exit, error) {
	started := time.Now()
	// The calls below have bounds of their own. They outlive ctx, because a
	// sandbox whose time is up must still be killed, drained and counted.
	calls := context.WithoutCancel(ctx)
	current, err := s.open(calls, func(a *attachment) { a.receive(streams) })
	if err != nil {
		return container.Exit{}, err
	}
	defer current.close()
	current.wait(calls)
	current.begin(ctx, streams)
	return current.finish(calls, started, current.supervise(ctx))
}

// open starts the container, with what it writes going where receive has it go. The caller
// must close the watch. Where ctx ends the wait for the daemon, the container may start yet:
// the caller then destroys the sandbox.
func (s *sandbox) open(ctx context.Context, receive func(*attachment)) (*watch, error) {
	attachment, err := s.attach(ctx)
	if err != nil {
		return nil, err
	}
	receive(attachment)
	if err := s.start(ctx); err != nil {
		attachment.conn.Close()
		<-attachment.drained
		return nil, errors.Join(err, s.kill(context.WithoutCancel(ctx))) // it may have started
	}
	return &watch{sandbox: s, attachment: attachment, waited: make(chan waitResult, 1), stopWait: func() {}}, nil
}

// close ends what open and wait began. Idempotent.
func (x *watch) close() {
	x.stopWait()
	x.fittings.monitor.Detach()
	x.attachment.conn.Close()
}

func (s *sandbox) start(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	if _, err := s.engine.api.ContainerStart(ctx, s.containerID, client.ContainerStartOptions{}); err != nil {
		return fmt.Errorf("start container: %w", err)
	}
	return nil
}

// wait asks the daemon to tell when the container has ended.
func (x *watch) wait(ctx context.Context) {
	ctx, x.stopWait = context.WithCancel(ctx)
	go func() {
		answer := x.engine.api.ContainerWait(ctx, x.containerID, client.ContainerWaitOptions{
			Condition: containerapi.WaitConditionNotRunning,
		})
		select {
		case err := <-answer.Error:
			x.waited <- waitResult{err: fmt.Errorf("wait for container: %w", err)}
		case result := <-answer.Result:
			x.waited <- waitResult{code: result.StatusCode, err: waitFault(result.Error)}
		}
	}()
}

func waitFault(fault *containerapi.WaitExitError) error {
	if fault == nil || fault.Message == "" {
		return nil
	}
	return fmt.Errorf("wait for container: %s", fault.Message)
}

// begin checks the container and only then lets the run in.
func (x *watch) begin(ctx context.Context, streams container.Streams) {
	check, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	gone, err := x.fittings.monitor.Attach(check, x.containerID, x.prepared)
	switch {
	case ctx.Err() != nil:
		x.end(ctx)
	case err != nil:
		x.fault = err
		x.end(ctx)
	case !gone:
		x.life.Holdable()
		x.attachment.send(streams.Stdin)
	}
}

// supervise returns when the kernel or the daemon says that the container is
// dead. It is the one place that decides to kill.
func (x *watch) supervise(ctx context.Context) *waitResult {
	ticker := time.NewTicker(sampleInterval)
	defer ticker.Stop()
	var overdue <-chan time.Time
	done := ctx.Done()
	for {
		select {
		case <-x.fittings.monitor.Dead():
			return nil
		case result := <-x.waited:
			if result.err == nil || !x.endWithout(ctx, result.err) {
				return &result
			}
		case <-overdue:
			x.fault = errors.Join(x.fault, fmt.Errorf("container is not dead %s after SIGKILL", x.engine.patience))
			return &waitResult{}
		case <-done:
			done = nil
			x.end(ctx)
		case err := <-x.attachment.failed:
			x.fault = errors.Join(x.fault, err)
			x.end(ctx)
		case <-ticker.C:
			x.watchCPU(ctx)
		}
		if x.killed && overdue == nil {
			overdue = time.After(x.engine.patience)
		}
	}
}

// endWithout kills when the daemon will not tell of the end: it may have been
// restarted and have left the container running. It returns whether the kernel
// will tell instead.
func (x *watch) endWithout(ctx context.Context, fault error) bool {
	x.fault = errors.Join(x.fault, fault)
	x.end(ctx)
	return x.fittings.monitor.Dead() != nil
}

// watchCPU ends a container that has used up its CPU time. What cannot be read
// cannot be bounded: that ends it too.
func (x *watch) watchCPU(ctx context.Context) {
	if x.killed {
		return
	}
	check, cancel := context.WithTimeout(ctx, sampleTimeout)
	defer cancel()
	used, err := x.fittings.meter.Sample(check)
	if ctx.Err() != nil {
		return // the caller's end is dealt with by supervise
	}
	if err != nil {
		x.fault = fmt.Errorf("read CPU time: %w", err)
		x.end(ctx)
		return
	}
	if x.ownCPU(used) >= x.spec.Limits.CPUTime.Nanoseconds() {
		x.limit = job.LimitCPUTime
		x.end(ctx)
	}
}

// ownCPU is without what was used up before the run.
func (s *sandbox) ownCPU(used sample) int64 {
	if used.cpuNanos < 0 {
		return used.cpuNanos // nobody counts it
	}
	return max(0, used.cpuNanos-s.setupCPU)
}

func (x *watch) end(ctx context.Context) {
	if x.killed {
		return
	}
	x.killed = true
	x.fault = errors.Join(x.fault, x.kill(context.WithoutCancel(ctx)))
}

func (s *sandbox) kill(ctx context.Context) error {
	thawed := s.life.EndHold(ctx) // has a time of its own
	ctx, cancel := context.WithTimeout(ctx, killTimeout)
	defer cancel()
	if err := s.fittings.monitor.Kill(ctx, s.containerID); err != nil {
		return errors.Join(thawed, fmt.Errorf("kill container: %w", err))
	}
	return thawed
}

// finish waits, within bounds, until the daemon agrees that the container is
// dead and the streams have ended.
func (x *watch) finish(ctx context.Context, started time.Time, result *waitResult) (container.Exit, error) {
	wall := time.Since(started)
	if x.fault != nil {
		return container.Exit{}, errors.Join(x.fault, x.drain())
	}
	code, err := x.daemonExit(result)
	used, sampleErr := x.lastSample(ctx)
	if err := errors.Join(err, x.drain()); err != nil {
		return container.Exit{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	ended, accountErr := x.fittings.meter.Account(ctx, x.containerID, code)
	if err := errors.Join(sampleErr, accountErr); err != nil {
		return container.Exit{}, fmt.Errorf("read the end of the container: %w", err)
	}
	return x.exit(used, ended, wall), nil
}

// lastSample comes before the streams' end: no new figures come any more, and whoever reads
// the streams may take long.
func (x *watch) lastSample(ctx context.Context) (sample, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	return x.fittings.meter.Sample(ctx)
}

// daemonExit returns the exit code that the daemon tells, for which it is waited
// when the kernel was faster.
func (x *watch) daemonExit(result *waitResult) (int64, error) {
	if result == nil {
		select {
		case told := <-x.waited:
			result = &told
		case <-time.After(x.engine.patience):
			return 0, fmt.Errorf("docker does not tell that the container ended %s ago", x.engine.patience)
		}
	}
	return result.code, result.err
}

// drain waits for the last Write. With every process dead the stream ends by
// itself, unless the daemon hangs.
func (x *watch) drain() error {
	select {
	case <-x.attachment.drained:
		x.handOn()
		if err := x.attachment.fault; err != nil {
			return fmt.Errorf("read the container's output: %w", err)
		}
		return nil
	case <-time.After(x.engine.patience):
		x.attachment.conn.Close()
		<-x.attachment.drained
		x.handOn()
		return fmt.Errorf("output stream has not ended %s after the container", x.engine.patience)
	}
}

// handOn waits until all that was received has reached whoever reads it.
func (x *watch) handOn() {
	if x.relayed != nil {
		<-x.relayed
	}
}

func (x *watch) exit(used sample, ended account, wall time.Duration) container.Exit {
	exit := container.Exit{
		Code:         ended.exit.code,
		Signal:       ended.exit.signalName(),
		KilledByUs:   x.killed && ended.exit.signal == sigkill,
		OOMKills:     ended.oomKills,
		HostOOMKills: ended.hostOOMKills,
		PIDsDenied:   ended.pidsDenied,
		PID:          ended.pid,
		Usage: job.Usage{
			WallMS:          wall.Milliseconds(),
			CPUMS:           x.ownCPU(used) / int64(time.Millisecond),
			MemoryPeakBytes: used.memoryPeak,
			PIDsPeak:        used.pidsPeak,
		},
	}
	if exit.KilledByUs {
		exit.Limit = x.limit
	}
	// Nothing in a pid namespace can send this signal to its first process
	// (pid_namespaces(7)), and no code was in it yet: it was the kernel, at that limit.
	if ended.uncounted && ended.exit.signal == sigkill && !x.killed {
		exit.OOMKills = max(exit.OOMKills, 1)
	}
	return exit
}
