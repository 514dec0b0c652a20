package main

import (
	"context"
	"errors"
	"fmt"

	"hotcell/internal/container"
	"hotcell/internal/container/docker"
)

var engineNames = []string{"auto", "oci", "docker"}

// engine makes the engine that the user named. auto is oci, or docker where oci
// cannot run at all; a control that is missing never makes it change over.
func (a *app) engine(ctx context.Context, name, runtime string) (container.Engine, error) {
	switch name {
	case "oci":
		return a.ociEngine(runtime)
	case "docker":
		return a.dockerEngine()
	case "auto":
		return a.anyEngine(ctx, runtime)
	default:
		return nil, usageError{fmt.Errorf("unknown engine %q: known are auto, oci, docker", name)}
	}
}

func (a *app) anyEngine(ctx context.Context, runtime string) (container.Engine, error) {
	var reasons []error
	for _, make := range []func() (container.Engine, error){
		func() (container.Engine, error) { return a.ociEngine(runtime) },
		a.dockerEngine,
	} {
		engine, err := make()
		if err == nil {
			_, err = engine.Probe(ctx)
		}
		if err == nil {
			return engine, nil
		}
		reasons = append(reasons, err)
	}
	return nil, fmt.Errorf("no engine can be used here: %w", errors.Join(reasons...))
}

func (a *app) dockerEngine() (container.Engine, error) {
	images, err := a.images()
	if err != nil {
		return nil, err
	}
	bundles, err := a.bundles()
	if err != nil {
		return nil, err
	}
	return docker.New(docker.Options{StateDir: a.sandboxes("docker"), Images: images, Bundles: bundles, Logger: a.logger()})
}
