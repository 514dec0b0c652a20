package main

import (
	"errors"
	"os"

	"hotcell/internal/container"
	"hotcell/internal/container/oci"
)

// ociEngine makes the engine that needs no daemon.
func (a *app) ociEngine(runtime string) (container.Engine, error) {
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
	engine, err := oci.New(oci.Options{
		StateDir: a.sandboxes("oci"), Runtime: runtime, Images: images, Bundles: bundles, Logger: a.logger(),
	})
	if errors.Is(err, container.ErrUnknownRuntime) {
		return nil, usageError{err}
	}
	if err != nil {
		return nil, err
	}
	return engine, nil
}
