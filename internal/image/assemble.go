package image

import (
	"fmt"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/types"

	pythonanalysis "hotcell/images/python-analysis"
	"hotcell/internal/digest"
)

// guardLayer is the second layer of an image.
type guardLayer struct {
	layer storedLayer
	seen  contents
}

// assemble makes an image of the two layers, stores it and enters it under its
// name.
func (s *Store) assemble(architecture string, made base, guard guardLayer, guardSum digest.Hex) (Image, error) {
	sbom, err := billOfMaterials(made, guardSum)
	if err != nil {
		return Image{}, fmt.Errorf("write bill of materials: %w", err)
	}
	sbomDigest, err := s.blobs.putBytes(sbom)
	if err != nil {
		return Image{}, err
	}
	image := Image{
		Architecture: architecture,
		Recipe:       made.Recipe,
		Guard:        guardSum,
		Created:      made.Created,
		Bytes:        made.Bytes + guard.seen.bytes,
		Files:        made.Files + guard.seen.files,
		Packages:     len(made.Packages),
	}
	baseLayer := storedLayer{blobs: s.blobs, digest: hashOf(made.Layer), size: made.Size}
	if image, err = s.storeImage(image, sbomDigest, baseLayer, guard.layer); err != nil {
		return Image{}, fmt.Errorf("store image: %w", err)
	}
	return image, nil
}

func (s *Store) storeImage(image Image, sbom v1.Hash, layers ...v1.Layer) (Image, error) {
	made, err := composeImage(image, sbom, layers)
	if err != nil {
		return Image{}, err
	}
	config, err := made.RawConfigFile()
	if err != nil {
		return Image{}, err
	}
	manifest, err := made.RawManifest()
	if err != nil {
		return Image{}, err
	}
	if _, err := s.blobs.putBytes(config); err != nil {
		return Image{}, err
	}
	if _, err := s.blobs.putBytes(manifest); err != nil {
		return Image{}, err
	}
	image.Name, image.Digest = pythonanalysis.Name, digest.Of(manifest)
	return image, s.enter(entryOf(image, int64(len(manifest))))
}

// composeImage makes manifest and configuration. Nothing in them depends on when
// or where it is called.
func composeImage(image Image, sbom v1.Hash, layers []v1.Layer) (v1.Image, error) {
	blank := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	configured, err := mutate.ConfigFile(blank, configFile(image))
	if err != nil {
		return nil, err
	}
	var additions []mutate.Addendum
	for _, layer := range layers {
		additions = append(additions, mutate.Addendum{
			Layer:     layer,
			MediaType: types.OCIUncompressedLayer,
			History:   v1.History{Created: v1.Time{Time: image.Created}, CreatedBy: "hotcell"},
		})
	}
	layered, err := mutate.Append(configured, additions...)
	if err != nil {
		return nil, err
	}
	annotated, ok := mutate.Annotations(layered, image.annotations(sbom)).(v1.Image)
	if !ok {
		return nil, fmt.Errorf("annotate manifest: %T is not an image", annotated)
	}
	return annotated, nil
}

// configFile says how the guard is started. The engines say it again, with what
// the policy adds; this is for people who run the image by hand.
func configFile(image Image) *v1.ConfigFile {
	return &v1.ConfigFile{
		OS:           "linux",
		Architecture: image.Architecture,
		Created:      v1.Time{Time: image.Created},
		RootFS:       v1.RootFS{Type: "layers"},
		Config: v1.Config{
			User:       "65532:65532",
			WorkingDir: "/",
			Env:        []string{"PATH=/usr/bin", "LANG=C.UTF-8", "TZ=UTC"},
			Entrypoint: pythonanalysis.Command(),
		},
	}
}
