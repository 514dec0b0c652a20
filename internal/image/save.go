package image

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"github.com/klauspost/compress/zstd"

	"hotcell/internal/digest"
	"hotcell/internal/strictjson"
)

// part is a file of an archive. They have one order, in which each one says how large the
// next may be, and what it must be.
type part struct {
	name    string
	size    int64
	content func() (io.ReadCloser, error)
}

func document(name string, content []byte) part {
	return part{name, int64(len(content)), func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(content)), nil }}
}

// blobName is a blob's name in an archive.
func blobName(blob v1.Hash) string { return blobsDir + "/" + blob.Hex }

// Save writes an image as an archive that Load takes: an OCI image layout in a tar archive,
// compressed by zstd, which others read, too. Its bill of materials comes along as a blob that
// only the manifest's annotation names. The same image gives the same tar archive. ctx ends it
// between two reads.
func (s *Store) Save(ctx context.Context, sum digest.Digest, to io.Writer) error {
	parts, about, err := s.parts(sum)
	if err != nil {
		return fmt.Errorf("save image %s: %w", sum, err)
	}
	compressor, err := zstd.NewWriter(to)
	if err != nil {
		return fmt.Errorf("save image %s: %w", sum, err)
	}
	archive := tar.NewWriter(compressor)
	for _, one := range parts {
		header := &tar.Header{Format: tar.FormatUSTAR, Typeflag: tar.TypeReg, Name: one.name, Mode: 0o644, Size: one.size, ModTime: about.Created}
		if err = archive.WriteHeader(header); err == nil {
			err = one.write(ctx, archive)
		}
		if err != nil { // what has no end is no archive
			return errors.Join(fmt.Errorf("save image %s: %s: %w", sum, one.name, err), compressor.Close())
		}
	}
	if err := errors.Join(archive.Close(), compressor.Close()); err != nil {
		return fmt.Errorf("save image %s: %w", sum, err)
	}
	return nil
}

func (p part) write(ctx context.Context, to io.Writer) (err error) {
	content, err := p.content()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, content.Close()) }()
	_, err = io.Copy(to, untilDone{ctx, content})
	return err
}

// parts are what an archive of an image consists of.
func (s *Store) parts(sum digest.Digest) ([]part, Image, error) {
	stored, err := s.open(sum)
	if err != nil {
		return nil, Image{}, err
	}
	entry, err := s.find(sum.String(), "")
	if err != nil {
		return nil, Image{}, err
	}
	about, err := imageFromManifest(entry, stored)
	if err != nil {
		return nil, Image{}, err
	}
	bill, err := s.SBOM(sum)
	if err != nil {
		return nil, Image{}, err
	}
	index, err := indexOf(about, int64(len(stored.rawManifest)))
	if err != nil {
		return nil, Image{}, err
	}
	parts := []part{
		document(layoutFile, []byte(layoutContent)),
		document(indexFile, index),
		document(blobName(entry.Digest), stored.rawManifest),
		document(blobName(stored.manifest.Config.Digest), stored.rawConfig),
		document(blobName(hashOf(digest.Of(bill))), bill),
	}
	for _, layer := range stored.manifest.Layers {
		parts = append(parts, part{blobName(layer.Digest), layer.Size, func() (io.ReadCloser, error) { return s.blobs.open(layer) }})
	}
	return parts, about, nil
}

// entryOf is an image as an index lists it.
func entryOf(about Image, size int64) v1.Descriptor {
	entry := v1.Descriptor{
		MediaType: types.OCIManifestSchema1, Size: size, Digest: hashOf(about.Digest),
		Platform: &v1.Platform{OS: "linux", Architecture: about.Architecture},
	}
	if about.Name != "" {
		entry.Annotations = map[string]string{annotationName: about.Name}
	}
	return entry
}

// indexOf is the index of an archive.
func indexOf(about Image, size int64) ([]byte, error) {
	index := v1.IndexManifest{SchemaVersion: 2, MediaType: types.OCIImageIndex, Manifests: []v1.Descriptor{entryOf(about, size)}}
	content, err := strictjson.Encode(index)
	return append(content, '\n'), err
}

// untilDone reads until a context ends.
type untilDone struct {
	ctx  context.Context
	from io.Reader
}

// Read implements io.Reader.
func (r untilDone) Read(p []byte) (int, error) {
	if r.ctx.Err() != nil {
		return 0, context.Cause(r.ctx)
	}
	return r.from.Read(p)
}
