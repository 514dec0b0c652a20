package docker

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	cerrdefs "github.com/containerd/errdefs"
	"github.com/moby/moby/api/types/mount"
	"github.com/moby/moby/client"

	"hotcell/internal/container"
	"hotcell/internal/durable"
)

// sandbox implements container.Sandbox.
type sandbox struct {
	engine *Engine
	life   *container.Lifecycle
	id     container.ID // life's
	spec   container.Spec
	dir    *runDir

	fittings    fittings
	containerID string
	prepared    int // number of its first process where Create has looked at that, else 0

	preparing time.Duration // of CPU time, that it may use before its run
	setupCPU  int64         // what it has used of that, in nanoseconds
}

var _ container.Sandbox = (*sandbox)(nil)

// createContainer makes the container and compares what the daemon accepted with
// what was asked for: Docker drops what it cannot do and only warns.
func (s *sandbox) createContainer(ctx context.Context, daemon daemon, image string) error {
	// A daemon goes on making a container whose client has gone, and Destroy would
	// come before it.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), callTimeout)
	defer cancel()
	place := s.place(image)
	place.noSwapLimit, place.appArmor = !daemon.info.SwapLimit, daemon.confined.profile
	spec := s.spec
	spec.Limits.CPUTime += s.preparing
	id, prepared, err := s.make(ctx, daemon, spec, place)
	if err != nil {
		return err
	}
	s.containerID, s.prepared = id, prepared
	return s.checkBundle(ctx, daemon)
}

// make makes a container, compares it with what was asked for, and returns its ID, and the
// number of its first process if the daemon has prepared that, else 0.
func (s *sandbox) make(ctx context.Context, daemon daemon, spec container.Spec, place placement) (id string, prepared int, err error) {
	if daemon.podman != "" {
		return s.makePodman(ctx, daemon, spec, place)
	}
	id, err = s.makeDocker(ctx, daemon, spec, place)
	return id, 0, err
}

func (s *sandbox) makeDocker(ctx context.Context, daemon daemon, spec container.Spec, place placement) (string, error) {
	var err error
	if place.seccomp, err = seccompOption(spec.Seccomp, daemon.api); err != nil {
		return "", err
	}
	host, err := hostConfig(spec, place)
	if err != nil {
		return "", err
	}
	config := containerConfig(spec, place)
	created, err := s.engine.api.ContainerCreate(ctx, client.ContainerCreateOptions{Config: config, HostConfig: host, Name: place.name})
	if err != nil {
		return "", fmt.Errorf("create container: %w", err)
	}
	s.warn(created.Warnings)
	found, err := s.engine.api.ContainerInspect(ctx, created.ID, client.ContainerInspectOptions{})
	if err != nil {
		return "", fmt.Errorf("inspect container: %w", err)
	}
	return created.ID, compareContainer(wanted{config: config, host: host, image: place.image}, found.Container)
}

func (s *sandbox) warn(warnings []string) {
	for _, warning := range warnings {
		s.engine.log.Warn("the daemon warns about a sandbox", "sandbox", s.id.String(), "warning", warning)
	}
}

func (s *sandbox) place(image string) placement {
	place := placement{
		name:         containerName(s.id),
		labels:       labels(s.engine.state.owner, s.id),
		image:        image,
		mounts:       []mount.Mount{s.fittings.output.Mount()},
		cgroupParent: s.fittings.parent,
	}
	if s.fittings.bundle != nil {
		place.mounts = append(place.mounts, *s.fittings.bundle)
	}
	return place
}

// Output implements container.Sandbox. Where the daemon is remote this copies
// the output into a private directory first.
func (s *sandbox) Output(ctx context.Context) (*os.Root, error) {
	return s.life.Output(ctx, func() (*os.Root, error) { return s.fittings.output.Open(ctx) })
}

// Hold implements container.Sandbox.
func (s *sandbox) Hold(ctx context.Context) (*container.Held, error) {
	monitor := s.fittings.monitor
	return s.life.Hold(ctx, container.Freezer{
		Freeze: func(ctx context.Context) error { return monitor.Freeze(ctx, s.containerID) },
		Still:  func(ctx context.Context) error { return monitor.Still(ctx, s.containerID) },
		Thaw:   func(ctx context.Context) error { return monitor.Thaw(ctx, s.containerID) },
		Open:   s.fittings.output.OpenHeld,
	})
}

// Destroy implements container.Sandbox. What cannot be removed is left to Sweep,
// which finds it by the directory that then stays.
func (s *sandbox) Destroy(ctx context.Context) error {
	return s.life.Destroy(ctx, func(ctx context.Context) error { return s.engine.remove(ctx, s.id, s.dir) })
}

// remove removes everything that may exist of a sandbox, in the order in which
// one thing holds another, and its directory only when all else is gone.
func (e *Engine) remove(ctx context.Context, id container.ID, dir *runDir) error {
	err := errors.Join(
		thawLocal(dir.path, id),
		e.removeContainer(ctx, containerName(id)),
		e.removeContainer(ctx, holderName(id)),
	)
	if err == nil {
		err = errors.Join(e.removeVolumes(ctx, id), removeLocal(ctx, dir.path, id))
	}
	if err != nil {
		return err
	}
	return dir.remove()
}

// removeContainer removes a container of ours if it exists. The label is looked
// at first, for anyone may use the name.
func (e *Engine) removeContainer(ctx context.Context, name string) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	found, err := e.api.ContainerInspect(ctx, name, client.ContainerInspectOptions{})
	if cerrdefs.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("inspect container %s: %w", name, err)
	}
	if found.Container.Config == nil || !durable.IsOwn(found.Container.Config.Labels[labelOwner], e.state.owner) {
		return nil
	}
	_, err = e.api.ContainerRemove(ctx, found.Container.ID, client.ContainerRemoveOptions{Force: true})
	if err != nil && !cerrdefs.IsNotFound(err) {
		return fmt.Errorf("remove container %s: %w", name, err)
	}
	return nil
}

func (e *Engine) removeVolumes(ctx context.Context, id container.ID) error {
	return errors.Join(e.removeVolume(ctx, outputVolume(id)), e.removeVolume(ctx, bundleVolume(id)))
}

func (e *Engine) removeVolume(ctx context.Context, name string) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	found, err := e.api.VolumeInspect(ctx, name, client.VolumeInspectOptions{})
	if cerrdefs.IsNotFound(err) || err == nil && !durable.IsOwn(found.Volume.Labels[labelOwner], e.state.owner) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("inspect volume %s: %w", name, err)
	}
	_, err = e.api.VolumeRemove(ctx, name, client.VolumeRemoveOptions{})
	if err != nil && !cerrdefs.IsNotFound(err) {
		return fmt.Errorf("remove volume %s: %w", name, err)
	}
	return nil
}
