package docker

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/moby/moby/client"

	"hotcell/internal/container"
	"hotcell/internal/durable"
)

// Sweep implements container.Engine. It finds what dead processes left by their
// directories, whose locks are free, and by our labels on containers and volumes
// that have no directory any more.
func (e *Engine) Sweep(ctx context.Context) (int, error) {
	leave, err := e.opening.Enter()
	if err != nil {
		return 0, fmt.Errorf("sweep docker: %w", err)
	}
	defer leave()
	removed, err := e.opening.DestroyLeft(ctx)
	faults := []error{err}
	dead, err := e.state.dead()
	faults = append(faults, err)
	for id, dir := range dead {
		if err := e.remove(ctx, id, dir); err != nil {
			faults = append(faults, fmt.Errorf("sandbox %s: %w", id, err), dir.lock.Close())
			continue
		}
		removed++
	}
	orphans, err := e.removeOrphans(ctx)
	if err := errors.Join(append(faults, err)...); err != nil {
		return removed + orphans, fmt.Errorf("sweep docker: %w", err)
	}
	return removed + orphans, nil
}

// removeOrphans removes our containers and volumes without a directory. A living
// sandbox has one before it has a container, and after.
func (e *Engine) removeOrphans(ctx context.Context) (int, error) {
	orphans, err := e.orphans(ctx)
	if err != nil {
		return 0, err
	}
	removed := 0
	var faults []error
	for _, id := range orphans {
		err := errors.Join(
			e.removeContainer(ctx, containerName(id)),
			e.removeContainer(ctx, holderName(id)),
			e.removeVolumes(ctx, id),
		)
		if err != nil {
			faults = append(faults, err)
			continue
		}
		removed++
	}
	return removed, errors.Join(faults...)
}

func (e *Engine) orphans(ctx context.Context) ([]container.ID, error) {
	listed, err := e.listed(ctx)
	if err != nil {
		return nil, err
	}
	orphans, err := e.withoutDirectory(listed)
	if err != nil || len(orphans) == 0 {
		return nil, err
	}
	// What its owner has destroyed between our list and our look is no orphan: it is
	// not listed again.
	if listed, err = e.listed(ctx); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(orphans, func(id container.ID) bool { return !slices.Contains(listed, id) }), nil
}

// listed returns the sandboxes of which the daemon has a container or a volume.
func (e *Engine) listed(ctx context.Context) ([]container.ID, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	ours := client.Filters{}.Add("label", labelOwner)
	containers, err := e.api.ContainerList(ctx, client.ContainerListOptions{All: true, Filters: ours})
	if err != nil {
		return nil, fmt.Errorf("list containers: %w", err)
	}
	volumes, err := e.api.VolumeList(ctx, client.VolumeListOptions{Filters: ours})
	if err != nil {
		return nil, fmt.Errorf("list volumes: %w", err)
	}
	var ids []container.ID
	add := func(labels map[string]string) {
		id, err := container.ParseID(labels[labelID])
		if err == nil && durable.IsOwn(labels[labelOwner], e.state.owner) && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	for _, found := range containers.Items {
		add(found.Labels)
	}
	for _, found := range volumes.Items {
		add(found.Labels)
	}
	return ids, nil
}

func (e *Engine) withoutDirectory(ids []container.ID) ([]container.ID, error) {
	var orphans []container.ID
	for _, id := range ids {
		exists, err := e.state.exists(id)
		if err != nil {
			return nil, fmt.Errorf("look for sandbox directory: %w", err)
		}
		if !exists {
			orphans = append(orphans, id)
		}
	}
	return orphans, nil
}
