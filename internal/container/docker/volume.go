package docker

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"

	containerapi "github.com/moby/moby/api/types/container"
	"github.com/moby/moby/api/types/mount"
	"github.com/moby/moby/client"

	"hotcell/internal/container"
	"hotcell/internal/container/archive"
	"hotcell/internal/job"
)

// volumeOutput is a tmpfs volume in the daemon. The daemon unmounts such a volume,
// and with it its content, when its last container ends: an idle second
// container, the holder, keeps it.
type volumeOutput struct {
	api     *client.Client
	id      container.ID
	limits  job.Limits
	holder  string // container ID
	staging string // private directory on this host
	copied  bool   // the volume is in staging
}

// holderCommand waits for ever: nobody ever writes to its stdin. The interpreter
// is the one program that an image is sure to have.
var holderCommand = []string{"/usr/bin/python3", "-I", "-S", "-c", "import os; os.read(0, 1)"}

// What the holder needs: an interpreter that imports nothing. runc's own init,
// whose threads count too, dies now and then with a pids.max of 4.
const (
	holderMemory = 64 << 20
	holderPIDs   = 32
)

// makeVolume makes the volume and starts its holder.
func (s *sandbox) makeVolume(ctx context.Context, daemon daemon, image string) (*volumeOutput, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	made := &volumeOutput{
		api: s.engine.api, id: s.id, limits: s.spec.Limits,
		staging: filepath.Join(s.dir.path, "output"),
	}
	_, err := s.engine.api.VolumeCreate(ctx, client.VolumeCreateOptions{
		Name:   outputVolume(s.id),
		Driver: "local",
		DriverOpts: map[string]string{
			"type":   "tmpfs",
			"device": "tmpfs",
			"o":      daemon.outputOptions(s.spec.Limits) + ",nosuid,nodev,noexec",
		},
		Labels: labels(s.engine.state.owner, s.id),
	})
	if err != nil {
		return nil, fmt.Errorf("create output volume: %w", err)
	}
	if err := s.startHolder(ctx, made, daemon, image); err != nil {
		return nil, fmt.Errorf("start the output volume's holder: %w", err)
	}
	return made, nil
}

// startHolder gives the holder a sandbox's isolation.
func (s *sandbox) startHolder(ctx context.Context, output *volumeOutput, daemon daemon, image string) error {
	spec := s.spec
	spec.Command, spec.Bundle = holderCommand, ""
	spec.Limits.PIDs, spec.Limits.MemoryBytes, spec.Tightened = holderPIDs, holderMemory, container.Tightened{}
	place := placement{
		name: holderName(s.id), labels: labels(s.engine.state.owner, s.id), image: image,
		mounts: []mount.Mount{output.Mount()}, noSwapLimit: !daemon.info.SwapLimit,
	}
	id, _, err := s.make(ctx, daemon, spec, place)
	if err != nil {
		return err
	}
	output.holder = id
	if _, err := s.engine.api.ContainerStart(ctx, id, client.ContainerStartOptions{}); err != nil {
		return fmt.Errorf("start container: %w", err)
	}
	return output.checkHolder(ctx)
}

// checkHolder reports a holder that has ended: with it went the output.
func (o *volumeOutput) checkHolder(ctx context.Context) error {
	found, err := o.api.ContainerInspect(ctx, o.holder, client.ContainerInspectOptions{})
	if err != nil {
		return fmt.Errorf("inspect container: %w", err)
	}
	if state := found.Container.State; state == nil || state.Status != containerapi.StateRunning {
		return fmt.Errorf("the container that keeps the output volume mounted has ended: is there a Python at %s in the image?", holderCommand[0])
	}
	return nil
}

// Mount implements output. NoCopy: the image's own directory must not be copied
// into the volume.
func (o *volumeOutput) Mount() mount.Mount {
	return mount.Mount{
		Type: mount.TypeVolume, Source: outputVolume(o.id), Target: container.OutputDir,
		VolumeOptions: &mount.VolumeOptions{NoCopy: true},
	}
}

// Open implements output. It reads the volume back from the holder, in which
// nothing hostile runs, into a directory that only we can enter.
func (o *volumeOutput) Open(ctx context.Context) (*os.Root, error) {
	if !o.copied {
		if err := o.copy(ctx); err != nil {
			return nil, err
		}
		o.copied = true
	}
	return os.OpenRoot(o.staging)
}

// OpenHeld implements output. What it has copied is of this moment.
func (o *volumeOutput) OpenHeld(ctx context.Context) (*os.Root, error) {
	if err := o.copy(ctx); err != nil {
		return nil, err
	}
	return os.OpenRoot(o.staging)
}

func (o *volumeOutput) copy(ctx context.Context) error {
	ctx, progress, end := watchProgress(ctx)
	defer end()
	if err := o.checkHolder(ctx); err != nil {
		return err
	}
	answer, err := o.api.CopyFromContainer(ctx, o.holder, client.CopyFromContainerOptions{SourcePath: container.OutputDir})
	if err != nil {
		return fmt.Errorf("read output volume: %w", err)
	}
	defer answer.Content.Close()
	if err := os.RemoveAll(o.staging); err != nil {
		return fmt.Errorf("clear staging directory: %w", err)
	}
	if err := os.Mkdir(o.staging, 0o700); err != nil {
		return fmt.Errorf("make staging directory: %w", err)
	}
	root, err := os.OpenRoot(o.staging)
	if err != nil {
		return fmt.Errorf("open staging directory: %w", err)
	}
	defer root.Close()
	capacity := archive.Capacity{Bytes: o.limits.OutputBytes, Files: o.limits.OutputFiles}
	if err := archive.Unpack(root, progress.of(answer.Content), path.Base(container.OutputDir), capacity); err != nil {
		return fmt.Errorf("unpack output: %w", err)
	}
	return nil
}
