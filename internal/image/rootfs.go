package image

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	v1 "github.com/google/go-containerregistry/pkg/v1"

	"hotcell/internal/digest"
	"hotcell/internal/durable"
)

// Rootfs returns the directory of the image's root file system, unpacked on the
// first call and then compared with the image, byte by byte. Every call looks
// whether anything in it has changed since: what a record names is what ran. A
// tree that looks other than it did, as after a move to another disk, is read as a
// whole again; one that is not the image's is an error. It is the store's: mount
// it read-only, and leave it as it is. Everything in it belongs to root and is
// readable for all. An image of another architecture is refused.
func (s *Store) Rootfs(ctx context.Context, sum digest.Digest) (string, error) {
	stored, err := s.openToRun(sum)
	if err != nil {
		return "", fmt.Errorf("unpack image: %w", err)
	}
	dir := s.rootfsPath(sum)
	if exists(dir) { // renamed into place when complete
		if held, err := s.holds(ctx, sum); err == nil && held {
			return dir, nil
		}
	}
	release, err := s.lock(ctx, rootfsDir)
	if err != nil {
		return "", err
	}
	err = errors.Join(s.settle(ctx, stored, sum), release())
	if err != nil {
		return "", fmt.Errorf("unpack image %s: %w", sum, err)
	}
	return dir, nil
}

// settle unpacks or reads again what is not as its seal says. The lock is held.
func (s *Store) settle(ctx context.Context, stored *storedImage, sum digest.Digest) error {
	if !exists(s.rootfsPath(sum)) {
		return s.unpackRootfs(ctx, stored, sum)
	}
	if held, err := s.holds(ctx, sum); err == nil && held {
		return nil // another process was quicker
	}
	return s.sealTree(ctx, stored, sum)
}

// unpackRootfs makes a root file system and its seal. The lock is held.
func (s *Store) unpackRootfs(ctx context.Context, stored *storedImage, sum digest.Digest) (err error) {
	staging, err := s.stage(rootfsDir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(staging)) }()
	if err := unpackLayers(ctx, s.blobs, stored.manifest.Layers, staging); err != nil {
		return err
	}
	if err := durable.Rename(staging, s.rootfsPath(sum)); err != nil {
		return err
	}
	return s.sealTree(ctx, stored, sum)
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
		err := blobs.with(layer, func(content io.Reader) error { return unpack(ctx, content, root) })
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
