package bundleimage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/types"

	"hotcell/internal/bundle"
	"hotcell/internal/digest"
)

// Volume is a bundle as an OCI image. Nobody writes to it.
type Volume struct {
	Bundle       bundle.Bundle
	Digest       digest.Digest // of the manifest
	Manifest     []byte
	ConfigDigest digest.Digest
	Config       []byte

	bundles *bundle.Store
	files   []bundle.StoredFile
	note    note
}

// annotationBundle says in the manifest which bundle it is. Its name and its study are in the data alone.
const annotationBundle = "org.hotcell.bundle"

// architecture is what the configuration says on every host: it has to say something, and a node takes a
// manifest that is named by its digest whatever its own is (containerd: images.Manifest compares platforms
// only below an index; CRI-O warns). Another value per host would be another digest per host.
const architecture = "amd64"

// compose makes an image with its manifest and configuration.
func compose(bundles *bundle.Store, about bundle.Bundle, files []bundle.StoredFile, kept note) (*Volume, error) {
	made := &Volume{Bundle: about, bundles: bundles, files: files, note: kept}
	image, err := made.compose(context.Background())
	if err != nil {
		return nil, err
	}
	config, errConfig := image.RawConfigFile()
	manifest, errManifest := image.RawManifest()
	if err := errors.Join(errConfig, errManifest); err != nil {
		return nil, err
	}
	made.Config, made.ConfigDigest, made.Manifest, made.Digest = config, digest.Of(config), manifest, digest.Of(manifest)
	return made, nil
}

// compose depends on nothing but what the bundle is: not on when or where it is called.
func (i *Volume) compose(ctx context.Context) (v1.Image, error) {
	epoch := v1.Time{Time: time.Unix(0, 0).UTC()}
	blank := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	configured, err := mutate.ConfigFile(blank, &v1.ConfigFile{OS: "linux", Architecture: architecture, Created: epoch, RootFS: v1.RootFS{Type: "layers"}})
	if err != nil {
		return nil, err
	}
	layered, err := mutate.Append(configured, mutate.Addendum{
		Layer: imageLayer{ctx, i}, MediaType: types.OCIUncompressedLayer, History: v1.History{Created: epoch, CreatedBy: "hotcell"},
	})
	if err != nil {
		return nil, err
	}
	annotated, ok := mutate.Annotations(layered, map[string]string{annotationBundle: i.Bundle.Digest.String()}).(v1.Image)
	if !ok {
		return nil, fmt.Errorf("annotate manifest: %T is not an image", annotated)
	}
	return annotated, nil
}

// V1 is the image as the library has it, for who carries it to a registry. ctx ends all reading of its layer,
// for which the library has none.
func (i *Volume) V1(ctx context.Context) (v1.Image, error) { return i.compose(ctx) }

// LayerDigest names the layer.
func (i *Volume) LayerDigest() digest.Digest { return i.note.Layer }

// LayerBytes is the size of the layer.
func (i *Volume) LayerBytes() int64 { return i.note.Bytes }

// imageLayer implements v1.Layer.
type imageLayer struct {
	ctx context.Context // of all who read it
	of  *Volume
}

// Digest implements v1.Layer.
func (l imageLayer) Digest() (v1.Hash, error) {
	return v1.Hash{Algorithm: "sha256", Hex: string(l.of.note.Layer.Hex())}, nil
}

// DiffID implements v1.Layer.
func (l imageLayer) DiffID() (v1.Hash, error) { return l.Digest() }

// Size implements v1.Layer.
func (l imageLayer) Size() (int64, error) { return l.of.note.Bytes, nil }

// MediaType implements v1.Layer.
func (l imageLayer) MediaType() (types.MediaType, error) { return types.OCIUncompressedLayer, nil }

// Compressed implements v1.Layer: the bytes as a registry has them.
func (l imageLayer) Compressed() (io.ReadCloser, error) { return l.Uncompressed() }

// Uncompressed implements v1.Layer.
func (l imageLayer) Uncompressed() (io.ReadCloser, error) { return l.of.OpenLayer(l.ctx, 0) }
