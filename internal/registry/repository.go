package registry

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/google/go-containerregistry/pkg/v1/types"

	"hotcell/internal/bundle"
	"hotcell/internal/bundleimage"
	"hotcell/internal/digest"
	"hotcell/internal/image"
)

// ErrUnknown is wrapped where a repository has nothing that a digest names.
var ErrUnknown = errors.New("unknown here")

// Part is a manifest, a configuration or a layer.
type Part struct {
	MediaType types.MediaType
	Bytes     int64
	// Open reads it from a byte on, and not to the end: Close holds what was read of to its digest.
	Open func(ctx context.Context, from int64) (io.ReadCloser, error)
	Data *bundle.Bundle // whose data it is, or nil
}

// Repository has images.
type Repository interface {
	Manifest(ctx context.Context, sum digest.Digest) (Part, error)
	Blob(ctx context.Context, sum digest.Digest) (Part, error)
}

// Images are a store's, for machines of every kind.
type Images struct{ Store *image.Store }

// Manifest implements Repository.
func (s Images) Manifest(ctx context.Context, sum digest.Digest) (Part, error) {
	found, err := s.find(ctx, sum)
	if err != nil {
		return Part{}, err
	}
	return manifest(sum, found.Digest, found.Manifest)
}

// Blob implements Repository.
func (s Images) Blob(ctx context.Context, sum digest.Digest) (Part, error) {
	found, err := s.find(ctx, sum)
	if err != nil {
		return Part{}, err
	}
	if found.ConfigDigest == sum {
		return document(types.OCIConfigJSON, found.Config), nil
	}
	size, ok := found.Layer(sum)
	if !ok {
		return Part{}, ErrUnknown
	}
	open := func(ctx context.Context, from int64) (io.ReadCloser, error) {
		layer, err := found.OpenLayer(ctx, sum)
		if err != nil {
			return nil, err
		}
		if _, err := io.CopyN(io.Discard, layer, from); err != nil {
			return nil, errors.Join(err, layer.Close())
		}
		return layer, nil
	}
	return Part{MediaType: types.OCIUncompressedLayer, Bytes: size, Open: open}, nil
}

func (s Images) find(ctx context.Context, sum digest.Digest) (*image.Carried, error) {
	found, err := s.Store.Find(ctx, sum)
	if errors.Is(err, image.ErrUnknown) {
		return nil, fmt.Errorf("%w: %w", ErrUnknown, err)
	}
	return found, err
}

// manifest is an image's, which has other parts by digests of their own.
func manifest(asked, own digest.Digest, content []byte) (Part, error) {
	if own != asked {
		return Part{}, ErrUnknown
	}
	return document(types.OCIManifestSchema1, content), nil
}

// Bundles are a store's, as images.
type Bundles struct{ Store *bundleimage.Store }

// Manifest implements Repository.
func (s Bundles) Manifest(ctx context.Context, sum digest.Digest) (Part, error) {
	found, err := s.find(ctx, sum)
	if err != nil {
		return Part{}, err
	}
	return manifest(sum, found.Digest, found.Manifest)
}

// Blob implements Repository.
func (s Bundles) Blob(ctx context.Context, sum digest.Digest) (Part, error) {
	found, err := s.find(ctx, sum)
	switch {
	case err != nil:
		return Part{}, err
	case found.ConfigDigest == sum:
		return document(types.OCIConfigJSON, found.Config), nil
	case found.LayerDigest() != sum:
		return Part{}, ErrUnknown
	}
	return Part{MediaType: types.OCIUncompressedLayer, Bytes: found.LayerBytes(), Open: found.OpenLayer, Data: &found.Bundle}, nil
}

func (s Bundles) find(ctx context.Context, sum digest.Digest) (*bundleimage.Volume, error) {
	found, err := s.Store.Find(ctx, sum)
	if errors.Is(err, bundleimage.ErrUnknown) {
		return nil, fmt.Errorf("%w: %w", ErrUnknown, err)
	}
	return found, err
}

// document is a part that is in memory, and has been verified.
func document(kind types.MediaType, content []byte) Part {
	return Part{MediaType: kind, Bytes: int64(len(content)), Open: func(_ context.Context, from int64) (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(content[from:])), nil
	}}
}
