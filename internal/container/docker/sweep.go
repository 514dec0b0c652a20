package docker

import (
	"context"
	"errors"
	"fmt"

	"github.com/moby/moby/client"

	"hotcell/internal/job"
)

// Sweep implements container.Engine. It finds what dead processes left by their
// directories, whose locks are free, and by our labels on containers and volumes
// that have no directory any more.
func (e *Engine) Sweep(ctx context.Context) (int, error) {
	dead, err := e.state.dead()
	faults := []error{err}
	removed := 0
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
	for id := range orphans {
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

func (e *Engine) orphans(ctx context.Context) (map[job.ID]bool, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	ours := client.Filters{}.Add("label", labelOwner+"="+e.state.owner)
	containers, err := e.api.ContainerList(ctx, client.ContainerListOptions{All: true, Filters: ours})
	if err != nil {
		return nil, fmt.Errorf("list containers: %w", err)
	}
	volumes, err := e.api.VolumeList(ctx, client.VolumeListOptions{Filters: ours})
	if err != nil {
		return nil, fmt.Errorf("list volumes: %w", err)
	}
	var labelled []map[string]string
	for _, found := range containers.Items {
		labelled = append(labelled, found.Labels)
	}
	for _, found := range volumes.Items {
		labelled = append(labelled, found.Labels)
	}
	return e.withoutDirectory(labelled)
}

func (e *Engine) withoutDirectory(labelled []map[string]string) (map[job.ID]bool, error) {
	orphans := map[job.ID]bool{}
	for _, labels := range labelled {
		id, err := job.ParseID(labels[labelID])
		if err != nil {
			continue // not made by this program
		}
		exists, err := e.state.exists(id)
		if err != nil {
			return nil, fmt.Errorf("look for sandbox directory: %w", err)
		}
		if !exists {
			orphans[id] = true
		}
	}
	return orphans, nil
}
