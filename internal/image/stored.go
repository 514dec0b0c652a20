package image

import (
	"bytes"
	"fmt"
	"io"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/partial"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// storedImage is an image whose manifest and configuration have been verified.
// It implements partial.CompressedImageCore.
type storedImage struct {
	blobs        blobs
	rawManifest  []byte
	rawConfig    []byte
	manifest     *v1.Manifest
	architecture string // as Go calls it
}

func openImage(blobs blobs, entry v1.Descriptor) (*storedImage, error) {
	if entry.MediaType != types.OCIManifestSchema1 {
		return nil, fmt.Errorf("image %s has media type %q, want %q", entry.Digest, entry.MediaType, types.OCIManifestSchema1)
	}
	rawManifest, err := blobs.read(entry)
	if err != nil {
		return nil, fmt.Errorf("read manifest: %w", err)
	}
	manifest, err := v1.ParseManifest(bytes.NewReader(rawManifest))
	if err != nil {
		return nil, fmt.Errorf("read manifest of %s: %w", entry.Digest, err)
	}
	rawConfig, err := blobs.read(manifest.Config)
	if err != nil {
		return nil, fmt.Errorf("read configuration: %w", err)
	}
	image := &storedImage{blobs: blobs, rawManifest: rawManifest, rawConfig: rawConfig, manifest: manifest}
	return image, image.checkConfig()
}

// checkConfig reads the architecture, and holds that every layer is stored
// uncompressed, so that one digest names it in the manifest, in the configuration and
// on the disk.
func (i *storedImage) checkConfig() error {
	config, err := v1.ParseConfigFile(bytes.NewReader(i.rawConfig))
	if err != nil {
		return fmt.Errorf("read configuration: %w", err)
	}
	if len(i.manifest.Layers) == 0 || len(config.RootFS.DiffIDs) != len(i.manifest.Layers) {
		return fmt.Errorf("manifest has %d layers, configuration %d", len(i.manifest.Layers), len(config.RootFS.DiffIDs))
	}
	for n, layer := range i.manifest.Layers {
		if layer.MediaType != types.OCIUncompressedLayer {
			return fmt.Errorf("layer %s has media type %q, want %q", layer.Digest, layer.MediaType, types.OCIUncompressedLayer)
		}
		if layer.Digest != config.RootFS.DiffIDs[n] {
			return fmt.Errorf("layer %s is %s in the configuration", layer.Digest, config.RootFS.DiffIDs[n])
		}
	}
	if config.OS != "linux" || config.Architecture == "" {
		return fmt.Errorf("configuration %s is for system %q and architecture %q, want linux and one that is named", i.manifest.Config.Digest, config.OS, config.Architecture)
	}
	i.architecture = config.Architecture
	return nil
}

// RawManifest implements partial.CompressedImageCore.
func (i *storedImage) RawManifest() ([]byte, error) { return i.rawManifest, nil }

// RawConfigFile implements partial.CompressedImageCore.
func (i *storedImage) RawConfigFile() ([]byte, error) { return i.rawConfig, nil }

// MediaType implements partial.CompressedImageCore.
func (i *storedImage) MediaType() (types.MediaType, error) { return types.OCIManifestSchema1, nil }

// LayerByDigest implements partial.CompressedImageCore.
func (i *storedImage) LayerByDigest(digest v1.Hash) (partial.CompressedLayer, error) {
	for _, layer := range i.manifest.Layers {
		if layer.Digest == digest {
			return storedLayer{blobs: i.blobs, digest: digest, size: layer.Size}, nil
		}
	}
	return nil, fmt.Errorf("image has no layer %s", digest)
}

// storedLayer is an uncompressed layer. It implements v1.Layer.
type storedLayer struct {
	blobs  blobs
	digest v1.Hash
	size   int64
}

// Digest implements v1.Layer.
func (l storedLayer) Digest() (v1.Hash, error) { return l.digest, nil }

// DiffID implements v1.Layer.
func (l storedLayer) DiffID() (v1.Hash, error) { return l.digest, nil }

// Size implements v1.Layer.
func (l storedLayer) Size() (int64, error) { return l.size, nil }

// MediaType implements v1.Layer.
func (l storedLayer) MediaType() (types.MediaType, error) { return types.OCIUncompressedLayer, nil }

// Compressed implements v1.Layer: the bytes as the registry would hold them.
func (l storedLayer) Compressed() (io.ReadCloser, error) { return l.Uncompressed() }

// Uncompressed implements v1.Layer.
func (l storedLayer) Uncompressed() (io.ReadCloser, error) {
	return l.blobs.open(v1.Descriptor{Digest: l.digest, Size: l.size})
}
