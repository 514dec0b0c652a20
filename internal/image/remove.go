package image

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	v1 "github.com/google/go-containerregistry/pkg/v1"

	"hotcell/internal/digest"
	"hotcell/internal/durable"
)

// ErrNamed is wrapped by Remove for the image that a name means: runs would have none.
var ErrNamed = errors.New("it is the current one of its name")

// Remove takes an image out of the store: its root file system, its seal, and what of its
// layers no other image has and no build goes on from. Whether something runs in it, or a
// record names it, is for the caller to know.
func (s *Store) Remove(ctx context.Context, sum digest.Digest) (err error) {
	for _, lock := range []string{"build", rootfsDir} {
		release, err := s.lock(ctx, lock)
		if err != nil {
			return fmt.Errorf("remove image %s: %w", sum, err)
		}
		defer func() { err = errors.Join(err, release()) }()
	}
	if err := s.remove(sum); err != nil {
		return fmt.Errorf("remove image %s: %w", sum, err)
	}
	return nil
}

func (s *Store) remove(sum digest.Digest) error {
	stored, err := s.open(sum)
	if err != nil {
		return err
	}
	index, err := s.readIndex()
	if err != nil {
		return err
	}
	kept := []v1.Descriptor{}
	for _, entry := range index.Manifests {
		if entry.Digest != hashOf(sum) {
			kept = append(kept, entry)
		} else if name := entry.Annotations[annotationName]; name != "" {
			return fmt.Errorf("%w, %s", ErrNamed, name)
		}
	}
	needed, err := s.needed(kept)
	if err != nil {
		return err
	}
	// The index first: what a crash leaves then is space, and no image that lacks something.
	index.Manifests = kept
	if err := s.writeIndex(index); err != nil {
		return err
	}
	if err := s.removeTree(sum); err != nil {
		return err
	}
	if err := os.Remove(s.sealPath(sum)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, blob := range append(partsOf(stored), hashOf(sum)) {
		if needed[blob] {
			continue
		}
		if err := os.Remove(s.blobs.path(blob)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// partsOf are the blobs of an image, but its manifest.
func partsOf(stored *storedImage) []v1.Hash {
	parts := []v1.Hash{stored.manifest.Config.Digest}
	for _, layer := range stored.manifest.Layers {
		parts = append(parts, layer.Digest)
	}
	if sbom, err := v1.NewHash(stored.manifest.Annotations[annotationSBOM]); err == nil {
		parts = append(parts, sbom)
	}
	return parts
}

// needed are the blobs of the images that stay, and the layers that builds go on from. One of
// them that cannot be read may need anything.
func (s *Store) needed(images []v1.Descriptor) (map[v1.Hash]bool, error) {
	needed := map[v1.Hash]bool{}
	for _, entry := range images {
		stored, err := openImage(s.blobs, entry)
		if err != nil {
			return nil, err
		}
		needed[entry.Digest] = true
		for _, blob := range partsOf(stored) {
			needed[blob] = true
		}
	}
	bases, err := os.ReadDir(filepath.Join(s.dir, basesDir))
	if err != nil {
		return nil, err
	}
	for _, entry := range bases {
		content, err := durable.ReadFile(filepath.Join(s.dir, basesDir, entry.Name()), maxDocument)
		if err != nil {
			return nil, err
		}
		var found struct {
			Layer digest.Digest `json:"layer"`
		}
		//nolint:forbidigo // one member of a file of our own, also of one that another version wrote
		if err := json.Unmarshal(content, &found); err != nil || found.Layer.Check() != nil {
			return nil, fmt.Errorf("the base %s cannot be read: it may need any layer", entry.Name())
		}
		needed[hashOf(found.Layer)] = true
	}
	return needed, nil
}

// removeTree takes the unpacked root file system away by one rename.
func (s *Store) removeTree(sum digest.Digest) error {
	aside := filepath.Join(s.dir, workDir, "removed")
	if err := os.RemoveAll(aside); err != nil {
		return err
	}
	if err := durable.Rename(s.rootfsPath(sum), aside); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.RemoveAll(aside)
}
