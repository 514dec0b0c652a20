package image

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/types"

	"hotcell/internal/durable"
	"hotcell/internal/strictjson"
)

// The files of an OCI image layout.
const (
	indexFile     = "index.json"
	layoutFile    = "oci-layout"
	layoutContent = `{"imageLayoutVersion":"1.0.0"}` + "\n"
)

// readIndex returns the index, which is empty in a new store. Digests in it
// certify themselves, so that a damaged index can name a wrong image of this
// store, but no other bytes. Which image a name means must not hang on who reads: only
// stores write it, and what they do not write is refused.
func (s *Store) readIndex() (*v1.IndexManifest, error) {
	content, err := durable.ReadFile(filepath.Join(s.dir, indexFile), maxDocument)
	if errors.Is(err, fs.ErrNotExist) {
		return &v1.IndexManifest{SchemaVersion: 2, MediaType: types.OCIImageIndex}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read image index: %w", err)
	}
	var index *v1.IndexManifest
	if err := strictjson.Decode(content, maxDocument, &index); err != nil {
		return nil, fmt.Errorf("read image index %s: %w", filepath.Join(s.dir, indexFile), err)
	}
	if index == nil {
		return nil, fmt.Errorf("read image index %s: it is null", filepath.Join(s.dir, indexFile))
	}
	if index.SchemaVersion != 2 {
		return nil, fmt.Errorf("read image index %s: schema version %d is unknown", filepath.Join(s.dir, indexFile), index.SchemaVersion)
	}
	return index, nil
}

// enter puts an image into the index as the last build of its name for its
// architecture. Only the holder of the build lock may call it.
func (s *Store) enter(added v1.Descriptor) error {
	index, err := s.readIndex()
	if err != nil {
		return err
	}
	name, architecture := added.Annotations[annotationName], architectureOf(added)
	kept := []v1.Descriptor{}
	for _, entry := range index.Manifests {
		if entry.Digest == added.Digest {
			continue
		}
		if entry.Annotations[annotationName] == name && architectureOf(entry) == architecture {
			delete(entry.Annotations, annotationName)
		}
		kept = append(kept, entry)
	}
	kept = append(kept, added)
	index.Manifests = kept
	return s.writeIndex(index)
}

func (s *Store) writeIndex(index *v1.IndexManifest) error {
	content, err := json.MarshalIndent(index, "", "  ")
	if err != nil {
		return fmt.Errorf("write image index: %w", err)
	}
	return writeFile(filepath.Join(s.dir, indexFile), append(content, '\n'))
}

// architectureOf is what the index says of an image's architecture, or this machine's
// where it says nothing. It helps to find the image; what is verified is the image's
// configuration.
func architectureOf(entry v1.Descriptor) string {
	if entry.Platform == nil {
		return runtime.GOARCH
	}
	return entry.Platform.Architecture
}

func (s *Store) writeLayoutFile() error {
	path := filepath.Join(s.dir, layoutFile)
	content, err := durable.ReadFile(path, maxDocument)
	if errors.Is(err, fs.ErrNotExist) {
		return writeFile(path, []byte(layoutContent))
	}
	if err != nil {
		return err
	}
	if !bytes.Equal(content, []byte(layoutContent)) {
		return fmt.Errorf("%s is not the one of an image store: choose another directory", path)
	}
	return nil
}
