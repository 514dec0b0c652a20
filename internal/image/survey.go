package image

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path"

	v1 "github.com/google/go-containerregistry/pkg/v1"
)

// maxEntries bounds the files, directories and links of an image that arrives. Those of
// python-analysis are 16,000.
const maxEntries = 500_000

// checkOwn holds that manifest and configuration are what this program writes of the image
// that they describe, to the byte.
func (i *storedImage) checkOwn(about Image) error {
	if err := errors.Join(about.Recipe.Check(), about.Guard.Check()); err != nil {
		return fmt.Errorf("describe image: %w", err)
	}
	if about.Architecture != "amd64" && about.Architecture != "arm64" {
		return fmt.Errorf("the image is for the architecture %.100q, and may be for amd64 or arm64", about.Architecture)
	}
	var layers []v1.Layer
	total := int64(0)
	for _, layer := range i.manifest.Layers {
		if total += layer.Size; layer.Size <= 0 || layer.Size > maxLayers || total > maxLayers {
			return fmt.Errorf("its layers have more than %d bytes, or one has none", int64(maxLayers))
		}
		layers = append(layers, storedLayer{digest: layer.Digest, size: layer.Size})
	}
	bill, err := v1.NewHash(i.manifest.Annotations[annotationSBOM])
	if err != nil {
		return err
	}
	made, err := composeImage(about, bill, layers)
	if err != nil {
		return err
	}
	manifest, errManifest := made.RawManifest()
	config, errConfig := made.RawConfigFile()
	if err := errors.Join(errManifest, errConfig); err != nil {
		return err
	}
	if !bytes.Equal(manifest, i.rawManifest) || !bytes.Equal(config, i.rawConfig) {
		return errors.New("its manifest or configuration says other things than this version writes")
	}
	return nil
}

// survey is what an image's layers hold, while they are read.
type survey struct {
	dirs    map[string]bool // by name: whether it is a directory
	seen    contents
	entries int
}

// survey reads all layers, and holds that they can be unpacked, as this package's can: each
// name once, in a directory that came before it, and as many files and bytes as the image says.
func (a *arrival) survey(ctx context.Context, about Image, stored *storedImage) error {
	found := &survey{dirs: map[string]bool{".": true}}
	if err := readLayers(ctx, a.blobs, stored.manifest.Layers, found.entry); err != nil {
		if ctx.Err() == nil {
			err = fmt.Errorf("%w: %w", ErrArchive, err)
		}
		return err
	}
	if found.seen.bytes != about.Bytes || found.seen.files != about.Files {
		return fmt.Errorf("%w: its layers have %d files with %d bytes, and its manifest says %d with %d",
			ErrArchive, found.seen.files, found.seen.bytes, about.Files, about.Bytes)
	}
	return nil
}

func (s *survey) entry(entry *tar.Header, _ io.Reader) error {
	name := entryName(entry)
	if s.entries++; s.entries > maxEntries {
		return fmt.Errorf("its layers have more than %d entries", maxEntries)
	}
	if _, known := s.dirs[name]; known {
		return fmt.Errorf("entry %.100q is there twice", name)
	}
	if !s.dirs[path.Dir(name)] {
		return fmt.Errorf("entry %.100q is in no directory of the image", name)
	}
	s.dirs[name] = entry.Typeflag == tar.TypeDir
	if entry.Typeflag == tar.TypeReg {
		s.seen.files++
		s.seen.bytes += entry.Size
	}
	return nil
}
