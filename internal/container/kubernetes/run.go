package kubernetes

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/remotecommand"

	"hotcell/internal/container"
	"hotcell/internal/job"
	"hotcell/internal/panics"
)

const (
	// deathPatience bounds the time from the end of a sandbox's first process until all of it
	// is dead and the cluster says so: kubelets look once a second.
	deathPatience = time.Minute
	// tellPatience bounds the time from the death of a sandbox's processes until exec tells how
	// its own one ended. It does not where that has left much unread of what it was sent.
	tellPatience = 10 * time.Second
	// clockSlack is what the clock inside a pod gives beyond the wall clock, which is the
	// runner's to keep: it is for a runner that cannot be reached.
	clockSlack = 30 * time.Second
)

// running is what exec has started in a sandbox, to its end.
type running struct {
	*sandbox
	abandon context.CancelFunc // exec's connection, whatever becomes of it
	exited  chan struct{}      // closed when what exec started has ended
	status  status             // how, once it has
	failed  chan struct{}      // closed when a stream has failed
	fail    func()
	killed  bool  // by us, while it ran
	fault   error // ours: it wins over the Exit
	written []*ahead

	mu    sync.Mutex
	stdin error // of its Read
}

// status is how what exec started has ended, if that is known.
type status struct {
	code int
	err  error
}

// Run implements container.Sandbox.
func (s *sandbox) Run(ctx context.Context, streams container.Streams) (container.Exit, error) {
	return s.life.Run(streams, func() (container.Exit, error) { return s.run(ctx, streams) })
}

func (s *sandbox) run(ctx context.Context, streams container.Streams) (container.Exit, error) {
	started := time.Now()
	// What follows has bounds of its own: a sandbox whose time is up must still be ended and
	// counted.
	calls := context.WithoutCancel(ctx)
	x := s.newRunning()
	if ctx.Err() != nil {
		x.kill()
		x.end(status{code: killedCode})
	} else {
		if err := x.begin(calls); err != nil {
			return container.Exit{}, err
		}
		x.enter(calls, remotecommand.StreamOptions{
			Stdin:  &reading{x, streams.Stdin},
			Stdout: x.writing(streams.Stdout), Stderr: x.writing(streams.Stderr),
		})
	}
	exit, err := x.conclude(ctx, started)
	return x.drain(ctx, exit, err)
}

func (s *sandbox) newRunning() *running {
	failed := make(chan struct{})
	return &running{
		sandbox: s, exited: make(chan struct{}), failed: failed, fail: sync.OnceFunc(func() { close(failed) }), abandon: func() {},
	}
}

// begin starts the clocks.
func (x *running) begin(ctx context.Context) error {
	if err := x.keeper.begin(ctx, x.spec.Limits.CPUTime, x.spec.Limits.WallClock+clockSlack); err != nil {
		return x.explain(ctx, err)
	}
	x.life.Holdable()
	return nil
}

// enter starts what the sandbox is for.
func (x *running) enter(ctx context.Context, streams remotecommand.StreamOptions) {
	command, err := x.command()
	if err != nil {
		x.end(status{err: err})
		return
	}
	ctx, x.abandon = context.WithCancel(ctx)
	go func() {
		var code int
		err := panics.Catch("running a sandbox's command", func() (err error) {
			code, err = x.engine.exec(ctx, x.pod.name, sandboxContainer, command, greeted(streams, x.exited))
			return err
		})
		x.end(status{code, err})
	}()
}

func (x *running) end(how status) {
	x.status = how
	close(x.exited)
}

// conclude waits for the end, brings it about where it has to, and tells of it.
func (x *running) conclude(ctx context.Context, started time.Time) (container.Exit, error) {
	defer x.abandon()
	calls := context.WithoutCancel(ctx)
	x.supervise(ctx)
	wall := time.Since(started)
	terminated, err := x.finish(calls)
	if err := errors.Join(x.fault, x.readFault(), err); err != nil {
		return container.Exit{}, x.explain(calls, err)
	}
	if err := x.foreign(calls, terminated); err != nil {
		return container.Exit{}, err
	}
	return x.exit(x.status, terminated, wall)
}

