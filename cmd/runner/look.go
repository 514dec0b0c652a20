package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

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

// Glance implements pool.Files. An image that is not unpacked, or just being repaired, is
// unpacked, or waited for, as by a run that is cold.
func (s sourceFiles) Glance(ctx context.Context, spec container.Spec) (string, error) {
	return s.tell(ctx, spec, func() (string, error) {
		seen, err := s.images.Glance(spec.Image)
		if errors.Is(err, fs.ErrNotExist) {
			return s.images.Look(ctx, spec.Image)
		}
		return seen, err
	})
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
