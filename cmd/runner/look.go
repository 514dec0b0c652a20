package main

import (
	"context"
	"fmt"

	"hotcell/internal/bundle"
	"hotcell/internal/container"
	"hotcell/internal/digest"
	"hotcell/internal/image"
)

// sourceFiles implements pool.Files.
type sourceFiles struct {
	images  *image.Recent // nil for a daemon, which has each image for itself, by its digest
	bundles *bundle.Store
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

// Look implements pool.Files.
func (s sourceFiles) Look(ctx context.Context, spec container.Spec) (string, error) {
	return s.tell(ctx, spec, func() (string, error) { return s.images.Look(ctx, spec.Image) })
}

// Glance implements pool.Files.
func (s sourceFiles) Glance(ctx context.Context, spec container.Spec) (string, error) {
	return s.tell(ctx, spec, func() (string, error) { return s.images.Glance(spec.Image) })
}

func (s sourceFiles) tell(ctx context.Context, spec container.Spec, ofImage func() (string, error)) (string, error) {
	tree, files := "", digest.Hex("")
	var err error
	if s.images != nil {
		if tree, err = ofImage(); err != nil {
			return "", fmt.Errorf("find image %s: %w", spec.Image, err)
		}
	}
	if spec.Bundle != "" {
		if files, err = s.bundles.Look(ctx, spec.Bundle); err != nil {
			return "", fmt.Errorf("find bundle %s: %w", spec.Bundle, err)
		}
	}
	return fmt.Sprintf("%s\n%s", tree, files), nil
}