// command is what exec is given.
func (s *sandbox) command() ([]string, error) {
	limits := s.spec.Enforced()
	limits.CPUTime += s.preparing // its own clock counts from the run's beginning
	asked := struct {
		Command     []string         `json:"command"`
		Environment []string         `json:"environment"`
		Limits      map[string]int64 `json:"limits"`    // by their names in the C library
		Processes   int64            `json:"processes"` // 0 where they cannot be counted
	}{s.spec.Command, s.spec.Environment, map[string]int64{}, limits.PIDs}
	if s.engine.settings.HostUsers {
		asked.Processes = 0
	}
	for _, limit := range container.ProcessLimits(limits, false) { // NPROC is set by the number of processes
		if limit.Hard != container.Unlimited { // or as high as the node has it
			asked.Limits[limit.Type] = int64(limit.Hard)
		}
	}
	encoded, err := json.Marshal(asked)
	if err != nil {
		return nil, fmt.Errorf("encode a sandbox's command: %w", err)
	}
	return python(enterProgram, string(encoded)), nil
}

// supervise returns when what exec started has ended. It is the one place that decides to kill.
func (x *running) supervise(ctx context.Context) {
	var overdue <-chan time.Time
	done, failed, gone, over := ctx.Done(), (<-chan struct{})(x.failed), (<-chan struct{})(x.keeper.gone), (<-chan struct{})(x.keeper.over)
	for {
		select {
		case <-x.exited:
			return
		case <-done:
			done = nil
			x.kill()
		case <-failed:
			failed = nil
			x.kill()
		case <-over: // a clock in the pod, the kernel, or its command's end
			over, overdue = nil, time.After(tellPatience)
		case <-gone: // what its end takes along is the sandbox
			gone = nil
			x.fault = fmt.Errorf("the connection to the pod's keeper has ended: %w", x.keeper.lost())
		case <-overdue:
			overdue = nil
			x.fault = errors.Join(x.fault, errNotEnded)
			x.abandon()
		}
		if overdue == nil && (x.killed || gone == nil) {
			overdue = time.After(deathPatience)
		}
	}
}

var errNotEnded = errors.New("the cluster does not tell how the sandbox's command has ended")

func (x *running) kill() {
	x.killed = true
	if err := x.keeper.end(); err != nil {
		x.fault = errors.Join(x.fault, err)
	}
}

// finish ends the sandbox, whatever is left of it, and returns how the cluster says that it
// has: nothing of its output is read before.
func (x *running) finish(ctx context.Context) (*corev1.ContainerStateTerminated, error) {
	if x.fault != nil {
		return nil, nil
	}
	ctx, cancel := context.WithTimeoutCause(ctx, deathPatience, fmt.Errorf("the cluster does not say that the sandbox has ended, %s after its end", deathPatience))
	defer cancel()
	if err := x.keeper.ended(ctx, x.killed); err != nil {
		return nil, err
	}
	var found *corev1.ContainerStateTerminated
	err := x.engine.follow(ctx, x.of, func(_ context.Context, pod *corev1.Pod) (bool, error) {
		if pod == nil {
			return false, errPodGone
		}
		found = stateOf(pod, sandboxContainer).Terminated
		if found == nil && pod.Status.Phase == corev1.PodFailed {
			return false, overBy(pod)
		}
		return found != nil, nil
	})
	return found, err
}

// explain adds what the cluster says of the pod to a fault of ours: mostly that was the cause.
func (x *running) explain(ctx context.Context, fault error) error {
	return errors.Join(x.told(ctx), fault)
}

