package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"

	"hotcell/internal/bundleimage"
	"hotcell/internal/container"
	"hotcell/internal/container/kubernetes"
	"hotcell/internal/digest"
	"hotcell/internal/image"
)

// kubernetesVariable names the file of settings of the kubernetes engine.
const kubernetesVariable = "HOTCELL_KUBERNETES"

// hostnameLabel is on each node of a cluster.
const hostnameLabel = "kubernetes.io/hostname"

// kubernetesSettings is the file in force.
func kubernetesSettings() string {
	return cmp.Or(os.Getenv(kubernetesVariable), kubernetes.DefaultSettings)
}

// kubernetesEngine makes the engine that has its sandboxes in a cluster.
func (a *app) kubernetesEngine() (container.Engine, error) {
	path := kubernetesSettings()
	settings, err := kubernetes.LoadSettings(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, usageError{fmt.Errorf("the kubernetes engine needs %s, which names a registry at least (%s names another file): see docs/kubernetes.md", path, kubernetesVariable)}
	}
	if err != nil {
		return nil, usageError{err}
	}
	if a.node != "" {
		settings.NodeSelector = maps.Clone(settings.NodeSelector)
		if settings.NodeSelector == nil {
			settings.NodeSelector = map[string]string{}
		}
		settings.NodeSelector[hostnameLabel] = a.node
	}
	images, err := a.images()
	if err != nil {
		return nil, err
	}
	bundles, err := a.bundleImages()
	if err != nil {
		return nil, err
	}
	return kubernetes.New(kubernetes.Options{
		Settings: settings, StateDir: a.sandboxes(kubernetes.Name), Artifacts: clusterArtifacts{images, bundles}, Logger: a.logger(),
	})
}

// clusterArtifacts are what this host has in its stores, and nodes get from a registry.
type clusterArtifacts struct {
	images  *image.Store
	bundles *bundleimage.Store
}

// Image implements kubernetes.Artifacts.
func (c clusterArtifacts) Image(_ context.Context, sum digest.Digest) (string, error) {
	found, err := c.images.OCIImage(sum)
	if err != nil {
		return "", err
	}
	config, err := found.ConfigFile()
	if err != nil {
		return "", fmt.Errorf("read image configuration: %w", err)
	}
	return config.Architecture, nil
}

// Bundle implements kubernetes.Artifacts.
func (c clusterArtifacts) Bundle(ctx context.Context, sum digest.Digest) (digest.Digest, error) {
	return c.bundles.Digest(ctx, sum)
}
