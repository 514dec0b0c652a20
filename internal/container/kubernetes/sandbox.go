package kubernetes

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"hotcell/internal/container"
	"hotcell/internal/container/archive"
	"hotcell/internal/durable"
	"hotcell/internal/panics"
)

// sandbox implements container.Sandbox.
type sandbox struct {
	engine  *Engine
	life    *container.Lifecycle
	id      container.ID // life's
	spec    container.Spec
	staging *durable.Draft // a private directory of this host's; its lock says that this process lives
	of      owned          // zero before the Job was made
	pod     startedPod
	keeper  *session // nil before the pod runs
	host    container.Host
	copied  bool // the output is in staging

	preparing time.Duration // of CPU time, that its command may use before its run
	waits     time.Duration // for its run, at most
}

var _ container.Sandbox = (*sandbox)(nil)

// begin waits for the pod and looks at what it has. Nothing of a run is sent before.
func (s *sandbox) begin(ctx context.Context, asked corev1.PodSpec) error {
	var err error
	if s.pod, err = s.engine.start(ctx, s.of, asked); err != nil {
		return err
	}
	s.of.pod = s.pod.uid
	seen, err := s.hear(ctx)
	if err != nil {
		return err
	}
	if err := seen.check(s.spec); err != nil {
		return err
	}
	var node *corev1.Node
	if s.host, node, err = s.engine.hostOf(ctx, s.spec, s.pod, seen); err != nil {
		return err
	}
	s.engine.remember(s.spec.Runtime, node, s.host)
	if err := s.host.Admit(s.spec.Optional); err != nil {
		return fmt.Errorf("node %s: %w", s.pod.node, err)
	}
	return context.Cause(ctx)
}

// hear waits for what the first process has to say, and for no longer than it lives.
func (s *sandbox) hear(ctx context.Context) (report, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	looked := make(chan struct{})
	go func() {
		defer close(looked)
		select {
		case <-ctx.Done(): // mostly it speaks at once
			return
		case <-time.After(lookLater):
		}
		cancel(panics.Catch("looking at a pod", func() error {
			return s.engine.follow(ctx, s.of, func(_ context.Context, pod *corev1.Pod) (bool, error) {
				if pod == nil {
					return false, errPodGone
				}
				return false, containerEnded(pod, sandboxContainer, "before it had said anything the sandbox's first process has ended")
			})
		}))
	}()
	var seen report
	var err error
	s.keeper, seen, err = s.engine.converse(ctx, s.pod.name)
	cancel(nil)
	<-looked
	return seen, err
}

// lookLater is after what time without a word a pod is looked at.
const lookLater = 5 * time.Second

// hostOf is what a pod was seen to have, and its node, nil where that may not be looked at.
func (e *Engine) hostOf(ctx context.Context, spec container.Spec, pod startedPod, seen report) (container.Host, *corev1.Node, error) {
	node, runtime, components, err := e.describe(ctx, pod.node)
	if err != nil {
		return container.Host{}, nil, err
	}
	network := "only a loopback interface"
	if len(seen.Interfaces) > 1 {
		network = fmt.Sprintf("interfaces %q; no socket by seccomp, and a NetworkPolicy that denies all", seen.Interfaces)
	}
	return container.Host{
		Engine: Name, Runtime: runtimeName(spec.Runtime, runtime), Kernel: seen.Kernel, Components: components,
		Controls: seen.controls(spec, network), CPU: container.ParseCPU(strings.NewReader(seen.CPUInfo)),
	}, node, nil
}

// Host is what the sandbox's pod was seen to have.
func (s *sandbox) Host() container.Host { return s.host }

// Hold implements container.Sandbox.
func (s *sandbox) Hold(ctx context.Context) (*container.Held, error) {
	never := func(context.Context) error { return nil }
	return s.life.Hold(ctx, container.Freezer{
		Freeze: func(context.Context) error {
			return fmt.Errorf("%w: Kubernetes freezes no container", container.ErrCannotHold)
		},
		Still: never, Thaw: never,
		Open: func(context.Context) (*os.Root, error) { return nil, container.ErrCannotHold },
	})
}

// Output implements container.Sandbox. It copies the output into a private directory first.
func (s *sandbox) Output(ctx context.Context) (*os.Root, error) {
	return s.life.Output(ctx, func() (*os.Root, error) {
		if !s.copied {
			if err := s.copy(ctx); err != nil {
				return nil, fmt.Errorf("read output: %w", err)
			}
			s.copied = true
		}
		return os.OpenRoot(s.staged())
	})
}

const stagedName = "output"

// transferPatience bounds how long an output may take, of which there is no more than its
// capacity: a gigabyte takes a minute through a busy API server.
const transferPatience = 10 * time.Minute

func (s *sandbox) staged() string { return path.Join(s.staging.Path(), stagedName) }

// copy asks the keeper for all that there is. The sandbox has terminated, by the cluster's
// word.
func (s *sandbox) copy(ctx context.Context) error {
	if err := durable.Remove(s.staging.Root(), stagedName); err != nil {
		return fmt.Errorf("clear staging directory: %w", err)
	}
	if err := s.staging.Root().Mkdir(stagedName, 0o700); err != nil {
		return fmt.Errorf("make staging directory: %w", err)
	}
	into, err := os.OpenRoot(s.staged()) // by its whole path, which pipes are made below
	if err != nil {
		return fmt.Errorf("open staging directory: %w", err)
	}
	defer into.Close()
	ctx, cancel := context.WithTimeoutCause(ctx, transferPatience, fmt.Errorf("it has not come within %s", transferPatience))
	defer cancel()
	capacity := archive.Capacity{Bytes: s.spec.Limits.OutputBytes, Files: s.spec.Limits.OutputFiles}
	if err := s.keeper.say(fmt.Sprintf(`read {"bytes": %d, "files": %d}`, capacity.Bytes, capacity.Files)); err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, func() { _ = s.keeper.tar.CloseWithError(context.Cause(ctx)) }) // never fails
	defer stop()
	if err := archive.Unpack(into, s.keeper.tar, path.Base(container.OutputDir), capacity); err != nil {
		return err
	}
	return s.keeper.finished(ctx)
}

// Destroy implements container.Sandbox.
func (s *sandbox) Destroy(ctx context.Context) error {
	return s.life.Destroy(ctx, func(ctx context.Context) error {
		if s.keeper != nil {
			s.keeper.close()
		}
		if err := s.engine.removeJob(ctx, owned{id: s.id, job: s.of.job}); err != nil {
			return err
		}
		return s.discard()
	})
}

func (s *sandbox) discard() error {
	if err := s.staging.Discard(); err != nil && !errors.Is(err, os.ErrClosed) {
		return fmt.Errorf("remove sandbox directory: %w", err)
	}
	return nil
}
