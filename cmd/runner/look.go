package main

import (
	"context"
	"fmt"

	"hotcell/internal/container"
	"hotcell/internal/digest"
)

// imageLooker is an image.Recent.
type imageLooker interface {
	Look(ctx context.Context, sum digest.Digest) (string, error)
}

// bundleLooker is a bundle.Store.
type bundleLooker interface {
	Look(ctx context.Context, sum digest.Digest) (digest.Hex, error)
}

// sourceFiles tells pools of which files of the host a sandbox would be made now: see
// pool.Options.
type sourceFiles struct {
	images  imageLooker // nil for a daemon, which has each image for itself, by its digest
	bundles bundleLooker
}

// sourceFiles are those of an engine that this process has made.
func (a *app) sourceFiles(engine container.Engine) (sourceFiles, error) {
	bundles, err := a.bundles()
	if err != nil {
		return sourceFiles{}, err
	}
	files := sourceFiles{bundles: bundles}
	if engine.Name() == "oci" {
		files.images = a.unpacked
	}
	return files, nil
}

func (s sourceFiles) look(ctx context.Context, spec container.Spec) (string, error) {
	image, bundle := "", digest.Hex("")
	var err error
	if s.images != nil {
		if image, err = s.images.Look(ctx, spec.Image); err != nil {
			return "", fmt.Errorf("find image %s: %w", spec.Image, err)
		}
	}
	if spec.Bundle != "" {
		if bundle, err = s.bundles.Look(ctx, spec.Bundle); err != nil {
			return "", fmt.Errorf("find bundle %s: %w", spec.Bundle, err)
		}
	}
	return fmt.Sprintf("%s\n%s", image, bundle), nil
}
