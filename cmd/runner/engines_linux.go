package main

import (
	"hotcell/internal/container"
	"hotcell/internal/container/oci"
)

// ociEngine makes the engine that needs no daemon.
func (a *app) ociEngine(runtime string) (container.Engine, error) {
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
	if err != nil {
		return nil, usageError{err} // an unknown runtime
	}
	return engine, nil
}
