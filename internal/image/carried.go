package image

import (
	"context"
	"errors"
	"io"
	"os"
	"slices"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/partial"

	"hotcell/internal/digest"
	"hotcell/internal/durable"
)

// ErrUnknown is wrapped where no image of the store has, or is, what a digest names.
var ErrUnknown = errors.New("no image of the store has it")

// Carried is an image for who carries it to other hosts, whatever machine it is for. Manifest and
// configuration have been verified.
type Carried struct {
	Digest       digest.Digest // of the manifest
	Manifest     []byte
	ConfigDigest digest.Digest
	Config       []byte

	stored *storedImage
}

// Find is the image whose manifest, configuration or layer a digest names. An image that is damaged does
// not keep others from being found.
func (s *Store) Find(ctx context.Context, part digest.Digest) (*Carried, error) {
	index, err := s.readIndex()
	if err != nil {
		return nil, err
	}
	var damaged []error
	for _, entry := range index.Manifests {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		stored, err := openImage(s.blobs, entry)
		if err != nil {
			damaged = append(damaged, err)
			continue
		}
		found := &Carried{digest.Digest(entry.Digest.String()), stored.rawManifest, digest.Digest(stored.manifest.Config.Digest.String()), stored.rawConfig, stored}
		if _, isLayer := found.Layer(part); isLayer || part == found.Digest || part == found.ConfigDigest {
			return found, nil
		}
	}
	return nil, errors.Join(append([]error{ErrUnknown}, damaged...)...)
}

// V1 is the image as the library has it. Each layer is verified while it is read.
func (c *Carried) V1() (v1.Image, error) { return partial.CompressedToImage(c.stored) }

// Layer is the size of a layer, and whether the image has it.
func (c *Carried) Layer(layer digest.Digest) (bytes int64, ok bool) {
	at := slices.IndexFunc(c.stored.manifest.Layers, func(one v1.Descriptor) bool { return one.Digest.String() == layer.String() })
	if at < 0 {
		return 0, false
	}
	return c.stored.manifest.Layers[at].Size, true
}

// OpenLayer opens a layer, which is held to its digest from its beginning, and to its end by Close. ctx ends it.
func (c *Carried) OpenLayer(ctx context.Context, layer digest.Digest) (io.ReadCloser, error) {
	size, ok := c.Layer(layer)
	if !ok {
		return nil, ErrUnknown
	}
	file, err := durable.Open(c.stored.blobs.path(hashOf(layer)))
	if err != nil {
		return nil, incomplete(err)
	}
	return blobReader{digest.NewReader(endedFile{untilDone{ctx, file}, file}, layer, size)}, nil
}

// endedFile is a file that is read until a context ends.
type endedFile struct {
	untilDone
	file *os.File
}

// Close implements io.Closer.
func (f endedFile) Close() error { return f.file.Close() }
