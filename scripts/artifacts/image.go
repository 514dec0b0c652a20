package main

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/partial"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"

	"hotcell/internal/strictjson"
)

// imageOf is an image that is to be made.
type imageOf struct {
	root         string // the directory that it has
	architecture string
	version      string
	made         time.Time
}

// writeImage writes an OCI image layout with one image as a tar archive.
func writeImage(of imageOf, path string) error {
	image, err := of.compose()
	if err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	return errors.Join(of.writeLayout(file, image), file.Close())
}

func (i imageOf) compose() (v1.Image, error) {
	content, err := i.layer()
	if err != nil {
		return nil, err
	}
	layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(content)), nil },
		tarball.WithMediaType(types.OCILayer))
	if err != nil {
		return nil, err
	}
	blank := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	configured, err := mutate.ConfigFile(blank, &v1.ConfigFile{
		OS: "linux", Architecture: i.architecture, Created: v1.Time{Time: i.made}, RootFS: v1.RootFS{Type: "layers"},
		Config: v1.Config{
			User: "65532:65532", WorkingDir: "/", Env: []string{"PATH=/usr/bin"}, Entrypoint: []string{"/usr/bin/runner"},
			Labels: map[string]string{
				"org.opencontainers.image.title": "hotcell", "org.opencontainers.image.version": i.version,
				"org.opencontainers.image.licenses": "Apache-2.0",
			},
		},
	})
	if err != nil {
		return nil, err
	}
	history := v1.History{Created: v1.Time{Time: i.made}, CreatedBy: "hotcell"}
	return mutate.Append(configured, mutate.Addendum{Layer: layer, MediaType: types.OCILayer, History: history})
}

// temporary is where everybody may write, as on any system: doctor makes a directory there.
const temporary = "tmp"

// layer is the directory as a tar archive: root's, and by the order of names.
func (i imageOf) layer() ([]byte, error) {
	root, err := os.OpenRoot(i.root)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	var content bytes.Buffer
	archive := tar.NewWriter(&content)
	err = fs.WalkDir(root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || name == "." {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		header := &tar.Header{Format: tar.FormatUSTAR, Name: name, ModTime: i.made, Mode: int64(info.Mode().Perm() & 0o755)}
		switch {
		case info.IsDir():
			header.Typeflag, header.Name = tar.TypeDir, name+"/"
			if name == temporary {
				header.Mode = 0o1777
			}
			return archive.WriteHeader(header)
		case !info.Mode().IsRegular():
			return fmt.Errorf("%s is %s: the image has files and directories alone", name, info.Mode())
		}
		text, err := root.ReadFile(name)
		if err != nil {
			return err
		}
		header.Typeflag, header.Size = tar.TypeReg, int64(len(text))
		if err := archive.WriteHeader(header); err != nil {
			return err
		}
		_, err = archive.Write(text)
		return err
	})
	err = errors.Join(err, archive.Close()) // before its bytes are taken: it writes the end
	return content.Bytes(), err
}

func (i imageOf) writeLayout(to io.Writer, image v1.Image) error {
	entry, err := partial.Descriptor(image)
	if err != nil {
		return err
	}
	entry.Annotations = map[string]string{"org.opencontainers.image.ref.name": i.version}
	entry.Platform = &v1.Platform{OS: "linux", Architecture: i.architecture}
	all := v1.IndexManifest{SchemaVersion: 2, MediaType: types.OCIImageIndex, Manifests: []v1.Descriptor{*entry}}
	index, errIndex := strictjson.Encode(all)
	manifest, errManifest := image.RawManifest()
	config, errConfig := image.RawConfigFile()
	configName, errName := image.ConfigName()
	layers, errLayers := image.Layers()
	if err := errors.Join(errIndex, errManifest, errConfig, errName, errLayers); err != nil {
		return err
	}
	archive := tar.NewWriter(to)
	write := func(name string, content []byte) {
		header := &tar.Header{
			Format: tar.FormatUSTAR, Typeflag: tar.TypeReg, Name: name, Mode: 0o644, Size: int64(len(content)), ModTime: i.made,
		}
		if err == nil {
			err = archive.WriteHeader(header)
		}
		if err == nil {
			_, err = archive.Write(content)
		}
	}
	write("oci-layout", []byte(`{"imageLayoutVersion":"1.0.0"}`))
	write("index.json", index)
	write("blobs/sha256/"+entry.Digest.Hex, manifest)
	write("blobs/sha256/"+configName.Hex, config)
	for _, layer := range layers {
		name, content, failed := blobOf(layer)
		if err = errors.Join(err, failed); err == nil {
			write("blobs/sha256/"+name.Hex, content)
		}
	}
	return errors.Join(err, archive.Close())
}

func blobOf(layer v1.Layer) (name v1.Hash, content []byte, err error) {
	if name, err = layer.Digest(); err != nil {
		return v1.Hash{}, nil, err
	}
	compressed, err := layer.Compressed()
	if err != nil {
		return v1.Hash{}, nil, err
	}
	content, err = io.ReadAll(compressed)
	return name, content, errors.Join(err, compressed.Close())
}
