package main

import (
	"context"
	"errors"
	"os"
	"time"

	"hotcell/internal/container"
	"hotcell/internal/container/cgroup"
	"hotcell/internal/container/oci"
	"hotcell/internal/doctor"
	"hotcell/internal/image"
)

// ociEngine makes the engine that needs no daemon.
func (a *app) ociEngine(runtime string, imageAge time.Duration) (container.Engine, error) {
	if os.Geteuid() != 0 {
		return nil, errors.New("the oci engine needs root to make mounts and control groups: run it as root, or use --engine docker")
	}
	images, err := a.images()
	if err != nil {
		return nil, err
	}
	bundles, err := a.bundles()
	if err != nil {
		return nil, err
	}
	if a.unpacked == nil {
		a.unpacked = image.NewRecent(images, imageAge)
	}
	engine, err := oci.New(oci.Options{
		StateDir: a.sandboxes("oci"), Runtime: runtime, Images: a.unpacked, Bundles: bundles, Logger: a.logger(),
	})
	if errors.Is(err, container.ErrUnknownRuntime) {
		return nil, usageError{err}
	}
	if err != nil {
		return nil, err
	}
	return engine, nil
}

// placeSettings names where the control groups of sandboxes are made.
func placeSettings(ctx context.Context) []doctor.Setting {
	if os.Geteuid() != 0 {
		return nil // the daemon makes them
	}
	setting := doctor.Setting{Name: "control groups"}
	place, err := cgroup.Home(ctx)
	if err != nil {
		setting.Value, setting.Advice = "no place for them", err.Error()
		return []doctor.Setting{setting}
	}
	setting.Value = place.String()
	return []doctor.Setting{setting}
}
