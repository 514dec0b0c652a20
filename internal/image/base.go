package image

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"

	"hotcell/internal/digest"
	"hotcell/internal/durable"
	"hotcell/internal/strictjson"
)

// base is what a build of the base layer has found out.
type base struct {
	Recipe   digest.Hex     `json:"recipe"`
	Layer    digest.Digest  `json:"layer"`
	Size     int64          `json:"size"`  // of the layer
	Bytes    int64          `json:"bytes"` // of its files
	Files    int            `json:"files"`
	Created  time.Time      `json:"created"`
	Packages []debianBinary `json:"packages"`
}

// interpreter is the package of Python's program.
const interpreter = "python3.13-minimal"

// version is a package's, or "" when the layer has none of its files.
func (b base) version(name string) string {
	for _, binary := range b.Packages {
		if binary.Name == name {
			return binary.Version
		}
	}
	return ""
}

func (s *Store) basePath(recipe digest.Hex) string {
	return filepath.Join(s.dir, basesDir, string(recipe)+".json")
}

func (s *Store) readBase(recipe digest.Hex) (base, error) {
	content, err := durable.ReadFile(s.basePath(recipe), maxDocument)
	if err != nil {
		return base{}, err
	}
	var found base
	if err := strictjson.Decode(content, maxDocument, &found); err != nil {
		return base{}, err
	}
	if found.Recipe != recipe {
		return base{}, fmt.Errorf("base layer is of recipe %s", found.Recipe)
	}
	return found, nil
}

func (s *Store) unpackBase(ctx context.Context, made base, tree string) error {
	if err := durable.MakeDir(tree, 0o755); err != nil {
		return err
	}
	return unpackLayers(ctx, s.blobs, []v1.Descriptor{{Digest: hashOf(made.Layer), Size: made.Size}}, tree)
}

// storeLayer archives the tree below top and stores it as a blob.
func (s *Store) storeLayer(ctx context.Context, tree, top string, stamp time.Time) (layer storedLayer, seen contents, err error) {
	root, err := os.OpenRoot(tree)
	if err != nil {
		return storedLayer{}, contents{}, err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	reader, writer := io.Pipe()
	done := make(chan struct{})
	go func() {
		defer close(done)
		var failed error
		seen, failed = writeLayer(ctx, writer, root, top, stamp)
		writer.CloseWithError(failed) // never returns an error: see io.PipeWriter
	}()
	blob, size, err := s.blobs.put(reader)
	reader.CloseWithError(err) // ends writeLayer when put has not read to the end
	<-done
	return storedLayer{blobs: s.blobs, digest: blob, size: size}, seen, err
}

// newestFile returns the time of the newest regular file of a tree. The files of
// a Debian package carry the time of its release, so that the same packages give
// the same time on every machine and day.
func newestFile(dir string) (newest time.Time, err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return time.Time{}, err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	err = fs.WalkDir(root.FS(), ".", func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		info, err := entry.Info()
		if err == nil && info.ModTime().After(newest) {
			newest = info.ModTime()
		}
		return err
	})
	if err == nil && newest.IsZero() {
		err = fmt.Errorf("%s holds no files", dir)
	}
	return newest.UTC().Truncate(time.Second), err
}