// told is what the cluster says of a pod that has not ended by itself, nil for nothing. Some of
// it comes a moment after the end.
func (x *running) told(ctx context.Context) error {
	const patience = 20 * time.Second // kubelets tell seconds later what they have done, on a busy node
	ctx, cancel := context.WithTimeoutCause(ctx, patience, errNotTold)
	defer cancel()
	err := x.engine.follow(ctx, x.of, func(_ context.Context, pod *corev1.Pod) (bool, error) {
		switch {
		case pod == nil:
			return false, errPodGone
		case pod.Status.Phase == corev1.PodFailed, isDisrupted(pod):
			return false, overBy(pod)
		case pod.DeletionTimestamp != nil:
			return false, fmt.Errorf("pod %s on node %s was deleted by somebody else", pod.Name, pod.Spec.NodeName)
		}
		return false, containerEnded(pod, keeperContainer, "the pod's keeper was ended")
	})
	if errors.Is(err, errNotTold) && !isUnanswered(err) {
		return nil
	}
	return err
}

var errNotTold = errors.New("the cluster tells of nothing that has ended the pod")

// foreign asks who has ended a sandbox whose first process had no time to say anything: a
// cluster that removes a pod does that. Where it says nothing of the kind, it was the kernel.
func (x *running) foreign(ctx context.Context, terminated *corev1.ContainerStateTerminated) error {
	last := x.keeper.last()
	if terminated.Reason == oomKilled || last != nil {
		return nil
	}
	return x.told(ctx)
}

func isDisrupted(pod *corev1.Pod) bool {
	for _, condition := range pod.Status.Conditions {
		if condition.Type == corev1.DisruptionTarget && condition.Status == corev1.ConditionTrue {
			return true
		}
	}
	return false
}

// containerEnded says in these words that a container has ended, and is nil before.
func containerEnded(pod *corev1.Pod, name, words string) error {
	if found := stateOf(pod, name).Terminated; found != nil {
		return fmt.Errorf("%s on node %s: %s (exit code %d)", words, pod.Spec.NodeName, found.Reason, found.ExitCode)
	}
	return nil
}

const oomKilled = "OOMKilled" // the kubelet's reason

// killedCode is how a runtime tells of SIGKILL.
const killedCode = 128 + 9

// exit puts together what exec, the sandbox's first process and the cluster say.
func (x *running) exit(ended status, terminated *corev1.ContainerStateTerminated, wall time.Duration) (container.Exit, error) {
	outOfMemory := terminated.Reason == oomKilled
	if ended.err != nil {
		if !x.killed && !outOfMemory {
			return container.Exit{}, ended.err
		}
		ended.code = killedCode // all of it is dead, and this was how
	}
	exit := container.Exit{Usage: job.Usage{WallMS: wall.Milliseconds(), CPUMS: -1, MemoryPeakBytes: -1, PIDsPeak: -1}}
	exit.Code = ended.code
	if signal := container.ToldSignal(int64(ended.code)); signal != 0 {
		exit.Code, exit.Signal = -1, container.SignalName(signal)
	}
	exit.KilledByUs = x.killed && exit.Signal == "SIGKILL"
	if last := x.keeper.last(); last != nil {
		if err := x.count(&exit, *last); err != nil {
			return container.Exit{}, err
		}
	}
	if outOfMemory {
		exit.OOMKills = max(exit.OOMKills, 1)
	}
	return exit, nil
}

// count adds the kernel's figures.
// What could be read before the run must be read at its end: what is not known is not zero.
func (x *running) count(exit *container.Exit, last ending) error {
	if last.OOMKills < 0 || last.CPUNanos < last.SetupNanos {
		return fmt.Errorf("the sandbox's first process says that it was killed for memory %d times, and that it has used %d ns after %d", last.OOMKills, last.CPUNanos, last.SetupNanos)
	}
	exit.OOMKills = last.OOMKills
	exit.Usage.CPUMS = (last.CPUNanos - last.SetupNanos) / int64(time.Millisecond)
	exit.Usage.MemoryPeakBytes = last.MemoryPeak
	if last.PIDsPeak > 0 {
		exit.Usage.PIDsPeak = last.PIDsPeak - 1 // without the first process
	}
	if exit.Signal != "SIGKILL" {
		return nil
	}
	switch last.By {
	case string(job.LimitCPUTime):
		exit.KilledByUs, exit.Limit = true, job.LimitCPUTime
	case string(job.LimitWallClock):
		exit.KilledByUs = true
	}
	return nil
}
