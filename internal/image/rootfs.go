package image

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	v1 "github.com/google/go-containerregistry/pkg/v1"

	"hotcell/internal/durable"
)

// Rootfs returns the directory of the image's root file system, unpacked and
// verified on the first call. It is the store's: mount it read-only, and leave it
// as it is. Everything in it belongs to root and is readable for all.
func (s *Store) Rootfs(ctx context.Context, digest string) (string, error) {
	stored, err := s.open(digest)
	if err != nil {
		return "", fmt.Errorf("unpack image: %w", err)
	}
	hash, err := v1.NewHash(digest)
	if err != nil {
		return "", fmt.Errorf("unpack image: %w", err)
	}
	dir := filepath.Join(s.dir, rootfsDir, hash.Hex)
	if exists(dir) { // renamed into place when complete
		return dir, nil
	}
	if err := s.unpackRootfs(ctx, stored, dir); err != nil {
		return "", fmt.Errorf("unpack image %s: %w", digest, err)
	}
	return dir, nil
}

func (s *Store) unpackRootfs(ctx context.Context, stored *storedImage, dir string) (err error) {
	release, err := s.lock(ctx, rootfsDir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, release()) }()
	if exists(dir) { // another process was quicker
		return nil
	}
	staging, err := s.stage(rootfsDir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(staging)) }()
	if err := unpackLayers(ctx, s.blobs, stored.manifest.Layers, staging); err != nil {
		return err
	}
	return durable.Rename(staging, dir)
}

// stage makes an empty directory for something that is being made, after removing
// what an interrupted predecessor has left. The caller holds the lock of that
// purpose.
func (s *Store) stage(purpose string) (string, error) {
	dir := filepath.Join(s.dir, workDir, purpose)
	if err := os.RemoveAll(dir); err != nil {
		return "", err
	}
	return dir, durable.MakeDir(dir, 0o755)
}

func unpackLayers(ctx context.Context, blobs blobs, layers []v1.Descriptor, dir string) (err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	for _, layer := range layers {
		err := blobs.with(layer.Digest, func(content io.Reader) error { return unpack(ctx, content, root) })
		if err != nil {
			return err
		}
	}
	return nil
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
